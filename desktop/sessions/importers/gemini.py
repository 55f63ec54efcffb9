"""Gemini CLI: recorded chats (one JSON document, or JSON lines that grow, are set and rewound), checkpoints, `logs.json`; AI Studio.

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
from desktop.sessions.importers.collected import every_file
from desktop.sessions.importers.reading import Sample, Source, loads, salvage, take_sample
from desktop.sessions.importers.shapes import ImportedSession, TranscriptEntry
from desktop.sessions.importers.stores import asked_for, files_below, head_of, small_text
from desktop.sessions.importers.values import is_wrapper, listing, mapping, mappings, moment, prompt_title, text, told_field, told_title

SOURCE = "gemini"
PATTERNS = ("*.json", "*.jsonl")
_CHAT = re.compile(r'"(?:projectHash|sessionId)"\s*:\s*"')
_TYPES = re.compile(r'"type"\s*:\s*"(?:gemini|qwen)"')


def score(sample: Sample) -> int:
    """How sure it is that a file, or a folder's files, are Gemini's."""
    if sample.path.is_dir():
        return 70 if _is_store(sample.path) and every_file(sample.path, b'"projectHash"|"startTime"|"[$]set"', "*.jsonl") else 0
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
    messages = mappings(document.get("messages"))[:50]
    if any(map(_is_answer, messages)) or _is_answer(document):
        return 90
    if gemini_chat.is_patch(document) or (gemini_chat.is_head(document) and {"projectHash", "lastUpdated"} & document.keys()):
        return 90 if not messages or any(map(gemini_chat.is_message, messages)) else 0
    return 0


def _is_answer(record: dict[str, Any]) -> bool:
    """A message of the model under the name that only these tools give it."""
    return record.get("type") in ("gemini", "qwen") and gemini_chat.is_message(record)


def _score_records(sample: Sample) -> int:
    records = sample.records
    answers = any(map(_is_answer, records))
    heads = [one for one in records if gemini_chat.is_head(one) or gemini_chat.is_patch(one)]
    hashed = '"projectHash"' in sample.head
    if answers or heads:
        return 92 if answers and heads else 88 if answers or hashed or any(map(gemini_chat.is_patch, heads)) else 30
    if '"chunkedPrompt"' in sample.head:
        return 90
    if _CHAT.search(sample.head) and (_TYPES.search(sample.head) or (hashed and '"sessionId"' in sample.head)):
        return 80
    return gemini_saved.score_list(list(records)) - 10 if records and sample.head.lstrip("\ufeff\0 \r\n\t").startswith("[") else 0


def _is_store(folder: Path) -> bool:
    places = (folder, folder / "chats", *_children(folder), *_children(folder / "tmp"))
    folders = [place for parent in places for place in (parent, parent / "chats") if place.name == "chats"]
    if any(_is_recorded(one) for place in folders for one in _children(place)):
        return True
    return any((one / "logs.json").is_file() for one in _children(folder / "tmp"))


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
    document, damage = source.document()
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
    if source.path.name == "logs.json" or gemini_saved.is_log(head := head_of(source)):
        document, damage = source.document()
        records = document if damage is None else [one.value for one in source.pieces(gemini_saved.is_logged)]
        yield from gemini_saved.log_entries(records, source)
        return
    kind, parent = gemini_chat.kind_of({"kind": told_field(head, "kind")}, source.path)
    yield TranscriptEntry(
        source.path,
        told_field(head, "sessionId") or None,
        SOURCE,
        _told_title(head) or _first_prompt(head),
        workspace_of(source.path),
        moment(told_field(head, "startTime") or told_field(head, "createTime")),
        moment(told_field(head, "lastUpdated") or told_field(head, "updateTime")),
        kind=kind,
        parent=parent,
    )


def _told_title(head: str) -> str:
    """The title that a document tells of itself, whole or as far as its messages: calls in them have fields of the same name."""
    try:
        whole = mapping(loads(head))
    except ValueError:
        start = head.partition('"messages"')[0]
        whole = {name: told_field(start, name) for name in ("summary", "displayName")}
    return told_title(whole.get("summary"), whole.get("displayName"), whole.get("title"))


def _first_prompt(head: str) -> str:
    for one in salvage(head, lambda value: gemini_chat.is_message(value) or gemini_chat.is_head(value)):
        value = mapping(one.value)
        for record in (value, *listing(value.get("messages"))):
            said = gemini_chat.said(mapping(record)) if mapping(record).get("type") == "user" else ""
            title = "" if is_wrapper(said) else prompt_title(said)
            if title:
                return title
    return ""
