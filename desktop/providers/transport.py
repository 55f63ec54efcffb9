"""The HTTP client below every provider SDK: dumps each request as it is sent, goes through the environment's proxies, never on loopback.

One client class serves Anthropic's, OpenAI's and Google's SDK. httpx2 is imported inside functions, since it is slow; nothing here
retries, follows redirects or reads `.netrc`, so that a key goes to the configured host only. Runs on the asyncio thread.
"""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from desktop.base.errors import KeepsakeError, ProviderError
from desktop.base.phrases import say
from desktop.providers.base import DumpRequest, RequestKind

if TYPE_CHECKING:
    import ssl

    import httpx2

CONNECT_TIMEOUT_S = 10.0
READ_TIMEOUT_S = 600.0
"""Between two pieces of an answer; a local server may read a long prompt for minutes before its first one."""


@dataclass(slots=True)
class Call:
    """The request that is being opened. `failure` holds our own error when the transport refused to send it."""

    kind: RequestKind
    model_id: str
    failure: KeepsakeError | None = None

    @contextmanager
    def current(self) -> Iterator[None]:
        """Tell the transport that what is sent in this block is this call. No generator may yield inside."""
        token = current_call.set(self)
        try:
            yield
        finally:
            current_call.reset(token)


current_call: ContextVar[Call | None] = ContextVar("current_call", default=None)
"""Set around the opening of a request only: SDKs offer no other way to hand a value down to the transport."""


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def proxy_for(scheme: str, host: str, environ: Mapping[str, str]) -> str | None:
    """The proxy that the environment names for an address, or None for the direct way.

    `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` in either case; addresses and networks in `NO_PROXY` too. On Windows and macOS
    the system's own proxy counts where the environment has none.
    """
    if is_loopback(host):
        return None
    proxies = _proxies(environ)
    proxy = proxies.get(scheme) or proxies.get("all")
    if not proxy or _excepted(host, proxies.get("no", "")):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _proxies(environ: Mapping[str, str]) -> dict[str, str]:
    named = {name: environ.get(f"{name}_proxy") or environ.get(f"{name.upper()}_PROXY") or "" for name in ("http", "https", "all", "no")}
    if sys.platform in ("win32", "darwin") and not any(named[name] for name in ("http", "https", "all")):
        from urllib.request import getproxies  # with http and email behind it: not needed before the first request

        return dict(getproxies())
    return named


def _excepted(host: str, no_proxy: str) -> bool:
    name = host.strip("[]").lower()
    for entry in (part.strip().lower() for part in no_proxy.split(",")):
        if not entry:
            continue
        if entry == "*" or name == entry.lstrip("*").lstrip(".") or name.endswith("." + entry.lstrip("*").lstrip(".")):
            return True
        try:
            if ipaddress.ip_address(name) in ipaddress.ip_network(entry.strip("[]"), strict=False):
                return True
        except ValueError:
            continue
    return False


class Transport:
    """What httpx2 calls a transport (by shape, not by inheritance, so that httpx2 need not be loaded for this module)."""

    def __init__(self, environ: Mapping[str, str], dump: DumpRequest | None, tls: ssl.SSLContext) -> None:
        self._environ = environ
        self._dump = dump
        self._tls = tls
        self._ways: dict[str | None, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        call = current_call.get()
        if self._dump is not None and call is not None:
            await request.aread()
            try:
                self._dump(call.kind, call.model_id, str(request.url), request.content)
            except KeepsakeError as error:
                call.failure = error  # the SDK would wrap it as a failed connection
                raise
        _cap_connect_timeout(request)
        try:
            way = self._way(proxy_for(request.url.scheme, request.url.host, self._environ))
        except KeepsakeError as error:
            if call is not None:
                call.failure = error
            raise
        return await way.handle_async_request(request)

    def _way(self, proxy: str | None) -> httpx2.AsyncHTTPTransport:
        import httpx2

        if proxy not in self._ways:
            try:
                self._ways[proxy] = httpx2.AsyncHTTPTransport(verify=self._tls, trust_env=False, proxy=proxy)
            except (ImportError, ValueError, httpx2.InvalidURL) as error:
                raise ProviderError(
                    "unavailable",
                    say("The proxy that the environment names cannot be used."),
                    hint=say("Only http and https proxies are supported: change HTTPS_PROXY, or add the host to NO_PROXY."),
                    detail=type(error).__name__,
                ) from error
        return self._ways[proxy]

    async def aclose(self) -> None:
        for way in self._ways.values():
            await way.aclose()
        self._ways.clear()

    async def __aenter__(self) -> Transport:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _cap_connect_timeout(request: httpx2.Request) -> None:
    """SDKs send one number for all phases; nobody should wait ten minutes for a host that does not answer."""
    timeout = dict(request.extensions.get("timeout") or {})
    given = timeout.get("connect")
    timeout["connect"] = CONNECT_TIMEOUT_S if given is None else min(given, CONNECT_TIMEOUT_S)
    request.extensions = {**request.extensions, "timeout": timeout}


def make_client(environ: Mapping[str, str], dump: DumpRequest | None) -> httpx2.AsyncClient:
    """A client for one model; to be closed. Loads httpx2 and the certificates: call it in a worker thread."""
    import httpx2

    transport = Transport(environ, dump, httpx2.create_ssl_context())
    return httpx2.AsyncClient(
        transport=cast("httpx2.AsyncBaseTransport", transport),
        timeout=httpx2.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
        trust_env=False,
        follow_redirects=False,
    )
