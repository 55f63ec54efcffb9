"""`keepsake sessions …`: the transcripts from the terminal. What is here reads only; other modules export, import, delete and restore."""

from __future__ import annotations

import argparse
import asyncio

from desktop.agent.distil import distil_with
from desktop.base.clock import iso
from desktop.base.errors import NotFoundError
from desktop.base.redact import redact, redact_all, visible
from desktop.cli.interrupted import interruption_to_json, looked_at, words
from desktop.cli.main import options_of
from desktop.cli.output import counted, put, put_json, say
from desktop.cli.sessions_list import as_they_are, list_sessions, summary_to_json
from desktop.compose import Services, build_services
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart
from desktop.providers.base import Model
from desktop.sessions.context import ContextResult, check_request
from desktop.sessions.found import OWN
from desktop.sessions.transcript import LoadedTranscript
from desktop.tools.session_context import read_session


def run(found: argparse.Namespace) -> int:
    services = build_services(options_of(found, headless=True))
    actions = {
        "list": list_sessions,
        "show": _show,
        "read": _read,
        "search": _search,
        "export": _files,
        "import": _files,
        "delete": _trash,
        "trash": _trash,
    }
    return actions[found.action](found, services)


def _trash(found: argparse.Namespace, services: Services) -> int:
    from desktop.cli import sessions_trash

    return sessions_trash.delete(found, services) if found.action == "delete" else sessions_trash.trash(found, services)


def _files(found: argparse.Namespace, services: Services) -> int:
    from desktop.cli import sessions_files

    return sessions_files.export(found, services) if found.action == "export" else sessions_files.import_(found, services)


def _search(found: argparse.Namespace, services: Services) -> int:
    from desktop.cli.sessions_search import search

    return search(found, services)


def _show(found: argparse.Namespace, services: Services) -> int:
    (summary,) = as_they_are([services.all_sessions.find(found.session)], services)
    loaded = services.all_sessions.load(found.session)
    damage = [{"line": line, "reason": reason} for line, reason in loaded.damage]
    running = summary.id in services.sessions.open_elsewhere()
    stopped, left = looked_at(loaded.live, summary.path, running=running) if summary.source == OWN else (None, None)
    if found.json:
        live = {message.id for message in loaded.live}
        messages = [message_to_json(m) | {"live": m.id in live} for m in loaded.messages]
        rest = {"interruption": interruption_to_json(stopped), "recovered": message_to_json(left) if left is not None else None}
        put_json(redact_all(summary_to_json(summary) | {"messages": messages} | rest) | {"damage": damage})
        return 0
    put(f"{visible(redact(summary.title))}\n{summary.id} · {summary.workspace} · {iso(summary.started)}\n")
    for number, message in enumerate([*loaded.live, *([left] if left is not None else [])], 1):
        put(redact(_shown(number, message)))
    if stopped is not None:
        say(f"keepsake: {words(stopped, resumed=False)}")
    _say_damage(loaded)
    return 0


def _shown(number: int, message: Message) -> str:
    lines = [f"[{number}] {message.role} · {iso(message.time)}"]
    for part in message.parts:
        match part:
            case TextPart():
                lines.append(part.text)
            case ThinkingPart():
                continue
            case ToolCallPart():
                lines.append(f"→ {part.name} {part.input or part.raw or ''}")
            case _:
                lines.append(f"← {part.name} ({part.status}): {part.output}")
    return "\n".join(lines) + "\n"


def _say_damage(loaded: LoadedTranscript) -> None:
    if loaded.damage:
        rest = "everything else is shown" if loaded.messages else "nothing else is in it"
        say(f"keepsake: {counted(len(loaded.damage), 'place')} of this transcript could not be read, or only with doubt; {rest}:")
    for line, reason in loaded.damage[:20]:
        say(f"  line {line}: {reason}")
    if len(loaded.damage) > 20:
        say(f"  and {len(loaded.damage) - 20} more")


def _read(found: argparse.Namespace, services: Services) -> int:
    found.session = found.session.strip().removeprefix("#")
    check_request(found.query, found.strategy, found.max_tokens)
    result = asyncio.run(_asked(found, services))
    if found.json:
        put_json(result.to_json())
    elif result.text:
        put(result.text)
    if result.status == "not_found":
        say(f"keepsake: There is no session {found.session}. “keepsake sessions list --all” shows those that are there.")
    elif result.status == "failed":
        _say_damage(services.all_sessions.load(found.session))
        say(f"keepsake: nothing of {found.session} can be read")
    return 0 if result.status == "success" else 1


async def _asked(found: argparse.Namespace, services: Services) -> ContextResult:
    """ReadSessionContext as the model's tool does it: distilled by the model, unless that is small, missing, or not wanted."""
    model = None if found.local_only else _model(services)
    try:
        ask = distil_with(model, found.session, services.clock) if model is not None else None
        return await read_session(services.all_sessions, found.session, found.query, found.strategy, found.max_tokens, ask)
    finally:
        if model is not None:
            await model.close()


def _model(services: Services) -> Model | None:
    try:
        return services.make_model()
    except NotFoundError as error:
        if services.options.model is not None:
            raise
        say(f"keepsake: read without a model: {error.message}")
        return None
