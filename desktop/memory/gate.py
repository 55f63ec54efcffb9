"""The gate: the one judge of every change to memory, whoever asks. Says yes, or no with a reason and the right way.

Owns the order of checks: write switch, name and place, kind of file, protected index, size, secrets, instructions to future agents.
Changes nothing. The switches and the content rules bind agents and jobs; a person is only warned. Pure, any thread.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Literal

from desktop.base.confine import relative_problem
from desktop.base.phrases import listed, say
from desktop.base.redact import find_secrets
from desktop.memory.note import INDEX_NAME
from desktop.memory.switches import MemoryState

MAX_NOTE = 5 << 20
"""Bytes of a note."""

Actor = Literal["main", "extractor", "person", "outside", "dream"]
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
    """

    actor: Actor
    op: Operation
    path: str
    content: str
    state: MemoryState
    exists: bool = False
    untrusted: bool = False
    platform: str = sys.platform


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


_COMMANDING = re.compile(
    r"(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+)?(?:previous|earlier|prior|above|preceding|"
    r"system|safety)\s+(?:instruction|rule|prompt|message|guideline)s?"
    r"|(?:do\s+not|don't|never)\s+(?:tell|inform|mention\s+(?:this|it)\s+to|reveal\s+(?:this|it)\s+to)\s+the\s+(?:user|person|human)"
    r"|without\s+(?:telling|asking|informing)\s+the\s+(?:user|person|human)"
    r"|(?:new|real|updated)\s+system\s+(?:prompt|instruction)s?\s*:"
    r"|(?:curl|wget)\s[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b"
    r"|</?(?:system|assistant|system-reminder|tool_result|function_results)>"
    r"|(?:忽略|无视|忘记|不要理会)[^。\n]{0,12}(?:之前|以上|先前|前面|所有|系统)[^。\n]{0,8}(?:指令|规则|提示|要求|说明)"
    r"|(?:不要|别|不得|切勿)(?:告诉|告知|通知|让)(?:用户|使用者|人类)",
    re.IGNORECASE,
)
"""Text that speaks to a future agent against its person: an attack when it did not come from the person."""


def holds_injection(text: str) -> bool:
    """Whether a text tries to command future agents."""
    return _COMMANDING.search(text) is not None


def secret_kinds(text: str) -> tuple[str, ...]:
    """Kinds of secrets in a text, each once; never the values."""
    return tuple(dict.fromkeys(hit.kind for hit in find_secrets(text)))


def check(request: GateRequest) -> GateVerdict:
    """Judge one change. The first rule that refuses decides."""
    agent = request.actor not in ("person", "outside")
    if agent and not request.state.write:
        return _refused("memory.switch", request.state.write_reason, say("Tell the person that it was not saved."))
    return _check_place(request, agent) or _check_content(request, agent)


def _check_place(request: GateRequest, agent: bool) -> GateVerdict | None:
    if not agent and request.exists:
        return None
    problem = relative_problem(request.path.split("/"), platform=request.platform) if request.path else say("The path is empty.")
    if problem:
        return _refused("memory.path", problem, say("Use a plain name, e.g. build-tool.md."))
    folded = request.path.lower() if request.platform in ("win32", "darwin") else request.path
    if not folded.endswith(".md"):
        return _refused("memory.markdown", say("{path} does not end in .md.", path=request.path), say("Memory holds Markdown files only."))
    if agent and request.op in ("delete", "rename") and request.path.lower() == INDEX_NAME.lower():
        hint = say("Delete single memories; their lines go by themselves.")
        return _refused("memory.index", say("{name} is the index and cannot be deleted or renamed.", name=INDEX_NAME), hint)
    return None


def _check_content(request: GateRequest, agent: bool) -> GateVerdict:
    if request.op != "write":
        return GateVerdict(True)
    size = len(request.content.encode("utf-8", "surrogatepass"))
    if size > MAX_NOTE:
        reason = say("{path} would have {size:,} bytes; a memory has at most {most:,}.", path=request.path, size=size, most=MAX_NOTE)
        return _refused("memory.size", reason, say("Split it, or keep only what matters."))
    kinds = secret_kinds(request.content) or secret_kinds(request.path)
    if kinds and agent:
        reason = say("The text holds what looks like a secret ({kinds}), so it was not saved.", kinds=listed(kinds))
        return _refused("memory.secret", reason, say("Remember where the secret is kept instead of the secret itself."))
    if agent and (request.actor != "main" or request.untrusted) and holds_injection(request.content):
        reason = say("The text gives orders to future agents and did not come from the person, so it was not saved.")
        return _refused("memory.injection", reason, say("Save the plain fact only, or ask the person to say it."))
    warnings = (say("It holds what looks like a secret ({kinds}). It is better kept elsewhere.", kinds=listed(kinds)),) if kinds else ()
    return GateVerdict(True, warnings=warnings)
