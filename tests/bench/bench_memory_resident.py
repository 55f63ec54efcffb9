"""Resident memory of the window: with an open chat, with one vendor's library, with all of them.

Run: `python -m tests.bench.bench_memory_resident [RUNS]`. A real window in a process of its own. The libraries are loaded as in use: a chat
with such a model opens, and they load in the background.
Budgets: product design, section 6.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tests.bench.window import prepare, scripted, window

BUDGETS = {"open": 120, "one": 230, "all": 270}
VENDORS = (("anthropic", "claude-sonnet-4-6"), ("openai", "gpt-5"), ("google", "gemini-2.5-pro"))
SETTLED_MS = 4_000

CODE = (
    f"SETTLED_MS = {SETTLED_MS}\n"
    + """
from desktop.base.loading import is_loading
class Watched(application.Application):
    def _on_workspace(self, workspace):
        super()._on_workspace(workspace)
        self.left = [word.partition(":")[::2] for word in sys.argv[3:]]
        self.parts.chat.controller.opened.connect(lambda _: QTimer.singleShot(SETTLED_MS, self.settled))
    def settled(self):
        say("open")
        self.poll = QTimer(self)
        self.poll.timeout.connect(self.look)
        self.waiting = None
        self.poll.start(250)
    def look(self):
        if self.waiting and (f"pydantic_ai.models.{self.waiting}" not in sys.modules or is_loading()):
            return
        if self.waiting:
            self.poll.stop()
            vendor, self.waiting = self.waiting, None
            QTimer.singleShot(2_000, lambda: (say(vendor), self.poll.start(250)))
        elif self.left:
            self.waiting, name = self.left.pop(0)
            self.parts.chat.controller.set_model(f"{self.waiting}:{name}")
"""
)


def one_window(vendors: tuple[tuple[str, str], ...]) -> list[float]:
    """MiB with an open chat, then after each vendor's library."""
    with tempfile.TemporaryDirectory() as place:
        profile, folder = prepare(Path(place), model__default=scripted(Path(place)))
        keys = {f"{vendor.upper()}_API_KEY": "-".join(["no", "key"]) for vendor, _ in vendors}
        with window(CODE, str(profile), str(folder), *(f"{v}:{name}" for v, name in vendors), environ=keys) as watched:
            found = []
            for word in ("open", *(vendor for vendor, _ in vendors)):
                watched.wait_for(word)
                found.append(watched.resident())
            return found


def line(what: str, figures: list[float], budget: int) -> None:
    print(f"{what:<40}{statistics.median(figures):6.0f} MiB  budget {budget}  (median of {len(figures)})")


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    line("open chat, before its first request", [one_window(())[0] for _ in range(runs)], BUDGETS["open"])
    every = [one_window(VENDORS) for _ in range(runs)]
    line("open chat, keys of all vendors set", [found[0] for found in every], BUDGETS["open"])
    line("with anthropic's library", [found[1] for found in every], BUDGETS["one"])
    for pair in VENDORS[1:]:
        line(f"with {pair[0]}'s library", [one_window((pair,))[1] for _ in range(runs)], BUDGETS["one"])
    line("with all three libraries", [found[-1] for found in every], BUDGETS["all"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
