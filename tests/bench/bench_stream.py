"""Longest block of the GUI thread while 200 kB of an answer stream in: `python -m tests.bench.bench_stream`. Prints; fails on nothing.

The real session, loop thread and chat pane on the scripted model; mixed Markdown (prose, lists, tables, code, Chinese). A block is the
time between two turns of the event loop, with garbage collection as the window has it. Also: a line of 200 kB without a break, and
opening a session of 5,000 messages.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import shiboken6
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from desktop.app.main import SWITCH_S
from desktop.bridge.collector import GuiCollector
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Operations
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.ui import icons, theme
from desktop.ui.chat.items import entries_of
from desktop.ui.chat.pane import ChatPane
from desktop.ui.controllers.chat_controller import ChatController
from desktop.ui.markdown import warm
from tests.helpers.agent import Desk
from tests.helpers.clock import FixedClock

SIZE = 200_000
SCHEDSTAT = Path("/proc/thread-self/schedstat")
PIECE = """## Part {n}

The parser reads **one line at a time** and keeps `state` between them, so that a torn record
costs one message only. 中文段落：包管理器是 bun，提交信息用中文写。

- first point with [a link](https://example.org/{n})
- second point, a little longer than the first one, so that it wraps in a narrow pane

| Name | Value |
| --- | ---: |
| lines | {n} |
| bytes | 25000 |

```python
def part_{n}(text: str) -> list[str]:
    \"\"\"Split what was read.\"\"\"
    return [line for line in text.split("\\n") if line.strip()]  # blank lines say nothing
```

"""


def waited_for_core() -> float:
    """Seconds that this thread has been ready to run and was not run; 0 where the system does not tell."""
    try:
        return int(SCHEDSTAT.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


class Blocks:
    """Longest time between two turns of the event loop, in seconds.

    Attributes:
        longest: of the clock; on a busy machine most of it is what other processes took.
        own: of the clock without the time that the GUI thread was ready and no core was free for it; as `longest` where Linux does not say.
        work: CPU time of the GUI thread.
    """

    def __init__(self) -> None:
        self.longest = 0.0
        self.own = 0.0
        self.work = 0.0
        self._last, self._last_work, self._last_waited = time.perf_counter(), time.thread_time(), waited_for_core()
        self._timer = QTimer()
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now, work, waited = time.perf_counter(), time.thread_time(), waited_for_core()
        self.longest = max(self.longest, now - self._last)
        self.own = max(self.own, now - self._last - (waited - self._last_waited))
        self.work = max(self.work, work - self._last_work)
        self._last, self._last_work, self._last_waited = now, work, waited

    def stop(self) -> None:
        self._timer.stop()


def stream(desk: Desk, text: str, name: str) -> tuple[Blocks, int, int, float]:
    """(longest blocks, signals, events, whole time in s) of one streamed answer."""
    model = desk.script({"text": text, "chunk": 12}, name=name)
    desk.services.settings.set("model.default", model)
    loop, operations = LoopThread(), Operations()
    controller = ChatController(desk.services, None, loop, operations)
    pane = ChatPane(controller)
    pane.resize(460, 900)
    pane.show()
    controller.set_workspace(desk.workspace)
    counts = [0, 0]

    def count(events: tuple[object, ...]) -> None:
        counts[0] += 1
        counts[1] += len(events)

    controller.events_arrived.connect(count)
    pane.warm()  # as when somebody types
    while not controller.session_id or pane.warming:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    waiting = QEventLoop()
    controller.turn_ended.connect(waiting.quit)
    blocks = Blocks()
    start = time.perf_counter()
    controller.send("go")
    waiting.exec()
    took = time.perf_counter() - start
    blocks.stop()
    for future in controller.close():
        future.result(10)
    loop.stop()
    operations.close()
    pane.close()
    shiboken6.delete(pane)
    return blocks, counts[0], counts[1], took


def long_session(messages: int) -> list[Message]:
    clock = FixedClock(step_s=1)
    made: list[Message] = []
    for n in range(messages // 4):
        call = ToolCallPart(f"c{n}", "Read", {"file_path": f"src/part_{n}.py"})
        result = ToolResultPart(call.id, "Read", "line\n" * 30)
        for role, origin, parts in (
            ("user", "person", (TextPart(f"question {n}: 为什么?"),)),
            ("assistant", "model", (TextPart("I look."), call)),
            ("tool", "tool", (result,)),
            ("assistant", "model", (TextPart(PIECE.format(n=n)),)),
        ):
            made.append(Message(f"msg_{len(made)}", role, parts, clock.now(), None, origin))  # type: ignore[arg-type]
    return made


def first_screen() -> float:
    """Seconds from the messages of a session of 5,000 to its painted first screen."""
    from desktop.ui.chat.message_list import MessageList

    made = long_session(5_000)
    view = MessageList(None)  # type: ignore[arg-type]
    view.resize(460, 900)
    view.show()
    QApplication.processEvents()
    start = time.perf_counter()
    view.show_entries(entries_of(made))
    view.grab()
    took = time.perf_counter() - start
    view.close()
    view.deleteLater()
    return took


def main() -> None:
    """Print the figures."""
    sys.setswitchinterval(SWITCH_S)
    app = QApplication(sys.argv[:1])
    theme.apply(app, theme.DARK)
    icons.load()
    warm()
    collector = GuiCollector()
    collector.start()
    collector.freeze()
    text = "".join(PIECE.format(n=n) for n in range(SIZE // len(PIECE) + 1))[:SIZE]
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), headless=False)
        for name, answer in (("mixed Markdown", text), ("one line without a break", "words and 中文 " * (SIZE // 13))):
            blocks, signals, events, took = stream(desk, answer, f"{name[:3]}.json")
            print(f"{len(answer) / 1000:.0f} kB of {name}: longest block {blocks.longest * 1000:.0f} ms, ", end="")
            print(f"{blocks.own * 1000:.0f} ms without waiting for a core, {blocks.work * 1000:.0f} ms CPU (budget 50), ", end="")
            print(f"{signals} signals with {events} events for {len(answer) // 12} pieces, {took:.1f} s")
    print(f"5,000 messages to the first screen: {first_screen() * 1000:.0f} ms (budget 300)")


if __name__ == "__main__":
    main()
