"""Repairs of an index that need no judgement: missing lines, lines without a file, content moved into files, own lines shortened.

Owns the order of the repairs. Everything goes through the store's lock and journal as one act, and can be undone. Blocking.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from desktop.base.clock import iso
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import say
from desktop.memory.frontmatter import decode_text, encode_text, parse, serialise
from desktop.memory.health_index import dangling_entries, leads_to_file, lines_of_notes, told_together
from desktop.memory.health_overflow import is_topic_index, told_by
from desktop.memory.health_text import Links
from desktop.memory.index_burst import synced_many
from desktop.memory.index_keeper import LINE_MOST, IndexKeeper
from desktop.memory.index_split import split_plan
from desktop.memory.index_text import entries_of, item_end, relinked, subjects_of, without_link
from desktop.memory.note import INDEX_NAME, Note, is_text
from desktop.memory.stamp import stamped

if TYPE_CHECKING:
    from desktop.memory.changing import Changing
    from desktop.memory.journal import Change, ChangeOrigin
    from desktop.memory.store import MemoryStore


def apply_split(store: MemoryStore, origin: ChangeOrigin) -> list[Change]:
    """`index_split.split_index`."""
    return repair_index(store, frozenset(("inline-content",)), origin)


def repair_index(store: MemoryStore, kinds: frozenset[str], origin: ChangeOrigin) -> list[Change]:
    """`health.repair`: one act, which one undo takes back."""
    if store.memory_root.profile != "index" or not kinds:
        return []
    lines = kinds - {"inline-content"}
    origin = replace(origin, reason=origin.reason or say("repair of the index")) if lines else origin
    with store.exclusive() as changing, changing.grouped(changing.new_group()):
        store.gate("write", INDEX_NAME, "", origin)  # its words are memory already: who asks, and whether it may be written now, is judged
        before = changing.current(INDEX_NAME)
        text, encoding, bom = decode_text(before or b"")
        changes, edited = _split(store, changing, text, origin) if "inline-content" in kinds else ([], text)
        if lines:
            edited = _mended(store, IndexKeeper(store.root), edited, store.notes(), lines)
        if edited != text:
            changes.append(changing.apply(INDEX_NAME, before, bom + encode_text(edited, encoding), "write", origin))
    return changes


def _split(store: MemoryStore, changing: Changing, text: str, origin: ChangeOrigin) -> tuple[list[Change], str]:
    """Files of their own for what stands in an index text, and the text without it."""
    plan = split_plan(text, store.notes())
    changes: list[Change] = []
    for path, content in (*plan.files, (INDEX_NAME, plan.index_text)) if plan.files else ():
        store.gate("write", path, content, origin)
    for path, content in plan.files:
        now = iso(changing.change("write", path, None, None, origin).time)
        document = stamped(parse(encode_text(content, "utf-8")), now=now, session_id="", message_id="", previous=None)
        changes.append(changing.apply(path, None, serialise(document), "write", origin))
    return changes, plan.index_text if plan.files else text


def told_in_topics(root: Path, notes: list[Note]) -> frozenset[str]:
    """Paths of the memories that the topic indexes of a root lead to."""
    links, lists = Links(), set[str]()
    for note in notes:
        if note.type != "reference" or "/" in note.path:
            continue
        try:
            document = parse(read_beneath(root, note.path))
        except KeepsakeError:
            continue
        if is_topic_index(document):
            lists.add(note.path)
            links.add(note.path, document)
    return told_by(links.found, frozenset(lists), notes)


def _mended(store: MemoryStore, keeper: IndexKeeper, text: str, notes: list[Note], kinds: frozenset[str]) -> str:
    if "dangling-line" in kinds:
        text = _without_dangling(store.root, text, notes)
    if "long-line" in kinds:
        text = _shortened(keeper, text, notes)
    if "missing-line" in kinds:
        stands_for, told = lines_of_notes(entries_of(text), notes), told_in_topics(store.root, notes)
        lost = [
            note for note in reversed(notes) if note.path not in stands_for and note.path not in told and is_text(note.path)
        ]  # the newest last, as if each came just now
        text = _with_lost(keeper, text, notes, lost)
    return text


def _with_lost(keeper: IndexKeeper, text: str, notes: list[Note], lost: list[Note]) -> str:
    """The text with a line for each of these notes."""
    text = synced_many(keeper, text, added=lost, renamed=[], removed=[], known=[])
    stands_for, together = lines_of_notes(entries_of(text), notes), told_together(text, entries_of(text))
    for note in lost:
        if note.path not in stands_for and note.path not in together:  # a [[name]] that it shares with another one stands for that
            text = keeper.with_line(text, note)
    return text


def mended_lines(root: Path, keeper: IndexKeeper, text: str, notes: list[Note], kind: str, about: frozenset[str]) -> str:
    """Some repairs of an index text: the lines of memories at these paths added, or the lines that lead to these missing ones dropped."""
    if kind == "dangling-line":
        return _without_dangling(root, text, notes, only=about)
    stands_for = lines_of_notes(entries_of(text), notes)
    return _with_lost(keeper, text, notes, [note for note in reversed(notes) if note.path in about and note.path not in stands_for])


def _without_dangling(root: Path, text: str, notes: list[Note], *, only: frozenset[str] | None = None) -> str:
    """The text without lines that lead nowhere; `only`: those that lead to these targets.

    One whose file now lies elsewhere, under the same name and without a line, is led there; one that leads to other files too, which are
    there, or that says something before its link, only loses the link.
    """
    paths = frozenset(note.path for note in notes)
    entries = entries_of(text)
    lines, starts = text.split("\n"), frozenset(entry.line for entry in entries)
    moved = _by_file_name(notes, lines_of_notes(entries, notes))
    gone: set[int] = set()
    for entry in dangling_entries(root, entries, notes):
        target = entry.target or ""
        if only is not None and target not in only:
            continue
        place = moved.pop(PurePosixPath(target).name, None)
        if place is not None:
            lines[entry.line] = relinked(lines[entry.line], target, place)
        elif entry.late or any(leads_to_file(root, other, paths) for other in subjects_of(lines[entry.line])):
            lines[entry.line] = without_link(lines[entry.line], target)
        else:
            gone.update(range(entry.line, item_end(lines, entry.line, starts) + 1))
    return "\n".join(line for number, line in enumerate(lines) if number not in gone)


def _by_file_name(notes: list[Note], stands_for: dict[str, int]) -> dict[str, str]:
    """Paths of notes without a line by their file name, where it is the only one of that name."""
    names: dict[str, list[str]] = {}
    for note in notes:
        names.setdefault(PurePosixPath(note.path).name, []).append(note.path)
    return {name: paths[0] for name, paths in names.items() if len(paths) == 1 and paths[0] not in stands_for}


def _shortened(keeper: IndexKeeper, text: str, notes: list[Note]) -> str:
    """The text with our own lines back at their length; those of other hands stay."""
    lines, by_path = text.split("\n"), {note.path: note for note in notes}
    for path, number in lines_of_notes(entries_of(text), notes).items():
        line = lines[number].rstrip("\r")
        if len(line) > LINE_MOST and keeper.is_own(line, by_path[path]):
            lines[number] = keeper.line_for(by_path[path]) + lines[number][len(line) :]
    return "\n".join(lines)
