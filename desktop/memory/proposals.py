"""The review inbox of one root: changes that wait for the person's word (memory design, 6.4 and 6.8, W-33).

Owns what becomes of a proposal: it waits, is accepted as the person's act, rejected (and then not proposed again), replaced by a newer one,
or taken back. One that is being accepted names the group of the journal under which it is applied, so that after a kill it is either
applied once or still waiting. Locks are taken in the order store, inbox. Thread-safe; blocking, so call it off the GUI thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.clock import Clock
from desktop.base.errors import ConflictError, NotFoundError, RefusedError, StorageError
from desktop.base.events import Emitter
from desktop.base.ids import ulid
from desktop.base.locks import held
from desktop.base.paths import AppPaths
from desktop.base.phrases import listed, say
from desktop.base.redact import redact
from desktop.base.textio import digest
from desktop.memory.change import Change, ChangeOrigin, undone_ids
from desktop.memory.decisions import ACCEPTED_REASON, Became, Decision, Decisions
from desktop.memory.gate import MAX_NOTE, secret_kinds
from desktop.memory.journal import Journal
from desktop.memory.proposal import Op, Proposal
from desktop.memory.proposal_files import ProposalFiles, review_folder
from desktop.memory.roots import MemoryRoot

if TYPE_CHECKING:
    from desktop.memory.store import MemoryStore

__all__ = ["Proposal", "Proposals"]

log = logging.getLogger(__name__)
MAX_QUOTE = 500
LOCK_WAIT_S = 10.0


class Proposals:
    """The inbox of one root.

    Attributes:
        root: whose memory the proposals would change.
        folder: its place; need not exist.
        changed: emits how many wait now, after each change that this process made or found, in the thread that did.
        damaged: how many files the last look could not read.
    """

    def __init__(self, paths: AppPaths, root: MemoryRoot, clock: Clock) -> None:
        self.root = root
        self.folder = review_folder(paths, root.key)
        self.changed: Emitter[int] = Emitter()
        self.damaged = 0
        self._files = ProposalFiles(self.folder)
        self._lock_file = paths.state / "locks" / f"review-{root.key}.lock"
        self._clock = clock
        self._journal = Journal(paths, root.key)
        self._decisions = Decisions(self._files, self._journal)
        self._mutex = threading.RLock()
        self._depth = 0
        self._seen: tuple[str, ...] = ()

    # reading

    def waiting(self) -> list[Proposal]:
        """What waits, newest first. Files that cannot be read are skipped and counted in `damaged`. Never raises."""
        return self._waiting()

    def _waiting(self, *, strict: bool = False) -> list[Proposal]:
        with self._mutex:
            found, damaged = self._files.scan(strict=strict)
            self.damaged = len(damaged)
            replaced = {name for one in found for name in one.replaces}
            waiting = [one for one in found if one.id not in replaced and not self._decisions.is_applied(one, strict=strict)]
        return sorted(waiting, key=lambda one: (one.time, one.id), reverse=True)

    def find(self, proposal_id: str) -> Proposal:
        """A proposal that waits.

        Raises:
            NotFoundError: there is none with that id, or it was decided already.
            StorageError: a file of the inbox cannot be read for now.
        """
        found = next((one for one in self._waiting(strict=True) if one.id == proposal_id), None)
        if found is None:
            raise NotFoundError(
                say("There is no proposal {proposal} that waits.", proposal=proposal_id),
                hint=say("It may have been decided elsewhere, or replaced by a newer one."),
            )
        return found

    def look(self) -> bool:
        """Look again, e.g. after another process changed the folder; whether others wait than at the last look. Never raises."""
        before = (self._seen, self.damaged)
        count = self._count()
        if (self._seen, self.damaged) == before:
            return False
        self.changed.emit(count)
        return True

    def _count(self) -> int:
        waiting = self.waiting()
        self._seen = tuple(one.id for one in waiting)
        return len(waiting)

    def waits_again(self, change: Change) -> Proposal | None:
        """The proposal that waits since a change was taken back: `change` is the undo, or the change itself. None: none does so."""
        proposal = self._decisions.behind(change)
        return proposal if proposal is not None and any(one.id == proposal.id for one in self.waiting()) else None

    def became(self, ids: Collection[str]) -> dict[str, Became]:
        """What these proposals are by now; those that this inbox does not keep are left out.

        Raises:
            StorageError: the inbox or the journal cannot be read for now.
        """
        waiting = {one.id for one in self._waiting(strict=True)}
        found = {one: "waiting" if one in waiting else self._decisions.became(one) for one in ids}
        return {one: state for one, state in found.items() if state is not None}

    def made_in(self, session_id: str) -> list[Proposal]:
        """What was proposed in a conversation and is still kept, waiting or decided, oldest first. Never raises."""
        with self._mutex:
            kept = {one.id: one for one in (*(proposal for proposal, _ in self._files.decisions()), *self._files.scan()[0])}
        return sorted((one for one in kept.values() if one.origin.session_id == session_id), key=lambda one: (one.time, one.id))

    def last_decision(self) -> Decision | None:
        """The newest decision that changed no memory, so that `MemoryStore.undo` does not know it; `take_back` takes it back."""
        return self._decisions.last()

    # new ones

    def add(
        self, op: Op, path: str, text: str, *, base: str | None, base_text: str, origin: ChangeOrigin,
        reason: str, rule: str, quote: str = "",
    ) -> Proposal | None:  # fmt: skip
        """Put a change into the inbox. The newest text wins: an older proposal for the same path is set aside.

        Args:
            op, path, text: the change; `text` is the whole file, "" for a deletion.
            base: digest of the file that it was made against, None: there was none; base_text: its text.
            origin: who wants it and where it was said.
            reason: a phrase: why it waits; rule: see `Proposal.rule`; quote: the sentence behind it.

        Returns:
            The proposal; None when the same waits already, or was rejected before.

        Raises:
            RefusedError: the text holds a secret, or is larger than a memory may be.
            StorageError: it could not be kept.
        """
        _refuse_unfit(path, text)
        now = self._clock.now()
        proposal = Proposal(
            f"prop_{ulid(now)}", now, self.root.id, op, path, text, base, base_text, replace(origin, approved=False), reason, rule,
            redact(quote)[:MAX_QUOTE],
        )  # fmt: skip
        with self._locked():
            known = self._waiting(strict=True)
            if self._files.was_rejected(proposal.key) or any(one.says(proposal) for one in known):
                return None
            proposal = replace(proposal, replaces=tuple(older.id for older in known if older.path == path))
            self._files.put(proposal)
            self._tidy()
            self._files.sweep(now)
        self.changed.emit(self._count())
        return proposal

    # decisions

    def accept(self, proposal_id: str, store: MemoryStore, *, text: str | None = None, over: str | None = None) -> Change:
        """Make the change as the person's act, with the session and the message that it came from.

        Args:
            store: the store of this root.
            text: what the person made of the text; None: as proposed.
            over: digest of the file as the person saw it when it had become another one than the proposal was made against ("" when it
                was gone): the proposal then takes its place. None: a file that changed meanwhile is merged or a conflict.

        Returns:
            The change; one that changed nothing when the memory says it already.

        Raises:
            NotFoundError: it does not wait any more.
            ConflictError: the file changed meanwhile and the two cannot both go in; the proposal still waits.
            RefusedError: the store refused; the proposal still waits.
            StorageError: it could not be saved; the proposal still waits.
        """
        with store.exclusive() as changing, self._locked():  # what a killed process left is finished by now
            self._tidy(applied=True)
            proposal = self.find(proposal_id).accepting(changing.new_group())
            self._files.put(proposal)
            change = _applied(proposal, store, text, over)
            self._done(proposal)
        self.changed.emit(self._count())
        return change

    def reject(self, proposal_id: str) -> Proposal:
        """Put a proposal aside; the same is not proposed again.

        Raises:
            NotFoundError: it does not wait any more.
            StorageError: it could not be put aside.
        """
        with self._locked():
            self._tidy()
            proposal = self.find(proposal_id)
            self._files.remember_rejected(proposal.key, self._clock.now())
            self._files.settle(proposal, self._clock.now())
            self._files.sweep(self._clock.now())
        self.changed.emit(self._count())
        return proposal

    def restore(self, proposal_id: str) -> Proposal | None:
        """Let a proposal that was decided in the last 30 days wait again; None when it is not there any more.

        It alone takes back no change of the memory, and what stays applied does not wait: see `take_back`.

        Raises:
            StorageError: it could not be moved.
        """
        proposal = self._restored(proposal_id)
        if proposal is not None:
            self.changed.emit(self._count())
        return proposal

    def take_back(self, proposal_id: str, store: MemoryStore, *, change_id: str = "") -> Change | None:
        """Undo a decision: the proposal waits again, and the change that accepting it made is undone.

        Args:
            change_id: of the change that `accept` gave back; "": looked for.

        Returns:
            The change that undid it; None after a rejection.

        Raises:
            NotFoundError: the proposal, or the older version of the file, is no longer kept.
            ConflictError: the file was changed again since; nothing is taken back.
        """
        made: Change | None = None
        with store.exclusive():
            restored: Proposal | None = None
            change_id = change_id or self._made(proposal_id)
            if change_id and self._still_holds(change_id):  # accepting what the memory said already changed nothing
                made = store.undo(change_id)  # brings back the proposal too
                restored = self._decisions.behind(made)
            if restored is None:
                restored = self._restored(proposal_id)
        if restored is None and made is None:
            raise NotFoundError(say("This decision can no longer be undone: the proposal is no longer kept."))
        self.changed.emit(self._count())
        return made

    def _made(self, proposal_id: str) -> str:
        """Id of the change that accepting a proposal made; "" for a rejection, and when it is not known any more."""
        proposal = self._files.decision(proposal_id)
        made = self._decisions.made_by(proposal) if proposal is not None else []
        return made[-1].id if made else ""

    def _still_holds(self, change_id: str) -> bool:
        """Whether a change was made and is not taken back, here or elsewhere, by now."""
        return self._journal.holds(change_id) and change_id not in undone_ids(self._journal.read())

    @contextmanager
    def following(self, change: Change) -> Iterator[None]:
        """While a change, or an undo, is taken back by whomever: the proposal that it came from waits again, or is decided again.

        The store's lock is held. The proposal is brought back first: until its change is undone it counts as applied, also after a kill.
        """
        proposal = self._decisions.behind(change)
        if proposal is None:
            yield
            return
        with self._locked():
            if self._decisions.is_applied(proposal, strict=True):
                self._restored(proposal.id)
            try:
                yield
            finally:
                if self._is_here(proposal) and self._decisions.is_applied(proposal):
                    self._done(proposal)

    def _is_here(self, proposal: Proposal) -> bool:
        return any(one.id == proposal.id for one in self._files.scan()[0])

    def forget(self, paths: Collection[str] = (), holds: Callable[[str], bool] | None = None) -> int:
        """Remove every proposal, waiting or decided, of these paths or with a text that `holds` recognises; damaged files too.

        For a purge: nothing takes it back. Digests of what was rejected stay.

        Returns:
            How many files went.

        Raises:
            StorageError: one could not be removed.
        """
        with self._locked():
            gone = self._files.forget(paths, holds)
        if gone:
            self.changed.emit(self._count())
        return gone

    def set_aside_damaged(self) -> tuple[Path, ...]:
        """Rename the files that cannot be read, so that they are counted no more; where they are now.

        Raises:
            StorageError: one could not be renamed.
        """
        with self._locked():
            aside = self._files.set_aside()
        self.changed.emit(self._count())
        return aside

    # steps

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Nobody else changes the inbox during the block: between threads by a mutex, between processes by a lock file."""
        with self._mutex:
            if self._depth:
                yield
                return
            self._depth = 1
            try:
                with held(self._lock_file, timeout_s=LOCK_WAIT_S):
                    yield
            finally:
                self._depth = 0

    def _restored(self, proposal_id: str) -> Proposal | None:
        with self._locked():
            here = next((one for one in self._files.scan(strict=True)[0] if one.id == proposal_id), None)
            proposal = here or self._files.decision(proposal_id)
            if proposal is not None and here is None:
                self._files.bring_back(proposal)
            return proposal

    def _done(self, proposal: Proposal) -> None:
        """Put away what was applied or replaced. When that fails it is known as that all the same, and put away later."""
        with self._locked():
            try:
                self._files.settle(proposal, self._clock.now())
            except StorageError as error:
                log.warning("%s is decided and could not be put away: %s", proposal.id, error.message)
            self._files.sweep(self._clock.now())

    def _tidy(self, *, applied: bool = False) -> None:
        """Put away what was replaced by a newer one, where a kill came in between.

        Args:
            applied: also what a killed process had applied. Only after the store finished what was left: half a change is taken back.
        """
        found = self._files.scan(strict=True)[0]
        replaced = {name for one in found for name in one.replaces}
        for proposal in found:
            if proposal.id in replaced or (applied and self._decisions.is_applied(proposal, strict=True)):
                self._done(proposal)


def _applied(proposal: Proposal, store: MemoryStore, text: str | None, over: str | None) -> Change:
    said = proposal.origin
    origin = ChangeOrigin("person", said.session_id, said.message_id, ACCEPTED_REASON, said.untrusted)
    base = proposal.base if over is None else over or None
    with store.exclusive(group=proposal.group) as changing:
        if proposal.op == "write":
            seen = proposal.base_text.encode("utf-8", "surrogatepass") if over is None and proposal.base is not None else None
            return store.write(proposal.path, proposal.text if text is None else text, base_digest=base, origin=origin, base=seen)
        data = changing.current(proposal.path)
        if data is None:  # somebody else deleted it
            return changing.change("delete", proposal.path, None, None, origin)
        if digest(data) != base:
            raise ConflictError(
                say("{path} was changed meanwhile.", path=proposal.path), hint=say("Look at it again before you delete it.")
            )
        return store.delete(proposal.path, origin=origin)


def _refuse_unfit(path: str, text: str) -> None:
    """A secret is never kept, not even to be asked about; nor is what no memory can hold."""
    kinds = secret_kinds(text) or secret_kinds(path)
    if kinds:
        raise RefusedError(
            say("The text holds what looks like a secret ({kinds}), so it was not saved.", kinds=listed(kinds)),
            hint=say("Remember where the secret is kept instead of the secret itself."),
            detail="memory.secret",
        )
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_NOTE:
        raise RefusedError(
            say("{path} would have {size:,} bytes; a memory has at most {most:,}.", path=path, size=size, most=MAX_NOTE),
            hint=say("Split it, or keep only what matters."),
            detail="memory.size",
        )
