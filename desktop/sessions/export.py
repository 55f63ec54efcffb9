"""A session as a document: Markdown to be read and passed on, or JSON that holds all of it and can be opened here again.

Secrets are masked in both. Writes no file; pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

from desktop.base.clock import iso
from desktop.base.redact import redact, visible
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, Part, TextPart, ThinkingPart, ToolCallPart
from desktop.sessions.record import header_to_json
from desktop.sessions.summary import SessionSummary
from desktop.sessions.transcript import LoadedTranscript

SCHEMA = 1
KIND = "keepsake-session"
"""Says what a JSON export is, for whoever opens it."""

Format = Literal["md", "json"]
SideFile = Callable[[str], bytes | None]
_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def export_session(loaded: LoadedTranscript, summary: SessionSummary, kind: Format) -> str:
    """The session as text.

    Args:
        loaded: what its transcript holds, with large outputs read in.
        summary: its line of the list.
        kind: `md`: the live branch, to be read. `json`: every branch and value.
    """
    return _markdown(loaded, summary) if kind == "md" else _json(loaded, summary)


def export_name(summary: SessionSummary, kind: Format) -> str:
    """A file name for it: day and title, without what a file system does not take."""
    title = re.sub(r"[^\w\- ]+", " ", visible(summary.title)).strip()
    return f"{iso(summary.started)[:10]} {' '.join(title.split())[:60].strip() or summary.id}.{kind}"


# --- JSON ---------------------------------------------------------------------------------------------------------------


def _json(loaded: LoadedTranscript, summary: SessionSummary) -> str:
    live = {message.id for message in loaded.live}
    value = {
        "kind": KIND,
        "schema": SCHEMA,
        "session": header_to_json(loaded.header) if loaded.header else {"id": summary.id, "workspace": summary.workspace},
        "title": summary.title,
        "source": summary.source,
        "model": loaded.model,
        "started": iso(summary.started),
        "updated": iso(summary.updated),
        "leaf": loaded.leaf,
        "messages": [message_to_json(one) | {"live": one.id in live} for one in loaded.messages],
        "damage": [{"line": line, "reason": str(reason)} for line, reason in loaded.damage],
    }
    return json.dumps(masked(value), ensure_ascii=False, indent=1, default=str).encode("utf-8", "replace").decode() + "\n"


def masked(value: Any) -> Any:
    """A JSON value with the secrets in all of its texts masked."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {key: masked(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [masked(item) for item in value]
    return value


# --- Markdown -----------------------------------------------------------------------------------------------------------


def _markdown(loaded: LoadedTranscript, summary: SessionSummary) -> str:
    head = [f"# {_plain(summary.title)}", ""]
    head += [f"- {name}: {_plain(value)}" for name, value in _facts(loaded, summary) if value]
    body = [block for number, message in enumerate(loaded.live, 1) for block in _message(number, message)]
    text = "\n".join([*head, "", *body])
    return redact(text).encode("utf-8", "replace").decode().rstrip() + "\n"


def _facts(loaded: LoadedTranscript, summary: SessionSummary) -> Iterator[tuple[str, str]]:
    yield "Session", summary.id
    yield "Source", summary.source
    yield "Workspace", summary.workspace
    yield "Branch", summary.branch
    yield "Model", summary.model
    yield "Started", iso(summary.started)
    yield "Last message", iso(summary.updated)
    yield "Messages", str(len(loaded.live))
    other = len(loaded.messages) - len(loaded.live)
    yield "Messages on other branches, not in this document", str(other) if other else ""
    yield "Tokens", f"{summary.tokens:,}" if summary.tokens else ""
    yield "Cost", f"${summary.cost_usd:.4f}" if summary.cost_usd is not None else ""
    yield "Places that could not be read", str(len(loaded.damage)) if loaded.damage else ""


_WHO = {"person": "Person", "model": "Assistant", "tool": "Tool", "app": "Note of the app"}


def _message(number: int, message: Message) -> Iterator[str]:
    if message.origin == "app" and not message.text.strip():
        return
    yield f"## {number} · {_WHO.get(message.origin, message.role)} · {iso(message.time)}"
    yield ""
    for part in message.parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part:
        case TextPart():
            image = (part.data or {}).get("image")
            yield from (["*(a picture)*", ""] if image and not part.text else [part.text, ""] if part.text else [])
        case ThinkingPart():
            yield from ["> *Thinking*", ">", *(f"> {line}" for line in part.text.splitlines()), ""]
        case ToolCallPart():
            given = part.raw if part.raw is not None else json.dumps(part.input, ensure_ascii=False, indent=2, default=str)
            yield from [f"**{_plain(part.name)}**", "", *fenced(given, "json"), ""]
        case _:
            word = "" if part.status == "ok" else f" ({part.status})"
            yield from [f"**Result of {_plain(part.name) or 'a call'}**{word}", "", *fenced(part.output, "text"), ""]


def fenced(text: str, language: str) -> list[str]:
    """A text as a code block whose fence is longer than any in it."""
    longest = max((len(found.group(1)) for found in _FENCE.finditer(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", text.rstrip("\n"), fence]


def _plain(text: str) -> str:
    """A text on one line in which no mark of Markdown begins anything."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", visible(" ".join(text.split())))
