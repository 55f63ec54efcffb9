"""Opening a model of the provider library: one maker for each protocol, all over our own HTTP client and without retries.

The vendors' SDKs and the library are imported in the makers: 1 to 3 s of CPU the first time, so call `open_model` in a worker thread.
Everything is given explicitly (address, key, client), so that no variable or file of a vendor's own tools changes where a key goes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from desktop.base.loading import large_import
from desktop.providers.base import DumpRequest

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai import models as library_models

Style = Literal["anthropic", "openai", "chat", "google"]
"""The protocol: Anthropic's Messages, OpenAI's Responses, Chat Completions of any compatible server, Google's Gemini."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where a model is and how it is spoken to.

    Attributes:
        style: the protocol.
        provider: `anthropic`, `openai`, `google`, or the endpoint's name.
        label: the provider's name for people.
        model: the name that the provider knows.
        base_url: the address that the requests go below.
        needs_key: whether a request without a key makes no sense.
        key_hint: how a person gives the key.
    """

    style: Style
    provider: str
    label: str
    model: str
    base_url: str
    needs_key: bool
    key_hint: str


@dataclass(slots=True)
class Opened:
    """The library's model and the HTTP client below it, made for one key."""

    key: str | None
    model: library_models.Model[Any]
    client: httpx2.AsyncClient
    close_more: list[Callable[[], None]] = field(default_factory=list)

    async def close(self) -> None:
        await self.client.aclose()
        for close in self.close_more:
            close()


def open_model(connection: Connection, key: str | None, environ: Mapping[str, str], dump: DumpRequest | None) -> Opened:
    """Load the library and open a model. Blocking, 1 to 3 s the first time."""
    maker, module = _MAKERS[connection.style]
    with nullcontext() if module in sys.modules else large_import():
        import pydantic_ai.direct  # noqa: F401 - used by the caller on the asyncio thread, where loading it would block

        from desktop.providers.transport import make_client

        client = make_client(environ, dump)
        model, close_more = maker(connection, key or "no-key", client)
        return Opened(key, model, client, close_more)


_Made = tuple["library_models.Model[Any]", list[Callable[[], None]]]


def _anthropic(connection: Connection, key: str, client: httpx2.AsyncClient) -> _Made:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    sdk = AsyncAnthropic(api_key=key, base_url=connection.base_url, http_client=client, max_retries=0, open_telemetry=False)
    return AnthropicModel(connection.model, provider=AnthropicProvider(anthropic_client=sdk)), []


def _openai(connection: Connection, key: str, client: httpx2.AsyncClient) -> _Made:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    sdk = AsyncOpenAI(api_key=key, base_url=connection.base_url, http_client=client, max_retries=0)
    return OpenAIResponsesModel(connection.model, provider=OpenAIProvider(openai_client=sdk)), []


def _chat(connection: Connection, key: str, client: httpx2.AsyncClient) -> _Made:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    sdk = AsyncOpenAI(api_key=key, base_url=connection.base_url, http_client=client, max_retries=0)
    vendor_own = (urlsplit(connection.base_url).hostname or "").endswith((".openai.com", ".azure.com"))
    # What only the newest vendor servers know is left out: llama.cpp, Ollama, LM Studio and vLLM take the older field names.
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=vendor_own, openai_supports_strict_tool_definition=vendor_own)
    return OpenAIChatModel(connection.model, provider=OpenAICompatibleProvider(connection.provider, openai_client=sdk), profile=profile), []


def _google(connection: Connection, key: str, client: httpx2.AsyncClient) -> _Made:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=key, http_client=client, base_url=connection.base_url)
    return GoogleModel(connection.model, provider=provider), [provider.client.close]


_MAKERS: Mapping[Style, tuple[Callable[[Connection, str, httpx2.AsyncClient], _Made], str]] = {
    "anthropic": (_anthropic, "pydantic_ai.models.anthropic"),
    "openai": (_openai, "pydantic_ai.models.openai"),
    "chat": (_chat, "pydantic_ai.models.openai"),
    "google": (_google, "pydantic_ai.models.google"),
}
"""The maker of each protocol and the module that it loads."""
