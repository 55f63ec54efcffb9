"""What each one-click repair does to the files of a root, on paper: one function a repair, by the problem that it mends.

Owns the edits themselves. Reads through the draft, writes nothing, knows no journal. A repair whose problem is gone by then, or that cannot
be made without doubt, raises `NotPossibleError`. Blocking where the draft reads.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from desktop.base.clock import iso
from desktop.base.phrases import say
from desktop.base.redact import find_secrets
from desktop.base.textio import digest
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import encode_text, parse, serialise
from desktop.memory.header_field import with_field
from desktop.memory.header_repair import repaired_header
from desktop.memory.health_dates import dated, words_on
from desktop.memory.health_draft import Draft
from desktop.memory.health_extra import EXTRA, may_be_made_too
from desktop.memory.health_file import SUPERSEDED_BY, VERIFIED
from desktop.memory.health_index import lines_of_notes
from desktop.memory.health_making import Making, NotPossibleError, gone
from desktop.memory.health_overflow import is_topic_index
from desktop.memory.health_text import Problem
from desktop.memory.index_keeper import LINE_WISH, IndexKeeper
from desktop.memory.index_repair import mended_lines
from desktop.memory.index_split import split_plan
from desktop.memory.index_text import entries_of, link_end, read_entry, relinked, subjects_of, without_link
from desktop.memory.links import relink
from desktop.memory.note import INDEX_NAME, Note, one_line

NEAR_NAME = 0.72
"""How alike a name must be to the one that a dangling link names."""

_WIKI_LINK = r"\[\[{name}(?:\.md)?(?P<anchor>#[^\[\]|\n]*)?(?:\|(?P<label>[^\[\]\n]*))?\]\]"


Edit = Callable[[Draft, Problem, Making], None]
Passed = list[tuple[Problem, str]]
"""Problems that could not be mended, with why."""


def _here(draft: Draft, problem: Problem) -> Note:
    note = draft.note(problem.path)
    if note is None or draft.is_gone(problem.path):
        raise gone(problem)
    return note


# two memories


def keeps(one: Note, two: Note) -> tuple[Note, Note]:
    """Of two memories that say the same: the one that stays, and the one that goes. The pinned one stays, else the newer."""
    first, second = sorted((one, two), key=lambda note: (note.pinned, note.explicit, note.modified, note.path), reverse=True)
    return first, second


def _keep_newer(draft: Draft, problem: Problem, making: Making) -> None:
    pair = _pair(draft, problem)
    if pair is not None:
        _leave(draft, *pair)


def _merge(draft: Draft, problem: Problem, making: Making) -> None:
    """The one that stays gets the lines that only the other one has."""
    pair = _pair(draft, problem)
    if pair is None:
        return
    stays, goes = pair
    kept, lost = parse(draft.read(stays.path) or b""), parse(draft.read(goes.path) or b"")
    said = folded(kept.body)
    more = [line for line in re.split(r"\r\n|\n|\r", lost.body) if line.strip() and folded(line) not in said]
    if more:
        body = kept.body.rstrip("\r\n")
        draft.put(stays.path, serialise(kept.with_body(kept.newline.join([body, "", *more, ""]))))
    _leave(draft, stays, goes)


def _pair(draft: Draft, problem: Problem) -> tuple[Note, Note] | None:
    """The memory that stays and the one that goes; None when an earlier repair of the same act left only one of them."""
    one, two = draft.heir(problem.path), draft.heir(problem.about)
    if one is None or two is None or draft.is_gone(one.path) or draft.is_gone(two.path):
        raise gone(problem)
    return keeps(one, two) if one.path != two.path else None


def _leave(draft: Draft, stays: Note, goes: Note) -> None:
    """One memory goes, another stays in its place: links follow."""
    _relink_all(draft, goes, stays)
    draft.heirs[goes.path] = stays.path
    draft.remove(goes.path)


def _relink_all(draft: Draft, old: Note, new: Note) -> None:
    """Links to the one that goes lead to the one that stays."""
    for path in draft.linking():
        text = draft.text(path) if path != old.path else ""
        if not _names(text, old):
            continue
        others = [one for one in draft.notes if one.path != new.path]
        edited = relink(text, old, new.path, new.name, at=path, others=others)
        if edited != text:
            draft.put_text(path, edited)


def _names(text: str, note: Note) -> bool:
    return note.name in text or PurePosixPath(note.path).stem in text


def _delete(draft: Draft, problem: Problem, making: Making) -> None:
    if draft.touched(problem.path) and draft.is_gone(problem.path):
        return
    _here(draft, problem)
    draft.remove(problem.path)


def _mark_superseded(draft: Draft, problem: Problem, making: Making) -> None:
    """Its header and the first line of its body say what holds instead, for people and for models."""
    _here(draft, problem)
    other = draft.note(problem.about)
    if other is None:
        raise gone(problem)
    data = draft.read(problem.path) or b""
    data = with_field(data, SUPERSEDED_BY, other.name) or data
    document = parse(data)
    line = f"> Superseded by [[{other.name}]] since {making.now.date().isoformat()}."
    lead = re.match(r"(?:\r\n|\n|\r)*", document.body)
    at = lead.end() if lead else 0
    body = f"{document.body[:at]}{line}{document.newline * 2}{document.body[at:]}"
    draft.put(problem.path, serialise(document.with_body(body)))


# one memory


def _confirm(draft: Draft, problem: Problem, making: Making) -> None:
    """In the header where there is one that can hold it, else beside the memory, bound to its content."""
    _here(draft, problem)
    data = draft.read(problem.path) or b""
    made = with_field(data, VERIFIED, iso(making.now))
    if made is None:
        draft.confirmed[problem.path] = digest(data)
    else:
        draft.put(problem.path, made)


def _repair_header(draft: Draft, problem: Problem, making: Making) -> None:
    data = draft.read(problem.path)
    if data is None:
        raise gone(problem)
    if draft.touched(problem.path) and not parse(data).problems:
        return
    made = repaired_header(data)
    if made is None:
        raise NotPossibleError(
            say("The header of {path} cannot be fixed automatically.", path=problem.path),
            hint=say("Open it and correct the line that is named."),
        )
    draft.put(problem.path, made)


def _mask(draft: Draft, problem: Problem, making: Making) -> None:
    """One secret of a file is covered. The one that the problem names, by its number and kind."""
    text = draft.text(problem.path)
    hits = find_secrets(text)
    number, _, kind = problem.about.partition(":")
    wanted = [hit for at, hit in enumerate(hits) if hit.kind == kind and str(at) == number] or [hit for hit in hits if hit.kind == kind][:1]
    if not wanted:
        raise gone(problem)
    hit = wanted[0]
    draft.put_text(problem.path, text[: hit.start] + making.mask + text[hit.end :])


def _write_date(draft: Draft, problem: Problem, making: Making) -> None:
    passed = _write_dates(draft, [problem], making)
    if passed:
        raise NotPossibleError(passed[0][1])


def _write_dates(draft: Draft, problems: Sequence[Problem], making: Making) -> Passed:
    """The day in place of each relative word, counted from when the memory was last changed; all words of a line at once."""
    passed: Passed = []
    lines: dict[tuple[str, int], list[Problem]] = {}
    for problem in problems:
        lines.setdefault((problem.path, problem.line), []).append(problem)
    before = {path: draft.touched(path) for path, _ in lines}
    for (path, number), meant in lines.items():
        made = dated(draft, path, number)
        if made is not None:
            draft.put(path, made)
        elif before[path] or not draft.touched(path) or words_on(draft, path, number):  # else another line of the file took it along
            passed += [(problem, _why_no_date(draft, problem)) for problem in meant]
    return passed


def _why_no_date(draft: Draft, problem: Problem) -> str:
    if problem.about in words_on(draft, problem.path, problem.line):
        return say("“{word}” has no one day: write when it was, or will be, yourself.", word=problem.about)
    return gone(problem).message


# links


def nearest(draft: Draft, problem: Problem) -> Note | None:
    """The memory whose name is most like the one that a dangling link names; None when none is, or two are."""
    wanted = PurePosixPath(problem.about.removesuffix(".md")).name.casefold()
    if not wanted:
        return None
    names: dict[str, Note] = {}
    for note in draft.notes:
        if note.path != problem.path:
            names.setdefault(PurePosixPath(note.path).stem.casefold(), note)
            names.setdefault(note.name.casefold(), note)
    if wanted in names:
        return names[wanted]
    found = difflib.get_close_matches(wanted, names, n=3, cutoff=NEAR_NAME)
    near = list(dict.fromkeys(names[name].path for name in found))
    return names[found[0]] if len(near) == 1 else None


def _relink(draft: Draft, problem: Problem, making: Making) -> None:
    note = nearest(draft, problem)
    if note is None:
        raise NotPossibleError(say("No memory has a name like “{name}”.", name=one_line(problem.about, 80)))

    def wiki(found: re.Match[str]) -> str:
        label = f"|{found['label']}" if found["label"] is not None else ""
        return f"[[{note.name}{found['anchor'] or ''}{label}]]"

    folder = PurePosixPath(problem.path).parent.as_posix()
    target = note.path if folder == "." else _from(folder, note.path)
    _edit_links(draft, problem, wiki, lambda line: relinked(line, problem.about, target))


def _from(folder: str, path: str) -> str:
    import posixpath

    return posixpath.relpath(path, folder)


def _unlink(draft: Draft, problem: Problem, making: Making) -> None:
    listed = is_topic_index(parse(draft.read(problem.path) or b""))  # a line of it stands for the memory, and goes with it
    _edit_links(
        draft,
        problem,
        lambda found: found["label"] or problem.about,
        lambda line: "" if listed and _leads(line, problem.about) else _without(line, problem.about),
    )


def _leads(line: str, target: str) -> bool:
    """Whether a line is an entry of that target alone."""
    entry = read_entry(line)
    return entry is not None and entry.target == target and len(subjects_of(line)) <= 1


def _without(line: str, target: str) -> str:
    """The line with the links to a target replaced by their words, whatever folder the target is meant from."""
    plain = without_link(line, target)
    if plain != line:
        return plain
    return re.sub(rf"\[([^\[\]]*)\]\(<?{re.escape(target)}(?:#[^()\s]*)?>?\)", r"\1", line)


def _edit_links(draft: Draft, problem: Problem, wiki: Callable[[re.Match[str]], str], plain: Callable[[str], str]) -> None:
    """Edit the links to what the problem names, on its line or, where that moved, on the first that has some."""
    text = draft.text(problem.path)
    lines = re.split(r"(\r\n|\n|\r)", text)
    order = sorted(range(0, len(lines), 2), key=lambda at: (at != (problem.line - 1) * 2, at))
    rule = _WIKI_LINK.format(name=re.escape(problem.about.removesuffix(".md")))
    for at in order:
        line = lines[at]
        made = re.sub(rule, wiki, line)
        if made == line:
            made = plain(line)
        if made != line:
            lines[at] = made
            if not made and at + 1 < len(lines):
                lines[at + 1] = ""  # a line that went whole
            draft.put_text(problem.path, "".join(lines))
            return
    raise gone(problem)


# the index


def _index(draft: Draft, edit: Callable[[str], str], problem: Problem) -> None:
    if draft.profile != "index":
        raise gone(problem)
    text = draft.text(INDEX_NAME)
    edited = edit(text)
    if edited == text:
        raise gone(problem)
    draft.put_text(INDEX_NAME, edited)


def _add_line(draft: Draft, problem: Problem, making: Making) -> None:
    _here(draft, problem)
    _add_lines(draft, [problem], making)


def _add_lines(draft: Draft, problems: Sequence[Problem], making: Making) -> Passed:
    return _mend_index(draft, problems, "missing-line", frozenset(problem.path for problem in problems))


def _drop_line(draft: Draft, problem: Problem, making: Making) -> None:
    _drop_lines(draft, [problem], making)


def _drop_lines(draft: Draft, problems: Sequence[Problem], making: Making) -> Passed:
    return _mend_index(draft, problems, "dangling-line", frozenset(problem.about for problem in problems))


def _mend_index(draft: Draft, problems: Sequence[Problem], kind: str, about: frozenset[str]) -> Passed:
    keeper, notes = IndexKeeper(draft.root), draft.notes
    _index(draft, lambda text: mended_lines(draft.root, keeper, text, notes, kind, about), problems[0])
    return []


def _shorten(draft: Draft, problem: Problem, making: Making) -> None:
    _shorten_all(draft, [problem], making)


def _shorten_all(draft: Draft, problems: Sequence[Problem], making: Making) -> Passed:
    """The long lines that are meant; all of them where the index as a whole is too long."""
    notes = {note.path: note for note in draft.notes}
    keeper = IndexKeeper(draft.root)
    every = any(problem.kind == "oversize-index" for problem in problems)
    wanted = {problem.about for problem in problems}

    def edit(text: str) -> str:
        lines = text.split("\n")
        entries = entries_of(text)
        own = {number: path for path, number in lines_of_notes(entries, list(notes.values())).items()}
        for entry in entries:
            line = lines[entry.line].rstrip("\r")
            if len(line) <= LINE_WISH or not (every or wanted & {entry.target, entry.name, entry.title}):
                continue
            note = notes.get(own.get(entry.line, ""))
            ending = lines[entry.line][len(line) :]
            lines[entry.line] = (keeper.line_for(note) if note is not None and keeper.is_own(line, note) else _shorter(line)) + ending
        return "\n".join(lines)

    _index(draft, edit, problems[0])
    return []


def _shorter(line: str) -> str:
    """A line with its last words cut away; its link stays whole."""
    least = (link_end(line) or 0) + 1
    if least >= LINE_WISH:
        return line
    cut = line[: LINE_WISH - 1]
    space = max(cut.rfind(" "), *(cut.rfind(mark) + 1 for mark in "，。；、,;"))
    cut = cut[:space] if space >= max(least, LINE_WISH // 2) else cut
    opened = cut.rfind("[", least)
    if opened >= 0 and "]" not in cut[opened:]:
        cut = cut[:opened]
    return cut.rstrip(" ,;，；、—-") + "…"


def _split(draft: Draft, problem: Problem, making: Making) -> None:
    """All content that stands in the index gets files of its own."""
    if draft.profile != "index":
        raise gone(problem)
    plan = split_plan(draft.text(INDEX_NAME), draft.notes)
    if not plan.files:
        raise gone(problem)
    for path, content in plan.files:
        draft.put(path, encode_text(content, "utf-8"))
    draft.put_text(INDEX_NAME, plan.index_text)


EDITS: Mapping[str, Edit] = {
    "keep-newer": _keep_newer,
    "merge": _merge,
    "delete": _delete,
    "mark-superseded": _mark_superseded,
    "confirm": _confirm,
    "repair-header": _repair_header,
    "mask": _mask,
    "write-date": _write_date,
    "relink": _relink,
    "unlink": _unlink,
    "add-line": _add_line,
    "drop-line": _drop_line,
    "shorten": _shorten,
    "split": _split,
    **EXTRA,
}


BATCHES: Mapping[str, Callable[[Draft, Sequence[Problem], Making], Passed]] = {
    "write-date": _write_dates,
    "add-line": _add_lines,
    "drop-line": _drop_lines,
    "shorten": _shorten_all,
}
"""Repairs that are made for many problems in one pass; what each could not mend comes back."""


def may_be_made(draft: Draft, name: str, problem: Problem, making: Making) -> bool:
    """Whether a repair that needs a look can be made at all; nothing is kept of the look."""
    if name == "repair-header":
        return repaired_header(draft.read(problem.path) or b"") is not None
    if name == "write-date":
        return dated(draft, problem.path, problem.line, alone=True) is not None
    if name == "relink":
        return nearest(draft, problem) is not None
    if name == "shorten" and problem.kind == "oversize-index":
        return any(len(line) > LINE_WISH for line in draft.text(INDEX_NAME).split("\n"))
    return may_be_made_too(draft, name, problem, making)


def ordered(problems: Iterable[Problem]) -> list[Problem]:
    """So that one repair does not move the lines of the next: from the end of each file to its start."""
    return sorted(problems, key=lambda problem: (problem.path, -problem.line, problem.id))
