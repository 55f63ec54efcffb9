"""`keepsake sessions list|show|read`: the transcripts from the terminal. Reads only."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import NotFoundError
from desktop.base.redact import redact
from desktop.cli.arguments import folder_of
from desktop.cli.main import options_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services, build_services
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart
from desktop.sessions.context import no_result, read_context
from desktop.sessions.store import SessionSummary
from desktop.sessions.transcript import LoadedTranscript


def run(found: argparse.Namespace) -> int:
    services = build_services(options_of(found, headless=True))
    return {"list": _list, "show": _show, "read": _read}[found.action](found, services)


def summary_to_json(summary: SessionSummary) -> dict[str, Any]:
    """The shape of `interfaces.md`, and the project's key and a preview besides."""
    value = asdict(summary)
    return value | {"started": iso(summary.started), "updated": iso(summary.updated), "path": str(summary.path)}


def _list(found: argparse.Namespace, services: Services) -> int:
    key = None if found.all else services.open_workspace(folder_of(found)).project.key
    summaries = services.sessions.list(key)
    if found.json:
        put_json({"sessions": [summary_to_json(summary) for summary in summaries]})
        return 0
    if not summaries:
        say("keepsake: no sessions here yet" if not found.all else "keepsake: no sessions yet")
        return 0
    put(table([(s.id, iso(s.updated)[:16].replace("T", " "), f"{s.messages:>5}", s.state, s.title) for s in summaries]))
    return 0


def _show(found: argparse.Namespace, services: Services) -> int:
    summary = services.sessions.find(found.session)
    loaded = services.sessions.load(found.session)
    damage = [{"line": line, "reason": reason} for line, reason in loaded.damage]
    if found.json:
        live = {message.id for message in loaded.live}
        messages = [message_to_json(m) | {"live": m.id in live} for m in loaded.messages]
        put_json(summary_to_json(summary) | {"messages": messages, "damage": damage})
        return 0
    put(f"{summary.title}\n{summary.id} · {summary.workspace} · {iso(summary.started)}\n")
    for number, message in enumerate(loaded.live, 1):
        put(redact(_shown(number, message)))
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
        say(f"keepsake: {len(loaded.damage)} places of this transcript could not be read or are doubtful; everything else is shown:")
    for line, reason in loaded.damage[:20]:
        say(f"  line {line}: {reason}")
    if len(loaded.damage) > 20:
        say(f"  and {len(loaded.damage) - 20} more")


def _read(found: argparse.Namespace, services: Services) -> int:
    try:
        loaded = services.sessions.load(found.session)
    except NotFoundError as error:
        if found.json:
            put_json(no_result("not_found").to_json())
        say(f"keepsake: {error.text()}")
        return error.exit_status
    result = read_context(loaded, found.query, strategy=found.strategy, max_tokens=found.max_tokens)
    if found.json:
        put_json(result.to_json())
    elif result.text:
        put(result.text)
    if result.status != "success":
        _say_damage(loaded)
        say(f"keepsake: nothing of {found.session} can be read")
        return 1
    return 0
