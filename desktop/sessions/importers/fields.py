"""Values of records that nobody vouches for: texts, times, numbers and ids out of fields that may hold anything.

Each function takes whatever JSON can hold and gives a value of one kind, or nothing; none raises. Pure, any thread.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from desktop.base.clock import parse_iso

_SURROGATE = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"\d{9,19}(?:\.\d{1,9})?")
_ZONE = re.compile(r"(?:Z|[+-]\d{2}:?\d{2}| UTC)$")
_NO_COLON = re.compile(r"([+-]\d{2})(\d{2})$")
_DEPTH = 200
"""Levels of an input that are kept; what lies deeper is no call of any tool."""


def cleaned(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be encoded."""
    return _SURROGATE.sub("\ufffd", text) if _SURROGATE.search(text) else text


def text_in(value: Any) -> str:
    """The value where it is a text, else an empty one."""
    return cleaned(value) if isinstance(value, str) else ""


def first_text(record: Mapping[str, Any], *names: str) -> str:
    """The first of the named fields that holds a text that is not blank."""
    return next((cleaned(value) for name in names if isinstance(value := record.get(name), str) and value.strip()), "")


def object_in(value: Any) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_in(value: Any) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def id_in(value: Any) -> str:
    """An id: a text that is not blank, or a whole number as text; else an empty text."""
    if isinstance(value, str):
        return cleaned(value.strip())
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 63 else ""


def count_in(value: Any) -> int:
    """A count: a number from 0 on; 0 for all else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if math.isfinite(value) and 0 <= value < 1 << 53 else 0


def cost_in(value: Any) -> float | None:
    """A price in US dollars; None for what is no number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None


def moment_in(value: Any) -> datetime | None:
    """A time as aware UTC: ISO 8601 (without a zone: UTC), or seconds, milliseconds, micro- or nanoseconds since 1970; else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _epoch(value)
    if not isinstance(value, str) or len(value) > 64:
        return None
    text = value.strip()
    if _DIGITS.fullmatch(text):
        return _epoch(float(text))
    return _iso(text)


def _epoch(number: float) -> datetime | None:
    try:
        seconds = float(number)
        while seconds > 1e11:  # 5138 in seconds, 1973 in milliseconds
            seconds /= 1_000
        return datetime.fromtimestamp(seconds, UTC) if seconds > 0 else None
    except (OverflowError, OSError, ValueError):
        return None


def _iso(text: str) -> datetime | None:
    if text.endswith(" UTC"):
        text = text[:-4] + "Z"
    text = _NO_COLON.sub(r"\1:\2", text) if _ZONE.search(text) else text
    found = parse_iso(text)
    if found is not None:
        return found
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def plain(value: Any, depth: int = 0) -> Any:
    """The value with each text in it cleaned; what is nested deeper than any call is left out."""
    if isinstance(value, str):
        return cleaned(value)
    if depth >= _DEPTH:
        return None
    if isinstance(value, dict):
        return {cleaned(name): plain(one, depth + 1) for name, one in value.items() if isinstance(name, str)}
    if isinstance(value, list):
        return [plain(one, depth + 1) for one in value]
    return value


def input_in(value: Any) -> Any:
    """The input of a call: an object, also where it is stored as the text of one; else its text, or None."""
    if isinstance(value, dict):
        return plain(value)
    if isinstance(value, str):
        if value.lstrip().startswith("{"):
            try:
                held = json.loads(value)
            except (ValueError, RecursionError):
                return cleaned(value)
            return plain(held) if isinstance(held, dict) else cleaned(value)
        return cleaned(value)
    return None if value is None else as_text(value)


def as_text(value: Any) -> str:
    """Any value as text: texts as they are, all else as JSON."""
    if isinstance(value, str):
        return cleaned(value)
    if value is None:
        return ""
    try:
        return cleaned(json.dumps(plain(value), ensure_ascii=False))
    except (ValueError, RecursionError):
        return ""
