"""What becomes of a memory that the memory keeper wants to write: it goes on as judged, is known, is refused, or waits for the person.

Owns the order in which such a write is looked at: the index is the app's, then the gate, then the judgement of `context.keep`, then
what the workspace's mode says (safety, S11; memory design, 6.4). Writes nothing itself. Blocking: called in worker threads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import ConflictError, RefusedError, ToolError
from desktop.base.phrases import say
from desktop.memory.change import ChangeOrigin
from desktop.memory.note import INDEX_NAME
from desktop.memory.proposal import Rule
from desktop.memory.store import MemoryStore
from desktop.permissions.access import Access
from desktop.tools.base import Outcome, ToolContext
from desktop.tools.memory_behind import Behind, behind, may_mean, outside_line, wish_to_forget
from desktop.tools.memory_forget import propose_retirement
from desktop.tools.memory_inbox import Wanted, propose, review_reason, waits_for_person
from desktop.tools.memory_write import origin_of, quietly, store_of

if TYPE_CHECKING:
    from desktop.memory.keeping import Judged

TRIES = 3
"""How often a write is judged while somebody else changes the file that it belongs into."""

LONGEST = 50_000
"""Characters of a memory beyond which the keeper's text is put before the person: no sentence says so much."""

DROPPED = 2
"""Lines that a rewrite may lose beyond those that it adds; a memory that loses more is put before the person."""

_INDEX = (
    "The app keeps {name}: it has a line for each memory as soon as the memory is written. Nothing had to be written; write facts into "
    "files of their own."
)


_TAKEN_BACK = (
    "{path} was there when this conversation read or wrote it, and is gone: the person deleted it or took it back. It is not written anew."
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A write that may go on, as it was judged.

    Attributes:
        context: names the message behind it as origin.
        reason: goes into the journal: the person's sentence.
        retired: files that it takes the place of.
    """

    wanted: Wanted
    context: ToolContext
    reason: str
    retired: tuple[str, ...] = ()


def judged(wanted: Wanted, context: ToolContext) -> Kept | Outcome:
    """What becomes of a write of the memory keeper: it may go on, perhaps with another text or place, or its result stands already.

    Raises:
        RefusedError: the gate refused it, or it was forgotten before.
        ConflictError: somebody else kept changing the file.
        ToolError: it was judged as nothing to keep.
    """
    if _is_index(wanted.access, context):
        return Outcome(_INDEX.format(name=INDEX_NAME))
    if wanted.base is None and context.read_state.digest_of(wanted.path) is not None:
        raise ToolError(_TAKEN_BACK.format(path=wanted.access.memory_target))
    said = behind(_new_lines(wanted), context.said, context.message_id)
    context = replace(context, message_id=said.message_id)
    store = store_of(wanted.access, context)
    waits = _gated(store, wanted, origin_of(context, said.quote), context)
    if waits is not None:
        return waits
    placed, verdict = _judged_in_place(store, wanted, said, context)
    if verdict.verdict == "refuse":
        raise ToolError(verdict.reason, hint="Nothing was written. Go on with the rest, or reply that there is nothing to save.")
    if verdict.verdict == "known":
        return Outcome(f"The memory {verdict.path} says this already; nothing had to be written.")
    reason, rule = _why_it_waits(placed, verdict, said, context)
    if not reason:
        return Kept(placed, context, said.quote, verdict.supersedes)
    outcome = propose("write", placed, context, reason=reason, rule=rule, quote=said.quote or outside_line(placed.text))
    return propose_retirement(verdict.supersedes, placed, outcome, context)


def _why_it_waits(placed: Wanted, verdict: Judged, said: Behind, context: ToolContext) -> tuple[str, Rule]:
    """Why the person is to decide, and by which rule; "" when nothing speaks against writing it."""
    if len(placed.text) > LONGEST:
        return say("It is too long to be compared with what you said."), "unsupported"
    if verdict.verdict == "wait":
        return verdict.reason, "untrusted" if said.quote and context.untrusted else "unsupported"
    if _loses_much(placed) and not _asked_to_forget(placed, context):
        return say("It would take out much of what this memory says, and you did not ask to forget it."), "unsupported"
    return (review_reason(), "review") if context.review else ("", "review")


def _gated(store: MemoryStore, wanted: Wanted, origin: ChangeOrigin, context: ToolContext) -> Outcome | None:
    """The gate's word before anybody is asked: what it refuses is not put before the person either, but for orders to agents."""
    assert wanted.access.memory_target is not None
    try:
        store.gate("write", wanted.access.memory_target, wanted.text, origin)
    except RefusedError as error:
        waits = waits_for_person(error, wanted, context)
        if waits is None:
            raise
        return waits
    return None


def _judged_in_place(store: MemoryStore, wanted: Wanted, said: Behind, context: ToolContext) -> tuple[Wanted, Judged]:
    """The write as it was judged. One that belongs into another file is judged again once that file was read, until both judgements agree:
    so the store compares with exactly what was judged, and nothing is lost that was saved meanwhile (B17)."""
    verdict = _asked(wanted, said, context)
    for _ in range(TRIES):
        if verdict.path == wanted.access.memory_target or verdict.verdict in ("refuse", "known"):
            access = replace(wanted.access, memory_target=verdict.path)
            return replace(wanted, access=access, text=verdict.text), verdict
        path = Path(store.root).joinpath(*verdict.path.split("/"))
        base, again = quietly(path), _asked(wanted, said, context)
        if (again.verdict, again.path, again.text) == (verdict.verdict, verdict.path, verdict.text):
            access = replace(wanted.access, memory_target=verdict.path, target=path)
            return Wanted(access, path, verdict.text, base), verdict
        verdict = again
    raise ConflictError(say("{path} was changed meanwhile; nothing was written.", path=verdict.path))


def _asked(wanted: Wanted, said: Behind, context: ToolContext) -> Judged:
    from desktop.memory.keeping import Candidate

    assert context.keep is not None and wanted.access.memory_target is not None
    return context.keep(
        Candidate(
            path=wanted.access.memory_target,
            text=wanted.text,
            before=None if wanted.base is None else wanted.base_text,
            said=tuple(one.text for one in context.said),
            untrusted=context.untrusted,
            now=context.clock.now(),
            explicit=said.explicit,
        )
    )


def _is_index(access: Access, context: ToolContext) -> bool:
    return access.memory_target == INDEX_NAME and store_of(access, context).memory_root.profile == "index"


# --- rewrites -------------------------------------------------------------------------------------------------------------


def _body_lines(text: str) -> list[str]:
    from desktop.memory.frontmatter import parse

    return [line.strip() for line in parse(text.encode("utf-8", "surrogatepass")).body.splitlines() if line.strip()]


def _new_lines(wanted: Wanted) -> str:
    """What of a write was not in the file before; the whole text of a new one."""
    if wanted.base is None:
        return wanted.text
    held = set(_body_lines(wanted.base_text))
    return "\n".join(line for line in _body_lines(wanted.text) if line not in held) or wanted.text


def _loses_much(wanted: Wanted) -> bool:
    """Whether a rewrite takes out more of a memory than it puts in: a deletion by another door."""
    before, after = set(_body_lines(wanted.base_text)), set(_body_lines(wanted.text))
    lost, added = len(before - after), len(after - before)
    return lost > 0 and (added == 0 or lost - added >= DROPPED)


def _asked_to_forget(wanted: Wanted, context: ToolContext) -> bool:
    return wish_to_forget(context.said) is not None and may_mean(f"{wanted.access.memory_target}\n{wanted.base_text}", context.said)
