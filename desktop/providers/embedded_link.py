"""One session's link to the model's server: finds and checks the file, keeps the prompt's fixed part read, sends requests in turn.

The state that the server reaches after the fixed part is kept in a file of the cache folder, so that it is read once on a machine and not
at every start. Knows the wire and nothing of turns or memory. Asyncio thread; hashing a model file goes to a worker thread.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.base.errors import KeepsakeError, ProviderError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import say, together
from desktop.messages.usage import Usage
from desktop.providers import embedded_prompt as prompt
from desktop.providers.base import DumpRequest, RequestKind
from desktop.providers.catalogue import InstalledModel, check_file, find_file
from desktop.providers.embedded_http import StatusError, call, events
from desktop.providers.embedded_json import ANSWER, AnswerReader
from desktop.providers.embedded_server import N_CTX, OTHER_WAYS, EmbeddedServer, ServerPool, Turn

COMPLETIONS = "/v1/chat/completions"
PREFIX_SUFFIX = ".prompt"
KEPT_PREFIXES = 2
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Reply:
    """One completion while it streams. `cut`: it reached its limit of tokens."""

    reader: AnswerReader = field(default_factory=AnswerReader)
    usage: Usage = field(default_factory=Usage)
    cut: bool = False


def request_body(messages: Sequence[prompt.Wire], tools: Sequence[str], limit: int, tag: str = "") -> bytes:
    """The HTTP body of a request for one JSON reply that uses one of `tools`, in the language of `tag`."""
    value = {
        "messages": list(messages),
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": prompt.schema(tools, tag)}},
        "temperature": 0,
        "max_tokens": limit,
        "stream": True,
        "stream_options": {"include_usage": True},
        "cache_prompt": True,
    }
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


class EmbeddedLink:
    """See the module. `close` gives the server back; the last link of a loop ends it."""

    def __init__(self, model_id: str, paths: AppPaths, environ: Mapping[str, str], dump: DumpRequest | None, executable: str) -> None:
        self._executable = executable
        self._model_id = model_id
        self._paths = paths
        self._environ = environ
        self._dump = dump
        self._held: tuple[ServerPool, EmbeddedServer] | None = None
        self._opening = asyncio.Lock()
        self._closed = False

    @property
    def server(self) -> EmbeddedServer | None:
        """The server, once a request or `warm` asked for it."""
        return self._held[1] if self._held else None

    async def close(self) -> None:
        self._closed = True
        held, self._held = self._held, None
        if held:
            await held[0].release(held[1].file)

    async def warm(self) -> None:
        """Start the server and have the prompt's fixed part read.

        Raises:
            ProviderError: kind unavailable.
        """
        server = await self._server()
        async with server.turn() as turn:
            try:
                await self._read_prefix(server, turn)
                turn.finished = True
            except (OSError, asyncio.IncompleteReadError, TimeoutError, StatusError) as error:
                raise ProviderError(
                    "unavailable", say("The embedded model does not answer."), hint=OTHER_WAYS, detail=repr(error)
                ) from error

    # --- file and server ----------------------------------------------------------------------------------------------

    @property
    def _prefixes(self) -> Path:
        return self._paths.cache / "models" / "prompts"

    async def _server(self) -> EmbeddedServer:
        async with self._opening:
            if self._held:
                return self._held[1]
            if self._closed:
                raise ProviderError("unavailable", say("The embedded model was closed."))
            found = await asyncio.to_thread(self._checked_file)
            pool = ServerPool.of_running_loop()
            resident = found.entry.resident if found.entry else found.size
            server = pool.acquire(
                found.path,
                lambda: EmbeddedServer(found.path, slots=self._prefixes, resident=resident, executable=self._executable),
            )
            self._held = (pool, server)
            return server

    def _checked_file(self) -> InstalledModel:
        """The model's file, its digest checked. Blocking, for seconds at its first use."""
        found = find_file(self._paths, self._environ, self._model_id.partition(":")[2] or None)
        if found is None:
            hint = together(say("Run `keepsake models fetch`."), OTHER_WAYS)
            raise ProviderError("unavailable", say("The embedded model is not installed."), hint=hint)
        try:
            ensure_private_dir(self._prefixes)
            return check_file(found, self._paths, lambda: self._closed)
        except KeepsakeError as error:
            raise ProviderError("unavailable", error.message, hint=error.hint, detail=error.detail) from error

    # --- the prompt's fixed part --------------------------------------------------------------------------------------

    async def _read_prefix(self, server: EmbeddedServer, turn: Turn) -> None:
        """Have the fixed part in the server's cache: from the file of an earlier run, else by reading it once."""
        if server.warm_generation == server.generation:
            return
        name = self._prefix_file(server)
        try:
            await call(turn.endpoint, "POST", "/slots/0?action=restore", {"filename": name})
        except (StatusError, ValueError):
            with server.kept(turn):
                await self._read_prefix_anew(turn)
            await self._save_prefix(turn, name)
        except (OSError, asyncio.IncompleteReadError):
            (self._prefixes / name).unlink(missing_ok=True)  # a file that ends the child is not tried twice
            raise
        server.warm_generation = server.generation

    async def _read_prefix_anew(self, turn: Turn) -> None:
        body = request_body([*prompt.PREFIX, {"role": "user", "content": "."}], (ANSWER,), 1)
        async with aclosing(self._events(turn, body)) as read:
            async for _ in read:
                pass
        turn.finished = turn.answered = False
        turn.drop = None

    def _prefix_file(self, server: EmbeddedServer) -> str:
        """A name that changes with everything that the state depends on."""
        from importlib.metadata import version

        stat = server.file.stat()
        identity = json.dumps([str(server.file), stat.st_size, stat.st_mtime_ns, N_CTX, version("xllamacpp"), prompt.PREFIX])
        return hashlib.sha256(identity.encode()).hexdigest()[:24] + PREFIX_SUFFIX

    async def _save_prefix(self, turn: Turn, name: str) -> None:
        try:
            await call(turn.endpoint, "POST", "/slots/0?action=save", {"filename": name})
            await asyncio.to_thread(self._drop_old_prefixes)
        except (StatusError, OSError, ValueError, asyncio.IncompleteReadError) as error:
            log.info("the state of the prompt could not be kept: %s", error)

    def _drop_old_prefixes(self) -> None:
        files = sorted(self._prefixes.glob(f"*{PREFIX_SUFFIX}"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in files[KEPT_PREFIXES:]:
            old.unlink(missing_ok=True)

    # --- requests -----------------------------------------------------------------------------------------------------

    async def complete(self, kind: RequestKind, body: bytes, reply: Reply, *, background: bool) -> AsyncGenerator[str, None]:
        """Send one request in its turn; gives the pieces of the answer's text as they come. A child that died is started again once.

        Raises:
            ProviderError: unavailable, cut, context_length, invalid; overloaded when a person's request took a background one's turn.
        """
        for attempt in (1, 2):
            server = await self._server()
            turn: Turn | None = None
            try:
                async with server.turn(background=background) as turn:
                    await self._read_prefix(server, turn)
                    if self._dump:
                        self._dump(kind, self._model_id, turn.endpoint.base + COMPLETIONS, body.decode())
                    async with aclosing(self._events(turn, body)) as read:
                        async for value in read:
                            piece = _take(value, reply)
                            if piece:
                                yield piece
                    return
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                if turn and turn.preempted:
                    raise ProviderError("overloaded", say("A person's request came first."), detail=repr(error)) from error
                if attempt == 2 or reply.reader.raw:
                    raise _broken(server, reply, error) from error
            except StatusError as error:
                raise _status(error) from error

    async def _events(self, turn: Turn, body: bytes) -> AsyncGenerator[dict[str, Any], None]:
        def opened(drop: Callable[[], None]) -> None:
            turn.drop = drop
            if turn.preempted:
                drop()

        async with aclosing(events(turn.endpoint, COMPLETIONS, body, opened)) as read:
            async for value in read:
                turn.answered = True
                yield value
        if turn.preempted:
            raise ConnectionAbortedError("the turn was taken away")
        turn.finished = True


def _take(value: dict[str, Any], reply: Reply) -> str:
    """Read one event of the stream into `reply`; gives the text that it added to the answer."""
    if "error" in value:
        error = value["error"] if isinstance(value["error"], dict) else {}
        code = error.get("code")
        raise StatusError(code if isinstance(code, int) else 500, json.dumps(value))
    usage = value.get("usage")
    if isinstance(usage, dict):
        details = usage.get("prompt_tokens_details")
        cached = details.get("cached_tokens", 0) if isinstance(details, dict) else 0
        reply.usage = Usage(int(usage.get("prompt_tokens", 0)), int(usage.get("completion_tokens", 0)), int(cached), 0, 0.0)
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return ""
    reply.cut |= choices[0].get("finish_reason") == "length"
    delta = choices[0].get("delta")
    content = delta.get("content") if isinstance(delta, dict) else None
    return reply.reader.feed(content) if isinstance(content, str) else ""


def _broken(server: EmbeddedServer, reply: Reply, error: Exception) -> ProviderError:
    reason = server.died_because()
    message = (
        say("The embedded model's answer broke off.")
        if not reason
        else say("The embedded model's answer broke off: {reason}.", reason=reason)
    )
    return ProviderError("cut" if reply.reader.raw else "unavailable", message, hint=say("Send the message again."), detail=repr(error))


def _status(error: StatusError) -> ProviderError:
    text = error.body.casefold()
    if "context" in text and ("exceed" in text or "size" in text):
        return ProviderError("context_length", say("This is too long for the embedded model."), hint=OTHER_WAYS, detail=error.body)
    message = say("The embedded model refused the request (status {status}).", status=error.status)
    return ProviderError("invalid", message, hint=OTHER_WAYS, detail=error.body)
