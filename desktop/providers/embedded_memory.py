"""What a turn does to memory when the sentence guard took it: ordinary calls first, then a sentence that tells their true outcome.

Decides by code, from the person's words and the results that are there; the small model is asked for a name only. Pure: it returns what
to do next, `embedded` does it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from desktop.base.redact import find_secrets
from desktop.providers.embedded_guards import Fact, Forget, Intent, ListMemory, Remember
from desktop.providers.embedded_notes import (
    KnownNote,
    free_name,
    meant,
    note_text,
    older_form,
    same_fact,
    shown_text,
    updated_text,
)
from desktop.providers.embedded_sentences import is_chinese, one_line
from desktop.providers.embedded_turn import Step, under

MOST_LISTED = 20
LONGEST_SHOWN = 160
MOST_TRIES = 3
_EXISTS = re.compile(r"(?i)\bexists\b|已存在|has not been read")


@dataclass(frozen=True, slots=True)
class Say:
    """Answer this. `rest` is what the message asks beside it: the model goes on with that."""

    text: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class NameIt:
    """Ask the model to name this fact, then call `new_note_call`."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Call:
    """Make this ordinary call."""

    tool: str
    args: dict[str, Any]


Plan = Say | tuple[Call | NameIt, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a request: its folder (empty when off), its notes, and whether the person writes Chinese."""

    root: str
    known: Sequence[KnownNote]
    chinese: bool

    def path(self, relative: str) -> str:
        return str(PurePath(self.root) / relative)

    def say(self, english: str, chinese: str) -> str:
        return chinese if self.chinese else english


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 1] + "…"


def new_note_call(fact: Fact, name: str, keywords: Sequence[str], memory: Memory, taken: Sequence[str] = ()) -> Call:
    """The ordinary Write of a new note."""
    free = free_name(name, memory.known, taken)
    return Call("Write", {"file_path": memory.path(f"{free}.md"), "content": note_text(free, fact, keywords)})


# --- remember -----------------------------------------------------------------------------------------------------------


def _off(memory: Memory) -> Say:
    return Say(
        memory.say(
            "Memory is off for this workspace, so I did not save this. You can turn it on in the settings, under Memory.",
            "这个工作区的记忆已关闭，所以没有保存。可以在设置的“记忆”里打开。",
        )
    )


def _secret(fact: Fact, memory: Memory) -> str:
    hits = find_secrets(fact.text)
    if not hits:
        return ""
    kind = hits[0].kind
    return memory.say(
        f"This looks like a secret ({kind}), and secrets do not belong into memory: I did not save it. "
        "Keep it in a password manager or an environment variable.",
        f"这看起来含有密钥（{kind}），密钥不应写进记忆，所以没有保存。请放在密码管理器或环境变量里。",
    )


def _first_step(wanted: Remember, memory: Memory) -> Plan:
    if not memory.root:
        return Say(_off(memory).text, wanted.rest)
    if not wanted.facts:
        return Say(memory.say("What should I remember? Write it in one sentence, please.", "要记住什么？请用一句话写出来。"), wanted.rest)
    refused = [text for text in (_secret(f, memory) for f in wanted.facts) if text]
    if refused:
        return Say(refused[0], wanted.rest)
    steps: list[Call | NameIt] = []
    for fact in wanted.facts:
        if same_fact(fact.text, memory.known):
            continue
        older = older_form(fact.text, memory.known)
        steps.append(Call("Read", {"file_path": memory.path(older.path)}) if older else NameIt(fact))
    if not steps:
        note = same_fact(wanted.facts[0].text, memory.known)
        name = note.path if note else ""
        return Say(memory.say(f"I remember that already ({name}).", f"这条已经记过了（{name}）。"), wanted.rest)
    return tuple(steps)


def _update_for(step: Step, wanted: Remember, memory: Memory, facts: list[Fact]) -> Call | NameIt:
    """The write that follows the read of an older note: the new words in its place; a new note when it could not be read."""
    fact = next((f for f in facts if (older := older_form(f.text, memory.known)) and memory.path(older.path) == step.path), wanted.facts[0])
    if not step.ok:
        return NameIt(fact)
    name = PurePath(step.path).stem
    return Call("Write", {"file_path": step.path, "content": updated_text(shown_text(step.result.output), fact, name)})


def _outcome(writes: Sequence[Step], reads: Sequence[Step], wanted: Remember, memory: Memory) -> str:
    """What really happened, in the person's language."""
    updated = {s.path for s in reads}
    failed = [s for s in writes if not s.ok]
    lines: list[str] = []
    if any(s.ok and s.path not in updated for s in writes):
        told = _told(wanted, writes, updated, new=True)
        lines.append(memory.say("Remembered: ", "已记住：") + "; ".join(_short(f.text) for f in told))
    if any(s.ok and s.path in updated for s in writes):
        told = _told(wanted, writes, updated, new=False)
        lines.append(memory.say("Updated what I remember: ", "已更新记忆：") + "; ".join(_short(f.text) for f in told))
    for step in failed:
        reason = _short(step.result.output.strip().split("\n", 1)[0]) or step.result.status
        if step.result.status == "denied":
            lines.append(memory.say(f"I did not save this: it was refused. {reason}", f"没有保存：写入被拒绝。{reason}"))
        else:
            lines.append(memory.say(f"I could not save this: {reason}", f"没有保存成功：{reason}"))
    return "\n".join(lines)


def _told(wanted: Remember, writes: Sequence[Step], updated: set[str], *, new: bool) -> list[Fact]:
    """The facts whose write went well, new ones or updated ones."""
    contents = [str(s.call.input.get("content", "")) for s in writes if s.ok and (s.path not in updated) == new]
    return [f for f in wanted.facts if any(f.text in c for c in contents)]


def _remember(wanted: Remember, steps: Sequence[Step], memory: Memory) -> Plan:
    mine = [s for s in steps if under(s.path, memory.root)]
    writes = [s for s in mine if s.call.name == "Write"]
    reads = [s for s in mine if s.call.name == "Read"]
    if not mine:
        return _first_step(wanted, memory)
    pending = [r for r in reads if not any(w.path == r.path for w in writes)]
    if pending and len(mine) == len(steps) and not (len(writes) and not pending[0].ok):
        return tuple(_update_for(r, wanted, memory, list(wanted.facts)) for r in pending)
    again = [f for f in wanted.facts if _name_was_taken(f, writes)]
    if again and len(mine) == len(steps):
        return tuple(NameIt(f) for f in again)
    return Say(_outcome(_last_tries(writes), [r for r in reads if r.ok], wanted, memory), wanted.rest)


def _holds(step: Step, fact: Fact) -> bool:
    return str(step.call.input.get("content", "")).rstrip().endswith(fact.text)


def _name_was_taken(fact: Fact, writes: Sequence[Step]) -> bool:
    """The last write of the fact failed since a file of that name exists: it gets another name, at most twice."""
    tries = [s for s in writes if _holds(s, fact)]
    return 0 < len(tries) < MOST_TRIES and tries[-1].result.status == "error" and bool(_EXISTS.search(tries[-1].result.output))


def _last_tries(writes: Sequence[Step]) -> list[Step]:
    """Of the writes of one fact only the last counts."""
    last = {str(s.call.input.get("content", "")).rpartition("---")[2]: s for s in writes}
    return list(last.values())


# --- forget and list ----------------------------------------------------------------------------------------------------


def _forget(wanted: Forget, steps: Sequence[Step], memory: Memory) -> Plan | None:
    if steps:
        step = steps[-1]
        name = PurePath(shlex.split(str(step.call.input.get("command", "x")))[-1]).name if step.call.name == "Bash" else ""
        if step.ok:
            return Say(memory.say(f"Forgotten: {name}.", f"已忘记：{name}。"))
        reason = _short(step.result.output.strip().split("\n", 1)[0]) or step.result.status
        return Say(memory.say(f"I could not forget {name}: {reason}", f"没能忘记 {name}：{reason}"))
    if not memory.root:
        return Say(
            memory.say(
                "Memory is off for this workspace, so there is nothing that I could forget.", "这个工作区的记忆已关闭，没有可以忘记的内容。"
            )
        )
    if wanted.everything:
        return Say(
            memory.say(
                "I do not forget everything at once. Delete notes in the memory panel, or name one: “forget NAME”.",
                "我不会一次忘掉所有记忆。请在记忆面板里删除，或指明一条：“忘掉 名称”。",
            )
        )
    note, candidates = meant(wanted.target, memory.known)
    if note:
        return (Call("Bash", {"command": f"rm {shlex.quote(memory.path(note.path))}"}),)
    if candidates and (wanted.explicit or len(candidates) > 1):
        listed = "\n".join(f"- {n.name}: {_short(n.description or n.body)}" for n in candidates)
        return Say(memory.say(f"Which one do you mean? Say “forget NAME”.\n{listed}", f"是哪一条？请说“忘掉 名称”。\n{listed}"))
    return Say(memory.say(f"I remember nothing about “{_short(wanted.target)}”.", f"记忆里没有关于“{_short(wanted.target)}”的内容。"))


def _list(memory: Memory) -> Say:
    if not memory.root:
        return Say(memory.say("Memory is off for this workspace.", "这个工作区的记忆已关闭。"))
    if not memory.known:
        return Say(
            memory.say(
                "I remember nothing about this project yet. Say “remember …” and I keep it.",
                "关于这个项目我还没有记忆。说“记住……”我就会保存。",
            )
        )
    lines = [f"- {n.name}: {_short(n.description or n.body)}" for n in memory.known[:MOST_LISTED]]
    more = len(memory.known) - len(lines)
    head = memory.say("This is what I remember:", "我记得这些：")
    tail = [memory.say(f"… and {more} more: see the memory panel.", f"……还有 {more} 条，见记忆面板。")] if more > 0 else []
    return Say("\n".join([head, *lines, *tail]))


def plan(intent: Intent, said: str, steps: Sequence[Step], root: str, known: Sequence[KnownNote]) -> Plan | None:
    """What to do next about memory, or None when the message is not about it after all."""
    memory = Memory(root, known, is_chinese(said))
    match intent:
        case Remember():
            return _remember(intent, steps, memory)
        case Forget():
            return _forget(intent, steps, memory)
        case ListMemory():
            return _list(memory)
