"""Limits of one turn: steps, tokens, time, cost. Checked before each request; 0 means no limit. Pure but for the clock it is given."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.base.clock import Clock
from desktop.base.phrases import say
from desktop.messages.usage import Usage
from desktop.settings.store import SettingsStore

SMALL_MODEL_STEPS = 6


@dataclass(frozen=True, slots=True)
class Limits:
    """Most steps, tokens (input and output), seconds and US dollars that one turn may take."""

    steps: int = 50
    tokens: int = 0
    seconds: float = 0.0
    cost_usd: float = 0.0

    @classmethod
    def from_settings(cls, settings: SettingsStore, *, small: bool) -> Limits:
        steps = int(settings.value("agent.max_steps"))
        return cls(
            min(steps, SMALL_MODEL_STEPS) if small else steps,
            int(settings.value("agent.max_tokens")),
            float(settings.value("agent.max_seconds")),
            float(settings.value("agent.max_cost_usd")),
        )


class LimitWatch:
    """Watches one turn. `reached` gives the sentence to show, or None."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._begin = clock.monotonic()

    def reached(self, step: int, usage: Usage) -> str | None:
        limits = self._limits
        if step > limits.steps:
            return say("The turn reached its limit of {steps} steps.", steps=limits.steps)
        if limits.tokens and usage.total_tokens >= limits.tokens:
            return say("The turn reached its limit of {tokens:,} tokens.", tokens=limits.tokens)
        if limits.seconds and self._clock.monotonic() - self._begin >= limits.seconds:
            return say("The turn reached its limit of {seconds:g} seconds.", seconds=limits.seconds)
        if limits.cost_usd and usage.cost_usd is not None and usage.cost_usd >= limits.cost_usd:
            return say("The turn reached its limit of {cost_usd:g} US dollars.", cost_usd=limits.cost_usd)
        return None

    def seconds_left(self) -> float | None:
        """Seconds until the time limit, or None without one."""
        if not self._limits.seconds:
            return None
        return max(0.0, self._limits.seconds - (self._clock.monotonic() - self._begin))
