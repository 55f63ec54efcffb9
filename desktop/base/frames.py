"""The random word in the marks around text that is data: whoever wrote the text cannot know it, and it never occurs inside (S10, W-30).

Owns the drawing only; each place that frames something words its marks itself. Pure but for the system's randomness.
"""

from __future__ import annotations

import secrets


def fresh_nonce(*texts: str) -> str:
    """16 hexadecimal digits that stand in none of the texts."""
    nonce = secrets.token_hex(8)
    while any(nonce in text for text in texts):
        nonce = secrets.token_hex(8)
    return nonce
