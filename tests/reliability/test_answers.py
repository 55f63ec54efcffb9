"""Answers that are cut by SIGKILL while they stream: what was acknowledged is there, what came is kept up to the last second.

The bound holds for the program: what the loop of the killed process was late, by its own account, is the machine's.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop.messages.parts import Message
from desktop.sessions.running import recover, running_path
from tests.helpers.agent import Desk
from tests.helpers.clock import FixedClock
from tests.helpers.counts import tell
from tests.helpers.seeds import drawn_seed
from tests.helpers.wait import wait_for
from tests.reliability.answer_writer import answer_text

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="one monotonic clock for all processes"), pytest.mark.timeout(1_200)]

SEED = drawn_seed("answers")
AT_ONCE = 5
"""Answers that stream in one process."""
BOUND_S = 1.0


@dataclass
class Told:
    """What a killed process said of one answer: (moment, length) of each piece, ids of acknowledged messages."""

    deltas: list[tuple[float, int]] = field(default_factory=list)
    stored: list[str] = field(default_factory=list)


def _told(log: Path) -> tuple[dict[int, Told], list[tuple[float, float]]]:
    found: dict[int, Told] = {}
    late: list[tuple[float, float]] = []
    for line in log.read_text().splitlines():
        match line.split():
            case ["delta", number, moment, length]:
                found.setdefault(int(number), Told()).deltas.append((float(moment), int(length)))
            case ["stored", number, _, message_id]:
                found.setdefault(int(number), Told()).stored.append(message_id)
            case ["late", moment, seconds]:
                late.append((float(moment), float(seconds)))
    return found, late


def _killed(folder: Path, chance: random.Random) -> float:
    """Start a process, kill it at a random moment of its answers; gives the moment."""
    folder.mkdir()
    log = folder / "log"
    words = [sys.executable, "-m", "tests.reliability.answer_writer", str(folder), str(log), str(AT_ONCE), str(chance.randrange(1 << 30))]
    with subprocess.Popen(words, cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:

        def streams() -> bool:
            assert process.poll() is None, process.stderr.read() if process.stderr else ""
            return log.exists() and b"delta" in log.read_bytes()

        wait_for(streams, timeout=60.0, what="an answer that streams")
        threading.Event().wait(chance.uniform(0.0, 3.0))
        process.kill()
        moment = time.monotonic()
        process.wait(60)
    return moment


def _kept(desk: Desk, folder: Path, number: int) -> tuple[list[Message], str, bool]:
    """The messages of a session after its recovery, the text of its answer, and whether that had to be recovered."""
    handle = desk.services.sessions.open((folder / f"session-{number}").read_text())
    path = running_path(handle.path)
    if path.exists():
        assert json.loads(path.read_bytes())["role"] == "assistant", "never half a file"
    recovered = recover(handle, FixedClock())
    messages = list(handle.messages)
    handle.close()
    assert list(handle.path.parent.glob(f"{handle.path.name}.running*")) == []
    return messages, next((one.text for one in messages if one.role == "assistant"), ""), recovered is not None


def _check(folder: Path, moment: float) -> tuple[int, int, float]:
    """Of a killed process: how many answers had begun, how many were recovered, the longest loss in seconds."""
    desk = Desk(folder)
    told, late = _told(folder / "log")
    lag = max((seconds for at, seconds in late if at > moment - 2.0), default=0.0)
    recovered, longest = 0, 0.0
    for number, one in told.items():
        messages, text, was = _kept(desk, folder, number)
        assert {message.id for message in messages} >= set(one.stored), "an acknowledged message is lost"
        assert answer_text(number).startswith(text), "what is kept is what had come"
        lost = [at for at, length in one.deltas if length > len(text)]
        longest = max(longest, moment - lost[0] if lost else 0.0)
        recovered += was
        older = [length for at, length in one.deltas if at < moment - BOUND_S - lag]
        assert len(text) >= max(older, default=0), f"{moment - lost[0]:.2f} s of an answer are lost; the loop was {lag:.2f} s late"
    return len(told), recovered, longest


def _kills(tmp_path: Path, count: int) -> None:
    chance = random.Random(SEED)
    answers = recovered = 0
    longest = 0.0
    for number in range(count):
        folder = tmp_path / f"{number}"
        begun, kept, loss = _check(folder, _killed(folder, chance))
        answers, recovered, longest = answers + begun, recovered + kept, max(longest, loss)
    assert recovered > count, "most answers are cut in their middle"
    tell(f"seed {SEED}: {count} kills, {answers} running answers, {recovered} recovered, longest loss {longest:.2f} s")


def test_killed_in_the_middle_of_answers(tmp_path: Path) -> None:
    _kills(tmp_path, 20 // AT_ONCE)


@pytest.mark.full
def test_two_hundred_answers_are_killed(tmp_path: Path) -> None:
    _kills(tmp_path, 200 // AT_ONCE)
