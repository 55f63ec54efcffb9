"""Recalled memories as the loop keeps them: in a transcript's notes, and as one text in a request. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from desktop.base.phrases import phrase_to_json
from desktop.messages.events import RecalledRef


def as_stored(ref: RecalledRef) -> dict[str, Any]:
    """Its phrases in the form that the window can say in its language later."""
    return asdict(ref) | {"reason": phrase_to_json(ref.reason) or ref.reason, "age": phrase_to_json(ref.age) or ref.age}


def still_standing(text: str, kept: Collection[str]) -> str:
    """Of a text that joins recalled memories those that may still stand in the context; the very same text when all of them may."""
    return "\n\n".join(sorted((one for one in kept if one in text), key=text.index))
