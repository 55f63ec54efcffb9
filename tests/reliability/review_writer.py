"""The review inbox for the rig: whatever happens, a proposal is applied once or waits, and is never both or neither."""

from __future__ import annotations

from pathlib import Path

from desktop.base.errors import NotFoundError
from desktop.memory.proposals import Proposal, Proposals
from tests.reliability.writers import MAIN, MemoryWriter, State
from tests.unit.memory.conftest import note_text

NEW, CHANGED, GONE, REFUSED, TAKEN = "new.md", "one.md", "two.md", "refused.md", "taken.md"


class ReviewWriter(MemoryWriter):
    """Each act is one word of the person, or one proposal that comes in."""

    acts = ("propose", "replace", "accept", "accept-change", "accept-delete", "reject", "back-accepted", "back-rejected")

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.inbox: Proposals = self.store.proposals
        self._accepted = root / "accepted"
        self._ids: dict[str, str] = {}

    def prepare(self) -> None:
        super().prepare()
        self._propose(NEW, "A new fact waits.")
        self._propose(CHANGED, "The build runs with deno.")
        self._propose(GONE, "")
        refused = self._propose(REFUSED, "A fact that was refused.")
        self.inbox.reject(refused.id)
        taken = self._propose(TAKEN, "A fact that was accepted.")
        change = self.inbox.accept(taken.id, self.store)
        self._accepted.write_text(f"{taken.id} {change.id} {refused.id}")

    def _propose(self, path: str, body: str) -> Proposal:
        try:
            stored = self.store.read(path)
            base, base_text = stored.digest, stored.text
        except NotFoundError:
            base, base_text = None, ""
        text = note_text(path.removesuffix(".md"), body) if body else ""
        made = self.inbox.add(
            "write" if body else "delete", path, text, base=base, base_text=base_text, origin=MAIN, reason="it waits", rule="review"
        )
        found = made or next((one for one in self.inbox.waiting() if one.path == path and one.text == text), None)
        assert found is not None, path
        return found

    def before(self, act: str) -> None:
        """The person sees the list before they decide."""
        self._ids = {one.path: one.id for one in self.inbox.waiting()}

    def act(self, name: str) -> None:
        taken, change, refused = self._accepted.read_text().split()
        if name == "propose":
            self._propose("later.md", "Another new fact.")
        elif name == "replace":
            self._propose(NEW, "A newer fact waits.")
        elif name.startswith("accept"):
            path = {"accept": NEW, "accept-change": CHANGED, "accept-delete": GONE}[name]
            self.inbox.accept(self._ids[path], self.store)
        elif name == "reject":
            self.inbox.reject(self._ids[NEW])
        elif name == "back-accepted":
            self.inbox.take_back(taken, self.store, change_id=change)
        else:
            self.inbox.take_back(refused, self.store)

    def step(self, number: int) -> None:
        """A proposal that comes in; every other one is accepted."""
        made = self._propose(f"note-{number}.md", f"fact {number}")
        if number % 2:
            self.inbox.accept(made.id, self.store)

    def state(self) -> State:
        found = super().state()
        waiting = self.inbox.waiting()
        assert self.inbox.damaged == 0
        assert len({one.path for one in waiting}) == len(waiting), "two wait for one path"
        told = "\n".join(sorted(f"{one.op} {one.path} {one.text}" for one in waiting))
        return {**found, "waiting": told.encode()}

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        found = self.state()
        waiting = {one.path for one in self.inbox.waiting()}
        wrong = []
        for number in acknowledged:
            path = f"note-{number}.md"
            times = sum(change.path == path for change in self.store.changes(100_000))
            right = (path in found, path in waiting, times) == ((True, False, 1) if number % 2 else (False, True, 0))
            wrong += [] if right else [f"{path}: there {path in found}, waits {path in waiting}, changed {times} times"]
        both = [path for path in waiting if path.startswith("note-") and path in found]
        return wrong + [f"{path} is applied and waits" for path in both]
