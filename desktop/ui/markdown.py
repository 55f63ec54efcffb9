"""Markdown of models, memories and other people to Qt's HTML subset: raw HTML off, an allow list behind it, no images, few link schemes.

Everything that is shown is data. Control and format characters become visible, long lines and long texts are folded, so that no
input is slow. Never opens, loads or fetches anything; `SafeBrowser` shows the result. Pure; any thread.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from desktop.bridge.spoken import spoken
from desktop.ui.highlight import Palette, highlight, language_of
from desktop.ui.highlight import warm as warm_lexers
from desktop.ui.safe_browser import SafeBrowser

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["Folded", "Palette", "SafeBrowser", "body", "fold", "render", "shown", "style", "warm"]

MAX_CHARACTERS = 60_000
"""Longer texts are cut for display (about 1 ms a kilobyte): the caller shows the rest as further pages or as source."""
MAX_LINE = 10_000
MAX_RUN = 2_000
"""A run of ASCII without a blank: base64 and the like."""
KEPT_OF_LINE = 400
_MANY_BRACKETS = 2_000
_TABLE_LINES = 120
_TABLE_CELLS = 1_000
_WIDE_COLUMNS = 5
"""A table of so many columns is scrolled sideways: squeezed into a narrow chat, its words would break at every letter."""
_SHORT_CELL, _LONG_CELL_PX = 24, 170
"""Cells of such a table: up to so many columns of text they stand in one line; a longer one makes its column so many pixels wide."""
_BARS = 2
"""Quotes nested deeper than this are only indented: Qt lays a table in a table out twice, so depth costs powers of two."""

_SCHEMES = {"http", "https", "mailto"}
_SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")
_TAGS = {
    "p", "br", "hr", "b", "strong", "i", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a", "font",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
_ATTRIBUTES = {
    "a": {"href"},
    "font": {"color"},
    "ol": {"start"},
    "th": {"align", "width", "class"},
    "td": {"align", "width", "bgcolor", "class"},
    "table": {"width", "border", "cellspacing", "cellpadding", "bgcolor", "bordercolor"},
}
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\^{|}\u3000-\u303f\uff00-\uffef]+|#sess_[0-9a-z]{26}(?::\d{1,7})?(?![0-9a-zA-Z_])")
"""Addresses, and references to a session or to a message of one by its number; these are links without a scheme."""
_RUN = re.compile(f"[!-~]{{{MAX_RUN + 1},}}")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text for display and how many characters of it are hidden."""

    text: str
    hidden: int


def shown(text: str) -> str:
    """`text` with unseen characters (control, bidi, zero-width, fillers) written as `\\u{…}`; newline and tab stay.

    A sentence of the core is said in the window's language.
    """
    text = spoken(text)
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    return _INVISIBLE.sub(lambda m: f"\\u{{{ord(m.group()):x}}}", text)


def _fold_tables(text: str) -> str:
    """Runs of lines that begin with a bar, cut after `_TABLE_LINES`."""
    result: list[str] = []
    run = 0
    for line in text.split("\n"):
        run = run + 1 if line.startswith("|") else 0
        if run <= _TABLE_LINES:
            result.append(line)
        elif run == _TABLE_LINES + 1:
            result.append("| … |")
    return "\n".join(result)


def fold(text: str, limit: int = MAX_CHARACTERS) -> Folded:
    """`text` without the inside of overlong lines and runs and without what lies behind `limit`."""
    head = text[:limit]
    cut = len(text) - len(head)
    if cut and (newline := head.rfind("\n", max(0, limit - 2_000))) > 0:
        cut, head = cut + len(head) - newline, head[:newline]
    hidden = 0

    def shorten(piece: str) -> str:
        nonlocal hidden
        hidden += len(piece) - KEPT_OF_LINE
        return f"{piece[:KEPT_OF_LINE]} … [{len(piece) - KEPT_OF_LINE:,}] …"

    if len(head) > MAX_RUN:
        rows = _fold_tables(head)
        hidden += len(head) - len(rows)
        head = rows
        head = _RUN.sub(lambda m: shorten(m.group()), head)
        head = "\n".join(shorten(line) if len(line) > MAX_LINE else line for line in head.split("\n"))
    return Folded(head, cut + hidden)


def _valid_link(address: str) -> bool:
    """http, https, mailto, or relative to the document; never a host without a scheme, a device or a share."""
    address = address.strip()
    scheme = _SCHEME.match(address)
    if scheme:
        return scheme.group()[:-1].lower() in _SCHEMES
    return not address.startswith(("//", "\\", "/\\")) and "\\" not in address


def _text_rule(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    content = items[index].content
    if env.get("in_link") or ("://" not in content and "#sess_" not in content):
        return html.escape(content, quote=False)
    result, position = [], 0
    for match in _ADDRESS.finditer(content):
        address = match.group().rstrip(".,;:!?*_~)]")
        result.append(html.escape(content[position : match.start()], quote=False))
        result.append(f'<a href="{html.escape(address)}">{html.escape(address, quote=False)}</a>')
        position = match.start() + len(address)
    return "".join(result) + html.escape(content[position:], quote=False)


def _link_open(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    env["in_link"] = True
    return f'<a href="{html.escape(str(items[index].attrGet("href") or ""))}">'


def _link_close(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    env["in_link"] = False
    return "</a>"


def _image_rule(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    name = items[index].content or str(items[index].attrGet("src") or "")
    return f"<i>[{html.escape(name, quote=False)}]</i>"


def _code_block(code: str, info: str, env: dict[str, Any]) -> str:
    theme: Palette = env["theme"]
    inside = highlight(code.rstrip("\n"), language_of(info), theme)
    colour = theme.color("code").name()
    frame = f'<table width="100%" border="0" cellspacing="0" cellpadding="8" bgcolor="{colour}">'
    return f"{frame}<tr><td><pre>{inside}</pre></td></tr></table>"


def _fence_rule(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    return _code_block(items[index].content, items[index].info, env)


def _quote_open(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    env["quotes"] = env.get("quotes", 0) + 1
    colour = env["theme"].color("secondary").name()
    if env["quotes"] > _BARS:
        return f'<blockquote><font color="{colour}">'
    bar = env["theme"].color("disabled").name()
    return (
        '<table width="100%" border="0" cellspacing="0" cellpadding="0"><tr>'
        f'<td width="3" bgcolor="{bar}"></td><td width="10"></td><td><font color="{colour}">'
    )


def _quote_close(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    env["quotes"] -= 1
    return "</font></blockquote>" if env["quotes"] >= _BARS else "</font></td></tr></table>"


def _table_open(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    border = env["theme"].color("input_border").name()
    return f'<table border="1" cellspacing="0" cellpadding="5" bordercolor="{border}">'


def _cell_open(self: Any, items: Sequence[Token], index: int, options: Any, env: dict[str, Any]) -> str:
    align = str(items[index].attrGet("style") or "").removeprefix("text-align:")
    tag, wide = items[index].tag, items[index].meta.get("wide", "")
    return f'<{tag} align="{align}"{wide}>' if align in ("left", "right", "center") else f'<{tag} align="left"{wide}>'


def _limit_tables(state: Any) -> None:
    """Drop the rows of a table behind its first `_TABLE_CELLS` cells: Qt needs about a second for 10,000."""
    kept: list[Token] = []
    cells, dropping = 0, False
    for token in state.tokens:
        if token.type == "table_open":
            cells = 0
        elif token.type == "tr_open":
            dropping = cells > _TABLE_CELLS
        cells += token.type in ("td_open", "th_open")
        if not dropping:
            kept.append(token)
        if token.type == "tr_close":
            dropping = False
    state.tokens = kept


def _columns_of_text(text: str) -> int:
    """How wide a text is in a grid of characters: Chinese ones take two."""
    return sum(2 if ord(letter) > 0x2E7F else 1 for letter in text)


def _widen_tables(state: Any) -> None:
    """Say how wide the cells of tables with many columns are at least; `_cell_open` writes it."""
    rows: list[list[tuple[Token, str]]] = []
    for at, token in enumerate(state.tokens):
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("td_open", "th_open") and rows:
            rows[-1].append((token, state.tokens[at + 1].content))
        elif token.type == "table_close" and rows and len(rows[0]) >= _WIDE_COLUMNS:
            for column in zip(*rows, strict=False):
                short = max(_columns_of_text(text) for _, text in column) <= _SHORT_CELL
                for cell, _ in column:
                    cell.meta["wide"] = ' class="short"' if short else f' width="{_LONG_CELL_PX}"'


_TASK = re.compile(r"\[([ xX])\](?=[ \u00a0])")


def _mark_tasks(state: Any) -> None:
    """`- [ ]` and `- [x]` become boxes, as everywhere where such lists are written."""
    for at, token in enumerate(state.tokens[2:], 2):
        if token.type == "inline" and token.children and state.tokens[at - 2].type == "list_item_open":
            first = token.children[0]
            found = _TASK.match(first.content) if first.type == "text" else None
            if found is not None:
                first.content = ("☐" if found[1] == " " else "☑") + first.content[found.end() :]


@lru_cache(maxsize=2)
def _parser(links: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 24}).enable(["table", "strikethrough"])
    if not links:
        parser.disable(["link", "image"])
    parser.validateLink = _valid_link  # type: ignore[method-assign,assignment]
    for name, core_rule in (("limit_tables", _limit_tables), ("widen_tables", _widen_tables), ("mark_tasks", _mark_tasks)):
        parser.core.ruler.push(name, core_rule)
    rules = {
        "text": _text_rule,
        "link_open": _link_open,
        "link_close": _link_close,
        "image": _image_rule,
        "fence": _fence_rule,
        "code_block": _fence_rule,
        "blockquote_open": _quote_open,
        "blockquote_close": _quote_close,
        "table_open": _table_open,
        "th_open": _cell_open,
        "td_open": _cell_open,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def style(theme: Palette) -> str:
    """The style sheet of a rendered document. Sizes are relative to the view's font."""
    text, link, code, border = (theme.color(t).name() for t in ("text", "link", "code", "input_border"))
    return (
        f"body {{ color: {text}; }} a {{ color: {link}; text-decoration: none; }} "
        f"code {{ background-color: {code}; font-family: monospace; }} pre {{ font-family: monospace; margin: 0; white-space: pre-wrap; }} "
        "p { margin: 4px 0; } ul, ol { margin: 2px 0; } li { margin: 2px 0; } "
        "h1 { font-size: large; margin: 8px 0 4px 0; } h2 { font-size: large; margin: 8px 0 4px 0; } "
        f"table {{ border-collapse: collapse; margin: 6px 0; border-style: solid; border-color: {border}; }} "
        f"hr {{ background-color: {border}; }} "
        "td.short, th.short { white-space: nowrap; } h3, h4, h5, h6 { font-size: medium; margin: 6px 0 2px 0; } th { font-weight: 600; }"
    )


def body(text: str, theme: Palette) -> str:
    """The cleaned HTML of `text`, without a style sheet and without folding: for callers that cut their text themselves."""
    import nh3

    text = shown(text)
    html_text = _parser(text.count("[") < _MANY_BRACKETS).render(text, {"theme": theme})
    return nh3.clean(html_text, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel=None)


def warm() -> None:
    """Import the libraries and build what is built once (0.1 s); call it from a worker thread, before the first message is drawn."""
    import nh3

    nh3.clean(_parser(True).render("*a*", {}))
    _parser(False)
    warm_lexers()


def render(text: str, theme: Palette, *, limit: int = MAX_CHARACTERS) -> str:
    """`text` as a whole document in Qt's HTML subset.

    Args:
        text: Markdown from anywhere.
        theme: gives the colours.
        limit: characters that are shown; what is cut is said at the end with its size. Use `fold` to know beforehand.
    """
    folded = fold(text, limit)
    rest = f"<p><i>… [{folded.hidden:,}] …</i></p>" if folded.hidden else ""
    return f"<html><head><style>{style(theme)}</style></head><body>{body(folded.text, theme)}{rest}</body></html>"
