"""Chats of aider (`.aider.chat.history.md`): one file a project, to which each run adds a chat; a person's lines begin with `####`.

Read only, blocking, reading threads. What aider itself printed (lines quoted with `>`) stays as a quotation below what it follows: it is
no message of anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from desktop.base.phrases import say
from desktop.sessions.importers import values
from desktop.sessions.importers.plain_text import sound_groups
from desktop.sessions.importers.reading import Sample, Source
from desktop.sessions.importers.shapes import Damage, ImportedMessage, ImportedSession, Thread, TranscriptEntry

SOURCE = "aider"
NAME = ".aider.chat.history.md"

WORKSPACE = 60
"""How sure it is of a folder that has a history in it: it may hold those of other tools too."""
_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?)\s*")
_MODEL = re.compile(r"(?:Main )?[Mm]odel: (\S+)")
_TOKENS = re.compile(r"Tokens: ([\d.,]+)([kM]?) sent(?:, .*?)?, ([\d.,]+)([kM]?) received\.?(?: Cost: \$([\d.]+) message)?")
_SPOKEN = ("/ask ", "/code ", "/architect ", "/context ", "/help ", "/chat-mode ")
"""Commands whose words go to the model."""
_AHEAD = 400
"""Lines that a printed text may have."""
_SIGNS = frozenset("#>\ufeff\0")
"""What lines begin with that may be none of an answer."""
_NEXT = ("#### ", "> ", "# aider chat")
"""What lines begin with that are no part of a printed text before them."""
_BREAK = "  "
"""How aider ends each line of a person and each text that it prints."""


def score(sample: Sample) -> int:
    """How sure it is that a file is a history of aider, or that a folder has one."""
    if sample.path.is_dir():
        return WORKSPACE if (sample.path / NAME).is_file() else 0
    lines = sample.head.splitlines()
    if any(_START.fullmatch(line.strip("\ufeff\0")) for line in lines):
        return 95
    spoken = sum(line.startswith("#### ") and line.endswith(_BREAK) for line in lines)
    printed = sum(line.startswith("> ") and line.endswith(_BREAK) for line in lines)
    return 60 if spoken >= 2 and printed >= 2 else 0


@dataclass(slots=True)
class _Printed:
    """What aider printed in one place: quoted, and what it tells of the answers before it."""

    quoted: list[str] = field(default_factory=list)
    tokens: int = 0
    price: float | None = None

    def take(self, lines: Iterable[str]) -> None:
        for line in lines:
            found = _TOKENS.match(line) if line.startswith("Tokens: ") else None
            if found is not None:
                self.tokens += _number(found[1], found[2]) + _number(found[3], found[4])
                self.price = (self.price or 0.0) + _dollars(found[5]) if found[5] else self.price
            elif line.strip():
                self.quoted.append(f"> {line}")


@dataclass(slots=True)
class _Turn:
    """What is said by one side, and what aider printed around it."""

    role: str
    text: str
    above: str = ""
    below: _Printed = field(default_factory=_Printed)
    is_repeated: bool = False
    """A command whose words stand once more behind it, as they went to the model."""


@dataclass(slots=True)
class _Chat:
    """One run of aider: where it starts, when, and its messages, but for the turn that is still coming in."""

    number: int
    started: datetime | None
    messages: list[ImportedMessage] = field(default_factory=list)
    model: str = ""
    is_begun: bool = False
    _turn: _Turn | None = None

    def printed(self, lines: list[str]) -> None:
        """What aider printed. Before the first turn, and below a command that changes it, it tells the model."""
        self.is_begun = True
        if self._turn is not None:
            self._turn.below.take(lines)
        if (self._turn is None and not self.model) or (self._turn is not None and self._turn.text.startswith("/")):
            self.model = next((found[1] for line in lines if (found := _MODEL.match(line))), self.model)

    def said(self, role: str, text: str) -> None:
        """The next turn. What was printed between a prompt and its answer stands above the answer."""
        self.is_begun = True
        turn = _Turn(role, text)
        if self._turn is not None and self._turn.role == "user" and role == "assistant":
            turn.above = "\n".join(self._turn.below.quoted)
            self._turn.below = _Printed()
        if self._turn is not None and role == "user" and _asked(self._turn.text) == text:
            self._turn.is_repeated = True
        self.end()
        self._turn = turn

    def end(self) -> None:
        """No more comes in of the turn."""
        if self._turn is None:
            return
        turn, below, place = self._turn, self._turn.below, len(self.messages)
        self._turn = None
        user = turn.role == "user"
        said = "\n\n".join(filter(None, (turn.above, turn.text, "\n".join(below.quoted))))
        self.messages.append(
            ImportedMessage(
                f"{self.number}-{place + 1}",
                None,
                "user" if user else "assistant",
                values.text(said),
                time=self.started if place == 0 else None,
                hidden=turn.is_repeated or (user and turn.text.startswith("/") and not turn.text.startswith(_SPOKEN)),
                model="" if user else self.model,
                tokens=0 if user else below.tokens,
                cost_usd=None if user else below.price,
            )
        )


def _chats(source: Source, damage: list[Damage] | None = None) -> Iterator[_Chat]:
    """The runs in a file, one after the other; words before the first mark are a run of their own. What cannot be read goes to `damage`.

    Raises:
        OSError: the file cannot be read.
    """
    chat, turns = _Chat(1, None), 0
    for block in _blocks(sound_groups(source, damage), _are_marked(source)):
        if block.kind == "start":
            chat.end()
            if chat.is_begun or chat.started is not None:
                yield chat
            chat = _Chat(chat.number + (chat.started is not None or turns > 0), values.moment(block.lines[0]))
            turns = 0
        elif block.kind == "printed":
            chat.printed(block.lines)
        else:
            text = "\n".join(block.lines).strip()
            if text or block.kind == "user":
                chat.said(block.kind, text)
                turns += 1
    chat.end()
    if chat.is_begun or chat.started is not None:
        yield chat


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines of one kind: start, user, printed, assistant."""

    kind: str
    lines: list[str]


def _blocks(groups: Iterator[list[str]], marked: bool) -> Iterator[_Block]:
    """The file as blocks. A printed text of several lines has the sign on its first only, and its end on its last.

    Args:
        groups: its lines.
        marked: their ends are as aider wrote them.
    """
    kind, held = "", list[str]()
    lines = list[str]()
    at = 0
    while True:
        while len(lines) - at <= _AHEAD and (more := next(groups, None)) is not None:
            lines = [*lines[at:], *more]
            at = 0
        if at == len(lines):
            break
        now, text, used = _kind(lines, at, marked)
        if now != kind or now == "start":
            if held:
                yield _Block(kind, held)
            kind, held = now, []
        held += text
        at += used
    if held:
        yield _Block(kind, held)


def _are_marked(source: Source) -> bool:
    """Whether the ends of lines are as aider wrote them; editors that strip blanks take them away.

    Raises:
        OSError: the file cannot be read.
    """
    spoken = marked = 0
    for lines in sound_groups(source):
        said = [line for line in lines if line[:5] == "#### "]
        spoken += len(said)
        marked += sum(line.endswith(_BREAK) for line in said)
    return marked * 2 > spoken


def _kind(lines: list[str], at: int, marked: bool) -> tuple[str, list[str], int]:
    """Kind of the line at a place, its text without signs, and how many lines belong to it."""
    line = lines[at]
    if line[:1] not in _SIGNS:
        used = next((other - at for other in range(at + 1, len(lines)) if lines[other][:1] in _SIGNS), len(lines) - at)
        return "assistant", lines[at : at + used], used
    bare = line.strip("\ufeff\0")
    start = _START.fullmatch(bare)
    if start is not None:
        return "start", [start[1]], 1
    if (bare.startswith("#### ") and (not marked or bare.endswith(_BREAK) or at == len(lines) - 1)) or bare == "####":
        return "user", [bare[5:].rstrip()], 1
    if bare.startswith("> ") or bare == ">":
        used = _length(lines, at) if marked else 1
        if used:
            return "printed", [bare[2:].rstrip(), *(one.rstrip() for one in lines[at + 1 : at + used])], used
    return "assistant", [line], 1


def _length(lines: list[str], at: int) -> int:
    """How many lines a printed text takes; 0 where it does not end, and so is a quotation of the model.

    Commands are printed as wide as the longest of them, so that a line may have the two blanks of an end and go on all the same: between
    a printed text and an answer stands a blank line.
    """
    if lines[at].rstrip("\ufeff\0").endswith(" ") and _ends(lines, at):
        return 1
    for number in range(at + 1, min(len(lines), at + _AHEAD)):
        line = lines[number]
        if line.startswith(_NEXT):
            return 1 if line.startswith("> ") and line.endswith(_BREAK) else 0
        if line.endswith(_BREAK) and _ends(lines, number):
            return number - at + 1
    return 1 if lines[at].endswith(" ") else 0


def _ends(lines: list[str], at: int) -> bool:
    """Whether a printed text may end here: nothing follows, a blank line, or a line with a sign."""
    return at + 1 >= len(lines) or not lines[at + 1].strip() or lines[at + 1].rstrip() in (">", "####") or lines[at + 1].startswith(_NEXT)


def _asked(text: str) -> str:
    """The words of a command that go to the model; empty for what is none."""
    return text.partition(" ")[2].strip() if text.startswith(_SPOKEN) else text.partition("\n")[2].strip() if text.startswith("/") else ""


# --- messages -----------------------------------------------------------------------------------------------------------


def _dollars(digits: str) -> float:
    try:
        return float(digits.rstrip(".") or 0)
    except ValueError:
        return 0.0


def _number(digits: str, unit: str) -> int:
    try:
        return int(float(digits.replace(",", "").rstrip(".")) * {"k": 1_000, "M": 1_000_000}.get(unit, 1))
    except (ValueError, OverflowError):
        return 0


def read(source: Source, session: str | None) -> ImportedSession:
    """The whole history of a file, run after run, as aider itself takes it up again; or one run of it, by its id in `entries`.

    Raises:
        OSError: the file cannot be read.
    """
    file = _file(source)
    damage: list[Damage] = []
    thread = Thread()
    runs, started = 0, None
    for chat in _chats(file, damage):
        if session is not None and _id(chat) != session:
            continue
        runs += 1
        started = started or chat.started
        for message in chat.messages:
            thread.add(message, follow=True)
    if session is not None and not runs:
        damage.insert(0, Damage(0, say("the file holds no chat of this id")))
    return ImportedSession(
        SOURCE,
        session or file.path.stem.strip("."),
        title=_title(thread.messages),
        workspace=str(file.path.parent) if file.path.name == NAME else "",
        started=started,
        messages=tuple(thread.messages),
        branches=thread.branches(),
        damage=tuple(damage),
        model=next((one.model for one in reversed(thread.messages) if one.model), ""),
    )


def _file(source: Source) -> Source:
    return Source(source.path / NAME) if source.path.is_dir() else source


def _id(chat: _Chat) -> str:
    """The id of a run: its start, with its place where the start is lost."""
    return chat.started.strftime("%Y-%m-%dT%H:%M:%S") if chat.started is not None else f"chat-{chat.number}"


def _title(messages: list[ImportedMessage]) -> str:
    for message in messages:
        if message.role == "user" and not message.hidden:
            words = message.text.split(" ", 1)[1] if message.text.startswith(_SPOKEN) else message.text
            if title := values.prompt_title(words):
                return title
    return ""


def entries(source: Source) -> list[TranscriptEntry]:
    """Each run in which somebody said something, as a session of its own.

    Raises:
        OSError: the file cannot be read.
    """
    file = _file(source)
    workspace = str(file.path.parent) if file.path.name == NAME else ""
    found = []
    seen: set[str] = set()
    for chat in _chats(file):
        messages = chat.messages
        ident = _id(chat)
        if ident in seen or all(one.hidden for one in messages):
            continue
        seen.add(ident)
        found.append(TranscriptEntry(file.path, ident, SOURCE, _title(messages), workspace, chat.started, chat.started, len(messages)))
    return found
