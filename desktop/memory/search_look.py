"""Comparing a memory root with what of it is indexed: what has to be read, what went, and the documents made of it (FT-04, FT-05, R13).

Owns the look at one root; it writes nothing into the index itself. A folder that is not there has no memories; one that cannot be looked
into keeps what was indexed of it, and so does a file that somebody writes just now. Follows no link. Blocking.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.memory.known import Seen, Stat, walk
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import WORKSPACE, MemoryRoot
from desktop.memory.search_known import WORTH_SAVING, Known, Row, hook_digest, is_replaced, rows_replaced, settled
from desktop.memory.search_source import (
    MOST_BYTES,
    Hooks,
    Parsed,
    Source,
    content_digest,
    document_key,
    document_of,
    hook_in,
    hooks_of,
    parsed,
    parts_of_key,
    prefix_of,
    read_source,
)
from desktop.memory.workspace_trust import WorkspaceFile
from desktop.search.passage import Document

NowNs = Callable[[], int]


@dataclass(slots=True)
class Look:
    """A root as it was just seen, beside what is known of it.

    Attributes:
        root: which one.
        known: rows of what was indexed; brought up to date while documents are made.
        files: path → stat of what is to be found in the index; None: it could not be looked into, so that nothing changes.
        blind: what was not seen, though it may be there.
        hooks: what the root's index says; None: as it was when the rows were made.
        have: fingerprints that stand in the index, by key.
        read: how many rows changed.
        single: only a few files are looked at, so that the root's index is not taken apart for them.
        note: for the person: what was not looked into or held back, and why; or "".
        trusted: the content of the workspace file that may be read.
    """

    root: MemoryRoot
    known: Known
    files: dict[str, Stat] | None
    blind: Seen = field(default_factory=Seen)
    hooks: Hooks | None = None
    note: str = ""
    trusted: str = ""
    have: dict[str, str] = field(default_factory=dict)
    read: int = 0
    single: bool = False

    # what there is to do

    def gone(self) -> list[str]:
        """Keys of the index whose files are not there any more; their rows go with them."""
        if self.files is None:
            return []
        present = {document_key(self.root, path) for path in self.files}
        for path in [path for path in self.known.rows if path not in self.files and not self.blind.hides(path)]:
            del self.known.rows[path]
            self.read += 1
        return [key for key in self.have if key not in present and not self.blind.hides(parts_of_key(key)[1])]

    def changed(self) -> list[str]:
        """Paths that have to be read, since they are new, look different, or are said something else of."""
        if self.files is None:
            return []
        rows, have, prefix, hooks = self.known.rows, self.have, prefix_of(self.root), self.hooks
        replaced = rows_replaced(rows.items(), self.known.replaced_names())
        found = []
        for path, stat in self.files.items():
            row = rows.get(path)
            if row is None or row.stat != stat:
                found.append(path)
                continue
            if hooks is not None and hook_digest(hooks.of(path, row.name)) != row.hook:
                found.append(path)
                continue
            key = prefix + path if path.isascii() else document_key(self.root, path)
            if have.get(key) != row.fingerprint(path in replaced):
                found.append(path)
        return found

    def outdated(self) -> list[str]:
        """Paths of rows that became superseded, or are not any more, by what was read since."""
        replaced = rows_replaced(self.known.rows.items(), self.known.replaced_names())
        wanted = ((path, self.have.get(document_key(self.root, path)), row) for path, row in self.known.rows.items())
        return [path for path, have, row in wanted if have is not None and have != row.fingerprint(path in replaced)]

    def documents(self, paths: Iterable[str], now_ns: NowNs) -> Iterator[Document]:
        """The documents of those files that are not in the index as they are; rows are brought up to date."""
        names = self.known.replaced_names()
        for path in paths:
            read_ns = now_ns()
            try:
                source = self._source(path)
            except NotFoundError:
                self.known.rows.pop(path, None)
                continue
            if source is None:
                self._doubt(path)
                continue
            read = self._take(path, source, read_ns)
            row = self.known.rows[path]
            names |= {name.casefold() for name in row.supersedes if name.casefold() != row.name.casefold()}
            replaced = is_replaced(path, row, names)
            key, fingerprint = document_key(self.root, path), row.fingerprint(replaced)
            if self.have.get(key) != fingerprint:
                hook = self._hook(path, row.name) if row.hook else ""
                self.have[key] = fingerprint
                read = read or parsed(path, source)
                yield document_of(self.root, read, fingerprint=fingerprint, hook=hook, superseded=replaced)

    def _take(self, path: str, source: Source, read_ns: int) -> Parsed | None:
        """Bring a row up to date; its header is taken apart only when the content is another than before."""
        self.read += 1
        before = self.known.rows.get(path)
        stat = source.stat if settled(source.stat, read_ns) else ()
        read: Parsed | None = None
        if before is None or before.digest != source.digest:
            read = parsed(path, source)
            before = Row(stat, source.digest, "", read.note.name, read.note.supersedes)
        words = self._hook(path, before.name) if self.root.profile == "index" else ""
        self.known.rows[path] = replace(before, stat=stat, hook=hook_digest(words))
        return read

    def _hook(self, path: str, name: str) -> str:
        """What the index says of a file; the last that was read of it will do, since a changed index is seen by the next look."""
        hooks = self.hooks or self.known.hooks
        if hooks is not None:
            return hooks.of(path, name)
        source = _index_of(self.root)
        if source is None:
            return ""
        found = hook_in(source.data, path, name) if self.single else None
        if found is None:
            self.known.hooks = hooks_of(source.data)
            found = self.known.hooks.of(path, name)
        return found

    def _doubt(self, path: str) -> None:
        """It is being written, or cannot be read now: what is indexed stays, and the next look reads it again."""
        row = self.known.rows.get(path)
        if row is not None:
            self.known.rows[path] = replace(row, stat=())

    def _source(self, path: str) -> Source | None:
        """Raises NotFoundError when the file is gone."""
        if self.root.id != WORKSPACE:
            return read_source(self.root.folder, path)
        data = _own_bytes(self.root)
        if data is None or not self.trusted or digest(data) != self.trusted:
            return None
        return Source(data, _stat_by_digest(len(data), self.trusted), content_digest(data, len(data)))


def _own_bytes(root: MemoryRoot) -> bytes | None:
    try:
        return read_beneath(root.folder, INDEX_NAME, limit=MOST_BYTES + 1)
    except NotFoundError:
        raise
    except KeepsakeError:
        return None


def _stat_by_digest(size: int, content: str) -> Stat:
    """What stands for the stat of a file that is read at every look anyway."""
    return (size, 0, 0, int(content[:15], 16))


def look_at(memories: Memories, root: MemoryRoot, known: Known, now_ns: NowNs) -> Look:
    """A root as it stands now. One stat walk; reads no memory but the root's index, and that only when it changed. Never raises."""
    if root.id == WORKSPACE:
        return _workspace(root, known, memories.workspace_file())
    if os.path.islink(root.folder):  # noqa: PTH114 - a Path raises for a place that may not be looked into
        return Look(root, known, {}, note=say("{path} is a link, so no memory is read there.", path=root.folder))
    seen = walk(root.folder)
    if not seen.reachable:
        told = say("{folder} cannot be looked into now; what was known of it is searched.", folder=root.folder)
        return Look(root, known, None, seen, note=told)
    look = Look(root, known, seen.files, seen)
    if root.profile == "index":
        _take_hooks(look, seen.files.pop(INDEX_NAME, None), now_ns)
    if seen.blind:
        look.note = say("{folder} cannot be looked into now; what was known of it is searched.", folder=root.folder / seen.blind[0])
    return look


def _take_hooks(look: Look, index: Stat | None, now_ns: NowNs) -> None:
    """The hooks, when the index is another than the one by which the rows were made."""
    known = look.known
    if index is None:
        if any(row.hook for row in known.rows.values()):
            look.hooks = known.hooks = Hooks({}, {})
        known.index, known.hooks_digest = (), ""
        return
    if known.index == index:
        return
    read_ns = now_ns()
    source = _index_of(look.root)
    if source is None:
        return
    if source.digest != known.hooks_digest:
        look.hooks = known.hooks = hooks_of(source.data)
    known.hooks_digest = source.digest
    known.index = index if settled(index, read_ns) else ()
    look.read += WORTH_SAVING if known.index else 0  # or the next start would read all of it again


def _index_of(root: MemoryRoot) -> Source | None:
    try:
        return read_source(root.folder, INDEX_NAME)
    except NotFoundError:
        return None


def _workspace(root: MemoryRoot, known: Known, file: WorkspaceFile) -> Look:
    """The folder's own file: found only while its content is one that the person allowed (W-31)."""
    if file.state == "trusted":
        return Look(root, known, {INDEX_NAME: _stat_by_digest(file.size, file.digest)}, trusted=file.digest)
    note = ""
    if file.state == "untrusted":
        note = say("{path} is not searched until you have looked at it and allowed it.", path=file.path)
    elif file.state in ("refused", "error"):
        note = say("The folder's memory file is not searched. {problem}", problem=file.problem)
    return Look(root, known, {}, note=note)
