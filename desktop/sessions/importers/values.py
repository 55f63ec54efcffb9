"""Values out of other tools' records, whatever type they really have: a text, a list, an object, a moment, a number, or none of it.

Pure. Nothing here raises: a field of the wrong type is an empty one, since one wrong field must not lose the record around it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from desktop.base.clock import parse_iso
from desktop.sessions.importers.shapes import ImportedMessage
from desktop.sessions.importers.wrappers import is_wrapped
from desktop.sessions.prompt_text import own_words
from desktop.sessions.summary import TITLE_LENGTH, one_line

MAX_TOKENS = 1 << 53
MAX_PICTURE = 32 << 20
"""Characters of base64 of one picture that are kept."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_MILLISECONDS = 20_000_000_000
"""Numbers above are milliseconds since 1970, those below are seconds."""
_DATA_URL = re.compile(r"data:(image/[a-z0-9.+-]{1,40});base64,(.*)", re.IGNORECASE | re.DOTALL)
_FIELD = r'"{}"\s*:\s*"((?:[^"\\]|\\.){{1,400}})"'
_WRAPPERS = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat",
    "This is the Qwen Code. We are setting up the context for our chat",
    "This is Qwen Code. We are setting up the context for our chat",
    "Got it. Thanks for the context!",
)


def text(value: Any) -> str:
    """A text, with lone surrogates replaced so that it can be encoded; empty for what is none."""
    if not isinstance(value, str):
        return ""
    return _SURROGATES.sub("\ufffd", value) if not value.isascii() else value


def identifier(value: Any) -> str:
    """An id: a text, or a number as one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < 10**30 else ""
    return text(value)


def mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def mappings(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; what else stands in it is left out."""
    return [one for one in listing(value) if isinstance(one, dict)]


def whole(value: Any) -> int:
    """A count that is not negative; 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return 0
    return int(value) if 0 <= value <= MAX_TOKENS else 0


def cost(value: Any) -> float | None:
    """A price in dollars; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 <= value < 1e9 else None


def moment(value: Any) -> datetime | None:
    """Aware UTC out of an ISO text (without a zone: UTC) or out of seconds or milliseconds since 1970, also as a text of digits."""
    if isinstance(value, str):
        found = parse_iso(value)
        if found is not None or not value.strip().isdigit() or len(value) > 18:
            return found
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if not 0 < value < 1e16:
        return None
    try:
        return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def joined(texts: Iterable[str]) -> str:
    """Texts of one record with blank lines between them."""
    return "\n\n".join(one for one in texts if one.strip())


def as_text(value: Any) -> str:
    """What a tool gave, as text: texts as they are, the texts of parts, everything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, list) and value and all(_part_text(one) is not None for one in value):
        return "\n".join(_part_text(one) or "" for one in value)
    try:
        return text(json.dumps(value, ensure_ascii=False, allow_nan=True))
    except (ValueError, RecursionError, TypeError):
        return ""


def _part_text(part: Any) -> str | None:
    if isinstance(part, str):
        return text(part)
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return text(part["text"])
    return None


def arguments(value: Any) -> Any:
    """The input of a call: an object, also out of a text of JSON; otherwise the text as it is."""
    if not isinstance(value, str):
        return clean(value)
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return text(value)
    return clean(found) if isinstance(found, dict) else text(value)


def parsed_list(value: Any) -> list[Any]:
    """A list, also out of a text of JSON; empty for what is none."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return listing(value)
    try:
        return listing(json.loads(value))
    except (ValueError, RecursionError):
        return []


def clean(value: Any, depth: int = 60) -> Any:
    """A value whose texts can all be encoded; what is nested deeper than `depth` is cut."""
    if isinstance(value, str):
        return text(value)
    if depth <= 0 and isinstance(value, (dict, list)):
        return None
    if isinstance(value, dict):
        return {text(key): clean(one, depth - 1) for key, one in value.items()}
    if isinstance(value, list):
        return [clean(one, depth - 1) for one in value]
    return value


def picture(media: Any, data: Any) -> tuple[str, str] | None:
    """(media type, base64) of a picture; None for what is none."""
    if not isinstance(data, str) or not isinstance(media, str) or not media.startswith("image/") or len(data) > MAX_PICTURE:
        return None
    return (media, data) if data.isascii() and data else None


def data_url(value: Any) -> tuple[str, str] | None:
    """The picture of a `data:` address."""
    found = _DATA_URL.fullmatch(value) if isinstance(value, str) and value.startswith("data:") and len(value) <= MAX_PICTURE else None
    return picture(found[1].lower(), found[2]) if found else None


def is_wrapper(said: str) -> bool:
    """Whether a text is a reminder or wrapper that a tool put in, no words of a person."""
    return said.lstrip().startswith(_WRAPPERS) or is_wrapped(said)


def prompt_title(said: Any) -> str:
    """A prompt as a title, by the rules of our own sessions: the person's words without wrappers and commands; empty without any."""
    return one_line(own_words(text(said)), TITLE_LENGTH)


def first_title(messages: Iterable[ImportedMessage]) -> str:
    """The first real prompt's first line, shown and beside no sub-agent."""
    asked = (prompt_title(one.text) for one in messages if one.role == "user" and not one.hidden and not one.sidechain)
    return next((title for title in asked if title), "")


def told_title(*titles: Any) -> str:
    """The first title that says something, on one line."""
    return next((one_line(text(one), TITLE_LENGTH) for one in titles if text(one).strip()), "")


def told_field(head: str, name: str) -> str:
    """The text behind a key in the start of a document that is not read as a whole; empty when it is not there."""
    found = re.search(_FIELD.format(re.escape(name)), head)
    try:
        return text(json.loads(f'"{found[1]}"', strict=False)) if found else ""
    except ValueError:
        return ""


def counts(usage: Mapping[str, Any], *names: str) -> int:
    """The sum of some counts."""
    return sum(whole(usage.get(name)) for name in names) if usage else 0
