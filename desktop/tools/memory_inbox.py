"""The way into the review inbox for a call of an agent: a change is kept as a proposal, and the model is told that it waits.

Owns the wording for the model and what is never proposed (what was forgotten). The gate's refusal of orders to future agents comes here
for every agent (memory design, 6.8). Blocking: called in worker threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import RefusedError, ToolError
from desktop.base.phrases import say
from desktop.memory.gate import Actor
from desktop.memory.proposal import Op, Rule
from desktop.permissions.access import Access
from desktop.tools.base import Outcome, ToolContext
from desktop.tools.files import Found
from desktop.tools.memory_behind import outside_line
from desktop.tools.memory_write import origin_of, store_of
from desktop.tools.text import decode

INJECTION = "memory.injection"
"""`detail` of the gate's refusal of orders to future agents: such a text waits for the person and is never refused in silence (6.8)."""

MEMORY_PROPOSED, MEMORY_WAITING = "memory_proposed", "memory_waiting"
"""Keys in a result's data: ids of the proposals that a call made, and how many wait in that inbox now."""

_WAITS = "It is not written: it waits for the person's review ({reason}). Do not write it again, here or elsewhere."
_DECLINED = "It is not written: the person declined the same before, or it waits for their review already. Do not write it again."


@dataclass(frozen=True, slots=True)
class Wanted:
    """A write as it was prepared: where, the whole text, and the file that it was made from."""

    access: Access
    path: Path
    text: str
    base: Found | None

    @property
    def base_text(self) -> str:
        return "" if self.base is None else decode(self.base.data).text


def waits_for_person(error: RefusedError, wanted: Wanted, context: ToolContext) -> Outcome | None:
    """The result of a write that the gate took for orders to future agents: it waits in the inbox, whoever wanted it. None: it was
    refused for another reason, or there is no inbox.

    Raises:
        RefusedError, StorageError: it could not be put into the inbox.
    """
    if error.detail != INJECTION or context.proposals is None:
        return None
    reason = say("The text gives orders to future agents.")
    return propose("write", wanted, context, reason=reason, rule="injection", quote=outside_line(wanted.text))


def propose(op: Op, wanted: Wanted, context: ToolContext, *, reason: str, rule: Rule, quote: str) -> Outcome:
    """Put a change before the person; the result that tells the model.

    Raises:
        RefusedError: it was forgotten before, or holds a secret.
        StorageError: it could not be kept.
    """
    access = wanted.access
    assert access.memory_target is not None
    if context.proposals is None:
        raise ToolError(say("There is no review inbox here, so nothing was written."), detail=rule)
    if op == "write":
        _refuse_forgotten(wanted, context)
    inbox = context.proposals(access.memory_root)
    proposal = inbox.add(
        op,
        access.memory_target,
        wanted.text if op == "write" else "",
        base=None if wanted.base is None else wanted.base.digest,
        base_text=wanted.base_text,
        origin=origin_of(context, quote, access),
        reason=reason,
        rule=rule,
        quote=quote,
    )
    if proposal is None:
        return Outcome(_DECLINED)
    return Outcome(_WAITS.format(reason=reason.rstrip(".")), data={MEMORY_PROPOSED: [proposal.id], MEMORY_WAITING: len(inbox.waiting())})


def _refuse_forgotten(wanted: Wanted, context: ToolContext) -> None:
    """What was forgotten is not even proposed: it comes back when the person says it again (B27)."""
    store = store_of(wanted.access, context)
    actor: Actor = "extractor" if context.actor == "extractor" else "main"
    before = None if wanted.base is None else wanted.base.data
    data = wanted.text.encode("utf-8", "surrogatepass")
    if store.tombstones.forgotten(data, context.message_id, actor=actor, before=before):
        raise RefusedError(
            say("{path} holds what was forgotten before.", path=wanted.access.memory_target),
            hint=say("It is saved again only when the person says it again."),
            detail="memory.forgotten",
        )


def review_reason() -> str:
    """Why a change waits that nothing speaks against."""
    return say("In this workspace, what is learnt from chats waits for your review.")
