"""Which way a request goes: straight on loopback, through the environment's proxy elsewhere."""

from __future__ import annotations

import pytest

from desktop.base.errors import ProviderError
from desktop.providers.base import ModelInfo
from desktop.providers.library import LibraryModel
from desktop.providers.library_open import Connection
from desktop.providers.transport import is_loopback, proxy_for
from tests.helpers import openai_events as openai
from tests.helpers.http_server import ModelServer
from tests.helpers.models import ask, ending, fail

PROXY = {"HTTPS_PROXY": "http://proxy.example:3128", "http_proxy": "proxy.example:3128"}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_loopback_never_goes_through_a_proxy(host: str) -> None:
    assert is_loopback(host)
    assert proxy_for("http", host, PROXY) is None


@pytest.mark.parametrize("host", ["example.com", "localhost.example.com", "10.0.0.1", "0.0.0.1", "notlocalhost"])
def test_what_is_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_the_environment_names_the_proxy() -> None:
    assert proxy_for("https", "api.example.com", PROXY) == "http://proxy.example:3128"
    assert proxy_for("http", "api.example.com", PROXY) == "http://proxy.example:3128"
    assert proxy_for("https", "api.example.com", {"ALL_PROXY": "http://all:1"}) == "http://all:1"
    assert proxy_for("https", "api.example.com", {}) is None


@pytest.mark.parametrize(
    ("host", "no_proxy", "direct"),
    [
        ("api.example.com", "example.com", True),
        ("api.example.com", ".example.com", True),
        ("api.example.com", "*.example.com", True),
        ("api.example.com", "other, API.EXAMPLE.COM", True),
        ("api.example.com", "*", True),
        ("10.1.2.3", "10.0.0.0/8", True),
        ("10.1.2.3", "10.1.2.3", True),
        ("badexample.com", "example.com", False),
        ("11.1.2.3", "10.0.0.0/8", False),
        ("api.example.com", ",", False),
    ],
)
def test_exceptions_from_the_proxy(host: str, no_proxy: str, direct: bool) -> None:
    assert (proxy_for("https", host, {**PROXY, "NO_PROXY": no_proxy}) is None) == direct


def model(base_url: str, environ: dict[str, str]) -> LibraryModel:
    connection = Connection("chat", "home", "home", "local", base_url, False, "Enter the key.")
    return LibraryModel(ModelInfo("home:local", "local", "home", 32_768), connection, lambda: None, environ)


def test_a_remote_host_is_asked_through_the_proxy() -> None:
    with ModelServer(openai.chat({"content": "through"})) as proxy:
        (events,) = ask(lambda: model("http://models.example/v1", {"HTTP_PROXY": proxy.url}))
        assert proxy.received[0].path == "http://models.example/v1/chat/completions"
    assert ending(events).parts


def test_a_local_server_is_asked_straight() -> None:
    with ModelServer() as proxy, ModelServer(openai.chat({"content": "ok"})) as server:
        (events,) = ask(lambda: model(f"{server.url}/v1", {"HTTP_PROXY": proxy.url, "ALL_PROXY": proxy.url}))
        assert proxy.received == []
    assert ending(events).parts


def test_a_proxy_that_cannot_be_used_is_named() -> None:
    _, error = fail(lambda: model("http://models.example/v1", {"ALL_PROXY": "socks4://127.0.0.1:1"}))
    assert isinstance(error, ProviderError) and error.kind == "unavailable" and "proxy" in error.message
