"""Writing one file: what is compared, merged and refused before a text is put in its place, and with what stamp it goes there.

Owns the judgement between the gate and the step itself: compare-and-swap, twins, what was forgotten, content in an index. Holds no lock:
the store calls it under its own. Blocking.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desktop.base.clock import Clock, iso
from desktop.base.errors import ConflictError, NotFoundError, RefusedError
from desktop.base.phrases import listed, say
from desktop.base.textio import decode, digest
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing
from desktop.memory.duplicates import find_duplicate, same_meaning, twin_of
from desktop.memory.frontmatter import decode_text, encode_text, parse, serialise
from desktop.memory.gate import GateVerdict, Operation
from desktop.memory.index_split import split_plan
from desktop.memory.index_text import entries_of
from desktop.memory.merge import merge_texts
from desktop.memory.note import INDEX_NAME, Note
from desktop.memory.stamp import stamped
from desktop.memory.steps import taken
from desktop.memory.tombstones import Tombstones

Gate = Callable[[Operation, str, str, ChangeOrigin], GateVerdict]


class Writing:
    """Writes files of one root.

    Args:
        changing: makes the steps.
        tombstones: what was forgotten here.
        notes: every note that exists now.
        gate: its word on a change; raises when it refuses.
    """

    def __init__(
        self, root: Path, changing: Changing, clock: Clock, tombstones: Tombstones, notes: Callable[[], list[Note]], gate: Gate
    ) -> None:
        self._root = root
        self._changing = changing
        self._clock = clock
        self._tombstones = tombstones
        self._notes = notes
        self._gate = gate

    def write(
        self, path: str, text: str, base_digest: str | None, origin: ChangeOrigin, base: bytes | None, warnings: tuple[str, ...]
    ) -> Change:
        """See `MemoryStore.write`; the gate has passed it, with `warnings`."""
        changing = self._changing
        before = changing.current(path)
        text, base_digest, merged = self._compared(path, text, before, base_digest, base, origin)
        self._refuse_forgotten(path, text, before, origin)
        if before is None:
            self._refuse_twins(path, text, origin)
        data = self._bytes_for(path, text, before, base_digest, origin)
        told = self._unread_header(path, data) if origin.actor != "person" else ()
        warnings = (*warnings, *merged, *self._kept_lines(path, text, data), *told)
        if before is not None and same_meaning(before, data):
            return changing.change("write", path, digest(before), digest(before), origin, warnings=warnings)
        if changing.is_index(path) and origin.actor != "person":
            return self._write_index(before, data, origin, warnings, merged=bool(merged))
        change = changing.apply(path, before, data, "write", origin, warnings=warnings, merged=bool(merged))
        return changing.follow(change, before, data)

    def _write_index(self, before: bytes | None, data: bytes, origin: ChangeOrigin, warnings: tuple[str, ...], *, merged: bool) -> Change:
        """An index that an agent wrote: content in it becomes files of their own, in one act with it (W-17)."""
        text, encoding, bom = decode_text(data)
        plan = split_plan(text, self._notes(), earlier=decode_text(before or b"")[0])
        if not plan.files:
            return self._changing.apply(INDEX_NAME, before, data, "write", origin, warnings=warnings, merged=merged)
        with self._changing.grouped(self._changing.new_group()):
            for path, content in plan.files:
                self._gate("write", path, content, origin)
                self._changing.apply(path, None, self._bytes_for(path, content, None, None, origin), "write", origin)
            names = listed(path for path, _ in plan.files)
            told = say("The index holds one line for each memory; its content was moved into {names}.", names=names)
            data = bom + encode_text(plan.index_text, encoding)
            return self._changing.apply(INDEX_NAME, before, data, "write", origin, warnings=(*warnings, told), merged=merged)

    def _compared(
        self, path: str, text: str, before: bytes | None, base_digest: str | None, base: bytes | None, origin: ChangeOrigin
    ) -> tuple[str, str | None, tuple[str, ...]]:
        """Compare-and-swap: what stands there must be what the writer saw, or both changes must fit together.

        Returns:
            The text to write, the digest of what it was made from, and a warning when it was merged.
        """
        now = digest(before) if before is not None else None
        if now == base_digest or (self._changing.is_index(path) and self._changing.only_index_steps(base_digest, now)):
            return text, base_digest, ()
        if base_digest is None:
            raise ConflictError(
                say("{path} exists already.", path=path), hint=say("Read it first, then change what is there, or choose another name.")
            )
        if before is None:
            raise ConflictError(
                say("{path} was deleted meanwhile.", path=path), hint=say("Save it under a new name, or undo the deletion.")
            )
        merged = self._merged(text, before, base_digest, base)
        if merged is None:
            raise ConflictError(
                say("{path} was changed meanwhile.", path=path), hint=say("Read it again and repeat the change on what is there now.")
            )
        self._gate("write", path, merged, origin)
        return merged, now, (say("{path} was changed meanwhile by somebody else; both changes are in it now.", path=path),)

    def _merged(self, text: str, before: bytes, base_digest: str, base: bytes | None) -> str | None:
        """The writer's text and what is there now in one, or None when they change the same lines or the older text is not known."""
        if base is None or digest(base) != base_digest:
            try:
                base = self._changing.journal.kept(base_digest)
            except NotFoundError:
                return None
        return merge_texts(decode(base), text, decode(before))

    def _refuse_twins(self, path: str, text: str, origin: ChangeOrigin) -> None:
        self._refuse_spelling(path)
        if self._changing.is_index(path) or origin.actor == "person":
            return
        duplicate = find_duplicate(self._root, self._notes(), text)
        if duplicate:
            raise RefusedError(
                say("This is already remembered in {duplicate}.", duplicate=duplicate),
                hint=say("Nothing had to be written; change that file if something is new."),
            )

    def _refuse_forgotten(self, path: str, text: str, before: bytes | None, origin: ChangeOrigin) -> None:
        """What was forgotten comes back only when the person says it again (B27)."""
        data = text.encode("utf-8", "surrogatepass")
        if self._tombstones.forgotten(data, origin.message_id, actor=origin.actor, before=before):
            raise RefusedError(
                say("{path} holds what was forgotten before.", path=path),
                hint=say("It is saved again only when the person says it again."),
                detail="memory.forgotten",
            )

    def _refuse_spelling(self, path: str, but: str = "") -> None:
        twin = twin_of(self._root, path)
        if twin and twin != but:
            raise ConflictError(
                say("{path} differs from the existing {twin} only in its spelling.", path=path, twin=twin),
                hint=say("Use {twin}, or choose a really different name.", twin=twin),
            )

    def refuse_taken(self, path: str, *, but: str) -> None:
        """A file that is renamed from `but` to `path` takes nobody's name.

        Raises:
            ConflictError: it would.
        """
        if self._changing.current(path) is not None:
            raise taken(path)
        self._refuse_spelling(path, but)

    def _bytes_for(self, path: str, text: str, before: bytes | None, base: str | None, origin: ChangeOrigin) -> bytes:
        """The bytes to write: in the encoding of what was there, stamped; an index without doubled lines."""
        previous = parse(before) if before is not None else None
        encoding, bom = (previous.encoding, previous.bom) if previous else ("utf-8", b"")
        if bom:
            text = text.removeprefix("\ufeff")
        index = self._changing.is_index(path)
        if index:
            text = self._changing.index_text(text, before, base, keep_lines=origin.actor != "person")
        data = bom + encode_text(text, encoding)
        if index:
            return data
        if before is not None and same_meaning(before, data):
            return before
        return serialise(
            stamped(
                parse(data),
                now=iso(self._clock.now()),
                session_id=origin.session_id,
                message_id=origin.message_id,
                previous=previous,
            )
        )

    def _kept_lines(self, path: str, wanted: str, data: bytes) -> tuple[str, ...]:
        """What the writer of an index is told when lines stayed that its text did not have."""
        if not self._changing.is_index(path) or len(entries_of(decode(data))) <= len(entries_of(wanted)):
            return ()
        return (say("Lines of memories that exist stay in the index: each goes when its memory is deleted."),)

    def _unread_header(self, path: str, data: bytes) -> tuple[str, ...]:
        """What an agent is told that wrote a memory whose header cannot be read: it is kept as it stands, and says nothing."""
        document = parse(data)
        if self._changing.is_index(path) or document.header is None or not document.header.broken:
            return ()
        line, problem = document.problems[0]
        return (
            say(
                "The header of {path} cannot be read (line {line}: {problem}) and was kept as it is.", path=path, line=line, problem=problem
            ),
        )
