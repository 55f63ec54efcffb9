"""Chats as Markdown or plain text: who speaks is told by headings, bold names, names with a colon, or marks in brackets.

A text is a chat only where both sides speak in one style of mark from near its start. Marks inside of code are code. Pure but for the
reading of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.plain_text import Fences, Groups, Outside, fences, sound_groups, stretches
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Damage, Role

_USER = r"user|human|you|me|prompt|person|question|用户|使用者|人类|我|你|提问|问"
_MODEL = (
    r"assistant|ai|bot|model|claude(?: code)?|chatgpt|gpt[-\w.]*|gemini|copilot|github copilot|codex|cursor|cline|kimi|qwen|deepseek|agent"
    r"|response|answer|llm|planner|助手|助理|回答|模型|智能体|答"
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
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")
_SAID = "said"
"""Style of headings such as `You said:`, which are copied from a page with one level for each side."""
_ABOVE = 3
"""Lines before a mark among which a rule is looked for."""
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
    """Whether the start of a text is that of a chat; the second side may have said little in it."""
    lines = text.splitlines()
    return bool(marks(lambda: [lines], fences(lines)))


@dataclass(slots=True)
class _Style:
    """The marks of one style.

    Attributes:
        before: characters before the first one; more than `_START` need not be exact.
        found: all of them.
        ruled: the first one, and those that stand right behind a rule.
    """

    before: int
    found: list[Mark] = field(default_factory=list)
    ruled: list[Mark] = field(default_factory=list)

    def kept(self) -> list[Mark]:
        """Those behind rules where two in three stand so: then the others are words of somebody. Else all."""
        return self.ruled if self.has_rules() else self.found

    def has_rules(self) -> bool:
        return len(self.found) > 1 and (len(self.ruled) - 1) * 3 >= (len(self.found) - 1) * 2


def marks(groups: Groups, blocks: Iterable[tuple[int, int]]) -> list[Mark]:
    """The marks of a chat, of one style, in order; empty for a text that is none.

    Args:
        groups: the lines of the text.
        blocks: its blocks of fenced code.
    """
    styles: dict[str, _Style] = {}
    headings: Counter[str] = Counter()
    start = size = 0
    above: list[str] = []
    code = Outside(blocks)
    for lines in groups():
        for at in code.places(start, len(lines)):
            line = lines[at]
            if not line or not _may_mark(line):
                continue
            if line[0] == "#" and (heading := _HEADING.fullmatch(line)) is not None:
                headings[heading[1]] += 1
            mark = _of_line(start + at, line)
            if mark is None:
                continue
            style = styles.get(mark.style)
            if style is None:
                style = styles[mark.style] = _Style(size + (sum(map(len, lines[:at])) + at if size <= _START else 0))
            if not style.found or _has_rule_before(at, lines, above):
                style.ruled.append(mark)
            style.found.append(mark)
        start += len(lines)
        size += sum(map(len, lines)) + len(lines) if size <= _START else 0
        above = [*above, *lines[-_ABOVE:]][-_ABOVE:]
    chats = [style for name, style in styles.items() if _is_chat(name, style, headings)]
    best = max(chats, key=lambda one: (one.has_rules(), len(one.kept()), -one.kept()[0].line), default=None)
    return best.kept() if best is not None else []


def _may_mark(line: str) -> bool:
    """Whether a line has what no mark is without; most have not."""
    return line[0] in "#[<" or ":" in line or "\uff1a" in line or "**" in line


def _has_rule_before(at: int, lines: list[str], above: list[str]) -> bool:
    """Whether a rule is the last line with text of the few before a place; `above` are those before the group."""
    near = lines[max(0, at - _ABOVE) : at]
    near = near if len(near) == _ABOVE else [*above, *near][-_ABOVE:]
    text = next((line for line in reversed(near) if line.strip()), "")
    return _RULE.fullmatch(text) is not None


def _of_line(number: int, line: str) -> Mark | None:
    """The mark that a line may be."""
    if len(line) > 100_000:
        return None
    if line[0] == "#" and (found := _HEADING.fullmatch(line)) is not None:
        label = found[2].strip("*_ ").rstrip(":：*_ ")
        return _mark(number, _SAID if label.casefold().endswith(" said") else found[1], label, "")
    if "**" in line and (found := _BOLD.fullmatch(line)) is not None:
        if found[4] and not (found[2] or found[3]):
            return None
        return _mark(number, "**:" if found[2] or found[3] else "**", found[1], found[4])
    if line[0] in "[<" and (found := _BRACKET.fullmatch(line)) is not None:
        return _mark(number, "[", found[1] or found[2] or found[3], found[4])
    if (found := _COLON.fullmatch(line)) is not None:
        return _mark(number, ":", found[1], found[2])
    return None


def _mark(number: int, style: str, label: str, rest: str) -> Mark | None:
    bare = label.strip().strip("*_`").strip()
    bare = re.sub(r"^[^\w#(]+|[\s\u2190-\u2bff\U0001f000-\U0001faff\u200d\ufe0f]+\Z", "", bare)  # pictures of people and robots
    found = _LABEL.fullmatch(bare.strip().rstrip(":："))
    if found is None:
        return None
    role = next(name for name in ("user", "assistant", "tool", "system") if found[name])
    return Mark(number, style, role, label, rest)  # type: ignore[arg-type]


def _is_chat(name: str, style: _Style, headings: Counter[str]) -> bool:
    """Whether marks of one style make a chat: both sides speak, by turns, from the start on."""
    found = style.kept()
    roles = {mark.role for mark in found}
    if not {"user", "assistant"} <= roles or style.before > _START:
        return False
    if name.startswith("#"):
        told = Counter(mark.role for mark in found)
        return len(found) * 3 >= headings[name] * 2 or min(told["user"], told["assistant"]) > 1
    turns = sum(one.role != other.role for one, other in pairwise(found))
    return turns * 2 >= len(found) - 1


def read_markdown(source: Source) -> Assembly:
    """The chat that a text is.

    Raises:
        OSError: the file cannot be read.
    """
    assembly = Assembly()
    damage: list[Damage] = []
    code = Fences()
    for lines in sound_groups(source, damage):
        code.take(lines)
    found = marks(lambda: sound_groups(source), code.found)
    if not found:
        return assembly
    parts = stretches(sound_groups(source), [mark.line for mark in found])
    _head(assembly, next(parts))
    for mark, lines in zip(found, parts, strict=True):
        lines[:1] = [mark.rest]
        text = _said(lines)
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
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1])):
        lines.pop()
    text = "\n".join(lines).strip()
    return _CLOSING.sub("", text).strip() if text.endswith(">") else text


def moment_of(label: str) -> datetime | None:
    """The time that a line tells, if it tells one."""
    found = _TIME.search(label)
    return values.moment(found[0].strip()) if found is not None else None
