"""Folders of Claude Code: its configuration folder, `projects`, one project's sessions, and what one session keeps beside its transcript.

Lists from the first and last bytes of each file, never a whole one; the tool's own `sessions-index.json` adds titles only. Read only,
follows no link to a folder. Blocking.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.ends import HEAD, LARGE_HEAD, TAIL, ends
from desktop.sessions.importers.reading import Sample, loads
from desktop.sessions.importers.shapes import TranscriptEntry
from desktop.sessions.importers.wrappers import is_wrapped
from desktop.sessions.prompt_text import own_words
from desktop.sessions.transcript import open_plain

SOURCE = "claude-code"
INDEX = "sessions-index.json"
INDEX_LIMIT = 16 << 20
TRIED = 8
"""Files of a folder that are looked at to tell whose it is."""
MAX_BESIDE = 2_000
"""Files beside a transcript whose first line is looked at for sub-agents of it."""
_SKIPPED = frozenset(["tool-results", "memory", "file-history", "todos", "shell-snapshots", "statsig", "plugins"])

Score = Callable[[Sample], int]


def agent_id(stem: str) -> str:
    """The id in the name of a sub-agent's file; empty for other names."""
    return stem.removeprefix("agent-") if stem.startswith("agent-") else ""


def description(path: Path) -> str:
    """What a sub-agent was asked to do, from the small file beside its transcript."""
    if not agent_id(path.stem):
        return ""
    told = values.mapping(_json(path.with_name(f"{path.stem}.meta.json"), 1 << 20))
    return values.text(told.get("description")) or values.text(told.get("name"))


def _json(path: Path, limit: int) -> Any:
    try:
        with open_plain(path) as file:
            return loads(file.read(limit).decode("utf-8", errors="replace"))
    except (OSError, ValueError):
        return None


def agents_of(path: Path, own_id: str, named: Iterable[str]) -> tuple[str, ...]:
    """Ids of the sub-agents of a session whose transcripts are beside it: in its own folder, or in the project's folder.

    Args:
        path: the session's transcript.
        own_id: its id.
        named: ids that the transcript tells of.
    """
    found = {agent_id(file.stem): None for file in _below(path.with_suffix("") / "subagents")}
    found |= {one: None for one in named if path.with_name(f"agent-{one}.jsonl").is_file()}
    with suppress(OSError):
        for file in islice(sorted(path.parent.glob("agent-*.jsonl")), MAX_BESIDE):
            if agent_id(file.stem) not in found and any(one.get("sessionId") == own_id for one in islice(ends(file, HEAD, 0), 3)):
                found[agent_id(file.stem)] = None
    found.pop("", None)
    return tuple(found)


def _below(folder: Path) -> Iterator[Path]:
    """Transcripts in a folder and the folders in it, in order; none where it is not there."""
    if folder.is_symlink():
        return
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in _SKIPPED)
        yield from (Path(root) / name for name in sorted(files) if name.endswith(".jsonl"))


# --- whose folder it is ----------------------------------------------------------------------------------------------------


def _start(folder: Path) -> Path:
    """Where sessions lie in a folder: `projects` in the configuration folder, the project's folder beside a session's own one."""
    return folder / "projects" if (folder / "projects").is_dir() else folder


def score(folder: Path, of_file: Score) -> int:
    """How surely a folder holds sessions of this tool and of no other, 0 to 100."""
    if (folder / "subagents").is_dir() or (folder / INDEX).is_file():
        return 90 if any(True for _ in _below(folder)) or folder.with_suffix(".jsonl").is_file() else 0
    start = _start(folder)
    if not _holds_only_transcripts(start):
        return 0
    tried = list(islice(_below(start), TRIED))
    return 80 if tried and all(_is_ours(path, of_file) for path in tried) else 0


def _holds_only_transcripts(folder: Path) -> bool:
    """Whether nothing in a folder and those right below it may be a transcript of another tool."""
    level = [folder]
    try:
        level += [Path(one.path) for one in os.scandir(folder) if one.is_dir(follow_symlinks=False) and one.name not in _SKIPPED]
        names = [one.name for place in islice(level, 200) for one in os.scandir(place) if one.is_file(follow_symlinks=False)]
    except OSError:
        return False
    known = all(name.endswith((".jsonl", ".meta.json")) or name == INDEX or name.startswith(".DS_") for name in names)
    return known and any(name.endswith(".jsonl") for name in names)


def _is_ours(path: Path, of_file: Score) -> bool:
    try:
        records = tuple(ends(path, HEAD, 0)) or tuple(ends(path, LARGE_HEAD, 0))
        return path.stat().st_size == 0 or of_file(Sample(path, records, magic=b"{")) > 0
    except OSError:
        return False


# --- listing ---------------------------------------------------------------------------------------------------------------


def entries(folder: Path, of_file: Score) -> list[TranscriptEntry]:
    """Every session below a folder, sub-agents too."""
    start = _start(folder)
    files = list(_below(start))
    beside = folder.with_suffix(".jsonl")
    if (folder / "subagents").is_dir() and beside.is_file():
        files.insert(0, beside)
    titles: dict[str, str] = {}
    for place in dict.fromkeys(path.parent for path in files):
        titles |= _index(place)
    found = (entry(path, of_file, titles) for path in files)
    return [one for one in found if one is not None]


def chosen(folder: Path, session: str | None, of_file: Score) -> Path | None:
    """The transcript of a session in a folder; without a name the newest that is no sub-agent's."""
    if session is not None:
        names = (session, f"agent-{session}")
        return next((one.path for one in entries(folder, of_file) if one.path.stem in names), None)
    told = entries(folder, of_file)
    beside = folder.with_suffix(".jsonl")
    if any(one.path == beside for one in told):
        return beside
    dated = [one for one in told if one.kind == "chat"] or told
    newest = max(dated, key=lambda one: one.updated or datetime.min.replace(tzinfo=UTC), default=None)
    return newest.path if newest is not None else None


@dataclass(slots=True)
class _Look:
    """What the ends of a file tell."""

    sessions: dict[str, None] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    summaries: list[tuple[str, str]] = field(default_factory=list)
    """The last message and the words of each summary: those of other sessions stand in a file too."""
    started: datetime | None = None
    updated: datetime | None = None
    prompt: str = ""
    main: bool = False
    sidechain: bool = False

    def take(self, record: dict[str, Any]) -> None:
        session = values.text(record.get("sessionId")) or values.text(record.get("session_id"))
        if session:
            self.sessions.setdefault(session)
        for key in ("cwd", "agentId"):
            if not self.told.get(key):
                self.told[key] = values.text(record.get(key))
        for key in ("customTitle", "aiTitle"):
            if record.get("type") in ("custom-title", "ai-title") and key in record:
                self.told[key] = values.text(record.get(key))
        if record.get("type") == "summary":
            self.summaries.append((values.text(record.get("leafUuid")), values.text(record.get("summary"))))
        self.seen.add(values.identifier(record.get("uuid")))
        when = values.moment(record.get("timestamp"))
        self.started = self.started or when
        self.updated = when or self.updated
        if record.get("type") in ("user", "assistant"):
            self._message(record)

    def _message(self, record: dict[str, Any]) -> None:
        beside = record.get("isSidechain") is True
        self.sidechain |= beside
        self.main |= not beside
        said = values.mapping(record.get("message")).get("content")
        if self.prompt or record.get("type") != "user" or record.get("isMeta") is True or record.get("isCompactSummary") is True:
            return
        parts = [said] if isinstance(said, str) else [one.get("text") for one in values.mappings(said) if one.get("type") == "text"]
        text = values.joined(map(values.text, parts))
        self.prompt = "" if is_wrapped(text) else own_words(text)

    def title(self, named: str, described: str) -> str:
        """The best title: `named` is that of the tool's own list, `described` that of a sub-agent's task."""
        told = (self.told.get(key) for key in ("customTitle", "aiTitle"))
        own = [words for leaf, words in reversed(self.summaries) if not leaf or leaf in self.seen]
        other = [words for _, words in reversed(self.summaries)]
        return values.told_title(*told, *own, named, described, self.prompt, *other)


def entry(path: Path, of_file: Score, titles: dict[str, str] | None = None) -> TranscriptEntry | None:
    """The line of the list for a file; None where it is no transcript of this tool."""
    try:
        records = list(ends(path, HEAD, TAIL))
        look = _Look()
        if not any(record.get("type") == "user" for record in records):
            records = list(ends(path, LARGE_HEAD, TAIL))
        modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None
    if of_file(Sample(path, tuple(records), magic=b"{")) <= 0:
        return None
    for record in records:
        look.take(record)
    agent = look.sidechain and not look.main
    first = next(iter(look.sessions), "")
    named = (titles or {}).get(path.stem, "")
    return TranscriptEntry(
        path=path,
        session=None,
        source=SOURCE,
        title=look.title(named, description(path)),
        workspace=look.told.get("cwd", ""),
        started=look.started,
        updated=look.updated or modified,
        kind="sub-agent" if agent else "chat",
        parent=first if agent and first != (look.told.get("agentId") or path.stem) else "",
    )


def _index(folder: Path) -> dict[str, str]:
    """Titles by session out of the tool's own list of a project. It may be old: nothing else of it is believed."""
    listed = values.mappings(values.mapping(_json(folder / INDEX, INDEX_LIMIT)).get("entries"))
    return {
        values.text(one.get("sessionId")): values.told_title(one.get("customTitle"), one.get("summary"))
        for one in listed
        if values.text(one.get("sessionId"))
    }
