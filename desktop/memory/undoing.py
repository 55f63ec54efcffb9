"""Taking changes back: one, or all that were made as one act, newest first and all or nothing.

Owns which changes belong to an undo, the look ahead whether each can be taken back, and what becomes of the index with it. Writes only
through `Changing`, with the store's lock held. Blocking.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.memory.change import Change, ChangeOrigin, last_of, undone_ids
from desktop.memory.changing import Changing
from desktop.memory.frontmatter import decode_text
from desktop.memory.index_text import entries_of, links_of, normal_breaks
from desktop.memory.journal import INDEX_REASON
from desktop.memory.note import INDEX_NAME


class Undoing:
    """One undo of one root.

    Args:
        changing: makes the steps.
        origin: who takes back; the reason is filled in.
    """

    def __init__(self, changing: Changing, origin: ChangeOrigin) -> None:
        self._changing = changing
        self._origin = origin
        self._changes = changing.journal.read()

    def undo(self, wanted: Change) -> Change:
        """Take back one change with all that were made together with it.

        Raises:
            NotFoundError: its old version is no longer kept.
            ConflictError: a file was changed again since, or it is undone already.
        """
        members = [c for c in self._changes if c.group == wanted.group and not c.by_keeper] if wanted.group else [wanted]
        undone = undone_ids(self._changes)
        if any(member.id in undone for member in members):
            raise ConflictError(say("The change of {path} is already undone.", path=wanted.path))
        if not wanted.group:
            return self._one(wanted)
        with self._changing.grouped(self._changing.new_group()):
            return self._all(wanted, members)

    def wanted(self, change_id: str | None) -> Change:
        """The change with an id, or the newest that is not taken back yet.

        Raises:
            NotFoundError: there is none.
        """
        if change_id is None:
            newest = last_of(self._changes, undoable=True)
            if newest is None:
                raise NotFoundError(say("There is no change to undo."))
            return newest
        found = next((change for change in self._changes if change.id == change_id), None)
        if found is None:
            raise NotFoundError(say("There is no change {change_id}.", change_id=change_id))
        return found

    def _one(self, wanted: Change) -> Change:
        step = self._keeper_step(wanted)
        index = self._own_earlier_index(step, wanted) if step else None
        made = self._reversed(wanted)
        try:
            if step and index is not None:
                self._put_index_back(step, index)
                return made
            if wanted.op == "delete" and (self._had_no_line(wanted) or self._lines_are_back(wanted)):
                return made
            before, after = self._contents(made)
        except KeepsakeError as error:  # it is done and journalled: only its index line waits
            return self._changing.without_index(made, error)
        return self._changing.follow(made, before, after)

    def _keeper_step(self, wanted: Change) -> Change | None:
        """What the keeper made of the index after one change; None when it had nothing to do, or that cannot be told."""
        later = self._changes[self._changes.index(wanted) + 1 :]
        step = next((change for change in later if change.origin.actor != "outside" or change.by_keeper), None)
        return step if step and step.by_keeper and step.origin.actor == wanted.origin.actor and not step.group else None

    def _own_earlier_index(self, step: Change, wanted: Change) -> bytes | None:
        """The index as it was before the keeper's step, which also may have caught up on other memories: then it cannot be put back."""
        index = self._earlier_index([step])
        if index is None or not self._changing.is_index(INDEX_NAME):
            return None
        now = self._changing.current(INDEX_NAME) or b""
        told = [_told(decode_text(data)[0]) for data in (index, now)]
        return index if (told[0] ^ told[1]) <= {wanted.path, wanted.old_path} else None

    def _put_index_back(self, step: Change, index: bytes) -> None:
        """The index as it was before the keeper's step, as a step of the keeper's own; where there was none, none is left."""
        if step.before is None:
            self._changing.drop_index(self._origin)
        else:
            self._changing.sync_index(lambda _: decode_text(index)[0], self._origin)

    def _had_no_line(self, wanted: Change) -> bool:
        """Whether a deletion took no line along: then none comes with its undo. What another program deleted is not known that well."""
        if wanted.origin.actor == "outside" or not self._changing.is_index(INDEX_NAME):
            return False
        later = self._changes[self._changes.index(wanted) + 1 :]
        step = next((change for change in later if change.origin.actor != "outside" or change.by_keeper), None)
        return step is None or not step.by_keeper

    def _lines_are_back(self, wanted: Change) -> bool:
        return self._changing.is_index(INDEX_NAME) and self._changing.restore_lines(wanted, self._changes, self._origin)

    def _contents(self, made: Change) -> tuple[bytes | None, bytes | None]:
        kept = self._changing.journal.kept
        return kept(made.before) if made.before else None, kept(made.after) if made.after else None

    def _reversed(self, wanted: Change) -> Change:
        origin = ChangeOrigin(self._origin.actor, self._origin.session_id, self._origin.message_id, f"undo of {wanted.id}")
        made = self._changing.reverse(wanted, origin)
        if made is None:
            raise NotFoundError(say("{path} is not there any more.", path=wanted.path))
        return made

    # changes that were made together

    def _all(self, wanted: Change, members: Sequence[Change]) -> Change:
        topics = [member for member in members if not self._changing.is_index(member.path)]
        steps = [c for c in self._changes if c.group == wanted.group and self._changing.is_index(c.path)]
        self._look_ahead(topics)
        index = self._earlier_index(steps)
        if index is None and any(not step.by_keeper for step in steps):
            raise ConflictError(
                say("{path} was changed again since.", path=INDEX_NAME),
                hint=say("Undo the later change first, or restore the older text by hand."),
            )
        made = [self._reversed(member) for member in reversed(topics)]
        if index is not None:
            made.append(self._restored_index(steps, index))
        elif steps:  # an act that touched no line of the index takes none back and adds none
            lost = [
                one
                for member, one in zip(reversed(topics), made, strict=True)
                if not (member.op == "delete" and self._lines_are_back(member))
            ]
            self._changing.sync_index_with(self._changing.news_of(lost), self._origin)
        if not made:
            raise NotFoundError(say("There is no change to undo."))
        return made[-1] if not topics else made[len(topics) - 1]

    def _look_ahead(self, topics: Sequence[Change]) -> None:
        """Before anything is touched: each file is what its change left, and every older text is still kept."""
        state: dict[str, str | None] = {}

        def at(path: str) -> str | None:
            if path not in state:
                data = self._changing.current(path)
                state[path] = digest(data) if data is not None else None
            return state[path]

        for change in reversed(topics):
            if at(change.path) != change.after:
                raise ConflictError(
                    say("{path} was changed again since.", path=change.path),
                    hint=say("Undo the later change first, or restore the older text by hand."),
                )
            if change.old_path:
                if at(change.old_path) is not None:
                    raise ConflictError(say("{path} exists already.", path=change.old_path), hint=say("Choose another name."))
                state[change.path], state[change.old_path] = None, change.after
                continue
            if change.before:
                self._changing.journal.kept(change.before)
            state[change.path] = change.before

    def _earlier_index(self, steps: Sequence[Change]) -> bytes | None:
        """The index as it was before the first of the group's own steps, empty where there was none; None: it cannot simply be put back."""
        if not steps:
            return None
        data = self._changing.current(INDEX_NAME)
        linked = all(one.after == two.before for one, two in pairwise(steps))
        if (digest(data) if data is not None else None) != steps[-1].after or not linked:
            return None
        if steps[0].before is None:
            return b""
        try:
            return self._changing.journal.kept(steps[0].before)
        except NotFoundError:
            return None

    def _restored_index(self, steps: Sequence[Change], earlier: bytes) -> Change:
        explicit = [step for step in steps if not step.by_keeper]
        reason = f"undo of {explicit[-1].id}" if explicit else INDEX_REASON
        origin = ChangeOrigin(self._origin.actor, reason=reason)
        current, undoes = self._changing.current(INDEX_NAME), explicit[-1].id if explicit else ""
        if current is not None and steps[0].before is None:  # there was none, so none is left
            return self._changing.remove(INDEX_NAME, current, "restore" if explicit else "write", origin, undoes=undoes)
        return self._changing.apply(INDEX_NAME, current, earlier, "restore" if explicit else "write", origin, undoes=undoes)


def _told(text: str) -> set[str]:
    """Every file that an index links to."""
    text = normal_breaks(text)
    lines = text.split("\n")
    linked = {target for line in lines for _title, target in links_of(line)}
    return linked | {entry.target for entry in entries_of(text) if entry.target and not links_of(lines[entry.line])}
