"""What the terminal says of a session whose last turn did not end: where it stopped, and what of the answer is there.

Owns the words and the JSON of it. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from desktop.agent.interrupted import Interruption, interruption
from desktop.messages.parts import Message
from desktop.sessions.running import left_answer, running_path

_GOES_ON = "; the turn goes on behind it"
_CRASHED = {
    "answer": "Keepsake ended in the middle of the last answer; what had come of it by then is kept and stands in the session",
    "calls": "Keepsake ended while calls ran; they count as interrupted",
    "between": "Keepsake ended in the middle of the last turn; what was done is kept",
    "unanswered": "Keepsake ended before the answer to the last message began",
}
_STOPPED = "the last message has no answer yet"


def interruption_to_json(found: Interruption | None) -> dict[str, Any] | None:
    """`{where: answer|calls|between|unanswered, crashed, calls: [names]}`, or None for a session that is whole."""
    if found is None:
        return None
    return {"where": found.where, "crashed": found.crashed, "calls": [call.name for call in found.calls]}


def words(found: Interruption, *, resumed: bool) -> str:
    """One sentence."""
    text = _CRASHED[found.where] if found.crashed else _STOPPED
    names = f" ({', '.join(dict.fromkeys(call.name for call in found.calls))})" if found.calls else ""
    return f"{text}{names}{_GOES_ON if resumed else ''}"


def looked_at(live: Sequence[Message], transcript: Path, *, running: bool) -> tuple[Interruption | None, Message | None]:
    """Where a session stopped that is only shown, and what was left of its last answer and is not in the transcript yet.

    Args:
        live: its live branch.
        transcript: its file.
        running: its turn is under way in another process: then nothing was interrupted.
    """
    if running:
        return None, None
    left = left_answer(transcript, live[-1] if live else None)
    if left is not None:
        return Interruption("answer", True), left
    return interruption(live, crashed=running_path(transcript).exists()), None
