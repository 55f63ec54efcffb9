"""The session list next to its budgets: `python -m tests.bench.bench_session_list`. Prints; fails on nothing.

Budgets (product, section 6): 2,000 sessions cold ≤ 250 ms, 10,000 filtered ≤ 50 ms a key, CPU of this process. Cold is a new store on
files that nobody read, without any cache of ours; with its cache it is the next start. The filter is the side-bar view's and the picker's,
on the screen (offscreen), typed key by key, the drawing of the rows included.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QMainWindow

from desktop.sessions.store import LIST_FILE, SessionStore
from desktop.sessions.summary import SessionSummary
from desktop.ui import icons, theme
from desktop.ui.sessions.filtering import Haystacks, ListOptions
from desktop.ui.sessions.picker import SessionPicker
from desktop.ui.sessions.view import SessionsView
from tests.bench.bench_sessions import written
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import paths_in, store_in

FEW, MANY = 2_000, 10_000
COLD_MS, KEY_MS = 250.0, 50.0
TYPED = ("会", "会话", "会话 9", "会话 99", "r", "re", "ref", "refa", "refactor", "refactor 77", "sess_", "demo", "x", "zzz")


def cpu(work: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1_000


def shown(figures: list[float], budget: float) -> str:
    return f"median {statistics.median(figures):.0f} ms, most {max(figures):.0f} ms (n={len(figures)}, budget {budget:.0f})"


def lists(root: Path) -> list[SessionSummary]:
    """The figures of the list; gives the sessions."""
    store = store_in(root)
    for number in range(FEW):
        written(store, 2 + number % 30, "重构解析器 and more words of a prompt " * 4, number % 20)

    def fresh() -> SessionStore:
        return SessionStore(paths_in(root), FixedClock())

    cache = root / "cache" / LIST_FILE
    cold, warm, again = [], [], []
    for _ in range(5):
        cache.unlink(missing_ok=True)
        cold.append(cpu(fresh().list))
        warm.append(cpu(fresh().list))
        started = fresh()
        started.list()
        again.append(cpu(started.list))
    print(f"list of {FEW:,} sessions, cold, no cache: {shown(cold, COLD_MS)}")
    print(f"list of {FEW:,} sessions, next start:     {shown(warm, COLD_MS)}, cache {cache.stat().st_size / 1e6:.1f} MB")
    print(f"list of {FEW:,} sessions, unchanged:      {shown(again, COLD_MS)}")
    return fresh().list()


def many(few: list[SessionSummary]) -> list[SessionSummary]:
    """As many as there may be, each with words of its own; a tenth are sub-agents."""
    made = []
    for number in range(MANY):
        one = few[number % len(few)]
        more = {"kind": "sub-agent", "parent": f"sess_{number - 1:026d}"} if number % 10 == 9 else {}
        title = f"Refactor {number} 会话 {number * 7 % MANY}"
        made.append(replace(one, id=f"sess_{number:026d}", title=title, preview=f"{one.preview} {number}", **more))  # type: ignore[arg-type]
    return sorted(made, key=lambda one: one.updated, reverse=True)


def keys(app: QApplication, window: QMainWindow, sessions: list[SessionSummary]) -> None:
    """The figures of the filter and of a list that comes in."""
    texts = Haystacks()
    print(f"what the filter of {MANY:,} looks into: first {cpu(lambda: texts.of(sessions)):.0f} ms, again "
          f"{cpu(lambda: texts.of(sessions)):.0f} ms (in a reading thread)")  # fmt: skip
    view, picker = SessionsView(window), SessionPicker(window)
    window.setCentralWidget(view)
    haystacks = texts.of(sessions)
    for name, widget in (("side-bar view", view), ("picker", picker)):
        if widget is picker:
            picker.popup()
        for group in ("day", "workspace"):
            widget.set_options(ListOptions(group=group))
            come = [cpu(partial(come_in, app, widget, sessions, haystacks)) for _ in range(5)]
            typed = [cpu(partial(step, app, widget, text, sessions)) for text in TYPED for step in (type_in, answer)]
            widget.line.clear()
            print(f"{name}, by {group}: list comes in {shown(come, KEY_MS)}; a key {shown(typed, KEY_MS)}")


Lists = SessionsView | SessionPicker


def come_in(app: QApplication, widget: Lists, sessions: list[SessionSummary], haystacks: list[str]) -> None:
    widget.set_sessions(sessions, FixedClock().moment, haystacks=haystacks)
    app.processEvents()


def type_in(app: QApplication, widget: Lists, text: str, _sessions: list[SessionSummary]) -> None:
    widget.line.setText(text)
    app.processEvents()


def answer(app: QApplication, widget: Lists, text: str, sessions: list[SessionSummary]) -> None:
    """What was found inside comes in."""
    widget.set_content(text, {one.id: ("…what was found…", ((4, 8),)) for one in sessions[:50]})
    app.processEvents()


def main() -> None:
    """Make the files and print the figures."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    icons.load()
    theme.apply(app, theme.DARK, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        few = lists(Path(folder))
    window = QMainWindow()
    window.resize(900, 800)
    window.show()
    keys(app, window, many(few))
    window.close()


if __name__ == "__main__":
    main()
