"""Tasks of Cline and its kin (Roo Code, Kilo Code): a folder a task with what went to the model and what the window showed.

Three files are read: `api_conversation_history.json`, `ui_messages.json` (in old versions `claude_messages.json`) and the newer
`<session>.messages.json`. Read only, blocking, reading threads; calls are history and never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.chat_message import ROLES
from desktop.sessions.importers.cline_window import is_window_record, window_messages
from desktop.sessions.importers.reading import Sample, Source
from desktop.sessions.importers.shapes import Damage, ImportedSession, TranscriptEntry, replaced

SOURCE = "cline"
API, WINDOW, OLD_WINDOW = "api_conversation_history.json", "ui_messages.json", "claude_messages.json"
FILES = (API, WINDOW, OLD_WINDOW)
INDEXES = ("taskHistory.json", "_index.json")

_TASK = re.compile(r"\s*<(task|feedback|user_message|answer)>\s*(.*?)\s*</\1>", re.DOTALL)
_ENVIRONMENT = re.compile(r"\s*<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_FOLDER = re.compile(r"Current (?:Workspace|Working) Directory \((.+?)\) Files")
_RESULT = re.compile(r"\[[a-z_]+(?: for .*?)?\] Result:", re.DOTALL)

_PLACES = ("tasks", "sessions")
"""Folders in a tool's storage in which its tasks stand."""
Record = dict[str, Any]


def score(sample: Sample) -> int:
    """How sure it is that a file or folder is of Cline or its kin."""
    if sample.path.is_dir():
        return 90 if _is_task(sample.path) or _is_storage(sample.path) else 60 if _tasks(sample.path) else 0
    document = sample.document
    if isinstance(document, dict):
        return 80 if _is_newer(document) else 0
    records = values.mappings(document)[:50] if isinstance(document, list) else list(sample.records)
    if records and sum(is_window_record(one) for one in records) * 2 > len(records):
        return 92
    if sample.path.name == API and records and all(map(_is_said, records)):
        return 60  # what went to the model without Cline's own tags, in a file of its name
    return 70 if _is_api(records) else 0


def _is_newer(document: Record) -> bool:
    messages = values.mappings(document.get("messages"))
    return "sessionId" in document and any("modelInfo" in one or "metrics" in one or "ts" in one for one in messages if _is_said(one))


def _is_said(record: Record) -> bool:
    return record.get("role") in ("user", "assistant") and isinstance(record.get("content"), str | list)


def _is_api(records: list[Record]) -> bool:
    """Whether it is what went to the model: messages whose person's words stand in tags of Cline's own."""
    said = [one for one in records if _is_said(one)]
    if not said or len(said) * 2 < len(records):
        return False
    texts = (text for one in said[:6] if one["role"] == "user" for text in _texts(one["content"]))
    return any(_TASK.match(text) or "<environment_details>" in text or _is_result(text) for text in texts)


def _is_result(text: str) -> bool:
    """Whether a text is what a tool gave, as older versions tell it."""
    return text.startswith("[") and "] Result:" in text and _RESULT.match(text) is not None


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in values.mappings(content) if isinstance(part.get("text"), str)]


# --- reading ------------------------------------------------------------------------------------------------------------


def read(source: Source, session: str | None) -> ImportedSession:
    """The task of a file or of a task's folder; of a folder with many tasks, the one of the id, else the newest.

    Raises:
        OSError: the file cannot be read.
    """
    path = source.path
    if path.is_dir():
        folder = path if _is_task(path) else _chosen(path, session)
        file = _main_file(folder) if folder is not None else None
        if file is None:
            return ImportedSession(SOURCE, session or path.name, damage=(Damage(0, say("the folder holds no task of this id")),))
        return read(Source(file), None)
    records, about, damage = _records(source)
    assembly = Assembly(damage=damage)
    assembly.told.take(about)
    window = [one for one in records if is_window_record(one)]
    if len(window) * 2 > len(records):
        _window(assembly, window)
    else:
        _api(assembly, records)
    _around(assembly, path)
    found = assembly.session(SOURCE, _task_id(path))
    if session is not None and session not in (found.id, path.stem, _task_id(path)):
        return ImportedSession(SOURCE, session, damage=(Damage(0, say("the file holds no task of this id")),))
    return found


def _records(source: Source) -> tuple[list[Record], Record, list[Damage]]:
    """The messages of a file, what it says around them, and what could not be read."""
    document, harm = source.document()
    if isinstance(document, dict):
        return values.mappings(document.get("messages")), {k: v for k, v in document.items() if k != "messages"}, []
    if isinstance(document, list):
        wrong = sum(not isinstance(one, dict) for one in document)
        lost = [Damage(0, say("{n} entries are not records", n=wrong))] if wrong else []
        return values.mappings(document), {}, lost
    records: list[Record] = []
    damage: list[Damage] = []
    for one in source.pieces(_is_record):
        if one.value is not None:
            records.append(one.value)
        else:
            damage.append(Damage(one.line, one.reason))
    return records, {}, damage or [one for one in (harm,) if one is not None]


def _is_record(value: Record) -> bool:
    return is_window_record(value) or (_is_said(value) and "type" not in value)


def _window(assembly: Assembly, records: list[Record]) -> None:
    for message in window_messages(records):
        assembly.add(message)
    folder = next((found[1] for one in records[:40] for found in [_FOLDER.search(values.text(one.get("text")))] if found), "")
    assembly.told.workspace = assembly.told.workspace or folder


def _api(assembly: Assembly, records: list[Record]) -> None:
    """What went to the model; the person's words are freed of the tags around them, a message of results alone is no person's."""
    for record in _answered(records):
        if values.text(record.get("role")).lower() not in ROLES:
            assembly.bridge(record)
            continue
        if not assembly.told.workspace:
            texts = (text for text in _texts(record.get("content")) if "Current Work" in text)
            found = next((match for text in texts if (match := _FOLDER.search(text))), None)
            assembly.told.workspace = found[1] if found is not None else ""
        assembly.take(record)
    for place, message in enumerate(assembly.messages):
        if message.role == "user":
            said = message.text
            text = (_ENVIRONMENT.sub("", said) if "<environment_details>" in said else said).strip()
            tagged = "</" in text and _TASK.search(text) is not None
            freed = _TASK.sub(lambda found: found[2], text).strip() if tagged else text
            hidden = message.hidden or _is_result(text) or (not freed and not message.tool_results and not message.pictures)
            if (freed or said) != said or (hidden and not tagged) != message.hidden:
                assembly.messages[place] = replaced(message, text=freed or said, hidden=hidden and not tagged)


def _answered(records: list[Record]) -> Iterator[Record]:
    """The records, with what calls gave as their results where it stands as text behind them, in their order."""
    called: list[Any] = []
    for record in records:
        parts = values.mappings(record.get("content"))
        if record.get("role") == "assistant":
            called = [one.get("id") for one in parts if one.get("type") == "tool_use" and one.get("id")]
        elif called and record.get("role") == "user" and not any(one.get("type") == "tool_result" for one in parts):
            given = [one for one in parts if _is_result(values.text(one.get("text")))]
            ids = {id(one): name for one, name in zip(given, called, strict=False)} if len(given) <= len(called) else {}
            record = {**record, "content": [_result(one, ids[id(one)]) if id(one) in ids else one for one in parts]} if ids else record
            called = []
        yield record


def _result(part: Record, call: Any) -> Record:
    """A text that tells what a call gave, without its heading."""
    return {"type": "tool_result", "tool_use_id": call, "content": part["text"].split("] Result:", 1)[1].removeprefix("\n")}


def _around(assembly: Assembly, path: Path) -> None:
    """What stands beside the file: the index of all tasks, the task's own facts."""
    told = assembly.told
    about = next((one for one in _index(path.parent.parent.parent) if values.identifier(one.get("id")) == path.parent.name), {})
    about = about or _object(path.parent / "history_item.json") or _beside(path)
    titles = (about.get("title"), values.mapping(about.get("metadata")).get("title"))
    told.title = told.title or values.prompt_title(about.get("task")) or values.told_title(*titles)
    folder = about.get("cwdOnTaskInitialization") or about.get("workspace") or about.get("cwd")
    told.workspace = told.workspace or values.text(folder)
    told.parent = told.parent or values.text(about.get("parentTaskId"))


def _beside(path: Path) -> Record:
    """The facts of a newer session: `<id>.json` beside `<id>.messages.json`."""
    return _object(path.with_name(path.name.removesuffix(".messages.json") + ".json")) if path.name.endswith(".messages.json") else {}


def _object(path: Path) -> Record:
    """A small JSON file beside; empty where there is none that can be read."""
    try:
        if path.is_symlink() or path.stat().st_size > 8 << 20:
            return {}
        return values.mapping(Source(path).document()[0])
    except OSError:
        return {}


def _index(storage: Path) -> list[Record]:
    """What the tool's own list says of its tasks."""
    for place in (storage / "state" / INDEXES[0], storage / "tasks" / INDEXES[1]):
        try:
            document = Source(place).document()[0] if place.is_file() else None
        except OSError:
            continue
        found = values.mappings(values.mapping(document).get("entries") if isinstance(document, dict) else document)
        if found:
            return found
    return []


# --- folders ------------------------------------------------------------------------------------------------------------


def _is_task(folder: Path) -> bool:
    return _main_file(folder) is not None


def _main_file(folder: Path) -> Path | None:
    """The file of a task that holds most: what went to the model, else what the window showed."""
    found = next((folder / name for name in FILES if (folder / name).is_file()), None)
    newer = folder / f"{folder.name}.messages.json"
    return found or (newer if newer.is_file() else None)


def _tasks(folder: Path) -> list[Path]:
    """Folders of tasks in a tool's storage, its `tasks` folder, or its newer `sessions` folder."""
    found: list[Path] = []
    for place in (*(folder / name for name in _PLACES), folder):
        if place.is_dir():
            found += [one for one in sorted(place.iterdir()) if one.is_dir() and _is_task(one)]
    return found


def _is_storage(folder: Path) -> bool:
    """Whether a folder holds tasks and nothing else, by the names in it; in any other one there may be what is of other tools."""
    if folder.name in _PLACES or any((folder / name).is_dir() for name in ("settings", "state", *_PLACES)):
        return bool(_tasks(folder))
    held = [one for one in folder.iterdir() if not one.name.startswith(".")]
    return bool(held) and all(one.is_dir() and _is_task(one) for one in held)


def _chosen(folder: Path, session: str | None) -> Path | None:
    tasks = _tasks(folder)
    if session is not None:
        return next((one for one in tasks if one.name == session), None)
    return max(tasks, key=lambda one: (_began(one.name) or datetime.min).timestamp() if _began(one.name) else 0.0, default=None)


def _task_id(path: Path) -> str:
    if path.name in FILES:
        return path.parent.name
    return path.name.removesuffix(".json").removesuffix(".messages")


def _began(name: str) -> datetime | None:
    """Names of older tasks are the time at which they began, in milliseconds."""
    return values.moment(name) if name.isdigit() else None


def entries(source: Source) -> list[TranscriptEntry]:
    """The tasks of a folder, told by the tool's own list and by names; the one of a file.

    Raises:
        OSError: the folder cannot be read.
    """
    if not source.path.is_dir():
        return [TranscriptEntry(source.path, None, SOURCE)]
    return list(_entries(source.path))


def _entries(folder: Path) -> Iterator[TranscriptEntry]:
    tasks = [folder] if _is_task(folder) else _tasks(folder)
    known: dict[str, Record] = {}
    for storage in {one.parent.parent for one in tasks}:
        known |= {values.identifier(one.get("id")): one for one in _index(storage)}
    for task in tasks:
        file = _main_file(task)
        if file is None:
            continue
        about = known.get(task.name) or _object(task / "history_item.json")
        yield TranscriptEntry(
            file,
            None,
            SOURCE,
            values.prompt_title(about.get("task")),
            values.text(about.get("cwdOnTaskInitialization") or about.get("workspace")),
            _began(task.name) or values.moment(about.get("ts")),
            values.moment(about.get("ts")),
        )
