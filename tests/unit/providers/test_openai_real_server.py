"""The OpenAI-compatible adaptor against a real server: llama.cpp's own, with the embedded model. Runs where that model is installed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.base.errors import ProviderError
from desktop.base.paths import AppPaths
from desktop.messages.events import TextDelta
from desktop.messages.parts import TextPart, ToolCallPart
from desktop.providers.base import ModelInfo
from desktop.providers.catalogue import find_file
from desktop.providers.embedded_server import OpenAIAddress, start_openai_server
from desktop.providers.library import LibraryModel
from desktop.providers.library_open import Connection
from tests.helpers.models import collect, ending, request, user

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    found = find_file(AppPaths(tmp_path / "data", tmp_path / "config", tmp_path / "cache"), os.environ)
    if found is None:
        pytest.skip("the embedded model is not installed")
    return found.path


@asynccontextmanager
async def connected(file: Path, key: str | None = None) -> AsyncIterator[LibraryModel]:
    async with start_openai_server(file) as server:
        model = _model(server, key)
        try:
            yield model
        finally:
            await model.close()


def _model(server: OpenAIAddress, key: str | None) -> LibraryModel:
    connection = Connection("chat", "local", "local", server.model, server.base_url, False, "Enter the key.")
    return LibraryModel(ModelInfo("local:m", "m", "local", 8_192), connection, lambda: key or server.api_key, dict(os.environ))


def run(file: Path, work: Callable[[LibraryModel], Awaitable[None]], key: str | None = None) -> None:
    async def main() -> None:
        async with connected(file, key) as model:
            await work(model)

    asyncio.run(main())


def test_text_streams_with_usage(model_file: Path) -> None:
    async def work(model: LibraryModel) -> None:
        asked = request(user("Say the single word: hello"), system="You answer briefly.", tools=(), max_output_tokens=30)
        events = await collect(model, asked)
        end = ending(events)
        assert [type(part) for part in end.parts] == [TextPart]
        assert sum(isinstance(event, TextDelta) for event in events) >= 1
        assert end.usage.input_tokens > 5 and 0 < end.usage.output_tokens <= 30

    run(model_file, work)


def test_a_short_limit_is_told_as_such(model_file: Path) -> None:
    async def work(model: LibraryModel) -> None:
        asked = request(user("Count from one to fifty in words."), system="You answer at length.", tools=(), max_output_tokens=8)
        assert ending(await collect(model, asked)).stop == "length"

    run(model_file, work)


def test_tools_are_taken_by_the_server(model_file: Path) -> None:
    async def work(model: LibraryModel) -> None:
        asked = request(user('Call Write with file_path "a.txt" and content "hi".'), max_output_tokens=120)
        end = ending(await collect(model, asked))
        # A model this small may answer in words; what counts is that either is understood.
        assert all(isinstance(part, (TextPart, ToolCallPart)) for part in end.parts) and end.parts

    run(model_file, work)


def test_a_wrong_key(model_file: Path) -> None:
    async def work(model: LibraryModel) -> None:
        with pytest.raises(ProviderError) as caught:
            await collect(model, request(tools=()))
        assert caught.value.kind == "auth"

    run(model_file, work, key="wrong" + "0" * 20)


def test_a_conversation_that_is_too_long(model_file: Path) -> None:
    async def work(model: LibraryModel) -> None:
        with pytest.raises(ProviderError) as caught:
            await collect(model, request(user("word " * 20_000), tools=()))
        assert caught.value.kind == "context_length"

    run(model_file, work)
