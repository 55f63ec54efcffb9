"""The way back for one root after a shell command: what went past the gate is put back as it was, or taken out into quarantine (W-08).

Owns the comparison of two looks with what the journal says of the time between them, and the steps back. Runs with the store's lock held
and every process of the command ended. What a store journalled meanwhile stays. Contents that hold a secret are kept nowhere. Blocking.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from desktop.base.beneath import HANDLES
from desktop.base.confine import delete_beneath, open_parent, read_beneath, write_beneath
from desktop.base.errors import KeepsakeError, NotFoundError, StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.redact import redact
from desktop.base.textio import decode, digest
from desktop.memory.bracket_look import CLOSED, Look, Node
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing, IndexNews
from desktop.memory.gate import MAX_NOTE, secret_kinds
from desktop.memory.merge import merge_texts
from desktop.memory.note import INDEX_NAME

MOST_READ = 64 << 20


@dataclass(slots=True)
class Before:
    """What was known of a root before the command.

    Attributes:
        look: what lay there.
        contents: path → digest, as the journal knew it.
        newest: id of the newest journalled change, "" when there was none.
        strays: contents of files that the journal does not know.
        held: digest → content of notes, for the case that their kept versions go with them.
    """

    look: Look
    contents: dict[str, str]
    newest: str
    strays: dict[str, bytes] = field(default_factory=dict)
    held: dict[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class Undone:
    """What was done: paths that are as they were, paths that were taken out, and what failed, in words."""

    restored: list[str] = field(default_factory=list)
    quarantined: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def _since(changes: Sequence[Change], newest: str) -> Sequence[Change]:
    """What was journalled after the change `newest`; nothing when it is not there any more."""
    if not newest:
        return changes
    return next((changes[index + 1 :] for index in range(len(changes) - 1, -1, -1) if changes[index].id == newest), ())


class Rollback:
    """Takes back what one command did below one root.

    Args:
        root: its folder.
        changing: of the store, whose lock is held.
        before, now: the two looks.
        origin: for the journal.
        quarantine: a folder of its own for what is taken out; made when it is needed.
        private: nothing of what the command put there is kept, neither content nor name.
    """

    def __init__(
        self,
        root: Path,
        changing: Changing,
        before: Before,
        now: Look,
        origin: ChangeOrigin,
        quarantine: Path,
        *,
        private: bool = False,
    ) -> None:
        self._private = private
        self._root = root
        self._changing = changing
        self._before = before
        self._now = now
        self._origin = origin
        self._quarantine = quarantine
        self._since = _since(changing.journal.read(), before.newest)
        self._gated = {
            path for change in self._since if change.origin.actor != "outside" for path in (change.path, change.old_path) if path
        }
        self._mixed: dict[str, bytes] = {}
        self._wanted = self._expected()
        self._changes: list[Change] = []
        self.done = Undone()

    def run(self) -> Undone:
        """Everything; a step that fails is named and stops no other."""
        self._modes_of_folders()
        touched = self._touched()
        for path in sorted(touched, key=lambda path: (-path.count("/"), path)):
            self._tried(path, self._take_out)
        self._new_folders()
        for path in sorted(touched):
            self._tried(path, self._bring_back)
        self._lost_folders()
        self._journal()
        return self.done

    def _tried(self, path: str, step: Callable[[str], None]) -> None:
        try:
            step(path)
        except NotFoundError as error:
            self.done.failed.append(say("{path} could not be put back ({reason}).", path=redact(path), reason=error.message))
        except KeepsakeError as error:
            self.done.failed.append(error.message)
        except OSError as error:
            self.done.failed.append(say("{path} could not be put back ({reason}).", path=redact(path), reason=os_reason(error)))

    # what there should be

    def _expected(self) -> dict[str, str | None]:
        """Path → digest that a path should have: as it was before, with what stores journalled since."""
        wanted: dict[str, str | None] = dict(self._before.contents)
        for change in self._since:
            if change.origin.actor == "outside":
                continue
            if change.old_path:
                wanted[change.old_path] = None
                wanted[change.path] = change.after
            else:
                wanted[change.path] = self._unmixed(change, wanted.get(change.path))
        return wanted

    def _unmixed(self, change: Change, wanted: str | None) -> str | None:
        """A store's change that was made upon what the command had put there is brought upon what should have been there."""
        if change.before == wanted or not (change.before and change.after and wanted):
            return change.after
        try:
            base, theirs = self._kept(change.before), self._kept(change.after)
            text = merge_texts(decode(base), decode(self._kept(wanted)), decode(theirs))
        except NotFoundError:
            return change.after
        if text is None:
            return change.after
        data = text.encode("utf-8", "surrogatepass")
        self._mixed[digest(data)] = data
        return digest(data)

    def _kept(self, name: str) -> bytes:
        if name in self._mixed:
            return self._mixed[name]
        try:
            return self._changing.journal.kept(name)
        except NotFoundError:
            held = self._before.held.get(name)
            if held is None or digest(held) != name:
                raise
            return held

    def _content(self, path: str) -> bytes | None:
        """What should lie at `path`; None: nothing.

        Raises:
            NotFoundError: it is no longer kept.
        """
        if path in self._wanted:
            name = self._wanted[path]
            try:
                return self._kept(name) if name else None
            except NotFoundError:
                data = self._read(path)
                if data is None or digest(data) != name:
                    raise
                return data
        return self._before.strays.get(path)

    def _touched(self) -> set[str]:
        """Paths that are not certainly as they should be; folders are looked at by themselves."""
        before, now = self._before.look.nodes, self._now.nodes
        names = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
        names |= {path for path, known in self._before.look.young.items() if path in now and self._digest(path) != known}
        names |= self._gated | set(self._mixed_paths())
        return {path for path in names if not self._only_folder(path)}

    def _mixed_paths(self) -> Iterable[str]:
        return (path for path, name in self._wanted.items() if name in self._mixed)

    def _only_folder(self, path: str) -> bool:
        nodes = [node for node in (self._before.look.nodes.get(path), self._now.nodes.get(path)) if node is not None]
        return bool(nodes) and all(node.is_folder for node in nodes)

    def _digest(self, path: str) -> str | None:
        data = self._read(path)
        return digest(data) if data is not None else None

    def _read(self, path: str) -> bytes | None:
        try:
            return read_beneath(self._root, path, limit=MOST_READ + 1)
        except NotFoundError:
            return None
        except KeepsakeError:
            self._chmod(path, 0o600)
            with suppress(KeepsakeError):
                return read_beneath(self._root, path, limit=MOST_READ + 1)
            return None

    # taking out what does not belong there

    def _take_out(self, path: str) -> None:
        now, before = self._now.nodes.get(path), self._before.look.nodes.get(path)
        if now is None or now.is_folder:
            return
        if not now.is_file:
            if before is None or (before.mode, before.target) != (now.mode, now.target):
                delete_beneath(self._root, path)  # the name alone: never what a link leads to
                (self.done.quarantined if before is None else self.done.restored).append(path)
            return
        if self._is_kept_nowhere(path) and before is not None and now[1:4] == before[1:4]:
            return  # inode, size and time of writing are as they were
        data = self._read(path)
        wanted = self._available(path)
        if wanted is not None and data == wanted:
            return
        self._set_aside(path, now, data, new=wanted is None)
        if wanted is None:
            self._note(path, data, None)
            with suppress(NotFoundError):
                delete_beneath(self._root, path)
            self.done.quarantined.append(path)

    def _is_kept_nowhere(self, path: str) -> bool:
        return path not in self._wanted and path not in self._before.strays

    def _available(self, path: str) -> bytes | None:
        """What should lie at `path`; None also for what is no longer kept."""
        try:
            return self._content(path)
        except NotFoundError:
            return None

    def _set_aside(self, path: str, now: Node, data: bytes | None, *, new: bool) -> None:
        """Keep what the command had put there, masked where it holds a secret; a file that has another name elsewhere is kept by that."""
        if self._private or (now.links > 1 and new):
            return
        ensure_private_dir(self._quarantine.parent)
        if data is not None and len(data) <= MOST_READ:
            text = decode(data) if len(data) <= MAX_NOTE else ""
            kept = redact(text).encode("utf-8", "surrogatepass") if text and secret_kinds(text) else data
            write_beneath(self._quarantine, redact(path), kept)
        elif HANDLES and new:
            with open_parent(self._root, path) as (source, name), open_parent(self._quarantine, path, create=True) as (target, _):
                os.replace(name, name, src_dir_fd=source, dst_dir_fd=target)
                with suppress(OSError):
                    os.chmod(name, 0o600, dir_fd=target)

    # bringing back what does

    def _bring_back(self, path: str) -> None:
        before = self._before.look.nodes.get(path)
        if before is not None and before.is_link and path not in self._gated:
            self._link_back(path, before)
            return
        data = self._content(path) if path not in self.done.quarantined else None
        if data is None:
            return
        current = self._read(path)
        now = self._now.nodes.get(path)
        shared = now is not None and before is not None and now.links > before.links
        if current != data or shared:
            self._note(path, current, digest(data))
            write_beneath(self._root, path, data, mode=stat.S_IMODE(before.mode) if before is not None and before.is_file else 0o600)
            self._times_back(path, before)
            self._say_restored(path)
        elif before is not None and before.is_file and path not in self._gated:
            self._marks_back(path, before)

    def _say_restored(self, path: str) -> None:
        if path not in self.done.restored:
            self.done.restored.append(path)

    def _link_back(self, path: str, before: Node) -> None:
        if HANDLES and before.target:
            with open_parent(self._root, path, create=True) as (handle, name), suppress(FileExistsError):
                os.symlink(before.target, name, dir_fd=handle)
                self._say_restored(path)

    def _marks_back(self, path: str, before: Node) -> None:
        """Mode and time of a file whose content is as it was."""
        now = self._now.nodes.get(path)
        if now is None or (now.mode, now.mtime_ns) == (before.mode, before.mtime_ns):
            return
        self._chmod(path, stat.S_IMODE(before.mode))
        self._times_back(path, before)
        self._say_restored(path)

    def _times_back(self, path: str, before: Node | None) -> None:
        if before is None or not before.is_file or path in self._gated or not HANDLES:
            return
        with suppress(OSError, KeepsakeError), open_parent(self._root, path) as (handle, name):
            os.utime(name, ns=(before.mtime_ns, before.mtime_ns), dir_fd=handle, follow_symlinks=False)

    def _chmod(self, path: str, mode: int) -> None:
        with suppress(OSError, KeepsakeError):
            if not HANDLES:
                (self._root / path).chmod(mode)
                return
            with open_parent(self._root, path) as (handle, name):
                if not stat.S_ISLNK(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
                    os.chmod(name, mode, dir_fd=handle)

    # folders

    def _folders(self, nodes: Mapping[str, Node]) -> list[str]:
        return sorted((path for path, node in nodes.items() if node.is_folder), key=lambda path: path.count("/"))

    def _modes_of_folders(self) -> None:
        for path in self._folders(self._before.look.nodes):
            now, before = self._now.nodes.get(path), self._before.look.nodes[path]
            if now is not None and now.is_folder and now.mode != before.mode:
                self._chmod(path, stat.S_IMODE(before.mode))
                self._say_restored(path)

    def _new_folders(self) -> None:
        """Folders that came are removed when nothing is left in them; one that was not looked into is taken out whole."""
        for path in reversed(self._folders(self._now.nodes)):
            if path in self._before.look.nodes and self._before.look.nodes[path].is_folder:
                continue
            if path.rpartition("/")[2] in CLOSED:
                self._tried(path, self._move_out)
            elif HANDLES:
                with suppress(OSError, KeepsakeError), open_parent(self._root, path) as (handle, name):
                    os.rmdir(name, dir_fd=handle)
            else:
                with suppress(OSError):
                    (self._root / path).rmdir()

    def _move_out(self, path: str) -> None:
        if self._private:
            shutil.rmtree(self._root / path)
        else:
            target = self._quarantine / path
            ensure_private_dir(target.parent)
            (self._root / path).rename(target)
            target.chmod(0o700)
        self.done.quarantined.append(path)

    def _lost_folders(self) -> None:
        for path in self._folders(self._before.look.nodes):
            place = self._root / path
            if not os.path.lexists(place):
                with suppress(OSError, KeepsakeError):
                    ensure_private_dir(place)
                    self._chmod(path, stat.S_IMODE(self._before.look.nodes[path].mode))
                    if not any(kept.startswith(f"{path}/") for kept in self._before.look.nodes):
                        self._say_restored(path)

    # the trace

    def _note(self, path: str, found: bytes | None, after: str | None) -> None:
        """A line for the journal: what the command had made of a note, and that it was taken back."""
        if self._private or path[-3:].lower() != ".md" or secret_kinds(path):
            return
        before = digest(found) if found is not None else None
        clean = found is not None and len(found) <= MAX_NOTE and not secret_kinds(decode(found))
        if found is not None and clean:
            with suppress(StorageError):
                self._changing.journal.keep(found)
        if after is not None:
            with suppress(StorageError, NotFoundError):
                self._changing.journal.keep(self._content(path) or b"")
        self._changes.append(self._changing.change("restore", path, before, after, self._origin))

    def _journal(self) -> None:
        changes = [change for change in self._changes if change.before != change.after]
        try:
            self._changing.record_outside(changes)
            gone = tuple(path for path in self.done.quarantined if path[-3:].lower() == ".md")
            if gone and INDEX_NAME in self._gated:
                self._changing.sync_index_with(IndexNews(removed=gone), self._origin)
        except KeepsakeError as error:
            self.done.failed.append(error.message)
