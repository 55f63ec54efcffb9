"""The frame around everything in a request that is data and not the person's word: memory, project files, recalled notes, changes.

A frame is a pair of marks that hold a random word; forged marks inside are harmless, since the word is drawn again when it occurs there.
Owns the form of the marks. Pure but for the system's randomness.
"""

from __future__ import annotations

from desktop.base.frames import fresh_nonce, is_nonce

__all__ = ["framed", "fresh_nonce", "is_nonce"]


def framed(kind: str, nonce: str, text: str, note: str = "") -> str:
    """`text` between an opening mark, with `note` behind it, and a closing one: `<kind id="…"> note text </kind id="…">`, a line each.

    Args:
        kind: what it is, in lower-case words joined by `-`.
        nonce: from `fresh_nonce`; when it occurs in `text` or `note`, another one is drawn, and the result holds that.
        text: the data, as it is.
        note: our own words about it.
    """
    if nonce in text or nonce in note:
        nonce = fresh_nonce(text, note)
    head = f'<{kind} id="{nonce}">'
    return "\n".join(line for line in (head, note.rstrip("\n"), text, f'</{kind} id="{nonce}">') if line)
