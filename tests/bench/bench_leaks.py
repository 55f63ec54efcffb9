"""Whether a window falls back to what it held: after 50 conversations, after one of 5,000 messages, after 20 changes of look and language.

Run: `python -m tests.bench.bench_leaks`. A real window in a process of its own. A short round comes before the first figure, so that
what is loaded once does not count. MiB that stayed, and widgets by class that stayed, next to their budgets.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.bench.bench_stream import long_session
from tests.bench.stored_chat import conversation, left_open, store
from tests.bench.window import prepare, scripted, window

SESSIONS, MESSAGES, LOOKS, LANGUAGES = 50, 5_000, 20, 20
GROWTH_MIB = 6.0
WIDGETS = 30
"""Widgets that may be there in addition: which of them a list has mounted depends on how long the machine took."""

CODE = (
    f"SESSIONS, LOOKS, LANGUAGES, GROWTH, WIDGETS = {SESSIONS}, {LOOKS}, {LANGUAGES}, {GROWTH_MIB}, {WIDGETS}\n"
    + r"""
import collections, gc, time
import psutil
from desktop.bridge import heap
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

def tell(text):
    print(text, file=sys.stderr, flush=True)

class Watched(application.Application):
    begun = False
    def _on_workspace(self, workspace):
        super()._on_workspace(workspace)
        if not self.begun:
            self.begun = True
            self.home, self.long, *self.others = sys.argv[3:]
            self.steps = self.run()
            QTimer.singleShot(3_000, self.go_on)

    def go_on(self):
        # The acts are steps of the window's own event loop: in a loop within it, nothing that is deleted later would ever be deleted.
        wanted = next(self.steps, None)
        if callable(wanted):
            self.look(wanted, time.monotonic() + 120)
        elif wanted is not None:
            QTimer.singleShot(int(1000 * wanted), self.go_on)

    def look(self, condition, end):
        if time.monotonic() > end:
            raise SystemExit("it never came")
        QTimer.singleShot(20, self.go_on if condition() else lambda: self.look(condition, end))

    # what a person does

    def show(self, session_id):
        controller = self.parts.chat.controller
        if controller.session_id != session_id:
            controller.resume(session_id)
            yield lambda: controller.session_id == session_id and self.parts.chat.pane.messages.views
        yield 0.15

    def sessions(self, count):
        for number in range(count):
            yield from self.show(self.others[number % len(self.others)])
        yield from self.show(self.home)

    def long_one(self, count):
        for _ in range(count):
            yield from self.show(self.long)
            messages = self.parts.chat.pane.messages
            for _ in range(20):
                messages.verticalScrollBar().setValue(0)
                yield 0.05
            yield from self.show(self.home)
            self.parts.search.open_session(self.long)
            yield 2.0
            for key in self.workbench.editors.open_keys():
                self.workbench.editors.close(key)
            yield 0.2

    def looks(self, count):
        settings = self.services.settings
        for number in range(count):
            settings.set("appearance.theme", "light" if number % 2 else "dark")
            settings.set("appearance.zoom", 1.2 if number % 2 else 1.0)
            yield 0.3

    def languages(self, count):
        for number in range(count):
            self.services.settings.set("appearance.language", "zh_CN" if number % 2 else "en")
            old = self.workbench
            self._remake()
            yield lambda: self.workbench is not old and self.parts is not None and self.parts.chat.controller.session_id
            yield 0.5

    # what stays

    def figures(self):
        yield 3.0
        gc.collect()
        heap.give_back()  # both are what the collector does once a minute
        yield 0.5
        widgets = collections.Counter(type(one).__name__ for one in QApplication.allWidgets())
        objects = collections.Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, QObject))
        return psutil.Process().memory_info().rss / 2**20, widgets, objects, psutil.Process().num_threads(), psutil.Process().num_fds()

    def round(self, what, act, count):
        yield from act(2)
        before = yield from self.figures()
        yield from act(count)
        after = yield from self.figures()
        grew, more = after[0] - before[0], after[1] - before[1]
        total = [sum(one[1].values()) for one in (before, after)]
        self.kept = self.kept and grew <= GROWTH and total[1] - total[0] <= WIDGETS
        tell(f"{what:<44} {before[0]:5.0f} → {after[0]:5.0f} MiB: {grew:+5.1f}, budget {GROWTH}; widgets {total[0]} → {total[1]}, "
             f"budget +{WIDGETS}; threads {before[3]} → {after[3]}; files {before[4]} → {after[4]}")
        stayed = ", ".join(f"{name} {number}" for name, number in (after[2] - before[2]).most_common(12))
        if stayed:
            tell(f"    more objects: {stayed}")

    def run(self):
        self.kept = True
        yield from self.show(self.home)
        rounds = {
            "sessions": ("50 conversations opened and left", self.sessions, SESSIONS),
            "long": ("5,000 messages, in the chat and beside it", self.long_one, 5),
            "looks": ("20 times another theme and zoom", self.looks, LOOKS),
            "languages": ("20 times another language", self.languages, LANGUAGES),
        }
        for one in os.environ.get("ROUNDS", ",".join(rounds)).split(","):
            yield from self.round(*rounds[one])
        say("kept" if self.kept else "over")
"""
)


def main() -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as place:
        model = scripted(Path(place))
        profile, folder = prepare(Path(place), model__default=model)
        home = store(profile, folder, conversation(), model)
        long = store(profile, folder, long_session(MESSAGES), model, "A long one")
        others = [store(profile, folder, conversation(2 + number % 4), model, f"Chat {number}") for number in range(10)]
        left_open(profile, folder, home, "sessions")
        with window(CODE, str(profile), str(folder), home, long, *others) as watched:
            return 0 if watched.wait_for_one("kept", "over") == "kept" else 1


if __name__ == "__main__":
    sys.exit(main())
