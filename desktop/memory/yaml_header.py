"""Reading the YAML of a frontmatter header: tolerant, bounded, and with the place of every value, so that it can be edited in place.

Owns the limits (size, depth, number of values) and the plain rules for values: texts stay texts (dates, `on`, `12:30`), only true, false,
null and ordinary numbers are typed. Works on parser events, never on a loader, so tags and aliases build nothing. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from desktop.base.phrases import say

MAX_HEADER = 65_536
MAX_DEPTH = 16
MAX_VALUES = 2_000
MAX_PROBLEMS = 50
MAX_BRACKETS = 1_000
"""The C parser needs time in the square of open brackets, so a header with more is not given to it."""

Problem = tuple[int, str]
"""1-based line of the header, and what is wrong there."""

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER_START = frozenset("+-0123456789")
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,20}")
_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_CORE_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands in the header text: character offsets of the value, of its key, and the value's own text."""

    start: int
    end: int
    key_start: int
    text: str | None
    block: bool


@dataclass(slots=True)
class Header:
    """What a header says.

    Attributes:
        values: the mapping; empty when the header holds none.
        texts: name → the value's own text and line, for scalars at the top.
        spans: name → span at the top; `metadata.name` → span inside a top-level mapping.
        problems: in order of lines.
        is_mapping: False when the YAML is something else (a list, prose) or broken.
        broken: the YAML could not be read to its end; `values` were gathered line by line.
    """

    values: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, tuple[str, int]] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    is_mapping: bool = False
    broken: bool = False


class _StopReadingError(Exception):
    """A limit was reached; the message says which."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def plain_value(text: str) -> Any:
    """The value of an unquoted YAML scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INT.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


class _Offsets:
    """From the parser's line and column to an offset in the text; lines as YAML counts them."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in _BREAK.finditer(text))]
        self._size = len(text)
        self._text = text

    def at(self, mark: Any) -> int:
        line = min(int(mark.line), len(self._starts) - 1)
        return min(self._starts[line] + int(mark.column), self._size)

    def line(self, mark: Any) -> int:
        """1-based line as an editor counts it."""
        before: str = self._text[: self.at(mark)]
        return before.count("\n" if "\n" in self._text else "\r") + 1


def _events(text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return iter(yaml.parse(text, Loader=loader))


class _Reader:
    """Builds one value out of the event stream with a bounded depth and number."""

    def __init__(self, text: str, header: Header) -> None:
        self._events = _events(text)
        self._offsets = _Offsets(text)
        self._header = header
        self._count = 0

    def read(self) -> Any:
        import yaml

        value: Any = None
        for event in self._events:
            if isinstance(event, (yaml.ScalarEvent, yaml.SequenceStartEvent, yaml.MappingStartEvent, yaml.AliasEvent)):
                value = self._node(event, (), 0)
                break
        for event in self._events:  # the rest must be read too: an error may stand behind the first value
            if isinstance(event, yaml.DocumentStartEvent):
                self._problem(event, say("a second YAML document begins here; it is not read"))
                break
        return value

    def _problem(self, event: Any, text: str) -> None:
        if len(self._header.problems) < MAX_PROBLEMS:
            self._header.problems.append((self._offsets.line(event.start_mark), text))

    def _next(self) -> Any:
        return next(self._events)

    def _node(self, event: Any, path: tuple[str, ...], depth: int) -> Any:
        import yaml

        self._count += 1
        if depth > MAX_DEPTH or self._count > MAX_VALUES:
            reason = "the values are nested too deeply" if depth > MAX_DEPTH else "there are too many values"
            raise _StopReadingError(self._offsets.line(event.start_mark), reason)
        if isinstance(event, yaml.AliasEvent):
            self._problem(event, say("the alias *{anchor} is not followed; write the value itself", anchor=event.anchor))
            return None
        if event.tag is not None and not event.tag.startswith((_CORE_TAG + "str", _CORE_TAG + "map", _CORE_TAG + "seq", "!")):
            self._problem(event, say("a type tag is not followed; the value is read as plain text"))
        if isinstance(event, yaml.ScalarEvent):
            return plain_value(event.value) if event.implicit[0] and not event.style else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, depth)
        return self._mapping(path, depth)

    def _sequence(self, path: tuple[str, ...], depth: int) -> list[Any]:
        import yaml

        items: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event, (*path, "-"), depth + 1))
        return items

    def _mapping(self, path: tuple[str, ...], depth: int) -> dict[str, Any]:
        import yaml

        values: dict[str, Any] = {}
        while not isinstance(key_event := self._next(), yaml.MappingEndEvent):
            key_value = self._node(key_event, (*path, "?"), depth + 1)
            key = key_event.value if isinstance(key_event, yaml.ScalarEvent) else str(key_value)
            if key in values:
                self._problem(key_event, say("the key “{key}” stands here twice; the later one counts", key=key[:80]))
            event = self._next()
            values[key] = self._node(event, (*path, key), depth + 1)
            self._remember(path, key, key_event, event)
        self._last_end = key_event
        return values

    def _remember(self, path: tuple[str, ...], key: str, key_event: Any, event: Any) -> None:
        import yaml

        if len(path) > 1 or "-" in path or "?" in path:
            return
        scalar = isinstance(event, yaml.ScalarEvent)
        mapping = isinstance(event, yaml.MappingStartEvent)
        end = self._last_end if mapping else event
        block = mapping and not event.flow_style
        span = Span(
            start=self._offsets.at(event.start_mark),
            end=self._offsets.at(end.start_mark if mapping else event.end_mark),
            key_start=self._offsets.at(key_event.start_mark),
            text=event.value if scalar else None,
            block=block,
        )
        self._header.spans[".".join((*path, key))] = span
        if scalar and not path:
            self._header.texts[key] = (event.value, self._offsets.line(key_event.start_mark))


_PLAIN_LINE = re.compile(
    r"(?P<indent> *)(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,80}):(?: +(?:"
    r"\"(?P<double>[^\"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]*)\"|'(?P<single>[^'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]*)'"
    r"|(?P<plain>[^\s\-?:,\[\]{}#&*!|>'\"%@`\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff=<~]"
    r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]*?)))? *"
)
"""A `key: value` line of which every YAML reader thinks the same."""


def read_plain_header(text: str) -> Header | None:
    """Read a header of simple lines without the YAML parser, six times as fast; None where it is not simple. Gives no spans."""
    header = Header(is_mapping=True)
    level: dict[str, Any] = header.values
    parent, depth = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line:
            continue
        match = _PLAIN_LINE.fullmatch(line)
        if match is None or number > 200 or len(line) > 1_000:
            return None
        indent, key, double, single, plain = match.groups()
        width = len(indent)
        if width == 0:
            level, parent, depth = header.values, "", 0
        elif parent and depth == 0:
            level = header.values[parent] = {}
            header.texts.pop(parent, None)
            depth = width
        elif width != depth:
            return None
        quoted = double if double is not None else single
        if key in level or (plain is not None and (": " in plain or " #" in plain or plain[-1] == ":")):
            return None
        value = quoted if quoted is not None else plain_value(plain or "")
        level[key] = value
        if width == 0:
            header.texts[key] = (quoted if quoted is not None else plain or "", number)
        parent = key if width == 0 and quoted is None and plain is None else "" if width == 0 else parent
    return header if header.values else None


def read_header(text: str, *, spans: bool = False) -> Header:
    """Read the text between the fences. Never raises; what cannot be read stands in `problems`.

    Args:
        text: the header.
        spans: the places of the values are wanted too, which needs the whole parser.
    """
    plain = None if spans or len(text) > MAX_HEADER else read_plain_header(text)
    return plain or _read_yaml_header(text)


def _read_yaml_header(text: str) -> Header:
    import yaml

    header = Header()
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)
    if len(text) > MAX_HEADER:
        header.problems.append((1, say("the header is longer than 64 KB; only its first part is looked at")))
        return _line_by_line(text[:MAX_HEADER], header)
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        header.problems.append((1, say("the header holds too many brackets to be read as YAML")))
        return _line_by_line(text, header)
    try:
        value = _Reader(text, header).read()
    except yaml.YAMLError as error:
        header.problems.append(_yaml_problem(error, text))
        return _line_by_line(text, header)
    except _StopReadingError as error:
        header.problems.append((error.line, error.reason))
        return _line_by_line(text, header)
    except StopIteration:
        header.problems.append((1, say("the header ends too early")))
        return _line_by_line(text, header)
    header.is_mapping = isinstance(value, dict)
    if isinstance(value, dict):
        header.values = value
    elif value is not None:
        header.problems.append((1, say("the header is not a list of “key: value” lines")))
    return header


def _yaml_problem(error: Any, text: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return _Offsets(text).line(mark), say(
            "the YAML cannot be read: {reason}", reason=error.problem or error.context or say("unknown reason")
        )
    position = getattr(error, "position", 0) or 0
    encoded = text.encode("utf-8", "replace")[:position]
    return encoded.count(b"\n") + 1, say("the YAML cannot be read: a character is not allowed there")


_KEY_LINE = re.compile(r"([ \t]*)([A-Za-z_][\w-]{0,80}):(?:[ \t]+(.*?))?[ \t]*\Z")
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<text>.*)(?P=quote)(?:[ \t]+#.*)?\Z""")


def _unquoted(text: str) -> str:
    """The text between quotes around all of it; `"A" and "B"` has none."""
    quoted = _QUOTED.match(text)
    if not quoted:
        return text
    inner, quote = quoted.group("text"), quoted.group("quote")
    at = inner.find(quote)
    closes = at > 0 and not inner[at - 1].isspace() and not inner[at + 1 : at + 2].isalnum()
    return text if closes else inner


def _line_by_line(text: str, header: Header) -> Header:
    """Gather `key: value` lines of a header that is no valid YAML: good enough to show, never to write back."""
    header.broken = True
    header.values = {}
    header.texts = {}
    header.spans = {}
    parent: str | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        match = _KEY_LINE.match(line) if len(line) <= 4_096 else None
        if not match:
            continue
        indent, key, value = match.group(1), match.group(2), _unquoted((match.group(3) or "").strip())
        if not indent:
            parent = key if not value else None
            header.values[key] = plain_value(value) if value else {}
            header.texts[key] = (value, number)
        elif parent is not None and isinstance(header.values.get(parent), dict):
            header.values[parent][key] = plain_value(value)
    header.values = {key: value for key, value in header.values.items() if value != {}}
    return header
