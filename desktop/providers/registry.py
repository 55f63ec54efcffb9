"""Which models there are and how one is made from its id. Imports each adaptor lazily; asks no network except in `check_model`.

Ids: `embedded`, `embedded:SIZE`, `scripted:FILE`, `anthropic:NAME`, `openai:NAME`, `google:NAME`, and `NAME:model` of an endpoint in the
setting `model.endpoints`. Installed models are looked for on the disk, and an unknown name in a price list that takes 0.3 s to load: call
this off the GUI thread.
"""

from __future__ import annotations

import asyncio
import difflib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError, NotFoundError, UsageError
from desktop.base.paths import AppPaths
from desktop.base.phrases import say, together
from desktop.messages.events import ResponseEnd
from desktop.messages.parts import Message, TextPart
from desktop.providers import prices
from desktop.providers.base import DumpRequest, Model, ModelInfo, ModelRequest, Warmable
from desktop.providers.library_open import Connection, Style
from desktop.settings.secrets import SecretStore, SettingsValues, environment_names

EMBEDDED = "embedded"
DEFAULT_ENDPOINT_WINDOW = 32_768
CHECK_TIMEOUT_S = 60.0
log = logging.getLogger(__name__)
_LIST = say("“keepsake models list” shows all.")


@dataclass(frozen=True, slots=True)
class ProviderContext:
    """What models are made from."""

    paths: AppPaths
    settings: SettingsValues
    secrets: SecretStore
    environ: Mapping[str, str]
    clock: Clock
    dump: DumpRequest | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What the test button shows: whether the model answered, a sentence, and what to do about it."""

    ok: bool
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Vendor:
    """A provider with an own protocol. `window` and `output` in tokens, where nothing better is known."""

    style: Style
    label: str
    base_url: str
    base_url_names: tuple[str, ...]
    window: int
    output: int


VENDORS: Mapping[str, Vendor] = {
    "anthropic": Vendor("anthropic", "Anthropic", "https://api.anthropic.com", ("ANTHROPIC_BASE_URL",), 200_000, 32_000),
    "openai": Vendor("openai", "OpenAI", "https://api.openai.com/v1", ("OPENAI_BASE_URL",), 128_000, 32_000),
    "google": Vendor("google", "Google", "https://generativelanguage.googleapis.com", ("GOOGLE_GEMINI_BASE_URL",), 1_000_000, 32_000),
}


def default_model_id(context: ProviderContext) -> str:
    """The model of new chats: the setting `model.default`."""
    return str(context.settings.value("model.default")).strip() or EMBEDDED


# --- listing --------------------------------------------------------------------------------------------------------


def list_models(context: ProviderContext, *, only_ready: bool = False) -> list[ModelInfo]:
    """Every model that can be named: the embedded ones that are installed, endpoints of the settings, known ones of the vendors.

    Args:
        only_ready: leave out the vendors that have no key.
    """
    found = _embedded_infos(context)
    for name, endpoint in _endpoints(context).items():
        found += [_endpoint_info(context, name, model, endpoint) for model in endpoint.get("models", ())]
    for provider in VENDORS:
        if not only_ready or context.secrets.source(provider) is not None:
            found += [_vendor_info(context, provider, known.name) for known in prices.known_models(provider)]
    return found


def _embedded_infos(context: ProviderContext) -> list[ModelInfo]:
    """The embedded model as `embedded`, then each further installed file as `embedded:NAME`."""
    from desktop.providers.catalogue import installed
    from desktop.providers.embedded_info import embedded_info

    best = embedded_info(context.paths, context.environ)
    if best is None:
        return []
    files = [model for model in installed(context.paths, context.environ) if model.problem is None]
    return [best, *(replace(best, id=f"{EMBEDDED}:{model.name}", label=model.label) for model in files if model.label != best.label)]


def _endpoints(context: ProviderContext) -> dict[str, dict[str, Any]]:
    value = context.settings.value("model.endpoints")
    return {k: v for k, v in value.items() if isinstance(v, dict)} if isinstance(value, dict) else {}


def _vendor_info(context: ProviderContext, provider: str, name: str) -> ModelInfo:
    vendor = VENDORS[provider]
    window = prices.context_window(provider, name) or vendor.window
    return ModelInfo(f"{provider}:{name}", f"{name} ({vendor.label})", provider, window, _output(context, min(vendor.output, window // 2)))


def _endpoint_info(context: ProviderContext, endpoint: str, name: str, entry: Mapping[str, Any]) -> ModelInfo:
    given = entry.get("context_window")
    window = given if isinstance(given, int) and not isinstance(given, bool) and given > 0 else DEFAULT_ENDPOINT_WINDOW
    return ModelInfo(f"{endpoint}:{name}", f"{name} ({endpoint})", endpoint, window, _output(context, min(8_192, window // 2)))


def _output(context: ProviderContext, default: int) -> int:
    chosen = context.settings.value("model.max_output_tokens")
    return chosen if isinstance(chosen, int) and chosen > 0 else default


# --- making ---------------------------------------------------------------------------------------------------------


def make_model(model_id: str, context: ProviderContext) -> Model:
    """The model behind an id. Makes no request; a missing key is found at the first one.

    Raises:
        UsageError: there is no such provider, endpoint or script; near ids are named.
        NotFoundError: the embedded model is not installed.
    """
    prefix, _, name = model_id.partition(":")
    if prefix == EMBEDDED:
        return _make_embedded(model_id, context)
    if not name:
        raise _unknown(model_id, context)
    if prefix == "scripted":
        from desktop.providers.scripted import ScriptedModel

        return ScriptedModel(Path(name), dump=context.dump, clock=context.clock)
    endpoint = _endpoints(context).get(prefix)
    if endpoint is not None:
        return _make_library(context, _endpoint_info(context, prefix, name, endpoint), _endpoint_connection(prefix, name, endpoint))
    if prefix in VENDORS:
        return _make_library(context, _vendor_info(context, prefix, name), _vendor_connection(context, prefix, name))
    raise _unknown(model_id, context)


def _make_embedded(model_id: str, context: ProviderContext) -> Model:
    from desktop.providers.catalogue import installed
    from desktop.providers.embedded_info import embedded_info

    info = embedded_info(context.paths, context.environ)
    if info is None:
        raise NotFoundError(
            say("The embedded model is not installed."),
            hint=say("Download it on the models page or with “keepsake models fetch”, or choose another model."),
        )
    if model_id != EMBEDDED:
        wanted = model_id.partition(":")[2].casefold()
        usable = [model for model in installed(context.paths, context.environ) if model.problem is None]
        chosen = [m for m in usable if m.name.casefold() == wanted] or [m for m in usable if wanted and m.name.casefold().endswith(wanted)]
        if not chosen:
            raise _unknown(model_id, context)
        info = replace(info, id=f"{EMBEDDED}:{chosen[0].name}", label=chosen[0].label)
    from desktop.providers.embedded import EmbeddedModel

    return EmbeddedModel(info, context.paths, context.environ, context.dump)


def _make_library(context: ProviderContext, info: ModelInfo, connection: Connection) -> Model:
    from desktop.providers.library import LibraryModel

    return LibraryModel(info, connection, lambda: context.secrets.get(connection.provider), context.environ, context.dump)


def _vendor_connection(context: ProviderContext, provider: str, name: str) -> Connection:
    vendor = VENDORS[provider]
    base_url = next((context.environ[v].strip() for v in vendor.base_url_names if context.environ.get(v, "").strip()), vendor.base_url)
    # A server that only resembles OpenAI's speaks Chat Completions for sure, Responses perhaps.
    own = provider != "openai" or (urlsplit(base_url).hostname or "").endswith("openai.com")
    return Connection(vendor.style if own else "chat", provider, vendor.label, name, base_url, True, _key_hint(provider))


def _endpoint_connection(endpoint: str, name: str, entry: Mapping[str, Any]) -> Connection:
    base_url = entry.get("base_url")
    if not isinstance(base_url, str) or not base_url.startswith(("http://", "https://")):
        raise UsageError(
            say("The server “{endpoint}” has no usable address.", endpoint=endpoint),
            hint=say("Give it a “base_url” that starts with http:// or https:// in the setting model.endpoints."),
        )
    return Connection("chat", endpoint, endpoint, name, base_url, False, _key_hint(endpoint))


def _key_hint(provider: str) -> str:
    return say("Enter the key on the models page of the settings, or set {variable}.", variable=environment_names(provider)[0])


def _unknown(model_id: str, context: ProviderContext) -> UsageError:
    known = [info.id for info in list_models(context)]
    prefixes = [EMBEDDED, "scripted:FILE", *(f"{name}:MODEL" for name in (*VENDORS, *_endpoints(context)))]
    near = difflib.get_close_matches(model_id, known + prefixes, n=3, cutoff=0.5)
    near += [i for i in known if i.partition(":")[2] == model_id and i not in near][:3]
    meant = say("Did you mean {names}?", names=", ".join(near)) if near else say("Possible are {names}.", names=", ".join(prefixes))
    return UsageError(say("There is no model “{model_id}”.", model_id=model_id), hint=together(meant, _LIST))


async def warm_model(model: Model, *, after_s: float = 0.0) -> None:
    """Load what the model's first request would have to wait for: a vendor's SDK, the embedded model with its prompt.

    Runs beside other work for seconds and may be cancelled. An error is only logged: the first request shows it again, with the ways out.
    """
    if not isinstance(model, Warmable):
        return
    await asyncio.sleep(after_s)
    try:
        await model.warm()
    except KeepsakeError as error:
        log.info("%s was not loaded ahead: %s %s", model.info.id, error.message, error.detail)


# --- testing --------------------------------------------------------------------------------------------------------


async def check_model(model_id: str, context: ProviderContext) -> CheckResult:
    """Ask the model for one word. Never raises for a model that does not work: the result says why."""
    try:
        model = await asyncio.to_thread(make_model, model_id, replace(context, dump=None))
    except KeepsakeError as error:
        return CheckResult(False, error.message, error.hint)
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_S):
            return await _asked(model)
    except TimeoutError:
        return CheckResult(
            False,
            say("{label} did not answer within {seconds:.0f} s.", label=model.info.label, seconds=CHECK_TIMEOUT_S),
            say("Is the server busy? Try again."),
        )
    except KeepsakeError as error:
        return CheckResult(False, error.message, error.hint)
    finally:
        await model.close()


async def _asked(model: Model) -> CheckResult:
    message = Message("msg_check", "user", (TextPart("Answer with the word OK."),), datetime.now(UTC), origin="app")
    request = ModelRequest("title", "You answer with one word.", (message,), max_output_tokens=256)
    async for event in model.stream(request):
        if isinstance(event, ResponseEnd):
            return CheckResult(True, say("{label} answers.", label=model.info.label))
    return CheckResult(False, say("{label} gave no answer.", label=model.info.label), say("Try again."))
