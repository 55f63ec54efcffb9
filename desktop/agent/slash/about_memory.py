"""`/memory`: whether memory is on, where each root lies, how large it is, what of it is loaded, what is missing (UI-05). Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.agent.slash.markup import besides, blocks, code, followed, markup, plain, stacked
from desktop.agent.slash.result import CommandAction, CommandResult
from desktop.base.phrases import listed, say, together
from desktop.memory.index import LoadedIndex
from desktop.memory.note import INDEX_NAME, count_notes
from desktop.memory.roots import WORKSPACE, MemoryRoot
from desktop.memory.switches import MemoryState

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.memory.memories import Memories

MOST_COUNTED = 100_000
"""Files of one root that are counted."""


@dataclass(frozen=True, slots=True)
class RootFacts:
    """One root as it lies on disk.

    Attributes:
        file: its MEMORY.md, absolute; `exists`: it is there.
        notes: memories beside it.
        size: bytes of MEMORY.md.
        loaded: what of it goes into a request.
        problem: why nothing of it is loaded, or "".
    """

    root: MemoryRoot
    file: str
    exists: bool
    notes: int
    size: int
    loaded: LoadedIndex
    problem: str = ""


def memory(session: AgentSession, _behind: str) -> CommandResult:
    """What there is of memory; works whether memory is on or off. Blocking."""
    state = session.memory_state()
    facts = [root_facts(session.memories, root) for root in session.memories.roots]
    text = blocks(_state_text(state), *(_root_text(one) for one in facts), _switches(session, state))
    data: dict[str, Any] = {
        "enabled": state.enabled,
        "reason": str(state.reason),
        "write": state.write,
        "extraction": state.extraction,
        "roots": [_root_data(one) for one in facts],
    }
    return CommandResult("/memory", say("Memory"), text, data, actions=(*_openers(facts), _settings_button()))


def root_facts(memories: Memories, root: MemoryRoot) -> RootFacts:
    """Read one root; nothing is written, and a missing folder is a fact. Never raises."""
    store = memories.store(root.id)
    loaded = store.load_index(memories.limits() if root.profile == "index" else None)
    file = root.folder / INDEX_NAME
    try:
        size, exists = file.lstat().st_size, True
    except OSError:
        size, exists = 0, False
    notes = 0 if root.profile == "single" else count_notes(root.folder, most=MOST_COUNTED)
    return RootFacts(root, str(file), exists, notes, size, loaded, _problem(memories, root, loaded))


def _problem(memories: Memories, root: MemoryRoot, loaded: LoadedIndex) -> str:
    if root.id == WORKSPACE:
        file = memories.workspace_file()
        if file.state == "untrusted":
            return say("It is not loaded until you have looked at it and allowed it.")
        if file.problem:
            return file.problem
    return loaded.error or ""


def _state_text(state: MemoryState) -> str:
    if not state.enabled:
        return together(say("**Memory is off here.** Nothing is read, written or sent."), plain(state.reason))
    if state.write:
        return say("**Memory is on.** It is read, and written to.")
    if state.switch == "incognito":
        return say("**This chat is incognito.** Memory is read, and nothing is written to it.")
    return together(say("**Memory is on, but nothing is written to it.**"), plain(state.write_reason))


def _root_text(facts: RootFacts) -> str:
    return stacked(markup("**{label}** – {what}", label=plain(facts.root.label), what=_what(facts)), code(facts.file))


def _what(facts: RootFacts) -> str:
    """Size and state of one root in a sentence or two."""
    amount = _amount(facts)
    if facts.problem:
        return followed(amount, plain(facts.problem))
    if not facts.exists and not facts.notes:
        if facts.root.profile == "single":
            return say("there is no such file")
        return say("nothing is remembered here yet; the file is made with the first memory")
    loaded = facts.loaded
    searched = facts.root.channel == "search"
    text: str = listed((amount, say("found by search, not loaded") if searched else say("{tokens:,} tokens loaded", tokens=loaded.tokens)))
    if loaded.truncated:
        text = besides(text, say("not all of it is loaded, since it is over its limit"))
    if not facts.exists and facts.root.profile == "index":
        text = besides(text, say("{name} is missing, and is made again with the next change", name=INDEX_NAME))
    return text


def _amount(facts: RootFacts) -> str:
    """How much there is; "" for nothing."""
    size = say("{name} has {size:,} bytes", name=INDEX_NAME, size=facts.size) if facts.exists else ""
    if facts.root.profile == "single":
        return size
    count = say("1 memory") if facts.notes == 1 else say("{count:,} memories", count=facts.notes)
    return listed((count, size))


def _switches(session: AgentSession, state: MemoryState) -> str:
    """How the switches stand, and where they are."""
    recall = session.services.settings.value("memory.recall")
    parts = [
        say("Extraction after a turn: {mode}.", mode=mode_name(state.extraction)),
        say("Recall: {mode}.", mode=mode_name(str(recall))) if state.enabled else "",
    ]
    waiting = len(session.memories.proposals().waiting()) if state.enabled else 0
    if waiting:
        parts.append(say("Waiting for your review: {count}.", count=waiting))
    where = say("Memory is switched in the settings under Memory, or with `keepsake memory on` and `keepsake memory off`.")
    return together(*parts, where)


def mode_name(mode: str) -> str:
    """A choice of the settings in words."""
    return {
        "auto": say("by itself"),
        "review": say("after your review"),
        "off": say("off"),
        "lexical": say("by words"),
        "model": say("by words, and by a model's choice"),
    }.get(mode, mode)


def _root_data(facts: RootFacts) -> dict[str, Any]:
    return {
        "id": facts.root.id,
        "label": str(facts.root.label),
        "path": facts.file,
        "exists": facts.exists,
        "bytes": facts.size,
        "memories": facts.notes,
        "entries": facts.loaded.entries,
        "tokens": facts.loaded.tokens,
        "truncated": facts.loaded.truncated,
        "problem": str(facts.problem),
    }


def _openers(facts: list[RootFacts]) -> tuple[CommandAction, ...]:
    return tuple(CommandAction("open", say("Open: {name}", name=one.root.label), one.root.id, INDEX_NAME) for one in facts if one.exists)


def _settings_button() -> CommandAction:
    return CommandAction("settings", say("Memory settings"))
