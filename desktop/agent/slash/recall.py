"""`/recall`: which memories a question would bring into a turn by its words, what else is found, why, and how old each is.

Reads only; no model chooses here. Blocking: worker threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.agent.slash.markup import blocks, code, joined, markup, numbered, plain
from desktop.agent.slash.result import CommandAction, CommandResult
from desktop.base.clock import iso
from desktop.base.errors import RefusedError, UsageError
from desktop.base.phrases import say
from desktop.memory.note import one_line

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.memory.memories import Memories
    from desktop.memory.recall import Candidate
    from desktop.memory.search import MemoryHit, MemorySearch

MOST, BUTTONS = 8, 5


@dataclass(frozen=True, slots=True)
class Fit:
    """One memory that fits: where it lies, why, when it was changed, and whether a turn would get it by itself."""

    root: str
    path: str
    absolute: Path
    name: str
    about: str
    reason: str
    modified: datetime
    added: bool

    @property
    def place(self) -> tuple[str, str]:
        return self.root, self.path


def recall_command(session: AgentSession, behind: str) -> CommandResult:
    """What is found for the question, best first.

    Raises:
        UsageError: no question, or there is no search here.
        RefusedError: memory is off here.
    """
    state = session.memory_state()
    if not state.enabled:
        raise RefusedError(state.reason or say("Memory is off."), hint=say("Nothing was looked for."))
    if not behind:
        raise UsageError(say("There is no question."), hint=say("Write it behind the command: /recall how do we deploy?"))
    services = session.services
    if services.memory_search is None:
        raise UsageError(say("There is no search over memory here."))
    recalled = services.settings.value("memory.recall") != "off"
    most = int(services.settings.value("memory.recall_first")) if recalled else 0
    added = _added(session.memories, services.memory_search, behind, most)
    found = services.memory_search.search(session.memories, behind, reach="folder", limit=MOST)
    others = [fit for fit in map(_of_hit, found.hits) if fit.place not in {one.place for one in added}]
    text = blocks(
        plain(_head(behind, [*added, *others])),
        _list(say("**Added to such a message by itself**"), added, services.clock.now()),
        _list(say("**Also found**") if added else say("**Found by search; not added by itself**"), others, services.clock.now()),
        "" if recalled else say("Recall is off: memories are not added to messages by themselves."),
        joined(plain(note) for note in found.notes),
    )
    fits = [*added, *others]
    actions = tuple(CommandAction("open", fit.name, fit.root, fit.path) for fit in fits[:BUTTONS])
    return CommandResult("/recall", say("Recall"), text, {"hits": [_data(fit) for fit in fits]}, actions=actions)


def _added(memories: Memories, search: MemorySearch, question: str, most: int) -> list[Fit]:
    from desktop.memory.recall import Asked, by_words

    roots = frozenset(root.id for root in memories.own_roots)
    return [_of_candidate(one) for one in by_words(memories, search, Asked(question, roots), reconcile=True, most=most)]


def _of_candidate(found: Candidate) -> Fit:
    note = found.note
    return Fit(found.root.id, note.path, found.absolute, note.name, note.description or note.hint, found.reason, note.modified, True)


def _of_hit(hit: MemoryHit) -> Fit:
    return Fit(hit.root_id, hit.path, hit.absolute, hit.name, hit.description or hit.snippet, hit.why, hit.modified, False)


def _head(question: str, fits: list[Fit]) -> str:
    asked = one_line(question, 120)
    return say("For “{question}”:", question=asked) if fits else say("Nothing that is remembered fits “{question}”.", question=asked)


def _list(title: str, fits: list[Fit], now: datetime) -> str:
    return joined((title, "", numbered(_line(fit, now) for fit in fits)), "\n") if fits else ""


def _line(fit: Fit, now: datetime) -> str:
    from desktop.memory.recall import age

    facts = joined((plain(fit.reason), age(fit.modified, now)), " · ")
    about = one_line(fit.about, 200)
    shown = markup("  \n   {text}", text=plain(about)) if about and about != fit.name else ""
    return markup("**{name}** – {facts}{shown}  \n   {path}", name=plain(fit.name), facts=facts, shown=shown, path=code(str(fit.absolute)))


def _data(fit: Fit) -> dict[str, object]:
    return {
        "root": fit.root,
        "path": fit.path,
        "absolute": str(fit.absolute),
        "name": fit.name,
        "reason": str(fit.reason),
        "modified": iso(fit.modified),
        "added": fit.added,
    }
