"""One use of a tool as SpecStory writes it into its Markdown: a block of HTML, as the call and what it gave.

Nothing of it runs. Pure; nothing raises.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.plain_text import fences
from desktop.sessions.importers.shapes import ImportedCall, ImportedResult

SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_NAME = re.compile(r'data-tool-name="([^"]*)"')
_KIND = re.compile(r'data-tool-type="([^"]*)"')
_TAG = re.compile(r"</?(?:details|summary)\b[^>]*>")
_GIVEN = re.compile(r"[A-Z][a-z]+(?: [a-z]+)?:\s*```json\n(.*)\n```", re.DOTALL)
"""What a call was given, under a heading such as `Parameters:`."""
_GAVE = re.compile(r"(?:Result:\s*)?(`{3,20})[^`\n]*\n(.*?)\n?\1(?:\s*Status: \*\*(\w+)\*\*)?", re.DOTALL)
_FAILED = ("error", "failed")


def tool_of(ident: str, tag: str, body: str, *, escaped: bool) -> tuple[ImportedCall, ImportedResult]:
    """A tool use as its call and what it gave: with two blocks of code, the first is what was asked.

    Args:
        ident: the id that the call gets.
        tag: what stands in the block's opening tag.
        body: what stands in the block.
        escaped: signs in it are written as HTML.
    """
    name = (_NAME.search(tag) or _KIND.search(tag) or [None, ""])[1] or ""
    summary = SUMMARY.search(body)
    lines = SUMMARY.sub("", body).split("\n")
    blocks = fences(lines)
    at = blocks[0][1] + 1 if len(blocks) > 1 else blocks[0][0] if blocks else len(lines)
    asked, gave, title = (
        html.unescape(one) if escaped else one
        for one in (plain("\n".join(lines[:at])), plain("\n".join(lines[at:])), plain(summary[1]) if summary is not None else "")
    )
    given = _arguments(asked) or {label: text for label, text in (("summary", title), ("text", asked)) if text}
    output, failed = _bare(gave)
    return ImportedCall(ident, name, given), ImportedResult(ident, output, failed, name)


def plain(text: str) -> str:
    """A text without the tags that fold it."""
    return values.text(_TAG.sub("", text).strip())


def _arguments(asked: str) -> dict[str, Any]:
    """The arguments of a call where all that was asked is one object; else an empty one."""
    found = _GIVEN.fullmatch(asked)
    try:
        return values.mapping(json.loads(found[1])) if found is not None else {}
    except (ValueError, RecursionError):
        return {}


def _bare(gave: str) -> tuple[str, bool]:
    """What a tool gave without the one fence that is put around it, and whether it is said to have failed."""
    found = _GAVE.fullmatch(gave)
    if found is None or found[1] in found[2]:
        return gave, False
    return found[2], found[3] in _FAILED
