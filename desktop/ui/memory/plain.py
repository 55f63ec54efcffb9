"""Text of files and paths in places where Qt would guess at rich text: tool tips. Pure."""

from __future__ import annotations

import html


def tooltip(text: str) -> str:
    """`text` as a tool tip that shows exactly these characters; markup in a file's name or description stays text."""
    if "<" not in text and "&" not in text:
        return text
    return f"<qt>{html.escape(text, quote=False).replace(chr(10), '<br>')}</qt>"
