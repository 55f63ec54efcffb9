"""How a new memory stands to the ones that exist: known already, another value of one of them, or new.

Owns the comparison with whole notes and the text that results when an old note takes the new value: only the sentence that it corrects is
replaced, so that nothing else that the note says is lost. Pure, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from desktop.base.words import cjk_characters
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import Document, decode_text, parse, serialise
from desktop.memory.note import Note
from desktop.memory.stamp import with_top
from desktop.memory.subject import claim_of, relation
from desktop.memory.support import claim_text

MOST_SENTENCES = 60
"""Sentences of a note that are compared."""

_SENTENCE = re.compile(r"(?<=[。！？；!?])\s*|(?<=[.;])\s+|\n+")
_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True)
class Standing:
    """The outcome.

    Attributes:
        kind: new; known: `path` says it; replaces: write `text` at `path`; supersedes: the files `retired` (with their `names`) go.
    """

    kind: Literal["new", "known", "replaces", "supersedes"]
    path: str = ""
    text: str = ""
    retired: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def sentences_of(text: str) -> list[str]:
    """The sentences that a note states, without marks, reasons and instructions for use."""
    found = (_MARK.sub("", sentence).strip() for sentence in _SENTENCE.split(claim_text(text)))
    return [sentence for sentence in found if sentence][:MOST_SENTENCES]


def standing_of(text: str, path: str, notes: Sequence[tuple[Note, str]]) -> Standing:
    """Compare a new note with those that exist.

    Args:
        text: of the new note, header included.
        path: where it would be written.
        notes: the other notes of the root with their texts, newest first.
    """
    said = sentences_of(text)
    if not said:
        return Standing("new")
    known = _known(text, said, notes)
    if known:
        return Standing("known", known)
    changed = list(_changed(said, notes))
    if not changed:
        return Standing("new")
    strict = [found for found in changed if not found.loose]
    if not strict and len(changed) > 1:
        return Standing("new")  # it may mean any of them; nothing is replaced by a guess
    best = (strict or changed)[0]
    if _reworded(said, best):
        return Standing("supersedes", path, "", (best.note.path,), (best.note.name,))
    return Standing("replaces", best.note.path, _with_new_value(text, said, best))


@dataclass(frozen=True, slots=True)
class _Changed:
    """A note of which one sentence gets another value. `loose`: the new sentence says less than the old one."""

    note: Note
    text: str
    sentences: tuple[str, ...]
    at: int
    loose: bool


def _known(text: str, said: Sequence[str], notes: Sequence[tuple[Note, str]]) -> str:
    whole = folded(claim_text(text))
    for note, other in notes:
        if folded(claim_text(other)) == whole:
            return note.path
        held = sentences_of(other)
        if held and all(any(relation(sentence, old) == "same" for old in held) for sentence in said):
            return note.path
    return ""


def _changed(said: Sequence[str], notes: Sequence[tuple[Note, str]]) -> Iterator[_Changed]:
    """Notes that the first sentence gives another value to; further sentences of a memory explain it."""
    for note, text in notes:
        held = sentences_of(text)
        for at, old in enumerate(held):
            if relation(said[0], old) == "changed":
                loose = len(claim_of(said[0]).words) < len(claim_of(old).words)
                yield _Changed(note, text, tuple(held), at, loose)
                break


def _reworded(said: Sequence[str], found: _Changed) -> bool:
    """A note of one sentence in the other language: its name and words would not fit any more, so it makes way whole."""
    return len(found.sentences) == 1 and _is_chinese(said[0]) != _is_chinese(found.sentences[0])


def _is_chinese(text: str) -> bool:
    return cjk_characters(text) * 3 >= len(text.replace(" ", ""))


def _with_new_value(text: str, said: Sequence[str], found: _Changed) -> str:
    """The old note with the new sentence in place of the one that no longer holds; whole when it says nothing else."""
    new, old = _document(text), _document(found.text)
    if len(found.sentences) == 1:
        body = new.body if new.header is not None else f"\n{text.strip()}\n"
        replaced = old.with_body(body) if old.header is not None else _document(text)
    else:
        at = old.body.find(found.sentences[found.at])
        if at < 0:
            return found.text.rstrip("\n") + "\n\n" + "\n".join(said) + "\n"
        end = at + len(found.sentences[found.at])
        replaced = old.with_body(old.body[:at] + " ".join(said) + old.body[end:])
    if (old.description and relation(said[0], old.description) in ("changed", "same")) or len(found.sentences) == 1:
        replaced = with_top(replaced, "description", new.description or said[0][:200])
    return decode_text(serialise(replaced))[0]


def _document(text: str) -> Document:
    return parse(text.encode("utf-8", "surrogatepass"))
