"""What a request cost in US dollars, from the price list that ships with `genai-prices`. Never asks the network; unknown is None.

The list is loaded with the first price (about 0.3 s and 15 MiB): ask off the GUI thread. The models that the app suggests stand in
`known_models` and need no list. Figures are that list's, no promise of the provider's.
"""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.base.loading import large_import
from desktop.messages.usage import Usage
from desktop.providers.known_models import KNOWN_MODELS

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot

LISTED_PROVIDERS = ("anthropic", "openai", "google")
_PREFIXES = {"anthropic": r"claude-", "openai": r"gpt-|o\d|codex", "google": r"gemini-"}
_NOT_CHAT = re.compile(
    r"audio|cyber|deep-research|discovery|embedding|\bft\b|image|instruct|live|nano-banana|omni|oss|realtime|robotics|rosalind|search"
    r"|transcribe|tts|vision|whisper|:"
)
_OLD = re.compile(r"^(?:claude-(?:[123]\b|v1)|gpt-3|gpt-4(?!o\b|\.1)|gpt-4o-(?:mini-)?20|gemini-(?:1|pro|flash-1)|o1|codex-mini)")
"""Left out of the list of suggestions only: any name is accepted after a provider's prefix."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A chat model that the price list knows; `context_window` in tokens, None where the list does not say."""

    name: str
    context_window: int | None


def _prices() -> DataSnapshot:
    """The list."""
    with nullcontext() if "genai_prices.data_snapshot" in sys.modules else large_import():
        from genai_prices.data_snapshot import get_snapshot

        return get_snapshot()


def cost_usd(usage: Usage, model: str, *, provider: str | None = None, base_url: str | None = None) -> float | None:
    """The price of one request, or None when nobody knows it.

    Args:
        usage: tokens of the request; `input_tokens` includes the cached ones.
        model: the name that the provider uses.
        provider: `anthropic`, `openai`, `google`; for another service give its `base_url` instead.
    """
    from genai_prices import Usage as PricedUsage

    priced = PricedUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    if provider is None and base_url is None:
        return None
    try:
        price = _prices().calc(priced, model, provider, None if provider else base_url, None)
    except (LookupError, ValueError):
        return None
    return float(price.total_price)


def with_cost(usage: Usage, model: str, *, provider: str | None = None, base_url: str | None = None) -> Usage:
    """`usage` with its price, None where unknown."""
    return replace(usage, cost_usd=cost_usd(usage, model, provider=provider, base_url=base_url))


def context_window(provider: str, model: str) -> int | None:
    """Tokens of the model's context window, or None when nobody says. Only a model outside of `known_models` needs the list."""
    for known in known_models(provider):
        if known.name == model:
            return known.context_window
    try:
        found = _prices().find_provider_model(model, None, provider, None)[1]
    except LookupError:
        return None
    return found.context_window


def known_models(provider: str) -> list[KnownModel]:
    """The provider's current chat models, in the order of the list. From a table of ours: the list itself takes 15 MiB."""
    return [KnownModel(name, window) for name, window in KNOWN_MODELS[provider]]


def listed_models(provider: str) -> list[KnownModel]:
    """What the table is made from: the same, out of the list."""
    from genai_prices.data_snapshot import find_provider_by_id

    found = find_provider_by_id(_prices().providers, provider)
    prefix = re.compile(_PREFIXES[provider])
    return [
        KnownModel(model.id, model.context_window)
        for model in (found.models if found else ())
        if prefix.match(model.id) and not model.deprecated and not _NOT_CHAT.search(model.id) and not _OLD.match(model.id)
    ]
