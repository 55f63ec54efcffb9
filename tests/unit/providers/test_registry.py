"""From an id to a model: what is known, what is refused with which help, and the test button."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop.base.clock import SystemClock
from desktop.base.errors import NotFoundError, UsageError
from desktop.base.paths import AppPaths
from desktop.providers.dump import RequestDumper
from desktop.providers.registry import ProviderContext, check_model, default_model_id, list_models, make_model, warm_model
from desktop.settings.secrets import SecretStore
from desktop.settings.store import SettingsStore
from tests.helpers import anthropic_server as claude
from tests.helpers import openai_events as openai
from tests.helpers.anthropic_server import AnthropicServer
from tests.helpers.http_server import ModelServer
from tests.helpers.models import ask, collect, ending, request

KEY = "-".join(["sk", "test", "3" * 24])


@pytest.fixture(autouse=True)
def no_models_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Embedded models are looked for in the person's own data folder too."""
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "nobody"))


def context(folder: Path, environ: dict[str, str] | None = None, dump: Path | None = None, **settings: Any) -> ProviderContext:
    """A context over a fresh profile; settings are given with `__` for dots."""
    paths = AppPaths(folder / "data", folder / "config", folder / "cache")
    store = SettingsStore(paths)
    store.load()
    for key, value in settings.items():
        store.set(key.replace("__", "."), value)
    known = environ or {}
    secrets = SecretStore(paths, store, known, find_keyring=lambda: None)
    return ProviderContext(paths, store, secrets, known, SystemClock(), RequestDumper(dump) if dump else None)


def endpoints(url: str, **more: Any) -> dict[str, Any]:
    return {"home": {"base_url": f"{url}/v1", "models": ["qwen3", "gemma"], **more}}


def test_the_default_is_the_embedded_model(tmp_path: Path) -> None:
    assert default_model_id(context(tmp_path)) == "embedded"
    assert default_model_id(context(tmp_path, model__default="openai:gpt-5")) == "openai:gpt-5"


def test_vendors_and_endpoints_are_listed(tmp_path: Path) -> None:
    models = {m.id: m for m in list_models(context(tmp_path, model__endpoints=endpoints("http://127.0.0.1:1", context_window=9_000)))}
    assert models["anthropic:claude-sonnet-4-6"].context_window == 1_000_000
    assert models["home:qwen3"].context_window == 9_000 and models["home:gemma"].provider == "home"
    assert {m.provider for m in models.values()} >= {"anthropic", "openai", "google", "home"}
    assert len(models) == len(list_models(context(tmp_path))), "the list holds no id twice"
    assert all(0 < m.max_output_tokens < m.context_window for m in models.values())


def test_only_those_with_a_key(tmp_path: Path) -> None:
    found = list_models(context(tmp_path, {"OPENAI_API_KEY": KEY}), only_ready=True)
    assert {m.provider for m in found} - {"embedded"} == {"openai"}


@pytest.mark.parametrize(
    ("model_id", "provider", "window"),
    [
        ("anthropic:claude-of-tomorrow", "anthropic", 200_000),
        ("openai:gpt-5", "openai", 400_000),
        ("google:gemini-2.5-flash", "google", 1_048_576),
        ("home:any/name:7b", "home", 32_768),
    ],
)
def test_any_name_after_a_known_prefix(tmp_path: Path, model_id: str, provider: str, window: int) -> None:
    model = make_model(model_id, context(tmp_path, model__endpoints=endpoints("http://127.0.0.1:1")))
    assert (model.info.id, model.info.provider, model.info.context_window) == (model_id, provider, window)
    asyncio.run(model.close())


@pytest.mark.parametrize(
    ("model_id", "near"),
    [
        ("antropic:claude-sonnet-4-6", "anthropic:claude-sonnet-4-6"),
        ("claude-sonnet-4-6", "anthropic:claude-sonnet-4-6"),
        ("hom:qwen3", "home:qwen3"),
        ("gpt-5", "openai:gpt-5"),
        ("", "anthropic:MODEL"),
        ("openai:", "openai"),
        ("完全不同", "embedded"),
    ],
)
def test_an_unknown_model_is_named_with_near_ones(tmp_path: Path, model_id: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_model(model_id, context(tmp_path, model__endpoints=endpoints("http://127.0.0.1:1")))
    assert f"“{model_id}”" in caught.value.message
    assert near in caught.value.hint and "keepsake models list" in caught.value.hint


def test_embedded_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        make_model("embedded", context(tmp_path))
    assert "keepsake models fetch" in caught.value.hint


def test_embedded_files_are_chosen_by_name(tmp_path: Path) -> None:
    ctx = context(tmp_path)
    ctx.paths.models.mkdir(parents=True)
    for name in ("mine-7b.gguf", "other-1b.gguf"):
        (ctx.paths.models / name).write_bytes(b"GGUF" + bytes(64))
    listed = [m.id for m in list_models(ctx) if m.provider == "embedded"]
    assert listed == ["embedded", "embedded:other-1b"]
    made = [make_model(i, ctx) for i in ("embedded", "embedded:other-1b", "embedded:1B", "embedded:7b")]
    assert [m.info.id for m in made] == ["embedded", "embedded:other-1b", "embedded:other-1b", "embedded:mine-7b"]
    assert all(m.info.small for m in made)
    with pytest.raises(UsageError, match="embedded:70b"):
        make_model("embedded:70b", ctx)


def test_the_output_limit_of_the_settings(tmp_path: Path) -> None:
    model = make_model("openai:gpt-5", context(tmp_path, model__max_output_tokens=1_234))
    assert model.info.max_output_tokens == 1_234


def test_scripted_with_a_dump(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"responses": [{"text": "hi"}]}))
    (events,) = ask(lambda: make_model(f"scripted:{path}", context(tmp_path, dump=tmp_path / "dumps")))
    assert ending(events).parts
    assert (tmp_path / "dumps" / "0001-main.json").exists()
    with pytest.raises(UsageError):
        make_model(f"scripted:{tmp_path / 'absent'}", context(tmp_path))


def test_an_endpoint_answers_with_its_own_key(tmp_path: Path) -> None:
    with ModelServer(openai.chat({"content": "hi"})) as server:
        ctx = context(tmp_path, {"KEEPSAKE_KEY_HOME": KEY}, dump=tmp_path / "dumps", model__endpoints=endpoints(server.url))
        (events,) = ask(lambda: make_model("home:qwen3", ctx), request(kind="title"))
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
        assert server.received[0].json()["model"] == "qwen3"
    assert ending(events).usage.cost_usd is None
    assert KEY not in (tmp_path / "dumps" / "0001-title.json").read_text("utf-8")


def test_another_address_for_openai_is_asked_in_chat_completions(tmp_path: Path) -> None:
    with ModelServer(openai.chat({"content": "hi"})) as server:
        ctx = context(tmp_path, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{server.url}/v1"})
        (events,) = ask(lambda: make_model("openai:gpt-5", ctx))
        assert server.received[0].path == "/v1/chat/completions"
    assert ending(events).usage.cost_usd is None, "the price of another server is not OpenAI's"


def test_loading_ahead_asks_nothing_and_what_is_loaded_is_used(tmp_path: Path) -> None:
    async def run() -> tuple[int, int]:
        model = make_model("home:qwen3", ctx)
        await asyncio.gather(warm_model(model), warm_model(model))
        before = len(server.received)
        await collect(model, request())
        await model.close()
        return before, len(server.received)

    with ModelServer(openai.chat({"content": "hi"})) as server:
        ctx = context(tmp_path, {"KEEPSAKE_KEY_HOME": KEY}, model__endpoints=endpoints(server.url))
        assert asyncio.run(run()) == (0, 1)
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("after_s", [0.0, 60.0])
def test_loading_ahead_without_a_key_is_no_error_and_can_be_given_up(
    tmp_path: Path, after_s: float, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> bool:
        model = make_model("openai:gpt-5", context(tmp_path))
        task = asyncio.create_task(warm_model(model, after_s=after_s))
        if after_s:
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.wait([task])
        await model.close()
        return task.cancelled()

    with caplog.at_level(logging.INFO):
        assert asyncio.run(run()) == bool(after_s)
    assert ("openai:gpt-5 was not loaded ahead" in caplog.text) != bool(after_s)


def test_a_model_that_needs_nothing_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"responses": [{"text": "hi"}]}))
    asyncio.run(warm_model(make_model(f"scripted:{path}", context(tmp_path)), after_s=3_600))


def check(model_id: str, ctx: ProviderContext) -> tuple[bool, str]:
    result = asyncio.run(check_model(model_id, ctx))
    return result.ok, f"{result.message} {result.hint}"


def test_the_test_button(tmp_path: Path) -> None:
    replies = [
        claude.answer(claude.text("OK")),
        claude.failure(401, "authentication_error", "invalid x-api-key"),
        claude.failure(404, "not_found_error", "model: claude-nope"),
    ]
    with AnthropicServer(*replies) as server:
        ctx = context(tmp_path, {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}, dump=tmp_path / "dumps")
        assert check("anthropic:claude-sonnet-4-6", ctx)[0]
        wrong = check("anthropic:claude-sonnet-4-6", ctx)
        unknown = check("anthropic:claude-nope", ctx)
    gone = check("anthropic:claude-sonnet-4-6", ctx)
    assert [wrong[0], unknown[0], gone[0]] == [False, False, False]
    assert "key" in wrong[1] and "claude-nope" in unknown[1] and "cannot be reached" in gone[1]
    assert not (tmp_path / "dumps").exists(), "a test is no request of the person's"


def test_the_test_button_without_key_or_model(tmp_path: Path) -> None:
    ok, text = check("openai:gpt-5", context(tmp_path))
    assert not ok and "OPENAI_API_KEY" in text
    ok, text = check("nobody:x", context(tmp_path))
    assert not ok and "nobody:x" in text


def test_importing_the_registry_loads_no_library() -> None:
    code = (
        "import sys, desktop.providers.registry, desktop.providers.library, desktop.providers.scripted, desktop.settings.secrets\n"
        "heavy = 'email http.client pydantic_ai anthropic openai google.genai httpx httpx2 genai_prices keyring xllamacpp'.split()\n"
        "heavy.append('PySide6')\n"
        "print(sorted(set(heavy) & set(sys.modules)))\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_listing_models_and_a_model_that_is_not_there_load_no_patterns_of_the_embedded_one(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from desktop.base.errors import NotFoundError\n"
        "from desktop.compose import Options, build_services\n"
        "from desktop.providers.registry import list_models, make_model\n"
        "providers = build_services(Options(profile_dir=sys.argv[1], environ={})).providers\n"
        "assert list_models(providers)\n"
        "try:\n"
        "    make_model('embedded', providers)\n"
        "except NotFoundError:\n"
        "    print([name for name in sys.modules if name.startswith(('desktop.providers.embedded_guards', 'desktop.base.own_patterns'))])\n"
    )
    order = [sys.executable, "-c", code, str(tmp_path / "profile")]
    environ = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "no-data")}
    root = Path(__file__).parents[3]
    done = subprocess.run(order, capture_output=True, text=True, cwd=root, env=environ, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
