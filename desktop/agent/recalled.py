"""What memory gave a turn, as the loop keeps it: in a transcript's notes, and recalled memories as one text in a request. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from desktop.base.phrases import phrase_to_json
from desktop.messages.events import RecalledRef


def as_stored(ref: RecalledRef) -> dict[str, Any]:
    """Its phrases in the form that the window can say in its language later."""
    return asdict(ref) | {"reason": phrase_to_json(ref.reason) or ref.reason, "age": phrase_to_json(ref.age) or ref.age}


def loaded_note(report: Mapping[str, Any]) -> dict[str, Any]:
    """What a transcript keeps of a load report: how much of the index was sent, and no name: what is forgotten later is not named here."""
    return {name: report[name] for name in ("entries", "lines", "bytes", "tokens", "truncated") if report.get(name)}


def memory_notes(recalled: Sequence[RecalledRef], loaded: list[dict[str, Any]]) -> dict[str, Any]:
    """The notes of an answer that say what memory gave its turn; what was loaded is told once, and leaves `loaded`."""
    notes: dict[str, Any] = {"recalled": [as_stored(ref) for ref in recalled]} if recalled else {}
    if loaded:
        notes["loaded"] = loaded.pop()
        loaded.clear()
    return notes


def still_standing(text: str, kept: Collection[str]) -> str:
    """Of a text that joins recalled memories those that may still stand in the context; the very same text when all of them may."""
    return "\n\n".join(sorted((one for one in kept if one in text), key=text.index))
