"""Chats as Markdown or plain text: who speaks is told by headings, bold names, names with a colon, or marks in brackets.

A text is a chat only where both sides speak in one style of mark from near its start. Marks inside of code are code. Pure but for the
reading of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.plain_text import coded_lines, lines_of, mended, unreadable
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Role

_USER = r"user|human|you|me|prompt|person|question|用户|使用者|人类|我|你|提问|问"
_MODEL = (
    r"assistant|ai|bot|model|claude(?: code)?|chatgpt|gpt[-\w.]*|gemini|copilot|github copilot|codex|cursor|cline|kimi|qwen|deepseek|agent"
    r"|response|answer|llm|助手|助理|回答|模型|智能体|答"
)
_TOOL = r"tool|tool (?:result|output|call|use)s?|function|observation|工具|工具结果"
_SYSTEM = r"system|developer|系统"
_LABEL = re.compile(
    rf"(?:(?:turn|message|msg|step|round)?\s*\#?\d+\s*[-.:)–—·]*\s*)?"
    rf"(?:(?P<user>{_USER})|(?P<assistant>{_MODEL})|(?P<tool>{_TOOL})|(?P<system>{_SYSTEM}))"
    r"(?:\s+(?:message|prompt|response|reply|input|output|turn|said|says|asked|wrote))?(?:\s*\#?\d+)?"
    r"(?P<rest>\s*(?:[(\[（|@·–—-].{0,120})?)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_BOLD = re.compile(r"(?:[-*>]\s+)?_?\*\*\s*(.{1,140}?)\s*([:：]?)\s*\*\*_?\s*([:：]?)\s*(.*)")
_COLON = re.compile(r"([^\s:：][^:：\n]{0,40}?)\s*(?::(?=\s|$)|：)\s*(.*)")
_BRACKET = re.compile(r"(?:\[([^\]\n]{1,60})\]\s*:?|<\|im_start\|>\s*(\w+)|<(user|human|assistant|system|tool)>)\s*(.*)", re.IGNORECASE)
_CLOSING = re.compile(r"(?:<\|im_end\|>|</(?:user|human|assistant|system|tool)>)\Z", re.IGNORECASE)
_MAY_MARK = re.compile(r"\A[#\[<]|\*\*|[:：]")
"""What no mark is without; most lines have none of it."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")
_SAID = "said"
"""Style of headings such as `You said:`, which are copied from a page with one level for each side."""
_START = 3_000
"""Characters that may stand before the first mark: a title, a head with dates and models."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A line that says who speaks next. `style` tells its kind; `rest` is what is said on the same line."""

    line: int
    style: str
    role: Role
    label: str
    rest: str = ""


def looks_like_chat(text: str) -> bool:
    """Whether the start of a text is that of a chat."""
    return bool(marks(text.splitlines(), cut=True))


def marks(lines: list[str], *, cut: bool = False) -> list[Mark]:
    """The marks of a chat, of one style, in order; empty for a text that is none.

    Args:
        lines: of the text.
        cut: the lines are only its start, in which the second side may have said little.
    """
    coded = coded_lines(lines)
    by_style: dict[str, list[Mark]] = {}
    headings: Counter[str] = Counter()
    for number, line in enumerate(lines):
        if number in coded:
            continue
        if line.startswith("#") and (heading := _HEADING.fullmatch(line)) is not None:
            headings[heading[1]] += 1
        for mark in _of_line(number, line):
            by_style.setdefault(mark.style, []).append(mark)
    ruled = {style: _behind_rules(found, lines) for style, found in by_style.items()}
    chats = [
        (bool(ruled[style]), kept) for style, found in by_style.items() if _is_chat(style, kept := ruled[style] or found, lines, headings)
    ]
    return max(chats, key=lambda one: (one[0], len(one[1]), -one[1][0].line), default=(False, []))[1]


def _behind_rules(found: list[Mark], lines: list[str]) -> list[Mark]:
    """The marks that stand right behind a rule, and the first one, where two in three do: then the others are words of somebody."""
    kept = [mark for number, mark in enumerate(found) if number == 0 or _has_rule_before(mark.line, lines)]
    return kept if len(found) > 1 and (len(kept) - 1) * 3 >= (len(found) - 1) * 2 else []


def _has_rule_before(number: int, lines: list[str]) -> bool:
    above = next((lines[at] for at in range(number - 1, max(-1, number - 4), -1) if lines[at].strip()), "")
    return _RULE.fullmatch(above) is not None


def _of_line(number: int, line: str) -> Iterator[Mark]:
    """The marks, one a style at most, that a line may be."""
    if len(line) > 100_000 or not line.strip() or not _MAY_MARK.search(line):
        return
    if (found := _HEADING.fullmatch(line)) is not None:
        label = found[2].strip("*_ ").rstrip(":：*_ ")
        yield from _mark(number, _SAID if label.casefold().endswith(" said") else found[1], label, "")
    elif (found := _BOLD.fullmatch(line)) is not None:
        if found[2] or found[3] or not found[4]:
            yield from _mark(number, "**:" if found[2] or found[3] else "**", found[1], found[4])
    elif (found := _BRACKET.fullmatch(line)) is not None:
        yield from _mark(number, "[", found[1] or found[2] or found[3], found[4])
    elif (found := _COLON.fullmatch(line)) is not None:
        yield from _mark(number, ":", found[1], found[2])


def _mark(number: int, style: str, label: str, rest: str) -> Iterator[Mark]:
    bare = label.strip().strip("*_`").strip()
    bare = re.sub(r"^[^\w#(]+", "", bare)  # pictures of people and robots
    found = _LABEL.fullmatch(bare.strip().rstrip(":："))
    if found is None:
        return
    role = next(name for name in ("user", "assistant", "tool", "system") if found[name])
    yield Mark(number, style, role, label, rest)  # type: ignore[arg-type]


def _is_chat(style: str, found: list[Mark], lines: list[str], headings: Counter[str]) -> bool:
    """Whether marks of one style make a chat: both sides speak, by turns, from the start on."""
    roles = {mark.role for mark in found}
    if not {"user", "assistant"} <= roles:
        return False
    if sum(len(line) + 1 for line in lines[: found[0].line]) > _START:
        return False
    if style.startswith("#"):
        told = Counter(mark.role for mark in found)
        return len(found) * 3 >= headings[style] * 2 or min(told["user"], told["assistant"]) > 1
    turns = sum(one.role != other.role for one, other in pairwise(found))
    return turns * 2 >= len(found) - 1


def read_markdown(source: Source) -> Assembly:
    """The chat that a text is.

    Raises:
        OSError: the file cannot be read.
    """
    assembly = Assembly()
    raw = lines_of(source)
    lines = mended(raw)
    found = marks(lines)
    if not found:
        return assembly
    damage = list(unreadable(raw))
    del raw
    _head(assembly, lines[: found[0].line])
    ends = [mark.line for mark in found[1:]] + [len(lines)]
    for mark, end in zip(found, ends, strict=True):
        text = _said([mark.rest, *lines[mark.line + 1 : end]])
        if text or mark.role != "system":
            hidden = mark.role == "system" or (mark.role == "user" and values.is_wrapper(text))
            assembly.say(mark.role, text, time=moment_of(mark.label), hidden=hidden)
    assembly.damage += damage
    return assembly


def _head(assembly: Assembly, lines: Iterable[str]) -> None:
    """Title and start, out of what stands before the first mark."""
    for line in lines:
        heading = _HEADING.fullmatch(line)
        if heading is not None and not assembly.told.title:
            assembly.told.title = values.told_title(heading[2])
        if line.startswith("title:"):
            assembly.told.title = values.told_title(line[6:].strip().strip("\"'"))
        if assembly.told.started is None:
            assembly.told.started = moment_of(line)


def _said(lines: list[str]) -> str:
    """What is said between two marks, without the rules and closing marks that part them."""
    text = list(lines)
    while text and (not text[-1].strip() or _RULE.fullmatch(text[-1])):
        text.pop()
    return _CLOSING.sub("", "\n".join(text).strip()).strip()


def moment_of(label: str) -> datetime | None:
    """The time that a line tells, if it tells one."""
    found = _TIME.search(label)
    return values.moment(found[0].strip()) if found is not None else None
