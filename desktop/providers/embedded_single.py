"""What a turn does to memory where all of it is one file (`memory.layout: single`): the file is read, then a line put in or taken out.

Decides by code, from the person's words and the results that are there; each call is an ordinary one, put to the person by the root's
policy. Nothing beside that file is written. Pure: it returns what to do next, `embedded` does it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from desktop.base.redact import find_secrets
from desktop.providers.embedded_guards import Fact, Forget, Intent, ListMemory, Remember
from desktop.providers.embedded_memory import Call, Memory, Plan, Say
from desktop.providers.embedded_notes import KnownNote, meant, shown_text
from desktop.providers.embedded_sentences import is_chinese, one_line
from desktop.providers.embedded_turn import Step

MOST_LISTED = 40
MOST_SHOWN = 160
_MARKS = "-*+•# \t"


def single_plan(intent: Intent, said: str, steps: Sequence[Step], file: str) -> Plan | None:
    """What to do next about the one file.

    Args:
        intent: what the person wants of memory.
        said: their words.
        steps: the calls of this turn.
        file: absolute path of the file.
    """
    memory = Memory(file, (), is_chinese(said))
    mine = [step for step in steps if step.path == file]
    done = [step for step in mine if step.call.name != "Read"]
    if done:
        return _outcome(intent, done[-1], memory)
    if isinstance(intent, Remember):
        refused = _refused(intent, memory)
        if refused is not None:
            return refused
    if isinstance(intent, Forget) and intent.everything:
        text = "I do not forget everything at once. Name a line, or delete the file in the memory panel."
        return Say(memory.say(text, "我不会一次忘掉所有记忆。请指明一条，或在记忆面板里删除这个文件。"))
    if not mine:
        return (Call("Read", {"file_path": file}),)
    read = mine[-1]
    if not read.ok and read.result.status == "denied":
        return Say(memory.say(f"I could not read {file}: it was refused.", f"无法读取 {file}：被拒绝。"))
    lines = shown_text(read.result.output).split("\n") if read.ok else []
    match intent:
        case Remember():
            return _remember(intent, lines, memory, exists=read.ok)
        case Forget():
            return _forget(intent, lines, memory)
        case ListMemory():
            return _list(lines, memory)


def _refused(wanted: Remember, memory: Memory) -> Say | None:
    if not wanted.facts:
        return Say(memory.say("What should I remember? Write it in one sentence, please.", "要记住什么？请用一句话写出来。"), wanted.rest)
    hits = [hit for fact in wanted.facts for hit in find_secrets(fact.text)]
    if not hits:
        return None
    english = f"This looks like a secret ({hits[0].kind}), and secrets do not belong into memory: I did not save it."
    return Say(memory.say(english, f"这看起来含有密钥（{hits[0].kind}），密钥不应写进记忆，所以没有保存。"), wanted.rest)


def _plain(line: str) -> str:
    """A line without its list mark, case and room, to be compared."""
    folded = unicodedata.normalize("NFKC", line).casefold().strip(_MARKS)
    return " ".join(folded.split()).rstrip(".。!！ ")


def _remember(wanted: Remember, lines: Sequence[str], memory: Memory, *, exists: bool) -> Plan:
    there = {_plain(line) for line in lines}
    new = [fact for fact in wanted.facts if _plain(fact.text) not in there]
    if not new:
        return Say(memory.say("I remember that already.", "这条已经记过了。"), wanted.rest)
    added = "".join(f"- {one_line(fact.text)}\n" for fact in new)
    if not exists or not any(line.strip() for line in lines):
        return (Call("Write", {"file_path": memory.root, "content": added}),)
    text = "\n".join(lines).rstrip("\n")
    end = _unique_end(text)
    return (Call("Edit", {"file_path": memory.root, "old_string": end, "new_string": f"{end}\n{added}".rstrip("\n")}),)


def _unique_end(text: str) -> str:
    """The last lines of a text, as many as make them stand there once."""
    lines = text.split("\n")
    for at in range(len(lines) - 1, -1, -1):
        end = "\n".join(lines[at:])
        if end.strip() and text.find(end) == len(text) - len(end):
            return end
    return text


def _forget(wanted: Forget, lines: Sequence[str], memory: Memory) -> Plan:
    known = [KnownNote(str(at), "", line.strip(_MARKS), "") for at, line in enumerate(lines) if line.strip(_MARKS)]
    note, candidates = meant(wanted.target, known)
    if note is not None:
        line = lines[int(note.path)]
        text = "\n".join(lines)
        old = next((one for one in (f"{line}\n", f"\n{line}", line) if text.count(one) == 1), "")
        if old:
            return (Call("Edit", {"file_path": memory.root, "old_string": old, "new_string": ""}),)
        candidates = [note]
    if candidates:
        listed = "\n".join(f"- {one.description[:MOST_SHOWN]}" for one in candidates)
        return Say(memory.say(f"Which one do you mean?\n{listed}", f"是哪一条？\n{listed}"))
    target = one_line(wanted.target)[:MOST_SHOWN]
    return Say(memory.say(f"I remember nothing about “{target}”.", f"记忆里没有关于“{target}”的内容。"))


def _list(lines: Sequence[str], memory: Memory) -> Say:
    said = [line for line in lines if line.strip()]
    if not said:
        return Say(memory.say("I remember nothing here yet. Say “remember …” and I keep it.", "这里还没有记忆。说“记住……”我就会保存。"))
    more = len(said) - MOST_LISTED
    tail = [memory.say(f"… and {more} more lines: see {memory.root}.", f"……还有 {more} 行，见 {memory.root}。")] if more > 0 else []
    head = memory.say("This is what I remember:", "我记得这些：")
    return Say("\n".join([head, "", *said[:MOST_LISTED], *tail]))


def _outcome(intent: Intent, step: Step, memory: Memory) -> Say:
    """What really happened, in the person's language."""
    rest = intent.rest if isinstance(intent, Remember) else ""
    reason = one_line(step.result.output)[:MOST_SHOWN] or step.result.status
    if isinstance(intent, Remember):
        told = "; ".join(_told(intent.facts, step))
        if step.ok:
            return Say(memory.say(f"Remembered: {told}", f"已记住：{told}"), rest)
        if step.result.status == "denied":
            return Say(memory.say(f"I did not save this: it was refused. {reason}", f"没有保存：写入被拒绝。{reason}"), rest)
        return Say(memory.say(f"I could not save this: {reason}", f"没有保存成功：{reason}"), rest)
    line = str(step.call.input.get("old_string", "")).strip().strip(_MARKS)
    if step.ok:
        return Say(memory.say(f"Forgotten: {line}", f"已忘记：{line}"))
    return Say(memory.say(f"I could not forget “{line}”: {reason}", f"没能忘记“{line}”：{reason}"))


def _told(facts: Sequence[Fact], step: Step) -> list[str]:
    """Those of the facts that the call wrote."""
    written = str(step.call.input.get("content", "")) + str(step.call.input.get("new_string", ""))
    return [one_line(fact.text)[:MOST_SHOWN] for fact in facts if one_line(fact.text) in written]
