"""Acts of several steps that a killed process left: a move between two roots, and a purge. Noted before the first step, carried out later.

Owns `<data>/state/unfinished/acts-<root key>/`, one file an act, each gone when the act is whole. An act is noted only when it can no
longer be taken back, as a plan that holds no text of a memory and may be carried out twice. Used with the store's lock held. Blocking.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.base.errors import KeepsakeError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.textio import atomic_write, digest
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing
from desktop.memory.gate import Actor, Operation
from desktop.memory.purge_plan import Plan, carry_out
from desktop.memory.unfinished import Unfinished

log = logging.getLogger(__name__)
SCHEMA = 1
SUFFIX = ".json"
_ACTIVE: set[str] = set()
"""Acts that this process carries out now: what they have not reached yet is not left over."""

_ACTORS: dict[str, Actor] = {a: a for a in ("main", "extractor", "person", "outside", "dream")}
_OPS: dict[str, Operation] = {o: o for o in ("delete", "restore")}


@dataclass(frozen=True, slots=True)
class Departure:
    """The second half of a move: the memory stands in the other root and still has to leave this one.

    Attributes:
        path, content: what leaves, and the digest that it must have.
        key, other: the other root's key, and the path there.
        group: of the move.
        op, undoes: delete, or restore with the id of the arrival that it takes back.
        actor: who moved it.
    """

    path: str
    content: str
    key: str
    other: str
    group: str
    op: Operation = "delete"
    undoes: str = ""
    actor: Actor = "person"

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def departure_from(record: dict[str, Any]) -> Departure | None:
    """The departure that `to_json` wrote, or None."""
    texts = [record.get(name) for name in ("path", "content", "key", "other", "group", "undoes")]
    op, actor = _OPS.get(str(record.get("op"))), _ACTORS.get(str(record.get("actor")))
    if op is None or actor is None or not all(isinstance(value, str) for value in texts):
        return None
    path, content, key, other, group, undoes = map(str, texts)
    return Departure(path, content, key, other, group, op, undoes, actor)


class Pending:
    """The acts of one root that are being carried out."""

    def __init__(self, paths: AppPaths, key: str) -> None:
        self._paths = paths
        self._key = key
        self.folder = paths.state / "unfinished" / f"acts-{key}"

    @property
    def there(self) -> bool:
        try:
            with os.scandir(self.folder) as entries:  # the folder stays: another act may be noted while this one ends
                return any(entry.name.endswith(SUFFIX) for entry in entries)
        except OSError:
            return False

    @contextmanager
    def begun(self, identity: str, act: Departure) -> Iterator[None]:
        """Note an act for the block that carries it out. After a failure that was taken back it is noted no more; a kill leaves the note.

        Raises:
            StorageError: it could not be noted.
        """
        self.note(identity, act)
        _ACTIVE.add(identity)
        try:
            yield
            self.end(identity)
        except KeepsakeError:
            self.end(identity)
            raise
        finally:
            _ACTIVE.discard(identity)

    def note(self, identity: str, act: Departure | Plan) -> None:
        """Note an act that was decided.

        Raises:
            StorageError: it could not be noted.
        """
        kind = "departure" if isinstance(act, Departure) else "purge"
        record = {"schema": SCHEMA, "kind": kind, **act.to_json()}
        atomic_write(ensure_private_dir(self.folder) / f"{identity}{SUFFIX}", json.dumps(record).encode())

    def end(self, identity: str) -> None:
        """The act is whole, or was taken back."""
        try:
            (self.folder / f"{identity}{SUFFIX}").unlink(missing_ok=True)
        except OSError as error:  # it is looked at again, and found done
            log.warning("%s could not be removed: %s", self.folder / identity, error)

    def finish(self, changing: Changing) -> bool:
        """Carry out what was left; whether a purge was among it. One that cannot be finished now waits for the next time. Never raises."""
        purged = False
        if not self.there:
            return purged
        for file in sorted(self.folder.glob(f"*{SUFFIX}")):
            try:
                done = self._finish(file, changing)
            except (KeepsakeError, OSError) as error:
                log.warning("an interrupted act of memory waits: %s", error)
                continue
            if done:
                purged |= file.stem.startswith("purge-")
                self.end(file.stem)
        return purged

    def _finish(self, file: Path, changing: Changing) -> bool:
        try:
            record = json.loads(file.read_bytes())
        except ValueError:
            return True
        if not isinstance(record, dict) or record.get("schema") != SCHEMA:
            return not isinstance(record, dict)
        if record.get("kind") == "purge":
            plan = Plan.from_json(record)
            if plan is not None:
                carry_out(plan, changing.journal)
            return True
        departure = departure_from(record)
        if departure is None:
            return True
        if self._waits(departure):
            return False
        return self.depart(departure, changing) is not None or departure.group not in _ACTIVE

    def _waits(self, departure: Departure) -> bool:
        """Whether the other root still has to finish its half first."""
        return Unfinished(self._paths, departure.key).there

    def depart(self, departure: Departure, changing: Changing) -> Change | None:
        """Let a memory leave that surely stands in the other root; None when it does not, or is another one here by now."""
        if changing.journal.beside(departure.key).content(departure.other) != departure.content:
            return None
        data = changing.current(departure.path)
        if data is None or digest(data) != departure.content:
            return None
        origin = ChangeOrigin(departure.actor, reason="moved to another place of memory")
        with changing.grouped(departure.group):
            change = changing.remove(departure.path, data, departure.op, origin, undoes=departure.undoes)
            return changing.follow(change, data, None)
