"""What a request cost: tokens by kind, and money where the price is known. Values add up with `+`. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request or of a sum of requests. `input_tokens` includes what was read from and written to the cache.

    `cost_usd` is None when any summand's price is unknown.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None

    def __add__(self, other: Usage) -> Usage:
        if self == Usage():
            return other
        if other == Usage():
            return self
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )

    @property
    def total_tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def to_json(self) -> dict[str, Any]:
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cache_read_tokens": self.cache_read_tokens,
            "cache_write_tokens": self.cache_write_tokens,
            "cost_usd": self.cost_usd,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Usage:
        def count(key: str) -> int:
            found = value.get(key)
            return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else 0

        cost = value.get("cost_usd")
        return cls(
            count("input_tokens"),
            count("output_tokens"),
            count("cache_read_tokens"),
            count("cache_write_tokens"),
            float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) else None,
        )
