"""A draft and the file behind it: what a new memory starts as, which text can be written back, how a draft follows a stamped save. Pure."""

from __future__ import annotations

from desktop.memory.note import slug_of
from desktop.ui.memory.source_edit import differing

NEW_TEXT = "---\nname: \ndescription: \nmetadata:\n  type: project\n---\n\n"
"""What an editor of a new memory shows."""


def survives(data: bytes, text: str) -> bool:
    """Whether `text`, read from `data`, gives the same bytes when it is written back."""
    return data.removeprefix(b"\xef\xbb\xbf") == text.encode("utf-8", errors="replace").removeprefix(b"\xef\xbb\xbf")


def file_name(name: str) -> str:
    """The file for a memory of that name (FM-02); empty when nothing is left of it."""
    slug = slug_of(name)
    return f"{slug}.md" if slug else ""


def followed(draft: str, before: str, after: str) -> str:
    """`draft` with what turned `before` into `after` done to it too, where it still has that part; else as it is.

    A save stamps times into the header, while the person may have typed on.
    """
    start, end_before, end_after = differing(before, after)
    if draft[:end_before] == before[:end_before]:
        return draft[:start] + after[start:end_after] + draft[end_before:]
    rest = len(before) - start
    if 0 < rest <= len(draft) and draft[len(draft) - rest :] == before[start:]:
        return draft[: len(draft) - rest] + after[start:]
    return draft
