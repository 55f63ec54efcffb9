"""Search over memory: every root of a workspace in one index that is kept in step with the files, which are the truth (FT-01…FT-12).

Owns when the index is looked through, what a search may see (W-14), and what a hit tells. How a root is compared stands in
`memory.search_look`, what of a file is indexed in `memory.search_source`, ranking in `desktop.search`. Knows no model, no tool and no
window. Thread-safe and blocking: call it off the GUI thread.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError, RefusedError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.memory.change import Change
from desktop.memory.foreign import TOOLS
from desktop.memory.known import Seen
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import MemoryRoot
from desktop.memory.search_found import MemoryFound, MemoryHit, memory_hits
from desktop.memory.search_known import KnownFiles
from desktop.memory.search_look import Look, look_at
from desktop.memory.search_scopes import SCOPES, TYPES, Wanted, kinds_of, other_roots, reached_roots, wanted_roots
from desktop.memory.search_source import document_key, posix_path, prefix_of

if TYPE_CHECKING:
    from desktop.search.encoder import Encoder
    from desktop.search.index import Found, Hit, SearchIndex
    from desktop.search.rank import Weights
    from desktop.search.segment import Term

__all__ = ["SCOPES", "TYPES", "MemoryFound", "MemoryHit", "MemorySearch"]

log = logging.getLogger(__name__)
LIMIT, MOST_HITS = 10, 50
ENCODE_S = 1.0
"""What a search gives to vectors that are missing, besides the work in the background; the rest is found by words until then."""

WAIT_S = 0.05
BURST, BURST_S = 64, 1.0
"""More single changes than this within that time are left to the next look at the whole root."""


class MemorySearch:
    """Search over the memory of one profile; one for a process.

    Args:
        paths: the profile.
        clock: for bursts and ages.
        encoder: gives the encoder for search by meaning, or None.
        now_ns: the wall time in ns that files are stamped with.
        weights: of ranking, if not the one table: for benchmarks.
    """

    def __init__(
        self,
        paths: AppPaths,
        clock: Clock,
        *,
        encoder: Callable[[], Encoder | None] | None = None,
        now_ns: Callable[[], int] = time.time_ns,
        weights: Weights | None = None,
    ) -> None:
        self._paths = paths
        self._clock = clock
        self._encoder = encoder
        self._now_ns = now_ns
        self._weights = weights
        self._file = paths.index / "memory.sqlite3"
        self._known = KnownFiles(paths)
        self._lock = threading.RLock()
        """Held while roots are looked through; a search of what is there does not need it."""
        self._opening = threading.Lock()
        self._opened: SearchIndex | None = None
        self._in_step: set[str] = set()
        self._behind: dict[str, int] = {}
        self._swept = False
        self._rebuilt = 0
        self._notes: dict[str, str] = {}
        self._burst: list[float] = []
        self._followed: weakref.WeakSet[Memories] = weakref.WeakSet()

    def _index(self) -> SearchIndex:
        """The index, opened at the first use: start-up does not pay for it."""
        if self._opened is not None:
            return self._opened  # without the lock: a search does not wait while the files are looked through
        with self._opening:
            if self._opened is None:
                from desktop.search.index import SearchIndex

                self._opened = SearchIndex(self._file, encoder=self._encoder, weights=self._weights)
                weakref.finalize(self, self._opened.close)  # closed in order, the next process need not look through it
            return self._opened

    def close(self) -> None:
        """Let go of the index; a later search opens it again."""
        with self._lock, self._opening:
            if self._opened is not None:
                self._opened.close()

    # keeping in step

    def follow(self, memories: Memories) -> None:
        """Take in what the stores of these roots change and purge, at once. Once for each; opens nothing."""
        with self._opening:
            if memories in self._followed:
                return
            self._followed.add(memories)
        memories.changed.subscribe(lambda fact: self._on_change(memories, *fact))
        memories.forgotten.subscribe(lambda root_id: self.forget())

    def reconcile(
        self,
        memories: Memories,
        *,
        stopped: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> int:
        """Bring the index in step with the files of these roots; documents of other projects stay as they are.

        All roots are looked through before anything is taken out (FT-05). What other tools' roots left behind that are off by now goes
        (FT-11). Stopped, it goes on from there the next time.

        Args:
            stopped: asked between files.
            progress: called with the number of files put so far.

        Returns:
            How many documents were put in or taken out.

        Raises:
            StorageError: the index cannot be written now.
        """
        return self._reconcile(memories, memories.roots, stopped, progress, foreign=True)

    def _reconcile(
        self,
        memories: Memories,
        roots: Sequence[MemoryRoot],
        stopped: Callable[[], bool] | None = None,
        progress: Callable[[int], None] | None = None,
        *,
        foreign: bool = False,
    ) -> int:
        with self._lock:
            index, behind = self._index(), dict(self._behind)
            rebuilt = index.rebuilt
            looks = [look_at(memories, root, self._known.of(root.key, root.folder), self._now_ns) for root in roots]
            for look in looks:
                look.have = index.fingerprints(prefix_of(look.root))
            gone = [key for look in looks for key in look.gone()]
            gone += self._left_behind(index, memories) if foreign else []
            put = 0
            paths = [(look, look.changed()) for look in looks]
            if gone or any(changed for _, changed in paths):
                documents = (document for look, changed in paths for document in look.documents(changed, self._now_ns))
                put = index.update(documents, gone, progress=progress, stopped=stopped)
                put += self._again(index, looks) if stopped is None or not stopped() else 0
            self._done(looks, behind, whole=(stopped is None or not stopped()) and index.rebuilt == rebuilt)
            return put + len(gone)

    def _again(self, index: SearchIndex, looks: Sequence[Look]) -> int:
        """What is superseded by a memory that was read after it."""
        paths = [(look, look.outdated()) for look in looks if look.read]
        if not any(outdated for _, outdated in paths):
            return 0
        return index.update(document for look, outdated in paths for document in look.documents(outdated, self._now_ns))

    def _done(self, looks: Sequence[Look], behind: dict[str, int], *, whole: bool) -> None:
        for look in looks:
            self._known.save(look.root.key, look.read)
            self._notes[look.root.key] = look.note
            if whole:
                self._in_step.add(look.root.key)
                if self._behind.get(look.root.key) == behind.get(look.root.key):
                    self._behind.pop(look.root.key, None)

    def _left_behind(self, index: SearchIndex, memories: Memories) -> list[str]:
        """Documents of other tools whose memory is off (`memory.foreign` is the person's for all projects), and, once a process, of
        folders that are not there any more."""
        on = {root.id.split(":")[1] for root in memories.roots if root.kind == "foreign"} | memories.foreign_tools()
        gone = [key for tool in TOOLS if tool not in on for key in index.fingerprints(f"foreign-{tool}")]
        if not self._swept:
            self._swept = True
            here = {root.key for root in memories.roots}
            for key in self._known.abandoned():
                if key not in here:
                    gone += index.fingerprints(f"{key}/")
                    self._known.drop_root(key)
        return gone

    def _fell_behind(self, key: str) -> None:
        self._behind[key] = self._behind.get(key, 0) + 1

    def reconcile_others(
        self, memories: Memories, *, stopped: Callable[[], bool] | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """As `reconcile`, for the own memory of all other projects, one after the other: a person searches in all of them."""
        changed = 0
        for root in other_roots(memories):
            if stopped is not None and stopped():
                break
            before = changed
            changed += self._reconcile(memories, (root,), stopped, None if progress is None else lambda n, b=before: progress(b + n))  # type: ignore[misc]
        return changed

    def note_changed(self, memories: Memories, root_id: str, *paths: str | PurePath) -> None:
        """Take single files in, or out when they are gone: what was just saved is found at once. A root that was never indexed waits.

        Raises:
            StorageError: the index cannot be written now.
        """
        root = next((root for root in memories.roots if root.id == root_id), None)
        if root is None:
            return
        with self._lock:
            if not self._has(root):
                return
            if root.profile == "single":
                self._reconcile(memories, (root,))
                return
            index, known = self._index(), self._known.of(root.key, root.folder)
            before = known.replaced_names()
            wanted = list(dict.fromkeys(path for path in map(posix_path, paths) if self._is_indexed(root, path)))
            look = Look(root, known, {}, Seen(), single=True)
            documents = list(look.documents(wanted, self._now_ns))
            gone = [document_key(root, path) for path in wanted if path not in known.rows]
            if known.replaced_names() != before:
                look.have = index.fingerprints(prefix_of(root)) | look.have
                documents += look.documents([path for path in look.outdated() if path not in wanted], self._now_ns)
            index.update(documents, gone)
            self._known.save(root.key, look.read)

    @staticmethod
    def _is_indexed(root: MemoryRoot, path: str) -> bool:
        return path[-3:].lower() == ".md" and not (root.profile == "index" and path == INDEX_NAME)

    def _has(self, root: MemoryRoot) -> bool:
        """Whether this root is in the index, so that a single change makes it neither whole nor half."""
        if root.key in self._in_step:
            return True
        return self._file.exists() and bool(self._index().fingerprints(prefix_of(root)))

    def _on_change(self, memories: Memories, root_id: str, change: Change) -> None:
        """In the thread that changed a memory. Never raises: the next look finds what was missed here."""
        root = memories.root(root_id)
        if root is None:
            return
        if not self._lock.acquire(timeout=WAIT_S):  # a first look takes seconds, and whoever saves does not wait for it
            self._fell_behind(root.key)
            return
        try:
            now = self._clock.monotonic()
            self._burst = [at for at in self._burst[-BURST:] if 0 <= now - at < BURST_S]
            if len(self._burst) >= BURST:
                self._fell_behind(root.key)
                return
            self._burst.append(now)
            self.note_changed(memories, root_id, *(path for path in (change.path, change.old_path) if path))
        except KeepsakeError as error:
            log.warning("%s is found after the next look only: %s", change.path, error.message)
            self._fell_behind(root.key)
        finally:
            self._lock.release()

    def forget(self) -> None:
        """After a purge: delete the index and what is known of files. The next search fills it again.

        Raises:
            StorageError: a file could not be deleted.
        """
        with self._lock:
            self._in_step.clear()
            self._known.drop()
            self._index().purge()

    def encode(self, stopped: Callable[[], bool] | None = None, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Make the vectors that search by meaning lacks; takes its time, so in the background. How many were made."""
        return self._index().encode(stopped, progress=progress)

    def check(self) -> bool:
        """Look through the whole index; a damaged one is thrown away, and False says so."""
        return self._index().check()

    # searching

    def search(
        self,
        memories: Memories,
        queries: str | Sequence[str],
        *,
        scope: str | None = None,
        scope_id: str | None = None,
        type: str | None = None,  # noqa: A002 - the tool's own name
        reach: Literal["", "folder", "everywhere"] = "",
        limit: int = LIMIT,
        reconcile: bool = True,
        for_model: bool = False,
        dense: bool = True,
    ) -> MemoryFound:
        """What is remembered about something, best first.

        Args:
            memories: the roots of whoever asks.
            queries: a question, or up to four phrasings of it.
            scope: one of `SCOPES`, or another tool's name; None: this project, all projects and the workspace file.
            scope_id: with `projects`: the key of another project.
            type: one of `TYPES`.
            reach: for a person, in place of a scope: every root of the folder, other tools' too where they are on; or of all projects, as
                far as they are indexed (`reconcile_others`).
            limit: hits at most, 1 to 50.
            reconcile: look through the files first, as far as `checkpoint.reconcile_on_search` allows; the first search always does.
            for_model: a model asks: refused while memory is off, here or in the project that is asked for.
            dense: search by meaning too, where an encoder is installed.

        Raises:
            UsageError: there is no such scope, project or type; the message names those that are.
            RefusedError: memory is off and a model asks.
        """
        state = memories.state()
        if for_model and not state.enabled:
            raise RefusedError(state.reason or say("Memory is off."))
        kinds = kinds_of(type)
        if reach:
            wanted, due = reached_roots(memories, everywhere=reach == "everywhere"), reached_roots(memories, everywhere=False)
        else:
            wanted = due = wanted_roots(memories, scope, scope_id, for_model=for_model)
        on_search, floor = memories.search_settings()
        notes = self._brought_in_step(memories, due, always=reconcile and on_search, dense=dense)
        if not wanted.roots:
            return MemoryFound((), (*wanted.notes, *notes))
        found = self._found(queries, wanted, kinds, limit, floor, dense)
        rows = {root.key: self._known.of(root.key, root.folder).rows for root in wanted.roots}
        hits = memory_hits(found.hits, wanted, rows, queries)[: max(1, min(limit, MOST_HITS))]
        return MemoryFound(tuple(hits), (*wanted.notes, *notes, *found.notes))

    def frequencies(self, terms: Sequence[Term]) -> tuple[int, list[int]]:
        """How many passages the index holds, and in how many of them each word stands. Looks through no files."""
        return self._index().frequencies(terms)

    def _found(
        self, queries: str | Sequence[str], wanted: Wanted, kinds: frozenset[str] | None, limit: int, floor: float, dense: bool
    ) -> Found:
        from desktop.memory.recall_kinds import DEPTH, kinds_of_all, with_members
        from desktop.search.index import Within

        within = Within(scopes=tuple((scope, root.key) for scope, root in wanted.scoped), kinds=kinds)
        more = max(1, min(limit, MOST_HITS)) + 10  # files that are gone by now drop out, and a successor may stand further down
        found = self._index().search(queries, limit=more, within=within, floor=floor, dense=dense)
        kinds_asked = kinds_of_all(queries)
        if not kinds_asked:
            return found

        def of_kind(query: str) -> tuple[Hit, ...]:
            return self._index().search(query, limit=DEPTH, within=within, floor=0.0, dense=False).hits

        return replace(found, hits=with_members(found.hits, queries, kinds_asked, of_kind))

    def _brought_in_step(self, memories: Memories, wanted: Wanted, *, always: bool, dense: bool) -> list[str]:
        """Look through what has to be looked through; what the person should know of it."""
        if not self._lock.acquire(blocking=always):
            return [say("Memory is still being indexed; more may be found in a moment.")]
        notes = []
        try:
            self._forget_broken()
            late = [root for root in wanted.roots if always or root.key not in self._in_step or root.key in self._behind]
            self._look_through(memories, late, own=always and not wanted.roots)
            if late and dense:
                self._encode_some()
        except KeepsakeError as error:
            log.warning("memory is searched as it was: %s", error.message)
            notes.append(
                say("The search index could not be brought up to date, so new memories may be missing. {reason}", reason=error.message)
            )
        finally:
            self._lock.release()
        return [*notes, *dict.fromkeys(note for root in wanted.roots if (note := self._notes.get(root.key)))]

    def _look_through(self, memories: Memories, late: Sequence[MemoryRoot], *, own: bool) -> None:
        mine = {root.key for root in memories.roots}
        others = [root for root in late if root.key not in mine]
        if own or len(others) < len(late):
            self.reconcile(memories)
        if others:
            self._reconcile(memories, others)

    def _forget_broken(self) -> None:
        """An index that was made anew since holds nothing of what was in step."""
        rebuilt = self._index().rebuilt
        if rebuilt != self._rebuilt:
            self._rebuilt = rebuilt
            self._in_step.clear()

    def _encode_some(self) -> None:
        until = time.monotonic() + ENCODE_S
        try:
            self.encode(lambda: time.monotonic() > until)
        except KeepsakeError as error:
            log.info("search goes by words alone: %s", error.message)
