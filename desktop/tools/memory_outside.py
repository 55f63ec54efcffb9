"""What a main agent would keep although only others gave it: orders and addresses wait for the person's click (S11).

Facts are written at once, since the person sees each write of the main agent with its diff and takes it back with one click. An order,
or an address to go to, acts in every later conversation before anybody looks: where text of others was in the window it is written only
when a sentence of the person says it, or when their newest message asks to remember. Blocking: called in worker threads.
"""

from __future__ import annotations

from desktop.base.errors import RefusedError, ToolError
from desktop.base.phrases import say
from desktop.memory.note import INDEX_NAME
from desktop.tools.base import Outcome, ToolContext
from desktop.tools.memory_behind import outside_line
from desktop.tools.memory_inbox import Wanted, propose
from desktop.tools.memory_write import origin_of, store_of

_LINE = "This line would tell later conversations to do or to visit something that the person did not say."
_PLAIN = "Say in plain words what the memory is about. Nothing was written."


def waits_as_order(wanted: Wanted, context: ToolContext) -> Outcome | None:
    """The result of a write that was put before the person instead; None: it may go on.

    Raises:
        ToolError: it is a line of an index, which nobody can be asked about by itself.
        RefusedError: it was forgotten before, or holds a secret.
    """
    if not _is_looked_at(wanted, context) or _is_refused(wanted, context):
        return None
    if not _commands_of_others(wanted, context):
        return None
    if wanted.access.memory_target == INDEX_NAME and store_of(wanted.access, context).memory_root.profile == "index":
        raise ToolError(_LINE, hint=_PLAIN)
    reason = say("It gives an order or an address, and text from outside was in the chat.")
    return propose("write", wanted, context, reason=reason, rule="untrusted", quote=outside_line(wanted.text))


def _is_looked_at(wanted: Wanted, context: ToolContext) -> bool:
    """Only what is written unasked, beside text of others, and where there is somebody who reviews."""
    unasked = wanted.access.memory_policy == "allow" and context.proposals is not None
    return unasked and context.actor == "main" and context.keep is None and context.untrusted


def _is_refused(wanted: Wanted, context: ToolContext) -> bool:
    """The gate refuses it anyway: the write itself says why."""
    assert wanted.access.memory_target is not None
    try:
        store_of(wanted.access, context).gate("write", wanted.access.memory_target, wanted.text, origin_of(context, "", wanted.access))
    except RefusedError:
        return True
    return False


def _commands_of_others(wanted: Wanted, context: ToolContext) -> bool:
    from desktop.memory.keeping import Candidate, orders_of_others
    from desktop.memory.own_words import asks_to_remember

    if context.said and asks_to_remember(context.said[-1].text):
        return False
    assert wanted.access.memory_target is not None
    return orders_of_others(
        Candidate(
            path=wanted.access.memory_target,
            text=wanted.text,
            before=None if wanted.base is None else wanted.base_text,
            said=tuple(one.text for one in context.said),
            untrusted=True,
            now=context.clock.now(),
        )
    )
