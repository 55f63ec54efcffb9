"""SIGKILL on the real window: R12 (at most two seconds of typing lost, the session back), what was open, and what was interrupted."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field

import psutil
import pytest

from tests.e2e.window import START_S, Desk, Window, soon
from tests.helpers.counts import tell
from tests.helpers.script import call
from tests.helpers.seeds import drawn_seed
from tests.helpers.wait import wait_for

SEED = drawn_seed("window_kill")
CHARACTERS, PIECE = 2_000, 40
BOUND_S = 2.0
ORDINARY_S = 12.0
"""So long are windows killed in the ordinary run."""
SLOW = {"text": "word " * 400, "delay_ms": 40, "chunk": 10}


@dataclass
class Lateness(threading.Thread):
    """How late the machine itself was: a thread that wants to run every 20 ms. Only what lies beyond is the program's."""

    late: list[tuple[float, float]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        before = time.monotonic()
        while not self.ended.wait(0.02):
            now = time.monotonic()
            self.late.append((now, now - before - 0.02))
            before = now

    def before(self, moment: float) -> float:
        """The worst of the last seconds before a moment."""
        return max((late for at, late in self.late if moment - 3.0 < at), default=0.0)


def drafts(desk: Desk) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in (desk.paths.state / "drafts").glob("*.txt")}


def _session(desk: Desk) -> str:
    """The session that comes back in the folder."""
    return str(desk.window_state()["folders"][str(desk.folder)]["session_id"])


def text_of(chance: random.Random) -> str:
    """So many characters, no part of them the same as another one."""
    words: list[str] = []
    while sum(map(len, words)) < CHARACTERS:
        words.append(f"{len(words)}{chance.choice('abcdefghijkmnopqrstuvwxyz') * 3} ")
    return "".join(words)[:CHARACTERS]


def _type_until_killed(window: Window, text: str, kill_after_s: float) -> tuple[list[tuple[float, int]], float]:
    """Type, piece by piece, and kill at that moment; gives when how much was typed, and when it was killed."""
    typed: list[tuple[float, int]] = []
    began = time.monotonic()
    dead = threading.Timer(kill_after_s, window.process.kill)
    dead.start()
    for at in range(0, len(text), PIECE):
        if time.monotonic() - began > kill_after_s:
            break
        window.display.xdotool("type", "--delay", "1", text[at : at + PIECE])
        typed.append((time.monotonic(), min(at + PIECE, len(text))))
    dead.join()
    window.process.wait(60)
    return typed, began + kill_after_s


def _killed_while_typing(desk: Desk, model: str, chance: random.Random, longest_s: float) -> tuple[float, int]:
    """Kill one window while a draft is typed into it; gives the seconds that are lost, and how many characters were typed."""
    window = desk.open(model)
    text = text_of(chance)
    before = drafts(desk)

    def begun() -> bool:
        """The draft of the window before is in the composer, and makes room."""
        window.key("ctrl+l", "ctrl+a", "BackSpace")
        return not before or soon(lambda: drafts(desk) == {}, timeout=2.0)

    wait_for(begun, timeout=START_S, what="an empty composer")
    machine = Lateness()
    machine.start()
    typed, moment = _type_until_killed(window, text, chance.uniform(0.2, longest_s))
    machine.ended.set()
    machine.join()
    kept = next(iter(drafts(desk).values()), "")
    assert len(drafts(desk)) <= 1 and text.startswith(kept), f"{kept[-80:]!r} is not what was typed"
    old = max((count for at, count in typed if at < moment - BOUND_S - machine.before(moment)), default=0)
    lost = [at for at, count in typed if count > len(kept)]
    assert len(kept) >= old, f"{moment - lost[0]:.2f} s of typing are lost; the machine was {machine.before(moment):.2f} s late"
    return (max(0.0, moment - lost[0]) if lost else 0.0), typed[-1][1] if typed else 0


def _kills(desk: Desk, most: int, seconds: float) -> None:
    chance = random.Random(SEED)
    window = desk.open(desk.headless.script({"text": "Hello."}, name="first.json"))
    desk.send(window, "Good morning to you")
    wait_for(lambda: desk.texts("assistant") == ["Hello."], what="the answer")
    wait_for(lambda: _session(desk) != "", what="the session in the state")
    window.kill()
    model = desk.headless.script(name="again.json")
    session = _session(desk)
    losses: list[float] = []
    characters = 0
    until = time.monotonic() + seconds
    while len(losses) < most and (not losses or time.monotonic() < until):
        loss, count = _killed_while_typing(desk, model, chance, 4.0 if most == 100 else 3.0)
        losses.append(loss)
        characters = max(characters, count)
        assert _session(desk) == session
        assert all(name == f"{session}.txt" for name in drafts(desk)), "the draft is that session's"
    tell(f"R12 seed {SEED}: {len(losses)} kills, up to {characters} characters typed, longest loss {max(losses):.2f} s")


def test_r12_killed_while_a_draft_is_typed(desk: Desk) -> None:
    _kills(desk, 10, ORDINARY_S)


@pytest.mark.full
@pytest.mark.timeout(1_800)
def test_r12_a_hundred_kills(desk: Desk) -> None:
    _kills(desk, 100, 1_500.0)


# --- what was interrupted -----------------------------------------------------------------------------------------------


def _running(desk: Desk) -> str:
    """What is kept of an answer on its way."""
    found = list(desk.headless.profile.rglob("*.jsonl.running"))
    return found[0].read_text(encoding="utf-8") if found else ""


def _stops(desk: Desk) -> list[str]:
    answers = [one["message"] for one in desk.records() if one["kind"] == "message" and one["message"]["role"] == "assistant"]
    return [str(one["stop"]) for one in answers]


def test_an_answer_that_was_cut_is_kept_and_said(desk: Desk) -> None:
    window = desk.open(desk.headless.script(SLOW, name="first.json"))
    desk.send(window, "Tell me a long story")
    wait_for(lambda: "word word" in _running(desk), timeout=START_S, what="a part of the answer on disk")
    window.kill()
    assert desk.texts("assistant") == []

    window = desk.open(desk.headless.script({"text": "Where were we?"}, name="again.json"), listen=True)
    wait_for(lambda: "in the middle of a turn of “Tell me a long story”" in desk.said(), timeout=START_S, what="the message")
    assert desk.texts("assistant")[0].startswith("word word") and _stops(desk) == ["interrupted"] and _running(desk) == ""
    desk.send(window, "Go on from there")
    wait_for(lambda: desk.texts("assistant")[-1:] == ["Where were we?"], what="the answer after the crash")
    assert "word word" in desk.bodies()[-1] and len(desk.headless.transcripts()) == 1
    window.kill()

    desk.open(desk.headless.script(name="third.json"), listen=True)
    wait_for(lambda: _session(desk) != "", what="the session")
    assert desk.said().count("in the middle of a turn") == 1, "a whole turn is no interruption"


def test_a_call_that_was_cut_gets_its_result_and_retry_asks_again(desk: Desk) -> None:
    """Killed with its command: the record says so, and the next request has a result for the call."""
    started = desk.folder / "pid.txt"
    script = desk.headless.script({"tool_calls": [call("Bash", command="echo $$ > pid.txt; sleep 300")]}, name="first.json")
    window = desk.open(script, listen=True)
    desk.send(window, "Run it, please")
    desk.allow(window, lambda: started.exists() and started.read_text().strip().isdigit())
    window.kill()
    left = int(started.read_text())
    if psutil.pid_exists(left):
        psutil.Process(left).kill()

    window = desk.open(desk.headless.script({"text": "I see."}, name="again.json"), listen=True)
    wait_for(lambda: "in the middle of a turn" in desk.said(), timeout=START_S, what="the message")
    desk.send(window, "What happened?")
    wait_for(lambda: desk.texts("assistant")[-1:] == ["I see."], what="the answer")
    assert [result["status"] for result in desk.results()] == ["interrupted"]


def test_two_kills_before_the_chat_is_there_do_not_lose_the_session(desk: Desk) -> None:
    """A window that is killed while it opens leaves the state as it found it."""
    window = desk.open(desk.headless.script({"text": "Hello."}, name="first.json"))
    desk.send(window, "Good morning to you")
    wait_for(lambda: desk.texts("assistant") == ["Hello."], what="the answer")
    wait_for(lambda: _session(desk) != "", what="the session in the state")
    session = _session(desk)
    window.kill()
    for number in range(2):
        again = desk.launch("--model", desk.headless.script(name=f"{number}.json"), str(desk.folder))
        again.shown()
        again.kill()
        assert _session(desk) == session
