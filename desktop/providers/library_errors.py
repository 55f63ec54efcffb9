"""The provider library's errors as ours: one kind each, a sentence that names the provider, a way out, and the server's own wait time.

Pure. The server's text goes into `detail` with keys masked, since some servers repeat the key that they refuse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from desktop.base.errors import ProviderError, ProviderErrorKind
from desktop.base.phrases import say
from desktop.base.redact import MASK, redact

_DETAIL_CHARS = 2_000
_TOO_LONG = re.compile(
    r"(?i)context[ _-]?(?:length|window|size)|prompt is too long|too many tokens|maximum (?:context|prompt)"
    r"|exceeds? the (?:available|model|maximum)|token count .{0,40}exceeds"
)

_WRONG_KEY = re.compile(r"(?i)api[ _-]?key (?:not valid|invalid|expired|not found)|invalid[ _]api[ _-]?key|api_key_invalid")


@dataclass(frozen=True, slots=True)
class Blame:
    """What an error text needs to say: the provider's label, the model's name, where its key is entered, the address."""

    label: str
    model: str
    key_hint: str
    address: str
    key: str = ""


def library_error_types() -> tuple[type[Exception], ...]:
    """Everything that the library, the SDKs below it and the HTTP client raise for a failed request or for an answer that is nonsense."""
    import httpx2
    from pydantic_ai.exceptions import AgentRunError, UserError

    found: list[type[Exception]] = [AgentRunError, UserError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL]
    # Answers that are no answers: wrong types and missing fields surface as these from the SDKs' parsers.
    found += [ValueError, TypeError, AttributeError, LookupError, AssertionError, OSError]
    found += _sdk_errors()
    return tuple(found)


def _sdk_errors() -> list[type[Exception]]:
    """The base errors of the SDKs that are loaded; none is loaded for this."""
    import sys

    names = (("anthropic", "AnthropicError"), ("openai", "OpenAIError"), ("google.genai.errors", "APIError"))
    errors = (getattr(sys.modules.get(module), name, None) for module, name in names)
    return [error for error in errors if isinstance(error, type) and issubclass(error, Exception)]


def provider_error(error: Exception, blame: Blame, *, streaming: bool) -> ProviderError:
    """The ProviderError for what the library raised.

    Args:
        streaming: whether a part of the answer had come already: a broken connection is then a cut stream.
    """
    from pydantic_ai import exceptions as ai

    retry_after = getattr(error, "retry_after", None)
    kind, sentence, hint = _judged(error, blame, streaming=streaming)
    if kind in ("invalid", "unavailable") and isinstance(error, ai.ModelHTTPError):
        # Some servers say it in words only.
        if _TOO_LONG.search(str(error.body)):
            kind, sentence, hint = _too_long(blame)
        elif _WRONG_KEY.search(str(error.body)):
            kind, sentence, hint = _wrong_key(blame)
    wait = float(retry_after) if isinstance(retry_after, (int, float)) and retry_after >= 0 else None
    return ProviderError(kind, sentence, retry_after_s=wait, hint=hint, detail=_detail(error, blame))


Judgement = tuple[ProviderErrorKind, str, str]


def _judged(error: Exception, blame: Blame, *, streaming: bool) -> Judgement:
    import httpx2
    from pydantic_ai import exceptions as ai

    match error:
        case ai.ModelContextWindowExceededError():
            return _too_long(blame)
        case ai.ModelAuthenticationError():
            return _wrong_key(blame)
        case ai.ModelQuotaExceededError():
            return (
                "unavailable",
                say("The quota or credit at {label} is used up.", label=blame.label),
                say("Top up the account, or choose another model."),
            )
        case ai.ModelRateLimitError():
            return "rate_limit", say("{label} says: too many requests.", label=blame.label), say("Wait a moment.")
        case ai.ModelUnavailableError():
            return "overloaded", say("{label} is overloaded or down.", label=blame.label), say("Wait a moment, or choose another model.")
        case ai.ModelServerError():
            return "overloaded", say("{label} had an error of its own.", label=blame.label), say("Try again, or choose another model.")
        case ai.ModelNotFoundError():
            sentence = say("{label} does not know the model “{model}”.", label=blame.label, model=blame.model)
            return "unavailable", sentence, say("Choose another; “keepsake models list” shows the known ones.")
        case ai.ModelConnectionError() | httpx2.TransportError() | httpx2.StreamError() | OSError():
            return _broken(blame, streaming=streaming)
        case ai.ModelHTTPError(status_code=status):
            return _by_status(status, blame)
        case ai.ContentFilterError():
            return "refused", say("{label} refused to answer.", label=blame.label), say("Say it in another way.")
        case ai.ModelAPIError() if streaming:
            return _broken(blame, streaming=True)
    return _nonsense(blame)


def _by_status(status: int, blame: Blame) -> Judgement:
    if status == 408 or status >= 500:
        return (
            "overloaded",
            say("{label} had an error of its own ({status}).", label=blame.label, status=status),
            say("Try again, or choose another model."),
        )
    if 300 <= status < 400:
        return (
            "unavailable",
            say("{address} is not the address of {label}: it redirects.", address=blame.address, label=blame.label),
            say("Correct the address in the settings."),
        )
    return (
        "invalid",
        say("{label} refused the request ({status}).", label=blame.label, status=status),
        say("The details say why; choose another model if it stays so."),
    )


def _wrong_key(blame: Blame) -> Judgement:
    return (
        "auth",
        say("{label} does not accept the key, or the key may not use {model}.", label=blame.label, model=blame.model),
        blame.key_hint,
    )


def _too_long(blame: Blame) -> Judgement:
    return "context_length", say("The chat is longer than {model} can read.", model=blame.model), say("Continue in a new chat.")


def _broken(blame: Blame, *, streaming: bool) -> Judgement:
    if streaming:
        return "cut", say("The answer of {label} broke off.", label=blame.label), say("Try again.")
    return (
        "network",
        say("{label} cannot be reached at {address}.", label=blame.label, address=blame.address),
        say("Check the network, the address and the proxy settings."),
    )


def _nonsense(blame: Blame) -> Judgement:
    return (
        "invalid",
        say("{label} gave an answer that cannot be understood.", label=blame.label),
        say("Check that {address} is the address of such a model server.", address=blame.address),
    )


def cut(blame: Blame, detail: str) -> ProviderError:
    """A stream that ended without its closing event."""
    kind, sentence, hint = _broken(blame, streaming=True)
    return ProviderError(kind, sentence, hint=hint, detail=detail)


def _detail(error: Exception, blame: Blame) -> str:
    body: Any = getattr(error, "body", None)
    text = f"{type(error).__name__}: {body if body is not None else error}"
    if blame.key:
        text = text.replace(blame.key, MASK)
    return redact(text)[:_DETAIL_CHARS]
