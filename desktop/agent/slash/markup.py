"""Markdown made of phrases: texts that the window can still say in its language, with data in them that cannot become markup.

A template here is punctuation only; every word in it is a phrase of its own. Pure, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from desktop.base.phrases import Phrase, say, together

_MARKS = re.compile(r"[\\`*\[\]|<>]|(?<![^\W_])_|_(?![^\W_])|^(?:#+|[-+]|\d{1,9}[.)])(?=\s)|~~")
_RUNS = re.compile(r"`+")


def markup(template: str, /, **values: str) -> Phrase:
    """Markdown with values filled in; a value that is a phrase is said in the window's language. `template` holds no words."""
    return Phrase(template.format(**values), template, values)


def joined(texts: Iterable[str], between: str = "\n") -> Phrase:
    """Lines or blocks one after the other; empty ones are left out."""
    held = {f"line{number}": text for number, text in enumerate(text for text in texts if text)}
    return markup(between.join(f"{{{name}}}" for name in held), **held)


def because(what: str, why: str) -> str:
    """What is so, and behind a colon why; either alone where the other is missing."""
    return say("{name}: {reason}", name=what, reason=why) if what and why else what or why


def besides(text: str, more: str) -> str:
    """One thing, and behind a semicolon another; either alone where the other is missing."""
    return say("{text}; {more}", text=text, more=more) if text and more else text or more


def followed(text: str, sentence: str) -> str:
    """A few words, ended with a full stop, and a sentence behind them; either alone where the other is missing."""
    return together(say("{text}.", text=text), sentence) if text and sentence else text or sentence


def blocks(*texts: str) -> Phrase:
    """Paragraphs, lists and tables with a blank line between them."""
    return joined(texts, "\n\n")


def plain(text: str) -> str:
    """Text of any origin, on one line, that Markdown shows as it is. The values of a phrase count as such text, its words do not."""
    if isinstance(text, Phrase):
        values = {name: plain(value) if isinstance(value, str) else value for name, value in text.values.items()}
        return Phrase(text.template.format(**values) if values else str(text), text.template, values)
    return _MARKS.sub(lambda found: "".join(f"\\{c}" if not c.isalnum() else c for c in found.group()), " ".join(text.split()))


def code(text: str) -> str:
    """A path or a command as a code span, whatever back quotes stand in it."""
    flat = " ".join(str(text).split())
    if not flat:
        return ""
    fence = "`" * (max((len(run) for run in _RUNS.findall(flat)), default=0) + 1)
    room = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return f"{fence}{room}{flat}{room}{fence}"


def stacked(*lines: str) -> Phrase:
    """Lines of one paragraph, each on a line of its own."""
    return joined(lines, "  \n")


def bullets(items: Iterable[str]) -> Phrase:
    return joined(markup("- {item}", item=item) for item in items)


def numbered(items: Iterable[str]) -> Phrase:
    return joined(markup(f"{number}. {{item}}", item=item) for number, item in enumerate(items, 1))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> Phrase:
    """A table. `align` has a letter for each column: `l` or `r`."""
    sides = ["---:" if side == "r" else "---" for side in align.ljust(len(head), "l")]
    return joined([_row(head), f"| {' | '.join(sides)} |", *(_row(row) for row in rows)])


def _row(cells: Sequence[str]) -> Phrase:
    held = {f"cell{number}": cell for number, cell in enumerate(cells)}
    return markup("| " + " | ".join(f"{{{name}}}" for name in held) + " |", **held)
