"""Prices and windows out of the list that ships with the price library."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from desktop.messages.usage import Usage
from desktop.providers import prices


def test_a_known_model_has_a_price() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    assert prices.cost_usd(usage, "claude-sonnet-4-6", provider="anthropic") == pytest.approx(18.0)


def test_cached_tokens_are_cheaper() -> None:
    plain = prices.cost_usd(Usage(input_tokens=10_000), "claude-sonnet-4-6", provider="anthropic")
    cached = prices.cost_usd(Usage(input_tokens=10_000, cache_read_tokens=10_000), "claude-sonnet-4-6", provider="anthropic")
    assert plain is not None and cached is not None
    assert cached == pytest.approx(plain / 10)


@pytest.mark.parametrize(
    ("model", "provider", "base_url"),
    [
        ("claude-of-tomorrow", "anthropic", None),
        ("local", None, "http://127.0.0.1:11434/v1"),
        ("gpt-5", None, None),
        ("gpt-5", None, "https://models.example/v1"),
    ],
)
def test_unknown_is_none_and_not_nothing(model: str, provider: str | None, base_url: str | None) -> None:
    assert prices.cost_usd(Usage(10, 10), model, provider=provider, base_url=base_url) is None


def test_an_address_of_a_known_vendor_counts() -> None:
    by_address = prices.cost_usd(Usage(1_000, 1_000), "gpt-5", base_url="https://api.openai.com/v1")
    assert by_address == prices.cost_usd(Usage(1_000, 1_000), "gpt-5", provider="openai") is not None


@pytest.mark.parametrize("provider", prices.LISTED_PROVIDERS)
def test_every_vendor_has_models_with_windows(provider: str) -> None:
    known = prices.known_models(provider)
    assert len(known) > 3
    assert all(model.context_window is None or model.context_window >= 100_000 for model in known)
    assert not [model.name for model in known if any(w in model.name for w in ("embedding", "audio", "image", "tts", "realtime"))]


@pytest.mark.parametrize("provider", prices.LISTED_PROVIDERS)
def test_the_table_of_models_is_the_lists(provider: str) -> None:
    assert prices.known_models(provider) == prices.listed_models(provider), "run: python packaging/known_models.py"


def test_suggested_models_need_no_list() -> None:
    code = (
        "import sys\n"
        "from desktop.providers import prices\n"
        "found = [prices.context_window(p, m.name) for p in prices.LISTED_PROVIDERS for m in prices.known_models(p)]\n"
        "print(len(found) > 20, 'genai_prices' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["True", "False"]


def test_windows() -> None:
    assert prices.context_window("anthropic", "claude-sonnet-4-6") == 1_000_000
    assert prices.context_window("openai", "gpt-3.5-turbo") is not None, "a model outside of the table is looked up in the list"
    assert prices.context_window("anthropic", "nobody-knows") is None


def test_no_network_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the price list asked the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert prices.cost_usd(Usage(1, 1), "gpt-5", provider="openai") is not None
