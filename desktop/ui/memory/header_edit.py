"""Changing one value of a note's frontmatter in its text, without touching any other character. Pure.

Only plain one-line values are changed; where a value is written in another way, nothing is done and the person edits the source.
"""

from __future__ import annotations

import json
import re

FIELDS = ("name", "description", "type", "pinned")
"""What can be set; `type` and `pinned` live below `metadata:` where there is one."""

_BELOW = ("type", "pinned")

_EDGE = re.compile(r"^---[ \t]*$")
_PLAIN = re.compile(r"[^\W\d_][\w .,;()/–—、，。；（）+-]*", re.UNICODE)
_YAML_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "y", "n", "none"}


def _scalar(field: str, value: str) -> str:
    """`value` as a YAML scalar on one line: bare where that is safe, else in double quotes. A mark is no text."""
    if field == "pinned":
        return "true"
    if _PLAIN.fullmatch(value) and value.strip() == value and value.casefold() not in _YAML_WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def header_lines(lines: list[str]) -> int:
    """How many lines belong to the header, both edges included; 0 for none."""
    if not lines or not _EDGE.match(lines[0].removeprefix("\ufeff")):
        return 0
    return next((at + 1 for at in range(1, len(lines)) if _EDGE.match(lines[at])), 0)


def _find(lines: list[str], end: int, key: str, indent: str) -> int | None:
    """The line of `key:` with that indentation between the edges."""
    rule = re.compile(rf"^{indent}{re.escape(key)}[ \t]*:(?:[ \t]|$)")
    found = [at for at in range(1, end - 1) if rule.match(lines[at])]
    return found[0] if len(found) == 1 else None


def _is_simple(lines: list[str], at: int, end: int) -> bool:
    """One line, no block scalar, anchor, flow or comment that a new value would lose."""
    value = lines[at].partition(":")[2].strip()
    if value[:1] in ("|", ">", "&", "*", "!", "{", "["):
        return False
    if " #" in value and value[:1] not in ("'", '"'):
        return False
    if value[:1] in ("'", '"') and (len(value) < 2 or value[-1] != value[0]):
        return False
    following = lines[at + 1] if at + 1 < end - 1 else ""
    depth = len(lines[at]) - len(lines[at].lstrip())
    return not following.strip() or len(following) - len(following.lstrip()) <= depth


def _metadata(lines: list[str], end: int) -> tuple[int, str] | None:
    """Line of `metadata:` and the indentation of what is below it, if it is written as a block."""
    at = _find(lines, end, "metadata", "")
    if at is None or lines[at].partition(":")[2].strip():
        return None
    below = lines[at + 1] if at + 1 < end - 1 else ""
    indent = below[: len(below) - len(below.lstrip())]
    return (at, indent) if indent else None


def set_field(text: str, field: str, value: str) -> str | None:
    """`text` with the frontmatter field set; None when it is not written in a way that can be changed safely.

    Args:
        text: the whole file in `\\n` lines.
        field: one of `FIELDS`.
        value: one line; empty takes the field away. Any other value of `pinned` sets the mark.
    """
    lines = text.split("\n")
    end = header_lines(lines)
    if not end:
        if text.startswith("---") or not value:
            return text if not value else None
        line = f"{field}: {_scalar(field, value)}"
        return f"---\n{line}\n---\n\n{text}" if field not in _BELOW else f"---\nmetadata:\n  {line}\n---\n\n{text}"
    place = _metadata(lines, end) if field in _BELOW else None
    indent = place[1] if place and _find(lines, end, field, "") is None else ""
    at = _find(lines, end, field, re.escape(indent))
    if at is not None and not _is_simple(lines, at, end):
        return None
    line = f"{indent}{field}: {_scalar(field, value)}"
    if at is not None:
        alone = bool(indent) and not value and place is not None and _is_alone(lines, place[0], at, end)
        lines[at - alone : at + 1] = [line] if value else []
    elif value:
        lines.insert(_new_place(lines, end, field, place, indent), line)
    return "\n".join(lines)


def _is_alone(lines: list[str], metadata: int, at: int, end: int) -> bool:
    """Whether `at` is the only line below `metadata:`, which would be left without a value."""
    after = lines[at + 1] if at + 1 < end - 1 else ""
    return at == metadata + 1 and not after.startswith((" ", "\t", "#"))


def _new_place(lines: list[str], end: int, field: str, place: tuple[int, str] | None, indent: str) -> int:
    """Where a missing field goes: type below metadata, description below name, else at the top."""
    if place and indent:
        return place[0] + 1
    if field in _BELOW:
        return end - 1
    name = _find(lines, end, "name", "")
    return name + 1 if field == "description" and name is not None else 1
