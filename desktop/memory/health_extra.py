"""Repairs of files as wholes: too long, with several names, of unreadable bytes; and of an index of short lines that is over its limit.

Owns which of them can be made of a problem, and the edits on the draft; what becomes of the texts is `health_long`, `health_bytes` and
`health_overflow`. Writes nothing. Blocking where the draft reads.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping

from desktop.base.phrases import say
from desktop.memory.frontmatter import decode_text, parse
from desktop.memory.health_bytes import as_utf8, good_version, is_text, without_nul
from desktop.memory.health_draft import Draft
from desktop.memory.health_long import split_by_sections
from desktop.memory.health_making import Making, NotPossibleError, gone
from desktop.memory.health_overflow import FULL_BYTES, can_move_out, is_topic_index, moved_out, trimmed
from desktop.memory.health_text import Problem
from desktop.memory.note import INDEX_NAME

Edit = Callable[[Draft, Problem, Making], None]


def _split_sections(draft: Draft, problem: Problem, making: Making) -> None:
    data = draft.read(problem.path)
    if data is None:
        raise gone(problem)
    taken = [one for note in draft.notes for one in (note.path, note.name)]
    split = split_by_sections(problem.path, parse(data), taken)
    if split is None:
        raise NotPossibleError(
            say("{path} has no headings by which it could be split.", path=problem.path),
            hint=say("Open it at the line where its cut is, and move what follows into memories of one subject each."),
        )
    for path, piece in split.pieces:
        draft.put(path, piece)
    draft.put(problem.path, split.rest)


def _own_copy(draft: Draft, problem: Problem, making: Making) -> None:
    if not _has_several_names(draft, problem):
        raise gone(problem)
    draft.renew(problem.path)


def _has_several_names(draft: Draft, problem: Problem) -> bool:
    try:
        status = os.lstat(draft.root / problem.path)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_nlink > 1 and draft.read(problem.path) is not None


def _save_utf8(draft: Draft, problem: Problem, making: Making) -> None:
    _replace(draft, problem, as_utf8(draft.read(problem.path) or b""))


def _drop_nul(draft: Draft, problem: Problem, making: Making) -> None:
    _replace(draft, problem, without_nul(draft.read(problem.path) or b""))


def _last_good(draft: Draft, problem: Problem, making: Making) -> None:
    now = draft.read(problem.path) or b""
    _replace(draft, problem, good_version(draft.versions(problem.path), now))


def _replace(draft: Draft, problem: Problem, data: bytes | None) -> None:
    now = draft.read(problem.path)
    if now is None or (is_text(now) and not draft.touched(problem.path)):
        raise gone(problem)
    if is_text(now):
        return  # an earlier repair of the same act did it
    if data is None:
        raise NotPossibleError(
            say("{path} cannot be fixed in this way.", path=problem.path), hint=say("Open the folder, and write the file anew.")
        )
    draft.put(problem.path, data)


def _trim_hooks(draft: Draft, problem: Problem, making: Making) -> None:
    made = trimmed(draft.text(INDEX_NAME), making.limits) if draft.profile == "index" else None
    if made is None:
        raise NotPossibleError(say("Shorter descriptions alone do not bring the index under its limit."))
    draft.put_text(INDEX_NAME, made)


def _move_out(draft: Draft, problem: Problem, making: Making) -> None:
    text = draft.text(INDEX_NAME)
    made = moved_out(text, making.limits, draft.notes, _open_topic(draft)) if draft.profile == "index" else None
    if made is None:
        raise NotPossibleError(say("The lines that may go do not bring the index under its limit: the others are pinned, or no memory's."))
    draft.put(made.path, made.data)
    draft.put_text(INDEX_NAME, made.text)


def _open_topic(draft: Draft) -> tuple[str, bytes] | None:
    """The newest topic index that has room for more lines."""
    for note in draft.notes:
        data = draft.read(note.path) if note.type == "reference" and "/" not in note.path and note.size < FULL_BYTES else None
        if data is not None and is_topic_index(parse(data)):
            return note.path, data
    return None


EXTRA: Mapping[str, Edit] = {
    "split-sections": _split_sections,
    "own-copy": _own_copy,
    "save-utf8": _save_utf8,
    "drop-nul": _drop_nul,
    "last-good": _last_good,
    "trim-hooks": _trim_hooks,
    "move-out": _move_out,
}


def may_be_made_too(draft: Draft, name: str, problem: Problem, making: Making) -> bool:
    """Whether a repair can be made; those that are not of this module can."""
    if problem.kind == "unreadable":
        return _may_mend_bytes(draft, name, problem)
    if name == "own-copy":
        return _has_several_names(draft, problem)
    if name == "split-sections":
        indexed = problem.path == INDEX_NAME and draft.profile != "sections"
        data = draft.read(problem.path) if not indexed else None
        return data is not None and split_by_sections(problem.path, parse(data), ()) is not None
    if name in ("trim-hooks", "move-out"):
        text = decode_text(draft.read(INDEX_NAME) or b"")[0] if draft.profile == "index" else ""
        if name == "trim-hooks":
            return trimmed(text, making.limits) is not None
        return can_move_out(text, making.limits, draft.notes)
    return True


def _may_mend_bytes(draft: Draft, name: str, problem: Problem) -> bool:
    data = draft.read(problem.path)
    if data is None or is_text(data):
        return False
    if name == "save-utf8":
        return as_utf8(data) is not None
    if name == "drop-nul":
        return without_nul(data) is not None
    if name == "last-good":
        return good_version(draft.versions(problem.path), data) is not None
    return name == "delete" and problem.path != INDEX_NAME and not data.strip(b"\x00 \r\n\t")
