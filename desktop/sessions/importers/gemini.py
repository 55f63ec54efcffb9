"""Gemini CLI: recorded chats (one JSON document; newer: JSON lines that grow, are set and rewound), saved checkpoints, `logs.json`; AI Studio.

Read only; see the package. What was rewound stays as a branch; what a compression set in the place of messages does not remove them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.sessions.importers import gemini_chat, gemini_saved
from desktop.sessions.importers.reading import SAMPLE_TEXT, Sample, Source, salvage, take_sample
from desktop.sessions.importers.shapes import ImportedSession, TranscriptEntry
from desktop.sessions.importers.stores import asked_for, files_below, small_text
from desktop.sessions.importers.values import identifier, is_wrapper, listing, mapping, moment, text, told_title

SOURCE = "gemini"
PATTERNS = ("*chats/*.json", "*chats/*.jsonl", "*checkpoint*.json", "*checkpoints/*.json", "*logs.json")
_CHAT = re.compile(r'"(?:projectHash|sessionId)"\s*:\s*"')
_TYPES = re.compile(r'"type"\s*:\s*"(?:gemini|qwen)"')
_FIELD = r'"{}"\s*:\s*"((?:[^"\\]|\\.){{1,400}})"'


def score(sample: Sample) -> int:
    """How sure it is that a file, or a folder's files, are Gemini's."""
    if sample.path.is_dir():
        return 70 if _is_store(sample.path) else 0
    document = sample.document
    if isinstance(document, dict) and document:
        return _score_document(document)
    if isinstance(document, list):
        return gemini_saved.score_list(document)
    return _score_records(sample)


def _score_document(document: dict[str, Any]) -> int:
    if isinstance(document.get("chunkedPrompt"), dict):
        return 95
    if gemini_saved.history_of(document):
        return 85
    if gemini_chat.is_head(document) or gemini_chat.is_patch(document):
        return 90 if "projectHash" in document or isinstance(document.get("messages"), list) else 60
    if isinstance(document.get("messages"), list) and any(gemini_chat.is_message(one) for one in document["messages"][:50]):
        return 80
    return 70 if gemini_chat.is_message(document) and document.get("type") in gemini_chat.MODEL else 0


def _score_records(sample: Sample) -> int:
    records = sample.records
    own = sum(gemini_chat.is_message(one) and one.get("type") in gemini_chat.MODEL for one in records)
    heads = sum(gemini_chat.is_head(one) or gemini_chat.is_patch(one) for one in records)
    if own or heads:
        both = own and heads
        return 92 if both else 88 if own or any("projectHash" in one for one in records) or heads > 1 else 75
    if '"chunkedPrompt"' in sample.head:
        return 90
    if _CHAT.search(sample.head) and _TYPES.search(sample.head):
        return 80
    return gemini_saved.score_list(list(records)) - 10 if records and sample.head.lstrip("\ufeff\0 \r\n\t").startswith("[") else 0


def _is_store(folder: Path) -> bool:
    places = (folder, folder / "chats", *_children(folder), *_children(folder / "tmp"))
    return any(
        place.name == "chats" and any(_is_recorded(one) for one in _children(place))
        for parent in places
        for place in (parent, parent / "chats")
    ) or ((folder / "tmp").is_dir() and any((one / "logs.json").is_file() for one in _children(folder / "tmp")))


def _is_recorded(path: Path) -> bool:
    return path.name.startswith("session-") and path.suffix in (".json", ".jsonl")


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())[:2_000]
    except OSError:
        return []


def read(source: Source, session: str | None) -> ImportedSession:
    """The chat in a file, or in one of a folder's files.

    Raises:
        OSError: the file cannot be read.
    """
    if source.path.is_dir():
        entry = asked_for(entries(source), session)
        return read(Source(entry.path), entry.session) if entry else ImportedSession(SOURCE, source.path.name)
    document, damage = source.document() if _may_be_document(source) else (None, None)
    if isinstance(document, dict) and isinstance(document.get("chunkedPrompt"), dict):
        found = gemini_saved.read_studio(document, source.path)
    elif isinstance(document, list) or (isinstance(document, dict) and gemini_saved.history_of(document)):
        found = gemini_saved.read_saved(document, source.path, session)
    elif isinstance(document, dict):
        found = gemini_chat.read_document(document, source.path)
    elif damage is not None and not gemini_chat.is_lines(source):
        found = gemini_saved.read_broken(source, damage, session) or gemini_chat.read_broken(source, damage)
    else:
        found = gemini_chat.read_lines(source)
    return replace(found, workspace=found.workspace or workspace_of(source.path))


def _may_be_document(source: Source) -> bool:
    """Whether it is worth to read the whole as one value: not when the second line already is an object of its own."""
    for seen, (_, line) in enumerate(source.lines()):
        if seen >= 2_000:
            return True
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8", errors="replace"))
        except (ValueError, RecursionError):
            continue
        if gemini_chat.is_patch(value) or gemini_chat.is_message(value):
            return False
    return True


def workspace_of(path: Path) -> str:
    """The folder that a chat below `tmp/<project>/chats` was held in: the project's own note, else the tool's list of projects."""
    project = next((parent.parent for parent in path.parents if parent.name == "chats"), path.parent)
    noted = small_text(project / ".project_root").strip()
    if noted and "\n" not in noted:
        return noted
    for home in list(project.parents)[:2]:
        try:
            projects = mapping(mapping(json.loads(small_text(home / "projects.json") or "{}")).get("projects"))
        except (ValueError, RecursionError):
            continue
        for folder, slug in projects.items():
            if slug == project.name:
                return text(folder)
    return ""


def entries(source: Source) -> list[TranscriptEntry]:
    """The sessions of a file or of a folder, out of the first characters of each file.

    Raises:
        OSError: the file cannot be read.
    """
    if not source.path.is_dir():
        return list(_entries_of(source))
    found: list[TranscriptEntry] = []
    for path in files_below(source.path, *PATTERNS):
        try:
            found += _entries_of(Source(path)) if score(take_sample(Source(path))) > 0 else ()
        except OSError:
            continue
    recorded = {one.session or one.path.stem for one in found if one.path.name != "logs.json"}
    return [one for one in found if one.path.name != "logs.json" or one.session not in recorded]


def _entries_of(source: Source) -> Iterator[TranscriptEntry]:
    if source.path.name == "logs.json" or gemini_saved.is_log(head := _head(source)):
        document, damage = source.document()
        yield from gemini_saved.log_entries(
            document if damage is None else [one.value for one in source.pieces(gemini_saved.is_logged)], source
        )
        return
    updated = [_field(head, "lastUpdated")] + [_field(head, "updateTime")]
    kind, parent = gemini_chat.kind_of({"kind": _field(head, "kind")}, source.path)
    yield TranscriptEntry(
        source.path,
        _field(head, "sessionId") or None,
        SOURCE,
        told_title(_field(head, "summary"), _field(head, "displayName")) or _first_prompt(head),
        workspace_of(source.path),
        moment(_field(head, "startTime") or _field(head, "createTime")),
        moment(next((one for one in updated if one), "")),
        kind=kind,
        parent=parent,
    )


def _head(source: Source) -> str:
    read = 0
    lines = []
    for _, line in source.lines():
        lines.append(line[:SAMPLE_TEXT].decode("utf-8", errors="replace"))
        read += len(lines[-1])
        if read > SAMPLE_TEXT:
            break
    return "\n".join(lines)[:SAMPLE_TEXT]


def _field(head: str, name: str) -> str:
    found = re.search(_FIELD.format(name), head)
    if not found:
        return ""
    try:
        return text(json.loads(f'"{found[1]}"'))
    except ValueError:
        return ""


def _first_prompt(head: str) -> str:
    for one in salvage(head, lambda value: gemini_chat.is_message(value) or gemini_chat.is_head(value)):
        value = mapping(one.value)
        for record in (value, *listing(value.get("messages"))):
            said = gemini_chat.said(mapping(record)) if mapping(record).get("type") == "user" else ""
            if said and not is_wrapper(said) and not said.startswith("/"):
                return told_title(said)
    return identifier(None)
