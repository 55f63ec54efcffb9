"""Transcripts of other tools, read where they lie: what a file is, is told by what it holds, not by its name.

Read only: no file is ever written, no call of a transcript is ever run. Each format has a module with `SOURCE`, `score`, `read` and, where
a file or folder holds many sessions, `entries`. Blocking; runs in reading threads. Nothing here raises on a file that can be read.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from desktop.base.ids import SESSION_ID
from desktop.base.phrases import os_reason, say
from desktop.sessions.importers.reading import Sample, Source, take_sample
from desktop.sessions.importers.shapes import (
    Damage,
    ImportedCall,
    ImportedMessage,
    ImportedResult,
    ImportedSession,
    TranscriptEntry,
)

__all__ = [
    "Damage",
    "ImportedCall",
    "ImportedMessage",
    "ImportedResult",
    "ImportedSession",
    "TranscriptEntry",
    "list_transcripts",
    "open_transcript",
]

FORMATS = (
    "keepsake",
    "claude_code",
    "codex",
    "opencode",
    "gemini",
    "qwen",
    "copilot",
    "pi",
    "cline",
    "aider",
    "specstory",
    "kimi",
    "grok",
    "muse",
    "vibe",
    "antigravity",
    "generic",
)
"""Modules of this package; of two that are equally sure, the earlier one reads the file."""

UNKNOWN = "unknown"
OWN_FOLDER = 65
"""From this score on a folder is a tool's own, and the tool's module alone tells what is in it."""
DEPTH = 12
"""Levels of folders that are looked through."""
PASSED_OVER = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__"))
"""Folders in which no tool keeps its sessions, and in which there is much."""


def _formats() -> list[ModuleType]:
    return [importlib.import_module(f"{__name__}.{name}") for name in FORMATS]


def _surest(sample: Sample) -> tuple[int, ModuleType | None]:
    """The format that is surest of a file or folder, and how sure; 0 and None when none knows it."""
    scores = [(module.score(sample), -place, module) for place, module in enumerate(_formats())]
    best, _, module = max(scores, key=lambda one: one[:2])
    return (best, module) if best > 0 else (0, None)


def _best(sample: Sample) -> ModuleType | None:
    """The format that is surest of a file; None when none knows it."""
    return _surest(sample)[1]


def open_transcript(path: Path, session: str | None = None) -> ImportedSession:
    """A session of another tool.

    Args:
        path: a file, or a folder that a tool keeps a session in.
        session: which one, where `path` holds several; None: the only one, or the newest.

    Returns:
        The session; with source `unknown` and a reason in `damage` for what no format knows. Never raises on a readable file.
    """
    path = Path(path)
    try:
        source = Source(path)
        sample = Sample(path) if path.is_dir() else take_sample(source)
        module = _best(sample)
        if module is None:
            return _unknown(path, source.lost or _why(path, sample))
        found: ImportedSession = module.read(source, session)
    except OSError as error:
        return _unknown(path, say("the file cannot be read: {reason}", reason=os_reason(error)))
    if source.lost:
        found = replace(found, damage=(*found.damage, Damage(0, source.lost)))
    if not found.messages and not found.damage:
        found = replace(found, damage=(Damage(0, say("it holds no message")),))
    return found


def _unknown(path: Path, reason: str) -> ImportedSession:
    return ImportedSession(UNKNOWN, path.stem, damage=(Damage(0, reason),))


def _why(path: Path, sample: Sample) -> str:
    if path.is_dir():
        return say("the folder holds no transcript that is known here")
    if not sample.magic:
        return say("the file is empty")
    if not sample.head.strip("\ufeff\0 \t\r\n") and not sample.magic.startswith(b"SQLite"):
        return say("the file is blank")
    return say("the file is not a transcript that is known here")


def list_transcripts(path: Path) -> list[TranscriptEntry]:
    """The sessions that a file or a folder holds: a tool's database, its folder of sessions, a file of many chats.

    Returns:
        One entry a session, the newest first where times are told; empty for what no format knows. Never raises on what can be read.
    """
    path = Path(path)
    try:
        if path.is_dir():
            return _sorted(_in_folder(path))
        return _sorted(_in_file(path))
    except OSError:
        return []


def _sorted(entries: list[TranscriptEntry]) -> list[TranscriptEntry]:
    def when(entry: TranscriptEntry) -> float:
        moment = entry.updated or entry.started
        return moment.timestamp() if moment is not None else 0.0

    return sorted(entries, key=when, reverse=True)


def _in_file(path: Path) -> list[TranscriptEntry]:
    source = Source(path)
    module = _best(take_sample(source))
    if module is None:
        return []
    if hasattr(module, "entries"):
        return list(module.entries(source))
    return [TranscriptEntry(path, None, module.SOURCE)]


def _in_folder(folder: Path, depth: int = 0) -> list[TranscriptEntry]:
    """The sessions of a tool's own folder as the tool keeps them; any other folder is looked through, folder by folder."""
    sure, module = _surest(Sample(folder))
    if module is not None and sure >= OWN_FOLDER:
        own = list(module.entries(Source(folder)))
        return own + _of_others(folder, module, {one.path for one in own})
    found: list[TranscriptEntry] = []
    paths = sorted(folder.iterdir())
    ours = {path.name for path in paths if SESSION_ID.match(path.stem) and path.suffix == ".jsonl"}
    for path in paths:
        try:
            if _is_beside(path.name, ours):
                continue
            if path.is_dir():
                if depth < DEPTH and path.name not in PASSED_OVER and not path.is_symlink():
                    found += _in_folder(path, depth + 1)
            else:
                found += _in_file(path)
        except OSError:
            continue
    return found


def _of_others(folder: Path, owner: ModuleType, listed: set[Path]) -> list[TranscriptEntry]:
    """Sessions in a tool's own folder that another tool's module is sure of; what any program might have written there is the owner's."""
    found: list[TranscriptEntry] = []
    for path in sorted(folder.iterdir()):
        if path in listed or not path.is_file():
            continue
        source = Source(path)
        module = _best(take_sample(source))
        if module is not None and module.SOURCE not in (owner.SOURCE, "generic"):
            found += module.entries(source) if hasattr(module, "entries") else [TranscriptEntry(path, None, module.SOURCE)]
    return found


def _is_beside(name: str, ours: set[str]) -> bool:
    """Whether something belongs to a transcript of ours beside it: its side files, the running answer, copies."""
    first, _, rest = name.partition(".")
    return bool(rest) and rest != "jsonl" and f"{first}.jsonl" in ours
