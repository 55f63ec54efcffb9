"""The search index for the rig: files that are the truth, and an index that must never say of one what it does not hold.

SQLite's own calls do not pass through the rig's wrappers; it is killed and failed at ours (files, locks, records beside the index), and at
any moment by time.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.textio import atomic_write, fsync_dir
from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage, sections
from tests.reliability.writers import State, Writer

STORED = (
    "SELECT d.key, d.fingerprint, c.body FROM document AS d JOIN passage AS p ON p.document = d.id JOIN content AS c ON c.id = p.id "
    "WHERE p.place = 0"
)


def fingerprint_of(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def text_of(name: str, word: str) -> str:
    """A file of several sections, all with the same word."""
    return "\n\n".join(f"{name} says {word}, part {part}. 端口 5433 {'x' * 300}" for part in range(4))


class SearchWriter(Writer):
    """Acts change a file and take the change into the index, as those who save memories and transcripts do."""

    acts = ("add", "change", "remove", "purge", "scrub")

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.files = root / "files"
        self.index = SearchIndex(root / "data" / "index" / "index.sqlite")

    def prepare(self) -> None:
        self.files.mkdir()
        for name in ("one", "two", "three"):
            self._save(name, f"word{name}")
        self.index.close()

    def _document(self, name: str) -> Document:
        data = (self.files / name).read_bytes()
        text = data.decode()
        return Document(name, "s", "x", "k", fingerprint_of(data), tuple(Passage(text[a:b]) for a, b in sections(text)))

    def _save(self, name: str, word: str) -> None:
        atomic_write(self.files / name, text_of(name, word).encode())
        self.index.update([self._document(name)])

    def _delete(self, name: str) -> None:
        try:
            (self.files / name).unlink(missing_ok=True)
            fsync_dir(self.files)
        except OSError as error:
            raise StorageError(f"{name} could not be deleted") from error

    def act(self, name: str) -> None:
        if name == "add":
            self._save("four", "wordfour")
        elif name == "change":
            self._save("one", "wordother")
        elif name == "remove":
            self._delete("two")
            self.index.update([], ["two"])
        elif name == "purge":
            self.index.purge()
        else:
            self.index.scrub()

    def step(self, number: int) -> None:
        self._save(f"note-{number}" if number % 3 else "counter", f"word{number}")

    def _checked(self) -> dict[str, str]:
        """Fingerprints of the index; each of them tells the truth about what is stored under its key."""
        rows: list[tuple[str, str, str]] = []
        rows = self.index._store.read(lambda connection: connection.execute(STORED).fetchall(), rows)
        for name, fingerprint, body in rows:
            who, _, rest = body.partition(" says ")
            assert fingerprint == fingerprint_of(text_of(who, rest.partition(",")[0]).encode()), (name, body)
        return self.index.fingerprints()

    def _reconciled(self) -> dict[str, str]:
        have = self._checked()
        there = {path.name: self._document(path.name) for path in self.files.iterdir() if not path.name.endswith(".tmp")}
        changed = [one for name, one in there.items() if have.get(name) != one.fingerprint]
        self.index.update(changed, [name for name in have if name not in there])
        assert self.index.check()
        return self._checked()

    def state(self) -> State:
        found = self._reconciled()
        assert self.index.count() == (len(found), 4 * len(found)), "no document is there twice"
        words = ("wordone", "wordtwo", "wordthree", "wordfour", "wordother")
        answers = {word: " ".join(sorted({hit.document for hit in self.index.search(word, limit=20).hits})) for word in words}
        self.index.close()
        return {**{name: fingerprint.encode() for name, fingerprint in found.items()}, **{k: v.encode() for k, v in answers.items()}}

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        before = self._checked()
        wrong = [f"note {n} is not in the index" for n in acknowledged if n % 3 and f"note-{n}" not in before]
        if self.index.rebuilt:
            wrong.append("the index was thrown away")
        self._reconciled()
        for number in acknowledged[-5:]:
            found = {hit.document for hit in self.index.search(f"word{number}", limit=20).hits}
            wrong += [f"note {number} is not found"] if number % 3 and f"note-{number}" not in found else []
        count, documents = self.index.count(), len(self.index.fingerprints())
        wrong += [f"{count} documents and passages for {documents} keys"] if count != (documents, 4 * documents) else []
        self.index.close()
        return wrong
