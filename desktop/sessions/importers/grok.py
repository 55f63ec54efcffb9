"""Grok Build: a folder a session, with what went to the model and came from it (`chat_history.jsonl`) and facts of it (`summary.json`).

Beside them stands the log of its protocol (`updates.jsonl`), which tells the same once more; alone it is read as any such log. Read only,
blocking, reading threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from desktop.sessions.importers import generic, values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.reading import Sample, Source, loads
from desktop.sessions.importers.shapes import ImportedCall, ImportedResult, ImportedSession, TranscriptEntry, replaced
from desktop.sessions.importers.stores import small_text

SOURCE = "grok"
HISTORY, SUMMARY = "chat_history.jsonl", "summary.json"
_SURE, _PROTOCOL, _FOLDER = 88, 86, 75
_SAID = ("system", "user", "assistant", "tool_result", "reasoning", "backend_tool_call")
_OWN = "_x.ai/"
"""How the names of the protocol's messages begin that only this program has."""


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object is a line of a history."""
    kind = value.get("type")
    if kind not in _SAID or not {"message", "uuid", "role", "payload", "data"}.isdisjoint(value):
        return False
    if kind in ("reasoning", "backend_tool_call"):
        return True
    return isinstance(value.get("content"), str | list)


def _is_mark(value: dict[str, Any]) -> bool:
    """Whether a line has what other programs' lines of the same kinds lack."""
    kind = value["type"]
    if kind == "assistant":
        return "model_id" in value or isinstance(value.get("tool_calls"), list)
    return (kind == "tool_result" and "tool_call_id" in value) or kind == "backend_tool_call" or "synthetic_reason" in value


def score(sample: Sample) -> int:
    """How sure it is that a file is a session of Grok Build, or that a folder is that of one."""
    if sample.path.is_dir():
        return _FOLDER if (sample.path / HISTORY).is_file() else 0
    lines = [one for one in sample.records if is_record(one)]
    if len(lines) * 2 > len(sample.records) and any(map(_is_mark, lines)) and any(one["type"] in ("user", "assistant") for one in lines):
        return _SURE
    if any(values.text(one.get("method")).startswith(_OWN) for one in sample.records):
        return _PROTOCOL if generic.score(sample) else 0
    return 0


@dataclass(slots=True)
class _History:
    """The state while lines come in. What a model thought and what was run for it elsewhere stands before its answer, and goes into it."""

    held: Assembly = field(default_factory=Assembly)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ImportedCall] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def take(self, record: dict[str, Any]) -> None:
        kind, when = record["type"], values.moment(record.get("timestamp"))
        if kind == "reasoning":
            told = [values.text(one.get("text")) for one in values.mappings(record.get("summary"))]
            self.thoughts += [one for one in (*told, values.as_text(record.get("content"))) if one.strip()]
        elif kind == "backend_tool_call":
            self.calls.append(self._run_elsewhere(values.mapping(record.get("kind"))))
        elif kind == "assistant":
            self.calls += map(self._call, values.mappings(record.get("tool_calls")))
            model = values.text(record.get("model_id")) or values.text(record.get("model"))
            self._answer(values.as_text(record.get("content")), time=when, model=model)
        elif kind == "tool_result":
            self._flush()
            ident = values.identifier(record.get("tool_call_id"))
            failed = record.get("is_error") is True
            result = ImportedResult(ident, values.as_text(record.get("content")), failed, self.names.get(ident, ""))
            self.held.say("tool", "", tool_results=(result,), time=when)
        else:
            self._flush()
            said = values.as_text(record.get("content"))
            hidden = kind == "system" or "synthetic_reason" in record or values.is_wrapper(said)
            self.held.say(kind, said, hidden=hidden, time=when)

    def _flush(self) -> None:
        """What has come in of an answer whose words are missing."""
        if self.thoughts or self.calls:
            self._answer("")

    def _answer(self, said: str, **more: Any) -> None:
        self.held.say("assistant", said, thinking="\n\n".join(self.thoughts), tool_calls=tuple(self.calls), **more)
        self.thoughts, self.calls = [], []

    def _call(self, call: dict[str, Any]) -> ImportedCall:
        ident, name = values.identifier(call.get("id")), values.text(call.get("name"))
        self.names[ident] = name
        return ImportedCall(ident, name, values.arguments(call.get("arguments")))

    @staticmethod
    def _run_elsewhere(kind: dict[str, Any]) -> ImportedCall:
        """A tool that the provider ran itself; what it gave went to the model only."""
        name = values.text(kind.get("name")) or values.text(kind.get("tool_type")) or "backend_tool"
        ident = values.identifier(kind.get("call_id")) or values.identifier(kind.get("id"))
        return ImportedCall(ident, name, values.arguments(kind.get("action") or kind.get("input")))

    def end(self) -> Assembly:
        self._flush()
        return self.held


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a file or folder.

    Raises:
        OSError: the file cannot be read.
    """
    path = source.path / HISTORY if source.path.is_dir() else source.path
    source = Source(path)
    facts = _facts(path)
    found = _history(source) if any(isinstance(one.value, dict) and is_record(one.value) for one in source.records(is_record)) else None
    found = found or generic.read(source, None)
    return replaced(
        found,
        source=SOURCE,
        id=facts["id"] or found.id,
        title=facts["title"] or found.title,
        workspace=found.workspace or facts["workspace"],
        started=values.moment(facts["started"]) or found.started,
        model=found.model or facts["model"],
    )


def _history(source: Source) -> ImportedSession:
    history = _History()
    for found in source.records(is_record):
        if not isinstance(found.value, dict):
            history.held.lost(found.line, found.reason)
        elif is_record(found.value):
            history.take(found.value)
    return history.end().session(SOURCE, source.path.parent.name if source.path.name == HISTORY else source.path.stem)


def _facts(path: Path) -> dict[str, str]:
    """What the folder of a session tells of it: its id, title, project, start and model; empty texts elsewhere."""
    try:
        told = values.mapping(loads(small_text(path.parent / SUMMARY)))
    except ValueError:
        told = {}
    info = values.mapping(told.get("info"))
    encoded = path.parent.parent.name  # the project's folder as an address writes it
    return {
        "id": values.identifier(info.get("id")),
        "title": values.told_title(told.get("generated_title"), told.get("session_summary")),
        "workspace": values.text(info.get("cwd")) or (unquote(encoded) if encoded.startswith("%2F") else ""),
        "started": values.text(told.get("created_at")),
        "updated": values.text(told.get("updated_at")),
        "model": values.text(told.get("current_model_id")),
    }


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file, or of a folder and those right below it; only what stands beside them is read."""
    folder = source.path
    return [_entry(path) for path in ((folder / HISTORY, *sorted(folder.glob(f"*/{HISTORY}"))) if folder.is_dir() else (folder,))]


def _entry(path: Path) -> TranscriptEntry:
    facts = _facts(path)
    moments = values.moment(facts["started"]), values.moment(facts["updated"])
    return TranscriptEntry(path, None, SOURCE, facts["title"], facts["workspace"], *moments)
