"""A session as a document: Markdown to be read and passed on, or JSON that holds all of it and can be opened here again.

Secrets are masked in both; pictures are whole in JSON, and named in Markdown (`export_file` writes them beside it). Writes no file; pure
but for the side files that it asks for. The way back is `importers.keepsake` and `importers.keepsake_markdown`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

from desktop.base.clock import iso
from desktop.base.json_value import finite, inert
from desktop.base.redact import redact, redact_all, visible
from desktop.base.textio import digest
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, Part, TextPart, ThinkingPart, ToolCallPart
from desktop.sessions.export_pictures import Picture, SideFileContent, carried, pictures_of
from desktop.sessions.export_words import changes_of, has_signs, in_document, plain_signs, worded
from desktop.sessions.record import header_to_json
from desktop.sessions.summary import SessionSummary
from desktop.sessions.transcript import LoadedTranscript

SCHEMA = 1
KIND = "keepsake-session"
"""Says what a JSON export is, for whoever opens it."""

Format = Literal["md", "json"]
PictureShown = Callable[[Picture], str]
"""What stands for a picture in Markdown."""

NAME_BYTES = 180
"""Bytes of a title in a file's name, of which a file system takes 255."""

_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def export_session(
    loaded: LoadedTranscript,
    summary: SessionSummary,
    kind: Format,
    *,
    side_file: SideFileContent | None = None,
    shown: PictureShown | None = None,
) -> str:
    """The session as text.

    Args:
        loaded: what its transcript holds, with large outputs read in.
        summary: its line of the list.
        kind: `md`: the live branch, to be read. `json`: every branch and value.
        side_file: gives the pictures that stand beside the transcript; None: there are none.
        shown: what stands for a picture in Markdown; None: its size, as `(a picture, 12 KB)`.
    """
    content = side_file or _nothing
    return (
        _markdown(loaded, summary, shown or (lambda one: picture_text(one, content))) if kind == "md" else _json(loaded, summary, content)
    )


def message_text(message: Message) -> str:
    """The words of one message, for the clipboard: its texts, and a note for each picture."""
    blocks: list[str] = []
    for part in message.parts:
        blocks += [part.text] if isinstance(part, TextPart) else []
        blocks += [_noted(picture) for picture in pictures_of(part)]
    return "\n\n".join(block for block in blocks if block)


def _noted(picture: Picture) -> str:
    return f"(a picture, {picture.size_text})"


def picture_text(picture: Picture, side_file: SideFileContent) -> str:
    """What is said in place of a picture; of one that is lost, too."""
    return _noted(picture) if picture.content(side_file) is not None else f"(a picture, {picture.size_text}, lost)"


def _nothing(_digest: str) -> bytes | None:
    return None


def export_name(summary: SessionSummary, kind: Format) -> str:
    """A file name for it: day and title, without what a file system does not take."""
    title = re.sub(r"[^\w\- ]+", " ", visible(redact(summary.title))).strip()
    short = " ".join(title.split())[:60].encode("utf-8", "replace")[:NAME_BYTES].decode("utf-8", "ignore").strip()
    return f"{iso(summary.started)[:10]} {short or summary.id}.{kind}"


# --- JSON ---------------------------------------------------------------------------------------------------------------


def _json(loaded: LoadedTranscript, summary: SessionSummary, side_file: SideFileContent) -> str:
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
        "leaf": _name(loaded.leaf),
        "messages": [_message_value(one, side_file) | {"live": one.id in live} for one in loaded.messages],
        "damage": [{"line": line, "reason": str(reason)} for line, reason in loaded.damage],
    }
    return inert(_laid_out(finite(redact_all(value)))).encode("utf-8", "replace").decode() + "\n"


def _message_value(message: Message, side_file: SideFileContent) -> dict[str, Any]:
    """A message with its pictures, and with names that stay apart when secrets are masked."""
    value = message_to_json(message)
    for part in value["parts"]:
        if "data" in part:
            part["data"] = carried(part["data"], side_file)
        for key in ("id", "call_id"):
            if key in part:
                part[key] = _name(part[key])
    return value | {"id": _name(message.id), "parent": _name(message.parent)}


def _name(name: str | None) -> str | None:
    """An id as it is written: one that would be masked as a secret gets another name, or messages and calls would become one."""
    return name if name is None or redact(name) == name else f"masked-{digest(name.encode('utf-8', 'surrogatepass'))[:16]}"


def _laid_out(value: Any) -> str:
    """JSON with lines; on one line where it is nested too deeply for that."""
    try:
        return json.dumps(value, ensure_ascii=False, indent=1, default=str)
    except RecursionError:
        return json.dumps(value, ensure_ascii=False, default=str)


# --- Markdown -----------------------------------------------------------------------------------------------------------


def _markdown(loaded: LoadedTranscript, summary: SessionSummary, shown: PictureShown) -> str:
    head = [f"# {_plain(summary.title)}", ""]
    head += [f"- {name}: {_plain(value)}" for name, value in _facts(loaded, summary) if value]
    body = [block for number, message in enumerate(loaded.live, 1) for block in _message(number, message, shown)]
    text = "\n".join([*head, "", *body])
    return redact(text).encode("utf-8", "replace").decode().rstrip("\n") + "\n"


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


def _message(number: int, message: Message, shown: PictureShown) -> Iterator[str]:
    pictures = {place: [shown(one) for one in pictures_of(part)] for place, part in enumerate(message.parts)}
    if message.origin == "app" and not message.text.strip() and not any(pictures.values()):
        return
    yield f"## {number} · {_WHO.get(message.origin, message.role)} · {iso(message.time)}"
    yield ""
    for place, part in enumerate(message.parts):
        yield from _part(part)
        yield from (line for one in pictures[place] for line in (one, ""))


def _part(part: Part) -> Iterator[str]:
    match part:
        case TextPart():
            yield from [*worded(part.text), ""] if part.text else []
        case ThinkingPart():
            shown = in_document(part.text)
            told = "".join(f" {change}" for change in changes_of(part.text, shown))
            head = "> *Thinking*" + (f" <!-- text{told} -->" if told else "")
            yield from [head, ">", *(f"> {line}" for line in shown.split("\n")), ""]
        case ToolCallPart():
            given = part.raw if part.raw is not None else json.dumps(part.input, ensure_ascii=False, indent=2, default=str)
            yield from [f"**{_plain(part.name)}**", "", *fenced(given, "json"), ""]
        case _:
            word = "" if part.status == "ok" else f" ({part.status})"
            yield from [f"**Result of {_plain(part.name) or 'a call'}**{word}", "", *fenced(part.output, "text"), ""]


def fenced(text: str, language: str) -> list[str]:
    """A text as a code block whose fence is longer than any in it; behind its language what was changed of it."""
    longest = max((len(found.group(1)) for found in _FENCE.finditer(text)), default=2)
    fence = "`" * max(3, longest + 1)
    kept = text.rstrip("\n")
    told = f" +{len(text) - len(kept)}" * (kept != text) + " signs" * has_signs(kept)
    return [f"{fence}{language}{told}", plain_signs(kept), fence]


def _plain(text: str) -> str:
    """A text on one line in which no mark of Markdown begins anything."""
    return re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", visible(" ".join(text.split())))
