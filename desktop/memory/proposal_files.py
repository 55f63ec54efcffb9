"""The files of one review inbox: what waits, what was decided in the last 30 days, and the digests of what was rejected.

Owns `<data>/state/review/<root key>/` with `decided/` and `rejected/` below it, who may read what, and what becomes of a damaged file: it
is skipped, counted and never changed. Decides nothing about memory; whoever changes files holds the inbox's lock. Blocking.
"""

from __future__ import annotations

import errno
import logging
import os
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from desktop.base.clock import iso
from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, fsync_dir
from desktop.memory.proposal import PROPOSAL_ID, NewerSchemaError, Proposal, proposal_from_json, proposal_to_json

log = logging.getLogger(__name__)
KEPT_FOR = timedelta(days=30)
"""How long a decision can be taken back."""

MAX_FILE = 64 << 20
SUFFIX, DAMAGED = ".json", ".damaged"
_Print = tuple[int, int, int]


def review_folder(paths: AppPaths, key: str) -> Path:
    """Where the inbox of the root with this key lies."""
    return paths.state / "review" / key


class ProposalFiles:
    """Reads and writes the files; what was read once is read again only when the file became another one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.decided = folder / "decided"
        self._rejected = folder / "rejected"
        self._read: dict[str, tuple[_Print, Proposal]] = {}

    # reading

    def scan(self, *, strict: bool = False) -> tuple[list[Proposal], list[Path]]:
        """Every proposal in the folder, and the files that cannot be read. A newer program's are neither.

        Args:
            strict: for those who decide: a file that cannot be read for now is an error, so that it is not taken for one that is gone.

        Raises:
            StorageError: see `strict`.
        """
        found: dict[str, tuple[_Print, Proposal]] = {}
        damaged: list[Path] = []
        for entry in _proposal_entries(self.folder):
            try:
                found[entry.name] = self._known(entry)
            except (FileNotFoundError, NewerSchemaError):  # the first was decided at this moment
                continue
            except (OSError, ValueError) as error:
                if strict and isinstance(error, OSError) and error.errno != errno.ELOOP:
                    raise _unreadable(Path(entry.path), error) from error
                log.info("%s is no proposal: %s", entry.path, error)
                damaged.append(Path(entry.path))
        self._read = found
        return [proposal for _, proposal in found.values()], damaged

    def _known(self, entry: os.DirEntry[str]) -> tuple[_Print, Proposal]:
        status = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE:
            raise ValueError("no plain file of a proposal's size")
        now = (status.st_mtime_ns, status.st_size, status.st_ino)
        known = self._read.get(entry.name)
        return known if known is not None and known[0] == now else (now, _loaded(Path(entry.path)))

    def decision(self, proposal_id: str) -> Proposal | None:
        """A proposal that was decided and is still kept; None when it is not.

        Raises:
            StorageError: it cannot be read for now.
        """
        if not PROPOSAL_ID.fullmatch(proposal_id):
            return None
        file = self.decided / f"{proposal_id}{SUFFIX}"
        try:
            return _loaded(file)
        except (FileNotFoundError, ValueError):
            return None
        except OSError as error:
            raise _unreadable(file, error) from error

    def decisions(self, *, strict: bool = False) -> Iterator[tuple[Proposal, datetime]]:
        """What was decided and is still kept, with when that was, newest first. What is damaged is passed over.

        Args:
            strict: as for `scan`: a file that cannot be read for now is not taken for one that is gone.

        Raises:
            StorageError: see `strict`.
        """
        dated: list[tuple[float, Path]] = []
        for entry in _proposal_entries(self.decided):
            with suppress(OSError):
                dated.append((entry.stat(follow_symlinks=False).st_mtime, Path(entry.path)))
        for moment, file in sorted(dated, key=lambda one: (one[0], one[1].name), reverse=True):
            try:
                yield _loaded(file), datetime.fromtimestamp(moment, UTC)
            except (FileNotFoundError, ValueError, OverflowError):
                continue
            except OSError as error:
                if strict and error.errno != errno.ELOOP:
                    raise _unreadable(file, error) from error

    def was_rejected(self, key: str) -> bool:
        return (self._rejected / key).exists()

    # changing

    def put(self, proposal: Proposal) -> None:
        """Write a proposal that waits.

        Raises:
            StorageError: it could not be kept.
        """
        atomic_write(ensure_private_dir(self.folder) / f"{proposal.id}{SUFFIX}", proposal_to_json(proposal))

    def settle(self, proposal: Proposal, moment: datetime) -> None:
        """Move a proposal that is decided; the time of the file is that of the decision.

        Raises:
            StorageError: it could not be moved.
        """
        file = self.folder / f"{proposal.id}{SUFFIX}"
        with suppress(OSError):
            os.utime(file, (moment.timestamp(), moment.timestamp()))
        _renamed(file, ensure_private_dir(self.decided) / file.name)

    def bring_back(self, proposal: Proposal) -> None:
        """Let a proposal that was decided wait again; its text is no rejected one any more.

        Raises:
            StorageError: it could not be moved.
        """
        with suppress(OSError):
            (self._rejected / proposal.key).unlink(missing_ok=True)
        name = f"{proposal.id}{SUFFIX}"
        _renamed(self.decided / name, ensure_private_dir(self.folder) / name)

    def remember_rejected(self, key: str, moment: datetime) -> None:
        """Keep the digest of a rejected text, and when that was; on disk when this returns.

        Raises:
            StorageError: it could not be kept.
        """
        atomic_write(ensure_private_dir(self._rejected) / key, iso(moment).encode())

    def forget(self, paths: Collection[str], holds: Callable[[str], bool] | None) -> int:
        """Remove every file, waiting or decided, damaged ones too, that is about one of the paths or that `holds` recognises.

        Raises:
            StorageError: one could not be removed.
        """
        gone = [file for file in self._all() if _concerns(file, paths, holds)]
        for file in gone:
            _unlinked(file)
        self._read.clear()
        return len(gone)

    def set_aside(self) -> tuple[Path, ...]:
        """Rename the files that cannot be read, so that they are counted no more; where they are now.

        Raises:
            StorageError: one could not be renamed.
        """
        return tuple(_renamed(file, file.with_name(f"{file.name}{DAMAGED}")) for file in self.scan()[1])

    def sweep(self, now: datetime) -> None:
        """Throw away decisions that can no longer be taken back. Never raises."""
        limit = (now - KEPT_FOR).timestamp()
        for entry in _entries(self.decided):
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < limit:
                    Path(entry.path).unlink()

    def _all(self) -> list[Path]:
        found = [entry for folder in (self.folder, self.decided) for entry in _entries(folder)]
        return [Path(entry.path) for entry in found if not entry.is_dir(follow_symlinks=False)]


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _proposal_entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    return (entry for entry in _entries(folder) if entry.name.endswith(SUFFIX) and not entry.name.startswith("."))


def _loaded(file: Path) -> Proposal:
    """The proposal in a file; the name must be its own id."""
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as stream:
        proposal = proposal_from_json(stream.read(MAX_FILE))
    if proposal.id != file.name.removesuffix(SUFFIX):
        raise ValueError("another id than its name says")
    return proposal


def _unreadable(file: Path, error: OSError) -> StorageError:
    return StorageError(say("{path} could not be read ({reason}).", path=file, reason=os_reason(error)), detail=str(error))


def _concerns(file: Path, paths: Collection[str], holds: Callable[[str], bool] | None) -> bool:
    try:
        proposal = _loaded(file)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return _shows(file, paths, holds)
    if proposal.path in paths:
        return True
    said = (proposal.text, proposal.base_text, proposal.quote, proposal.reason, proposal.origin.reason)
    return holds is not None and any(holds(text) for text in said if text)


def _shows(file: Path, paths: Collection[str], holds: Callable[[str], bool] | None) -> bool:
    """Whether a file that is no proposal (damaged, torn, a newer program's) names one of the paths or shows the text."""
    try:
        raw = file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return False
    plain = raw.encode("ascii", "replace").decode("unicode_escape", "replace")
    if any(f'"{path}"' in text for path in paths for text in (raw, plain)):
        return True
    return holds is not None and (holds(raw) or holds(plain))


def _unlinked(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
        fsync_dir(file.parent)
    except OSError as error:
        raise StorageError(say("{path} could not be removed ({reason}).", path=file, reason=os_reason(error)), detail=str(error)) from error


def _renamed(source: Path, target: Path) -> Path:
    """Move a file, on disk when this returns; one that cannot be flushed stays where it was."""
    try:
        source.replace(target)
        try:
            fsync_dir(target.parent)
            fsync_dir(source.parent)
        except OSError:
            with suppress(OSError):
                target.replace(source)
            raise
    except OSError as error:
        raise StorageError(say("{path} could not be moved ({reason}).", path=source, reason=os_reason(error)), detail=str(error)) from error
    return target
