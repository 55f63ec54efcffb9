"""Colours for source code by Pygments: as HTML for small blocks, as a token stream for views that colour themselves in slices.

Pygments is imported on first use, never with the module; a lexer's first import costs tens of milliseconds, so `warm` does it in a
worker thread after the first paint. Pure besides that import; any thread.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol

from PySide6.QtGui import QColor

MAX_CHARACTERS = 20_000
"""Longer blocks stay uncoloured in HTML; views colour up to ten times this in slices."""
MAX_LINE = 2_000
_WARM = ("python", "bash", "json", "javascript", "diff")

_DARK = {
    "Comment": "#7CA668",
    "Keyword": "#569CD6",
    "Keyword.Control": "#C586C0",
    "Name.Function": "#DCDCAA",
    "Name.Class": "#4EC9B0",
    "Name.Namespace": "#4EC9B0",
    "Name.Builtin": "#4EC9B0",
    "Name.Decorator": "#DCDCAA",
    "Name.Tag": "#569CD6",
    "Name.Attribute": "#9CDCFE",
    "Name.Variable": "#9CDCFE",
    "Literal.String": "#CE9178",
    "Literal.Number": "#B5CEA8",
    "Operator.Word": "#569CD6",
    "Generic.Inserted": "#3FB950",
    "Generic.Deleted": "#FF7B72",
    "Generic.Heading": "#569CD6",
    "Generic.Subheading": "#C586C0",
    "Generic.Prompt": "#9D9D9D",
}
_LIGHT = {
    "Comment": "#3D7A1F",
    "Keyword": "#0000FF",
    "Keyword.Control": "#AF00DB",
    "Name.Function": "#795E26",
    "Name.Class": "#1F6E85",
    "Name.Namespace": "#1F6E85",
    "Name.Builtin": "#1F6E85",
    "Name.Decorator": "#795E26",
    "Name.Tag": "#800000",
    "Name.Attribute": "#B00000",
    "Name.Variable": "#001080",
    "Literal.String": "#A31515",
    "Literal.Number": "#08703F",
    "Operator.Word": "#0000FF",
    "Generic.Inserted": "#1A7F37",
    "Generic.Deleted": "#B3202C",
    "Generic.Heading": "#0000FF",
    "Generic.Subheading": "#AF00DB",
    "Generic.Prompt": "#616161",
}
_CONTROL = {
    "if", "elif", "else", "for", "while", "return", "try", "except", "finally", "raise", "with", "as", "import", "from", "break",
    "continue", "pass", "yield", "await", "async", "switch", "case", "default", "do", "throw", "catch", "then", "fi", "done",
    "esac", "in", "match", "goto",
}  # fmt: skip


class Palette(Protocol):
    """What rendering needs of a theme (see `ui.theme.Theme`): the colour behind a token of the design's table."""

    def color(self, token: str) -> QColor: ...


def is_dark(theme: Palette) -> bool:
    return theme.color("editor").lightness() < 128


def code_colours(dark: bool) -> dict[str, str]:
    """Token kinds and their colours, for the contrast test."""
    return dict(_DARK if dark else _LIGHT)


@lru_cache(maxsize=512)
def _kind_of(token: Any) -> str | None:
    """The longest entry of the table that is this token or a parent of it."""
    name = str(token).removeprefix("Token.")
    while name:
        if name in _DARK:
            return name
        name = name.rpartition(".")[0]
    return None


@lru_cache(maxsize=128)
def _lexer(language: str) -> Any | None:
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def language_of(info: str) -> str:
    """The language word of a fence's info string, lower case; empty if there is none."""
    word = info.strip().split(maxsplit=1)[0] if info.strip() else ""
    return word.strip("{}.").split(",")[0].lower()[:40]


def tokens(code: str, language: str, dark: bool) -> Iterator[tuple[int, int, str]]:
    """(start, length, colour) of every coloured piece, lazily, so that a caller can stop and go on."""
    lexer = _lexer(language)
    if lexer is None or any(len(line) > MAX_LINE for line in code.split("\n")):
        return
    table = _DARK if dark else _LIGHT
    for start, token, text in lexer.get_tokens_unprocessed(code):
        kind = _kind_of(token)
        if kind == "Keyword" and text in _CONTROL:
            kind = "Keyword.Control"
        if kind is not None and text.strip():
            yield start, len(text), table[kind]


def highlight(code: str, language: str, theme: Palette) -> str:
    """`code` as escaped HTML with coloured pieces; without a known language, or when it is long, only escaped."""
    if len(code) > MAX_CHARACTERS:
        return html.escape(code, quote=False)
    result, position = [], 0
    for start, length, colour in tokens(code, language, is_dark(theme)):
        piece = html.escape(code[start : start + length], quote=False)
        result += [html.escape(code[position:start], quote=False), f'<font color="{colour}">{piece}</font>']
        position = start + length
    result.append(html.escape(code[position:], quote=False))
    return "".join(result)


def warm() -> None:
    """Import the common lexers; call it from a worker thread."""
    for language in _WARM:
        for _ in tokens("x = 1\n", language, True):
            break
