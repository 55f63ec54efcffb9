"""Deletions by the memory keeper: only what the person asked to forget goes, everything else is put before them (safety, S11).

Owns the check of one deletion before the store does it, for `rm` and for `memory_index`, and what the journal says of it. A memory that
another one takes the place of goes here too, in one act with that. Blocking: called in worker threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from desktop.base.errors import NotFoundError
from desktop.base.phrases import say
from desktop.memory.store import MemoryStore
from desktop.permissions.access import Access
from desktop.tools.base import Outcome, ToolContext
from desktop.tools.memory_behind import behind, may_mean, shortened, wish_to_forget
from desktop.tools.memory_inbox import Wanted, propose, review_reason
from desktop.tools.memory_write import MEMORY_CHANGES, IndexFollower, change_data, origin_of, quietly, store_of
from desktop.tools.text import decode


def deletion(access: Access, context: ToolContext) -> ToolContext | Outcome:
    """What becomes of one deletion by the memory keeper: it may go on in the context that is given back, or it waits for the person.

    Only a person's own wish to forget lets it go on, and only for a memory that this wish can mean.

    Raises:
        RefusedError, StorageError: as the store and the inbox say.
    """
    assert access.memory_target is not None
    store = store_of(access, context)
    wish = wish_to_forget(context.said)
    path = Path(store.root).joinpath(*access.memory_target.split("/"))
    base = quietly(path)
    if base is None:
        return context  # what is not there is the store's to say
    meant = wish is not None and may_mean(f"{access.memory_target}\n{decode(base.data).text}", context.said)
    quote = "" if wish is None else shortened(wish.text)
    context = _of_the_wish(context)
    if meant and not context.review:
        return context
    store.gate("delete", access.memory_target, "", origin_of(context, quote))
    wanted = Wanted(access, path, "", base)
    if meant:
        return propose("delete", wanted, context, reason=review_reason(), rule="review", quote=quote)
    reason = say("You did not ask to forget this.") if wish is None else say("What you asked to forget may be something else.")
    return propose("delete", wanted, context, reason=reason, rule="unsupported", quote=quote)


def _of_the_wish(context: ToolContext) -> ToolContext:
    """The context with the message of the wish as origin."""
    wish = wish_to_forget(context.said)
    return context if wish is None else replace(context, message_id=wish.message_id)


def forget_reason(context: ToolContext, otherwise: str) -> str:
    """What the journal says of a deletion: the person's wish in the keeper's case, else how it was done."""
    wish = None if context.keep is None else wish_to_forget(context.said)
    return otherwise if wish is None else shortened(wish.text)


# --- memories that another one takes the place of --------------------------------------------------------------------------


@contextmanager
def one_act(store: MemoryStore) -> Iterator[None]:
    """All changes of the block are made and undone as one."""
    with store.exclusive() as changing, changing.grouped(changing.new_group()):
        yield


def retire(paths: tuple[str, ...], wanted: Wanted, outcome: Outcome, context: ToolContext, reason: str) -> Outcome:
    """Move memories that `wanted` takes the place of to the trash; the outcome with these deletions in it.

    They are not forgotten: what they say may become true again, and is then written like anything else.

    Raises:
        RefusedError, StorageError: as the store says.
    """
    store, data, gone = store_of(wanted.access, context), dict(outcome.data or {}), []
    for path in paths:
        try:
            old = store.read(path).data
            with IndexFollower(context, store):
                change = store.delete(path, origin=origin_of(context, reason))
        except NotFoundError:
            continue
        store.tombstones.lift(old, time=context.clock.now())
        gone.append(path)
        data[MEMORY_CHANGES] = [*data.get(MEMORY_CHANGES, []), *change_data(wanted.access.memory_root, change).get(MEMORY_CHANGES, [])]
    if not gone:
        return outcome
    text = f"{outcome.output} It takes the place of {', '.join(gone)}, which went to the trash."
    return replace(outcome, output=text, data=data | {"deleted": gone})


def propose_retirement(paths: tuple[str, ...], wanted: Wanted, outcome: Outcome, context: ToolContext) -> Outcome:
    """Put before the person that these memories go once `wanted`, which waits too, takes their place."""
    store, data = store_of(wanted.access, context), dict(outcome.data or {})
    for relative in paths:
        path = Path(store.root).joinpath(*relative.split("/"))
        base = quietly(path)
        if base is None:
            continue
        old = Wanted(replace(wanted.access, memory_target=relative, target=path), path, "", base)
        reason = say("The new memory {path} takes its place.", path=wanted.access.memory_target)
        quote = behind(wanted.text, context.said, "").quote
        made = propose("delete", old, context, reason=reason, rule="review", quote=quote).data or {}
        for key, value in made.items():
            data[key] = [*data.get(key, []), *value] if isinstance(value, list) else value
    return replace(outcome, data=data or None)
