"""Content that was put into an index: finding it, and moving it into topic files with one line each (FM-06, W-17).

Owns what counts as content, the names of the new files and the text of both sides. Judges nothing else and asks nobody: for an agent the
store calls `split_plan` while it writes, for a person only `split_index` after their yes. Pure but for `split_index`; any thread.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.base.phrases import say
from desktop.memory.frontmatter import parse
from desktop.memory.index_blocks import InlineBlock, inline_content, plain_line, weight_of
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.note import INDEX_NAME, Note, note_of, one_line

if TYPE_CHECKING:
    from desktop.memory.journal import Change, ChangeOrigin
    from desktop.memory.store import MemoryStore

__all__ = ["InlineBlock", "SplitPlan", "inline_content", "split_index", "split_plan"]

LONGEST_NAME = 48
"""Characters of a new file's name without its suffix."""

SAYS_SOMETHING = 8
"""Characters of a line by which it is known again; shorter ones (fences, rules) stand in many texts."""

_DEVICES = re.compile(r"(?:con|prn|aux|nul|conin|conout|clock|(?:com|lpt)[0-9¹²³])")
_UNSAFE_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "y", "n"))


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """What a split would make.

    Attributes:
        index_text: the index afterwards; the given text itself when there is nothing to split.
        files: path below the root and whole text of every new file, in the order of the index.
    """

    index_text: str
    files: tuple[tuple[str, str], ...]


def slug_of(title: str) -> str:
    """A file name's stem out of a title: letters and digits of any script, in small letters, joined by `-`; "note" when none is left."""
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", title).casefold())
    kept = "".join(c if unicodedata.category(c)[0] in "LNM" else "-" for c in text)
    words = re.sub(r"-+", "-", kept).strip("-")
    if len(words) > LONGEST_NAME:
        cut = words[:LONGEST_NAME]
        words = cut if words[LONGEST_NAME] == "-" or "-" not in cut[LONGEST_NAME // 2 :] else cut.rpartition("-")[0]
    while words and unicodedata.category(words[0])[0] == "M":
        words = words[1:]
    words = words.strip("-")
    return f"note-{words}" if _DEVICES.fullmatch(words) else words or "note"


def _spelling(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _free_name(title: str, taken: set[str]) -> str:
    stem = slug_of(title)
    name, number = stem, 1
    while _spelling(f"{name}.md") in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(_spelling(f"{name}.md"))
    return name


def _quoted(text: str) -> str:
    """A value of a header, quoted where YAML could take it for something else."""
    plain = re.fullmatch(r"[^\W\d_](?:[\w-]*\w)?", text) and text.casefold() not in _UNSAFE_WORDS
    return text if plain else json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f").replace("\x85", "\\x85")


def _file_text(name: str, body: str) -> str:
    description = one_line(next((said for line in body.split("\n") if (said := plain_line(line))), ""), 120)
    head = f"---\nname: {_quoted(name)}\n" + (f"description: {_quoted(description)}\n" if description else "")
    return f"{head}---\n\n{body}\n"


def split_plan(text: str, notes: Iterable[Note], *, earlier: str = "") -> SplitPlan:
    """How the content in an index would be moved into files. The same text and notes give the same plan.

    Every line of `text` that is not blank is then in the index or in exactly one file, and a second plan finds nothing.

    Args:
        text: the index, without a byte order mark.
        notes: all notes that exist: their names stay theirs.
        earlier: the index as it was before this writer: content of which a part stood there already is somebody else's, and stays.
    """
    blocks = _new_blocks(inline_content(text), earlier)
    if not blocks:
        return SplitPlan(text, ())
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    taken = {_spelling(note.path) for note in notes} | {_spelling(INDEX_NAME)}
    keeper = IndexKeeper.of_nothing()
    files: list[tuple[str, str]] = []
    instead: dict[int, str] = {}
    gone: set[int] = set()
    for block in blocks:
        name = _free_name(block.title, taken)
        content = _file_text(name, block.text)
        data = content.encode("utf-8", "surrogateescape")
        note = note_of(f"{name}.md", parse(data), size=len(data), mtime_s=0.0)
        first = block.first_line - 1
        gone.update(range(first, block.last_line))
        instead[first] = keeper.line_for(note) + ("\r" if newline == "\r\n" else "")
        files.append((note.path, content))
    kept = [instead.get(number, line) for number, line in enumerate(lines) if number not in gone or number in instead]
    if kept and kept[-1] != "" and text.endswith("\n"):
        kept.append("")
    return SplitPlan("\n".join(kept), tuple(files))


def _new_blocks(blocks: Sequence[InlineBlock], earlier: str) -> list[InlineBlock]:
    """The blocks of which no line that says something stood in the earlier text."""
    had = {line.strip() for line in earlier.split("\n") if weight_of(line) >= SAYS_SOMETHING}
    return [block for block in blocks if had.isdisjoint(line.strip() for line in block.text.split("\n"))]


def split_index(store: MemoryStore, *, origin: ChangeOrigin) -> list[Change]:
    """Move the content in the store's index into files, as one act. The changes made, new files first; none when there is nothing to do.

    The caller has the person's yes where a person wrote the content. Blocking.

    Raises:
        StorageError, RefusedError: a file could not be written; what was written before it is journalled and can be undone.
    """
    from desktop.memory.index_repair import apply_split

    return apply_split(store, replace(origin, reason=origin.reason or say("content moved out of the index")))
