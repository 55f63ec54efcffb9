"""Our own Markdown exports, read back: who said what and when, thinking, calls, results, and the pictures beside the document.

The document holds the live branch only, with secrets masked; what its writing did to a text is undone, so that every other text is the
same again. Documents of earlier versions are read too. Blocking, reading threads; nothing is written.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from desktop.base.phrases import say
from desktop.sessions.export_words import BEGIN, END, Fences, said, signs_back
from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.reading import Source, loads
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult, ImportedSession, Role, TranscriptEntry
from desktop.sessions.side_files import EXTENSIONS
from desktop.sessions.summary import one_line
from desktop.sessions.transcript import decoded, open_plain

SOURCE = "keepsake-export"
TITLE = 200
HEAD = 8_192
_START = re.compile(r"\ufeff?# .*\n\n- Session: \S.*\n- Source: \S")
_HEADING = re.compile(r"## (\d+) · ([^·\n]{1,60}) · (\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)")
_FACT = re.compile(r"- ([A-Z][A-Za-z ]{2,20}): (.*)")
_ESCAPE = re.compile(r"\\([\\`*_\[\]<>#|])")
_THINKING = re.compile(r"> \*Thinking\*(?: <!-- text((?: [a-z]+)*) -->)?")
_NAMED = re.compile(r"\*\*(.+)\*\*(?: \(([a-z_ -]+)\))?")
_RESULT = "Result of "
_NO_NAME = "a call"
_CODE = re.compile(r"(`{3,})(json|text)(?: \+(\d{1,9}))?( signs)?")
_PICTURE = re.compile(r"!\[a picture, [^\]\n]{1,40}\]\(([^()\s]+\.files/[0-9a-f]{16}\.[a-z0-9]{1,10})\)")
_ROLES: dict[str, Role] = {"Person": "user", "Assistant": "assistant", "Tool": "tool", "Note of the app": "user", "system": "system"}
_MEDIA = {extension: media for media, extension in EXTENSIONS.items() if media.startswith("image/")}
MOST_PICTURE = 32 << 20


def is_markdown(head: str) -> bool:
    """Whether a text begins as an export of ours."""
    return _START.match(head.replace("\r\n", "\n")) is not None


def markdown_entries(source: Source) -> list[TranscriptEntry]:
    """The session of an export, told by its head."""
    with open_plain(source.path) as file:
        lines = decoded(file).read(HEAD).decode("utf-8", "replace").splitlines()
    told = _facts(lines)
    started, updated = values.moment(told.get("Started")), values.moment(told.get("Last message"))
    count = told.get("Messages", "")
    number = int(count) if count.isdecimal() and len(count) < 9 else 0
    return [TranscriptEntry(source.path, None, SOURCE, _title(told), told.get("Workspace", ""), started, updated, number)]


def read_markdown(source: Source) -> ImportedSession:
    """The session of an export.

    Raises:
        OSError: the file cannot be read.
    """
    assembly = Assembly()
    fences = Fences()
    heading: re.Match[str] | None = None
    head: list[str] = []
    block: list[str] = []
    number = 0

    def end() -> None:
        if heading is not None:
            assembly.add(_Message(source.path, assembly).read(heading, block, number))

    for _, raw in source.lines():
        line = raw.decode("utf-8", "replace")
        found = None if fences.open else _HEADING.fullmatch(line)
        if found is not None:
            end()
            heading, block, number = found, [], number + 1
            continue
        fences.takes(line)
        (block if heading is not None else head).append(line)
    end()
    if fences.open:
        assembly.lost(0, say("the document is cut"))
    _tell(assembly, _facts(head))
    return assembly.session(SOURCE, source.path.stem)


def _tell(assembly: Assembly, told: dict[str, str]) -> None:
    """What the head says of the session."""
    assembly.told.id = values.identifier(told.get("Session"))
    assembly.told.title = _title(told)
    assembly.told.workspace, assembly.told.branch = told.get("Workspace", ""), told.get("Branch", "")
    assembly.told.model = told.get("Model", "")
    assembly.told.started = values.moment(told.get("Started"))


def _facts(lines: Iterable[str]) -> dict[str, str]:
    """Title, as "", and facts of a head."""
    told: dict[str, str] = {}
    for line in lines:
        if _HEADING.fullmatch(line):
            break
        fact = _FACT.fullmatch(line)
        if fact is not None:
            told.setdefault(fact[1], _plain(fact[2]))
        elif line.removeprefix("\ufeff").startswith("# "):
            told.setdefault("", _plain(line.removeprefix("\ufeff")[2:]))
    return told


def _title(told: dict[str, str]) -> str:
    title = one_line(told.get("", ""), TITLE)
    return "" if title == told.get("Session") else title


def _plain(text: str) -> str:
    """A text of one line without the backslashes in front of marks."""
    return _ESCAPE.sub(r"\1", text)


@dataclass(slots=True)
class _Message:
    """A message while its lines are read."""

    path: Path
    assembly: Assembly
    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ImportedCall] = field(default_factory=list)
    results: list[ImportedResult] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)
    _loose: list[str] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _at: int = 0
    _endless: bool = False
    """A comment at which words begin had no end: none behind it has, and none is looked for again."""

    def read(self, heading: re.Match[str], lines: list[str], number: int) -> ImportedMessage:
        """The message under a heading; `number`: its place in the document, from 1."""
        self._lines = lines
        fences = Fences()
        while self._at < len(lines):
            line = lines[self._at]
            if not fences.open and self._part(line):
                continue
            fences.takes(line)
            self._loose.append(line)
            self._at += 1
        self._end_loose()
        who = heading[2]
        role = _ROLES.get(who, "user")
        return ImportedMessage(
            f"message-{number}",
            None,
            role,
            "\n\n".join(self.texts),
            thinking=values.joined(self.thinking),
            tool_calls=tuple(self.calls),
            tool_results=tuple(self.results),
            time=values.moment(heading[3]),
            hidden=who == "Note of the app" or role == "system",
            pictures=tuple(self.pictures),
        )

    def _end_loose(self) -> None:
        """Words without a comment around them end where another part begins."""
        text = "\n".join(self._loose).strip("\n")
        self._loose.clear()
        if text:
            self.texts.append(said(text))

    def _part(self, line: str) -> bool:
        """Whether a part begins on this line; it is taken then."""
        if not line or line[0] not in "<>*!":
            return False
        return any(take(line) for take in (self._worded, self._thought, self._named, self._picture))

    def _worded(self, line: str) -> bool:
        begin = BEGIN.fullmatch(line)
        if begin is None or self._endless:
            return False
        fences = Fences()
        for at in range(self._at + 1, len(self._lines)):
            if not fences.open and self._lines[at] == END:
                self._end_loose()
                self.texts.append(said("\n".join(self._lines[self._at + 1 : at]), begin[1].split()))
                self._at = at + 1
                return True
            fences.takes(self._lines[at])
        self._endless = True
        return False

    def _thought(self, line: str) -> bool:
        opening = _THINKING.fullmatch(line)
        if opening is None or self._line(1) != ">":
            return False
        self._end_loose()
        at = self._at + 2
        while at < len(self._lines) and self._lines[at].startswith("> "):
            at += 1
        shown = "\n".join(one[2:] for one in self._lines[self._at + 2 : at])
        self.thinking.append(said(shown, (opening[1] or "").split()))
        self._at = at
        return True

    def _named(self, line: str) -> bool:
        """A call or a result: its name, a blank line, and a block of code."""
        named = _NAMED.fullmatch(line)
        code = _CODE.fullmatch(self._line(2)) if named is not None and not self._line(1) else None
        if named is None or code is None:
            return False
        name, is_result = _plain(named[1]), code[2] == "text"
        if is_result and not name.startswith(_RESULT):
            return False
        at = self._at + 3
        while at < len(self._lines) and self._lines[at] != code[1]:
            at += 1
        text = "\n".join(self._lines[self._at + 3 : at])
        text = (signs_back(text) if code[4] else text) + "\n" * min(int(code[3] or 0), 1_000)
        self._end_loose()
        self._at = at + 1
        if is_result:
            name = name.removeprefix(_RESULT)
            self.results.append(ImportedResult("", text, named[2] is not None, "" if name == _NO_NAME else name))
        else:
            self.calls.append(ImportedCall("", name, _given(text)))
        return True

    def _picture(self, line: str) -> bool:
        found = _PICTURE.fullmatch(line)
        if found is None:
            return False
        self._end_loose()
        self._at += 1
        picture = _beside(self.path, unquote(found[1]))
        if picture is None:
            self.assembly.lost(0, say("the picture {name} is not beside the document", name=unquote(found[1])))
        elif self.results:
            last = self.results.pop()
            self.results.append(ImportedResult(last.id, last.output, last.is_error, last.name, (*last.pictures, picture)))
        else:
            self.pictures.append(picture)
        return True

    def _line(self, behind: int) -> str:
        at = self._at + behind
        return self._lines[at] if at < len(self._lines) else ""


def _given(text: str) -> object:
    """What a call was given: an object, or the text that was none."""
    try:
        value = loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text


def _beside(document: Path, name: str) -> tuple[str, str] | None:
    """A picture out of the folder beside the document, never from anywhere else."""
    folder, _, file = name.partition("/")
    media = _MEDIA.get(file.rpartition(".")[2])
    place = document.parent / folder / file
    if media is None or "/" in file or "\\" in name or folder.startswith(".") or place.is_symlink() or place.parent.is_symlink():
        return None
    try:
        with open_plain(place) as opened:
            content = opened.read(MOST_PICTURE + 1)
    except (OSError, ValueError):
        return None
    if len(content) > MOST_PICTURE:
        return None
    return values.picture(media, base64.b64encode(content).decode("ascii"))
