"""`keepsake memory review …` and `keepsake memory extraction …`: what waits for the person's word, and whether anything waits at all.

Shows each proposal with what it would change and why it waits, and accepts or rejects it as the person's own act. Secrets are masked.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, UsageError
from desktop.base.redact import redact
from desktop.base.textio import decode, digest
from desktop.cli.output import fail, put, put_json, say, table
from desktop.compose import Services, Workspace
from desktop.memory.project_file import EXTRACTIONS, read_project_file, set_extraction
from desktop.memory.proposals import Proposal, Proposals
from desktop.memory.store import MemoryStore

Waiting = tuple[MemoryStore, Proposal]
SHORTEST = 4
"""Characters of the end of an id that are enough where no other has them."""

MAX_DIFF_LINES = 5_000


def proposal_to_json(proposal: Proposal) -> dict[str, Any]:
    origin = proposal.origin
    return {
        "id": proposal.id,
        "time": iso(proposal.time),
        "root": proposal.root,
        "op": "new" if proposal.new else "changed" if proposal.op == "write" else "deleted",
        "path": proposal.path,
        "rule": proposal.rule,
        "reason": str(proposal.reason),
        "quote": proposal.quote or None,
        "actor": origin.actor,
        "session": origin.session_id or None,
        "message": origin.message_id or None,
        "untrusted": origin.untrusted,
    }


def _review(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    inboxes = [store.proposals for store in _stores(found, workspace)]
    waiting = [(inbox, one) for inbox in inboxes for one in inbox.waiting()]
    if found.verb == "list":
        return _list(found, workspace, inboxes, waiting)
    pairs = [(workspace.memories.store(inbox.root.id), one) for inbox, one in waiting]
    if found.verb == "show":
        return _show(found, _chosen(found, pairs))
    return _decide(found, _chosen(found, pairs))


def _stores(found: argparse.Namespace, workspace: Workspace) -> list[MemoryStore]:
    """Those of our own roots, or the one that `--root` names."""
    stores = workspace.memories.own()
    mine = [store for store in stores if found.root in ("", store.memory_root.id)]
    if not mine:
        known = ", ".join(store.memory_root.id for store in stores)
        raise UsageError(f"There is no root {found.root} here.", hint=f"Use one of {known}.")
    return mine


def _list(
    found: argparse.Namespace, workspace: Workspace, inboxes: Sequence[Proposals], waiting: Sequence[tuple[Proposals, Proposal]]
) -> int:
    damaged = sum(inbox.damaged for inbox in inboxes)
    extraction = workspace.memory_state().extraction
    if found.json:
        put_json({"extraction": extraction, "damaged": damaged, "proposals": [proposal_to_json(one) for _, one in waiting]})
        return 0
    if waiting:
        put(table([_row(one) for _, one in waiting]))
    else:
        say("Nothing waits for your review.")
    for inbox in inboxes:
        if inbox.damaged:
            say(f"{inbox.damaged} files in {inbox.folder} cannot be read and are left alone.")
    return 0


def _row(proposal: Proposal) -> tuple[str, ...]:
    told = proposal_to_json(proposal)
    mark = " (untrusted)" if proposal.untrusted else ""
    return proposal.id, told["time"][:16].replace("T", " "), told["op"], f"{proposal.root}: {proposal.path}", f"{proposal.reason}{mark}"


def _chosen(found: argparse.Namespace, waiting: Sequence[Waiting]) -> list[Waiting]:
    """The proposals that are named, in that order, or all.

    Raises:
        UsageError: none is named.
        NotFoundError: one does not wait.
    """
    if found.all:
        return list(waiting)
    if not found.ids:
        raise UsageError("No proposal is named.", hint="Give its id, as “keepsake memory review list” shows it, or --all.")
    return [_named(name, waiting) for name in found.ids]


def _named(name: str, waiting: Sequence[Waiting]) -> Waiting:
    fitting = [pair for pair in waiting if pair[1].id == name or (len(name) >= SHORTEST and pair[1].id.endswith(name))]
    if len(fitting) != 1:
        what = "is the end of several ids" if fitting else "waits in no inbox of this workspace"
        raise NotFoundError(f"{name} {what}.", hint="“keepsake memory review list” shows what waits.")
    return fitting[0]


def diff_lines(store: MemoryStore, proposal: Proposal) -> Iterator[str]:
    """What it would change of the file as it is now, as a unified diff with secrets masked."""
    before = _present(store, proposal.path)
    after = "" if proposal.op == "delete" else proposal.text
    names = (f"a/{proposal.path}" if before is not None else "/dev/null", f"b/{proposal.path}" if proposal.op == "write" else "/dev/null")
    old, new = ([line.rstrip("\r") for line in redact(text).split("\n")] for text in (before or "", after))
    for number, line in enumerate(unified_diff(old, new, *names, lineterm="")):
        if number == MAX_DIFF_LINES:
            yield "…"
            return
        yield line


def _present(store: MemoryStore, path: str) -> str | None:
    try:
        return decode(store.read(path).data)
    except NotFoundError:
        return None


def _show(found: argparse.Namespace, chosen: Sequence[Waiting]) -> int:
    if found.json:
        shown = [proposal_to_json(one) | {"text": redact(one.text), "diff": "\n".join(diff_lines(store, one))} for store, one in chosen]
        put_json({"proposals": shown})
        return 0
    for store, proposal in chosen:
        told = proposal_to_json(proposal)
        put(f"{proposal.id}  {told['op']}  {proposal.root}: {proposal.path}")
        put(f"{proposal.reason}")
        if proposal.untrusted:
            put("Text of tools, pages or files was in the chat when it was proposed.")
        if proposal.quote:
            put(f"From: {proposal.quote}")
        if proposal.origin.session_id:
            put(f"Session: {proposal.origin.session_id} {proposal.origin.message_id}".rstrip())
        put("\n".join(diff_lines(store, proposal)))
    return 0


def _decide(found: argparse.Namespace, chosen: Sequence[Waiting]) -> int:
    """Accept or reject each; one that fails does not keep the others from it."""
    decided: list[dict[str, Any]] = []
    status = 0
    for store, proposal in chosen:
        try:
            decided.append(_decided(found, store, proposal))
        except KeepsakeError as error:
            status = fail(error)
            if isinstance(error, ConflictError):
                say(f"“keepsake memory review show {proposal.id}” compares; --replace puts the proposal in its place.")
    if found.json:
        put_json({"decided": decided})
        return status
    for one in decided:
        undo = f"“keepsake memory undo --root {one['root']} {one['change'] or one['id']}” takes it back."
        say(f"{'Accepted' if found.verb == 'accept' else 'Rejected'}: {one['path']}. {undo}")
    return status


def _decided(found: argparse.Namespace, store: MemoryStore, proposal: Proposal) -> dict[str, Any]:
    change = ""
    if found.verb == "accept":
        present = _digest(store, proposal.path) if found.replace else None
        made = store.proposals.accept(proposal.id, store, over=present)
        change = made.id if made.changed else ""
    else:
        store.proposals.reject(proposal.id)
    return {"id": proposal.id, "root": proposal.root, "path": proposal.path, "change": change or None}


def _digest(store: MemoryStore, path: str) -> str:
    try:
        return digest(store.read(path).data)
    except NotFoundError:
        return ""


def _extraction(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    """Show or set what the background job does in this workspace."""
    project = workspace.project
    if found.mode is not None:
        choice = next((known for known in EXTRACTIONS if known == found.mode), None)
        set_extraction(project, choice, services.clock)
    state, own = workspace.memory_state(), read_project_file(project).extraction
    if found.json:
        put_json({"extraction": state.extraction, "workspace": own, "settings": workspace.settings.value("memory.extraction")})
        return 0
    chosen = f"chosen for {workspace.folder}" if own else "as the settings say"
    put(f"{state.extraction} ({chosen})")
    if own and own != state.extraction:
        say(state.reason or state.write_reason or "The workspace's own settings file allows no more.")
    return 0


ACTIONS = {"review": _review, "extraction": _extraction}
