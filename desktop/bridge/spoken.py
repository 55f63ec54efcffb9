"""The core's sentences in the window's language: looks up the literal of a `Phrase` among Qt's translations and fills in its values.

Anything else (text of a server, of a file, of a newer version) stays as it is. Uses QtCore only; any thread.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from desktop.base.phrases import LIST, PART, Phrase, listed, say

CONTEXT = "Core"
"""Context of these strings in the translation files; `packaging/translations.py` writes it."""
_look_up = QCoreApplication.translate
_CLOSED = tuple("。！？：；，、”）…")
_MARKS = "*`"
"""Markdown behind a full stop: the full stop decides."""
_COMMA = say(", ")


def spoken(text: str) -> str:
    """`text` as the window says it."""
    if not isinstance(text, Phrase):
        return text
    if not text.values:
        return _look_up(CONTEXT, text.template)
    values = {name: spoken(value) if isinstance(value, str) else value for name, value in text.values.items()}
    if all(name.startswith(PART) for name in values):
        parts = [str(value) for value in values.values()]
        return _look_up(CONTEXT, _COMMA).join(parts) if LIST in text.template else sentences(*parts)
    try:
        return _look_up(CONTEXT, text.template).format(**values)
    except (KeyError, IndexError, ValueError):  # a translation that does not fit: the English sentence is right in any case
        return str(text)


def spoken_list(names: Iterable[str]) -> str:
    """Names, one after the other, with the comma of the window's language."""
    return spoken(listed(names))


def sentences(*texts: str) -> str:
    """Sentences one after the other; full-width punctuation has its own room and needs no space behind it."""
    whole = ""
    for text in texts:
        gap = " " if whole and text and not whole.rstrip(_MARKS).endswith(_CLOSED) else ""
        whole += gap + text
    return whole
