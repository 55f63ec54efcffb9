"""Antigravity: a log of steps a conversation (`brain/<id>/.system_generated/logs/transcript.jsonl`), whole in `transcript_full.jsonl`.

A step is what the person asked, what the model planned, or what a tool gave. Read only, blocking, reading threads; a step runs nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.assembly import Assembly
from desktop.sessions.importers.reading import Sample, Source
from desktop.sessions.importers.shapes import ImportedCall, ImportedResult, ImportedSession, TranscriptEntry, replaced

SOURCE = "antigravity"
_SURE = 92
_FOLDER = 70
_WHOLE, _SHORT = "transcript_full.jsonl", "transcript.jsonl"
"""The log as it is, and the one in which long fields are cut; the same steps."""
_LOGS, _BRAIN = (".system_generated", "logs"), "brain"
_SPEAKERS = frozenset(("USER_EXPLICIT", "USER_IMPLICIT", "MODEL", "SYSTEM"))
_ASKED, _PLANNED, _FAILURE = "USER_INPUT", "PLANNER_RESPONSE", "ERROR_MESSAGE"
"""Kinds of steps that are none of a tool; a failure is one where it stands in the place of what a call gave."""
_OF_STEP = frozenset(("step_index", "source", "type", "status", "created_at", "content", "output", "exit_code", "truncated_fields"))
"""What a step tells of itself; all else in a step that stands alone is what its tool was given."""
_STATE = ("ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE")
"""Tags of what the editor tells of itself behind what the person wrote."""
_REQUEST = re.compile(r"</?USER_REQUEST>")
_MODEL = re.compile(r"setting `Model Selection` from .{0,200}? to (.{1,200}?)\.(?:\s|$)")
_STAMPS = re.compile(r"\ACreated At: \S+\n(?:Completed At: \S+\n)?")
_FAILED = re.compile(r"\s*The command (?:failed|exited) with (?:exit )?code:? (?!0\b)-?\d")
_CHILD = re.compile(r'"conversationId":\s*"([0-9A-Za-z-]+)"')


def is_step(value: dict[str, Any]) -> bool:
    """Whether an object is a step of such a log."""
    return values.text(value.get("source")) in _SPEAKERS and values.text(value.get("type")).isupper()


def _logs(folder: Path) -> Path | None:
    """The folder of the logs of a conversation, for itself and for the conversation's folder; None for any other."""
    if folder.parts[-2:] == _LOGS:
        return folder
    return folder.joinpath(*_LOGS) if folder.parent.name == _BRAIN else None


def _log(folder: Path) -> Path | None:
    """The fuller log of a conversation's folder."""
    logs = _logs(folder)
    return next((logs / name for name in (_WHOLE, _SHORT) if (logs / name).is_file()), None) if logs else None


def score(sample: Sample) -> int:
    """How sure it is that a file is a log of Antigravity, or a folder that of a conversation."""
    if sample.path.is_dir():
        return _FOLDER if _log(sample.path) else 0
    return _SURE if any(is_step(one) for one in sample.records) else 0


@dataclass(slots=True)
class _Steps:
    """The state while steps come in."""

    held: Assembly = field(default_factory=Assembly)
    model: str = ""
    planned: int = 0
    """Number of the step that made the open calls."""
    calls: list[ImportedCall] = field(default_factory=list)
    """Those calls, in their order; each is answered by the step that is as far behind."""
    answered: set[str] = field(default_factory=set)
    made: int = 0
    """Calls so far: they have no ids in the file."""
    children: list[str] = field(default_factory=list)

    def take(self, step: dict[str, Any]) -> None:
        kind, said = step["type"], values.text(step.get("content"))
        if kind == _ASKED:
            self._asked(said, step)
        elif kind == _PLANNED:
            self._plan(said, step)
        elif step["source"] == "MODEL" or (kind == _FAILURE and self._at(step) is not None):
            self._gave(said, step)

    def _asked(self, said: str, step: dict[str, Any]) -> None:
        """What the person wrote, without the state of the editor around it."""
        for found in _MODEL.finditer(said):
            self.model = found[1]
        text = _REQUEST.sub("", _without_state(said)).strip()
        if text:
            self.held.say("user", text, hidden=values.is_wrapper(text), time=values.moment(step.get("created_at")))

    def _plan(self, said: str, step: dict[str, Any]) -> None:
        number = step.get("step_index")
        self.planned = number if isinstance(number, int) else len(self.held.messages)
        self.calls = [self._call(one) for one in values.mappings(step.get("tool_calls"))]
        self._answer(said, step, thinking=values.text(step.get("thinking")).strip(), tool_calls=tuple(self.calls))

    def _answer(self, said: str, step: dict[str, Any], **more: Any) -> None:
        if said.strip() or any(more.values()):
            self.held.say("assistant", said, time=values.moment(step.get("created_at")), model=self.model, **more)

    def _call(self, call: dict[str, Any]) -> ImportedCall:
        given = _decoded(values.mapping(call.get("args")))
        folder = values.text(given.get("Cwd"))
        if len(folder) > 1 and ".gemini" not in folder:
            self.held.told.workspace = self.held.told.workspace or folder
        return self._named(values.text(call.get("name")), given)

    def _named(self, name: str, given: dict[str, Any]) -> ImportedCall:
        self.made += 1
        return ImportedCall(f"call-{self.made}", name, values.arguments(given))

    def _gave(self, said: str, step: dict[str, Any]) -> None:
        given = {key: value for key, value in step.items() if key not in _OF_STEP}
        call = None if given else self._answers(step)
        if call is None:
            call = self._named(step["type"].lower(), given)
            self._answer("", step, tool_calls=(call,))
        self.answered.add(call.id)
        self.children += _CHILD.findall(said) if step["type"] == "INVOKE_SUBAGENT" else []
        output = _STAMPS.sub("", said) or values.as_text(step.get("output"))
        result = ImportedResult(call.id, output, _is_failure(step, output), call.name)
        self.held.say("tool", "", tool_results=(result,), time=values.moment(step.get("created_at")))

    def _answers(self, step: dict[str, Any]) -> ImportedCall | None:
        """The call that a step answers: by its number, else the first without an answer."""
        return self._at(step) or next((one for one in self.calls if one.id not in self.answered), None)

    def _at(self, step: dict[str, Any]) -> ImportedCall | None:
        """The open call whose place has a step's number."""
        number = step.get("step_index")
        place = number - self.planned - 1 if isinstance(number, int) else -1
        return self.calls[place] if 0 <= place < len(self.calls) and self.calls[place].id not in self.answered else None

    def end(self) -> Assembly:
        self.held.told.model = self.model
        return self.held


def _without_state(said: str) -> str:
    for tag in _STATE:
        kept: list[str] = []
        at = 0
        while (start := said.find(f"<{tag}>", at)) >= 0 and (end := said.find(f"</{tag}>", start)) >= 0:
            kept.append(said[at:start])
            at = end + len(tag) + 3
        said = "".join((*kept, said[at:]))
    return said


def _decoded(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call, of which most versions store each as JSON of its own; what was cut stays as it stands."""
    if not any(isinstance(one, str) and one.startswith('"') for one in given.values()):
        return given
    return {key: _value(one) if isinstance(one, str) else one for key, one in given.items()}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _is_failure(step: dict[str, Any], output: str) -> bool:
    code = step.get("exit_code")
    if step.get("status") == "ERROR" or step["type"] == _FAILURE:
        return True
    return code != 0 if isinstance(code, int) else _FAILED.match(output) is not None


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a log, or of a conversation's folder.

    Raises:
        OSError: the file cannot be read.
    """
    source = Source(_log(source.path) or source.path) if source.path.is_dir() else source
    steps, told = _Steps(), list[dict[str, Any]]()
    for found in source.records(is_step):
        if not isinstance(found.value, dict):
            steps.held.lost(found.line, found.reason)
        elif is_step(found.value):
            told.append(found.value)
    for step in _in_order(told):
        steps.take(step)
    return replaced(steps.end().session(SOURCE, _name(source.path)), agents=tuple(dict.fromkeys(steps.children)))


def _in_order(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Steps by their numbers: what tools gave may stand before the plan that called them, and a step is written again when it ends.

    A later request with a number that was there already begins a stretch of its own: the person had gone back.
    """
    stretches: list[dict[int, dict[str, Any]]] = [{}]
    highest = -1
    for step in steps:
        number = step.get("step_index")
        if not isinstance(number, int) or isinstance(number, bool):
            return steps
        before = stretches[-1].get(number, step)
        if step["type"] == _ASKED and (number < highest or before.get("created_at") != step.get("created_at")):
            stretches.append({})
            highest = -1
        highest = max(highest, number) if step["type"] == _ASKED else highest
        stretches[-1][number] = step
    return [stretch[number] for stretch in stretches for number in sorted(stretch)]


def _name(path: Path) -> str:
    """A conversation's id: the name of its folder."""
    folder = path.parents[2] if len(path.parents) > 2 and path.parts[-3:-1] == _LOGS else path
    return folder.name if folder.parent.name == _BRAIN else path.stem


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a log, or of a conversation's folder."""
    path = _log(source.path) if source.path.is_dir() else source.path
    return [TranscriptEntry(path, None, SOURCE)] if path else []
