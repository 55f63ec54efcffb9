"""Counting words and tokens by script. Chinese, Japanese, Korean and Thai have no spaces, so whitespace says nothing about them.

Figures: about two CJK characters make a word (memory design, W-01); tokens are estimated at 4 characters for spaced scripts and
one for each CJK character, a little above what current tokenizers need, so that a budget is kept rather than missed. Pure.
"""

from __future__ import annotations

import re

CJK = (
    "\u3040-\u30ff"  # hiragana, katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\uac00-\ud7af"  # hangul
    "\u0e00-\u0e7f"  # Thai
    "\U00020000-\U0002fa1f"
)
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[^\W_]+(?:['’_-][^\W_]+)*", re.UNICODE)


def cjk_characters(text: str) -> int:
    return len(_CJK_CHARACTER.findall(text))


def word_equivalents(text: str) -> int:
    """Words of spaced scripts plus half the CJK characters, rounded down (threshold of the prose gate: 3)."""
    return len(_WORD.findall(_CJK_CHARACTER.sub(" ", text))) + cjk_characters(text) // 2


def estimate_tokens(text: str) -> int:
    """Tokens that `text` will cost, estimated by script; never 0 for text that is not empty."""
    if not text:
        return 0
    if text.isascii():
        return max(1, (len(text) + 3) // 4)
    wide = cjk_characters(text)
    other = sum(1 for c in text if ord(c) > 0x7F) - wide
    narrow = len(text) - wide - other
    return max(1, wide + (other + 1) // 2 + (narrow + 3) // 4)
