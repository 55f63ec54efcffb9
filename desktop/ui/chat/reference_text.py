"""A person's text in which references to sessions read as what those are called, and what was written behind each. Draws nothing. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from desktop.ui.markdown import shown

SESSION_LINK = re.compile(r"#(sess_[0-9a-z]{26})(?::(\d{1,7}))?")
"""A reference to a session, or to a message of it by its number."""
TITLE = 60


@dataclass(slots=True)
class LinkedText:
    """See the module's text.

    Attributes:
        text: as it was written.
        title_of: what a session is called, by its id; empty where it is not known: its id stands there then.
    """

    text: str
    title_of: Callable[[str], str]
    _written: dict[str, str] = field(default_factory=dict)

    def html(self) -> str:
        """The text as one paragraph with a link for each reference; `href` is the reference itself."""
        pieces: list[str] = []
        at = 0
        for found in SESSION_LINK.finditer(self.text):
            name = self._name(found)
            self._written[name] = found[0]
            pieces += (html.escape(shown(self.text[at : found.start()])), f'<a href="{found[0]}">{html.escape(name)}</a>')
            at = found.end()
        pieces.append(html.escape(shown(self.text[at:])))
        return f'<p style="margin: 0; white-space: pre-wrap">{"".join(pieces)}</p>'

    def restored(self, text: str) -> str:
        """A part of what is drawn, with the references as they were written."""
        for name in sorted(self._written, key=len, reverse=True):
            text = text.replace(name, self._written[name])
        return text

    def _name(self, found: re.Match[str]) -> str:
        title = " ".join(shown(self.title_of(found[1])).split()) or found[1]
        cut = title if len(title) <= TITLE else title[: TITLE - 1].rstrip() + "…"
        return f"#{cut}" + (f":{found[2]}" if found[2] else "")
