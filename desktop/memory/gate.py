"""The gate: the one judge of every change to memory, whoever asks. Says yes, or no with a reason and the right way.

Owns the order of checks (memory design, 6.2.4): write switch, real path inside the root, kind of file, profile, actor, equality of ids,
protected names, secrets, instructions to future agents, template text, size. Changes nothing. The switches and the content rules bind
agents and jobs; a person is only warned. Looks at names and links below the root and reads no content: blocking for that moment, any
thread.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Literal

from desktop.base.beneath import obstacle_beneath
from desktop.base.confine import DEFAULT_NAMES, NO_NAMES, ProtectedNames, protected_problem, relative_problem
from desktop.base.phrases import listed, say
from desktop.base.redact import find_secrets
from desktop.memory.injection import holds_injection
from desktop.memory.note import INDEX_NAME, MAX_DEPTH, SKIPPED_FOLDERS
from desktop.memory.roots import SINGLE_BYTES, Actor, MemoryRoot
from desktop.memory.switches import MemoryState

__all__ = ["MAX_NOTE", "Actor", "GateRequest", "GateVerdict", "Operation", "check", "holds_injection", "secret_kinds"]

MAX_NOTE = 5 << 20
"""Bytes of a note."""

Operation = Literal["write", "delete", "rename", "restore"]


@dataclass(frozen=True, slots=True)
class GateRequest:
    """One wanted change.

    Attributes:
        actor: who asks.
        op: what is to be done.
        path: posix path below the root.
        content: the new text of a write, "" otherwise.
        state: what the switches say now.
        exists: the file is there already; a person may go on with a file whose name an agent could not have chosen.
        untrusted: text of tools, pages or files was in the window (S11).
        platform: whose rules for names hold.
        root: the root that is to be changed; None: a project's own, judged by names alone.
        approved: the person said yes to exactly this call, which makes the main agent's write theirs (GT-10).
        session_id: the session that asks.
        task: the task that a subagent is bound to; "" for everybody else. It has no root of this table (ST-23).
        names: the protected names.
    """

    actor: Actor
    op: Operation
    path: str
    content: str = field(repr=False)
    state: MemoryState
    exists: bool = False
    untrusted: bool = False
    platform: str = sys.platform
    root: MemoryRoot | None = None
    approved: bool = False
    session_id: str = ""
    task: str = ""
    names: ProtectedNames = DEFAULT_NAMES

    @property
    def agent(self) -> bool:
        """Whether the switches and the content rules bind whoever asks."""
        return self.actor not in ("person", "outside")


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The answer.

    Attributes:
        allowed: the change may be made.
        rule: short id of the rule that decided.
        reason: one sentence; never holds a secret's value.
        hint: the right way, when refused.
        warnings: for a person whose change is allowed all the same.
    """

    allowed: bool
    rule: str = ""
    reason: str = ""
    hint: str = ""
    warnings: tuple[str, ...] = ()


def _refused(rule: str, reason: str, hint: str = "") -> GateVerdict:
    return GateVerdict(False, rule, reason, hint)


def secret_kinds(text: str) -> tuple[str, ...]:
    """Kinds of secrets in a text, each once; never the values."""
    return tuple(dict.fromkeys(hit.kind for hit in find_secrets(text)))


def check(request: GateRequest) -> GateVerdict:
    """Judge one change. The first rule that refuses decides."""
    for rule in (_switch, _place, _suffix, _profile, _who, _ids, _protected, _secret, _injection, _template, _size):
        verdict = rule(request)
        if verdict is not None:
            return verdict
    return GateVerdict(True, warnings=_warnings(request))


def _switch(request: GateRequest) -> GateVerdict | None:
    if not request.agent or request.state.write:
        return None
    return _refused("memory.switch", request.state.write_reason, say("Tell the person that it was not saved."))


def _known_to_person(request: GateRequest) -> bool:
    """A person goes on with a file that is there, or was, whatever its name."""
    return not request.agent and (request.exists or request.op == "restore")


def _place(request: GateRequest) -> GateVerdict | None:
    hint = say("Use a plain name, e.g. build-tool.md.")
    parts = request.path.split("/")
    if not request.path:
        return _refused("memory.path", say("The path is empty."), hint)
    if any(part in ("", ".", "..") or "\x00" in part for part in parts):
        return _refused("memory.path", say("“{text}” is not a path below a folder.", text=request.path), hint)
    if not _known_to_person(request):
        problem = relative_problem(parts, platform=request.platform, names=NO_NAMES)
        if problem:
            return _refused("memory.path", problem, hint)
        if len(parts) - 1 > MAX_DEPTH:
            return _unlisted(request)
    obstacle = obstacle_beneath(request.root.folder, request.path) if request.root is not None else None
    if obstacle:
        return _refused("memory.path", obstacle, say("Replace the link by a real folder, or name another file."))
    return None


def _suffix(request: GateRequest) -> GateVerdict | None:
    if _known_to_person(request):
        return None
    folded = request.path.lower() if request.platform in ("win32", "darwin") else request.path
    if folded.endswith(".md") and folded.rpartition("/")[2].strip(". ") != "md":
        return None
    return _refused("memory.markdown", say("{path} does not end in .md.", path=request.path), say("Memory holds Markdown files only."))


def _is_index(path: str) -> bool:
    return path.lower() == INDEX_NAME.lower()


def _profile(request: GateRequest) -> GateVerdict | None:
    """What MEMORY.md is in this root decides what else may lie there; never the name alone (C-03)."""
    single = request.root is not None and request.root.profile == "single"
    if single and request.path != INDEX_NAME and not _known_to_person(request):
        reason = say("{label} is one file; there is no {path} in it.", label=_label(request), path=request.path)
        return _refused("memory.profile", reason, say("Write it into {name}.", name=INDEX_NAME))
    if request.agent and request.op in ("delete", "rename") and _is_index(request.path):
        if request.root is not None and request.root.profile != "index":
            return _refused(
                "memory.index",
                say("{name} is the whole memory here and cannot be deleted or renamed.", name=INDEX_NAME),
                say("Take out the lines that no longer hold."),
            )
        hint = say("Delete single memories; their lines go by themselves.")
        return _refused("memory.index", say("{name} is the index and cannot be deleted or renamed.", name=INDEX_NAME), hint)
    return None


def _label(request: GateRequest) -> str:
    return request.root.label if request.root is not None else ""


def _who(request: GateRequest) -> GateVerdict | None:
    root = request.root
    if root is None or root.may_write(request.actor) or request.actor == "outside":
        return None
    if root.read_only:
        reason = say("{label} belongs to another program and is only read here.", label=root.label)
        return _refused("memory.read-only", reason, say("Write it into the project's memory instead."))
    if request.approved and request.actor == "main":
        return None
    if root.kind == "user":
        reason = say("{label} holds in all projects: only the person changes it.", label=root.label)
        return _refused("memory.actor", reason, say("Ask the person, or write it into the project's memory."))
    return _refused(
        "memory.actor", say("{label} is not written by this job.", label=root.label), say("Write it into the project's memory.")
    )


def _ids(request: GateRequest) -> GateVerdict | None:
    """A subagent that is bound to a task writes its task's folder, which is none of the present roots."""
    if not request.task or request.root is None or request.root.kind == "session":
        return None
    reason = say("A subagent with a task of its own does not write {label}.", label=request.root.label)
    return _refused("memory.task", reason, say("Report it to the main agent."))


def _protected(request: GateRequest) -> GateVerdict | None:
    if _known_to_person(request):
        return None
    parts = request.path.split("/")
    problem = protected_problem(parts, names=request.names)
    if problem:
        return _refused("memory.protected", problem, say("Use a plain name, e.g. build-tool.md."))
    return _unlisted(request) if not SKIPPED_FOLDERS.isdisjoint(parts[:-1]) else None


def _unlisted(request: GateRequest) -> GateVerdict:
    """What no list would show would seem to be deleted at the next look."""
    reason = say("Memories are not looked for in {path}.", path=request.path.rpartition("/")[0])
    return _refused("memory.path", reason, say("Use a plain name, e.g. build-tool.md."))


def _too_large_to_search(request: GateRequest) -> bool:
    """Far beyond the limit: refused for its size anyway."""
    return len(request.content) > 2 * MAX_NOTE


def _secret(request: GateRequest) -> GateVerdict | None:
    if not request.agent or request.op == "delete" or _too_large_to_search(request):
        return None
    kinds = secret_kinds(request.content) or secret_kinds(request.path)
    if not kinds:
        return None
    reason = say("The text holds what looks like a secret ({kinds}), so it was not saved.", kinds=listed(kinds))
    return _refused("memory.secret", reason, say("Remember where the secret is kept instead of the secret itself."))


def _injection(request: GateRequest) -> GateVerdict | None:
    suspect = request.agent and (request.actor != "main" or request.untrusted)
    if not suspect or request.op == "delete" or _too_large_to_search(request):
        return None
    if not (holds_injection(request.content) or holds_injection(request.path)):
        return None
    reason = say("The text gives orders to future agents and did not come from the person, so it was not saved.")
    return _refused("memory.injection", reason, say("Save the plain fact only, or ask the person to say it."))


def _template(request: GateRequest) -> GateVerdict | None:
    """A form that nobody filled in tells nothing and is found by nothing."""
    if not request.agent or request.op != "write" or _too_large_to_search(request) or _is_index(request.path):
        return None
    from desktop.memory.templates import unfilled  # its forms are compiled for the first write, not for the start

    found = unfilled(request.content)
    if not found:
        return None
    reason = say("“{text}” is a placeholder of a template, so {path} was not saved.", text=found, path=request.path)
    return _refused("memory.template", reason, say("Write the fact itself, or leave the line out. Put an example into a code block."))


def _bytes_of(request: GateRequest) -> int:
    return len(request.content.encode("utf-8", "surrogatepass"))


def _size(request: GateRequest) -> GateVerdict | None:
    if request.op not in ("write", "restore") or not request.content:
        return None
    size = _bytes_of(request)
    single = request.root is not None and request.root.profile == "single"
    most = SINGLE_BYTES if single and request.agent else MAX_NOTE
    if size <= most:
        return None
    reason = say("{path} would have {size:,} bytes; a memory has at most {most:,}.", path=request.path, size=size, most=most)
    return _refused("memory.size", reason, say("Split it, or keep only what matters.") if not single else say("Keep only what matters."))


def _warnings(request: GateRequest) -> tuple[str, ...]:
    """What a person is told whose change is allowed all the same."""
    if request.agent or request.op not in ("write", "restore"):
        return ()
    kinds = secret_kinds(request.content) or secret_kinds(request.path)
    found = [say("It holds what looks like a secret ({kinds}). It is better kept elsewhere.", kinds=listed(kinds))] if kinds else []
    if request.root is not None and request.root.profile == "single" and (size := _bytes_of(request)) > SINGLE_BYTES:
        found.append(say("It has {size:,} bytes, of which only the first {most:,} are loaded.", size=size, most=SINGLE_BYTES))
    return tuple(found)
