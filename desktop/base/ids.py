"""Ids. A ULID sorts by time and needs no registry; 48 bits of milliseconds and 80 random bits in Crockford base32. Thread-safe."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from datetime import datetime

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
SESSION_ID = re.compile(r"sess_[0-9a-hjkmnp-tv-z]{26}\Z")
SESSION_REFERENCE = re.compile(r"#(sess_[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)")

RandomBits = Callable[[int], int]


def ulid(moment: datetime, bits: RandomBits = secrets.randbits) -> str:
    """26 characters: time to the millisecond, then randomness."""
    value = (int(moment.timestamp() * 1000) << 80) | bits(80)
    return "".join(ALPHABET[(value >> shift) & 31] for shift in range(125, -1, -5))


def new_session_id(moment: datetime) -> str:
    return f"sess_{ulid(moment)}"


def new_message_id(moment: datetime) -> str:
    return f"msg_{ulid(moment)}"


def new_call_id(moment: datetime) -> str:
    return f"call_{ulid(moment)}"
