"""The random word in the marks around text that is data: whoever wrote the text cannot know it, and it never occurs inside (S10, W-30).

Owns the drawing only; each place that frames something words its marks itself. Pure but for the system's randomness.
"""

from __future__ import annotations

import re
import secrets

_NONCE = re.compile("[0-9a-f]{16}")


def fresh_nonce(*texts: str) -> str:
    """16 hexadecimal digits that stand in none of the texts."""
    nonce = secrets.token_hex(8)
    while any(nonce in text for text in texts):
        nonce = secrets.token_hex(8)
    return nonce


def is_nonce(text: object) -> bool:
    """Whether it has the form of one."""
    return isinstance(text, str) and _NONCE.fullmatch(text) is not None
