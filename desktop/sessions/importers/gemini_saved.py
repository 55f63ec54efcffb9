"""What Gemini's tools save beside recorded chats: checkpoints (histories of `Content`), the log of prompts, AI Studio's prompts.

Read only. A log holds many sessions; only what the person wrote is in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers.google_parts import CallIds, content_of
from desktop.sessions.importers.reading import Source
from desktop.sessions.importers.shapes import Damage, ImportedMessage, ImportedSession, Role, Thread, TranscriptEntry
from desktop.sessions.importers.values import (
    data_url,
    first_title,
    identifier,
    is_wrapper,
    joined,
    listing,
    mapping,
    mappings,
    moment,
    picture,
    text,
    told_title,
    whole,
)

SOURCE = "gemini"
_HISTORIES = ("clientHistory", "history")


def is_content(value: Any) -> bool:
    return isinstance(value, dict) and value.get("role") in ("user", "model", "function") and isinstance(value.get("parts"), list)


def is_logged(value: Any) -> bool:
    return isinstance(value, dict) and "sessionId" in value and "messageId" in value and isinstance(value.get("message"), str)


def is_chunk(value: Any) -> bool:
    """A chunk of AI Studio's prompt; pieces of parts are none, since these have no role."""
    if not isinstance(value, dict) or value.get("role") not in ("user", "model"):
        return False
    return "parts" in value or not {"content", "message", "type"} & value.keys()


def is_log(head: str) -> bool:
    return head.lstrip("\ufeff\0 \r\n\t").startswith("[") and '"messageId"' in head[:4_000] and '"sessionId"' in head[:4_000]


def history_of(document: dict[str, Any]) -> list[Any]:
    """The history of a checkpoint, as the model saw it; empty for what is none."""
    for name in _HISTORIES:
        held = listing(document.get(name))
        if any(is_content(one) for one in held[:20]):
            return held
    return []


def score_list(document: list[Any]) -> int:
    held = document[:100]
    if not held:
        return 0
    if sum(map(is_logged, held)) * 2 > len(held):
        return 90
    return 80 if sum(map(is_content, held)) * 2 > len(held) else 0


# --- checkpoints and logs -------------------------------------------------------------------------------------------------


def read_saved(document: Any, path: Path, session: str | None) -> ImportedSession:
    records = document if isinstance(document, list) else history_of(mapping(document))
    damage = tuple(Damage(1, say("a message is not an object")) for one in records if not isinstance(one, dict))
    if sum(map(is_logged, records)) * 2 > len(records):
        return _logged(records, path, session, damage)
    return _history(records, path, damage)


def read_broken(source: Source, damage: Damage, session: str | None) -> ImportedSession | None:
    """What is whole of a checkpoint, a log or a chunked prompt that is cut; None when it is none of them."""
    head = source.start(64_000)
    if '"chunkedPrompt"' in head:
        pieces = [one.value for one in source.pieces(is_chunk) if is_chunk(one.value)]
        found = read_studio({"chunkedPrompt": {"chunks": pieces}}, source.path)
        return ImportedSession(SOURCE, found.id, found.title, "", found.started, found.messages, found.branches, (damage,), leaf=found.leaf)
    if is_log(head):
        return _logged([one.value for one in source.pieces(is_logged)], source.path, session, (damage,))
    if '"projectHash"' in head or '"type"' in head[:2_000]:
        return None
    contents = [one.value for one in source.pieces(is_content) if is_content(one.value)]
    return _history(contents, source.path, (damage,)) if contents else None


def _history(records: list[Any], path: Path, damage: tuple[Damage, ...]) -> ImportedSession:
    thread, ids = Thread(), CallIds()
    for number, one in enumerate(mappings(records), 1):
        content = content_of(one, ids)
        thread.add(
            ImportedMessage(
                id=f"message-{number}",
                parent=None,
                role="assistant" if one.get("role") in ("model", "assistant") else "user",
                text=content.text,
                thinking=content.thinking,
                tool_calls=tuple(content.calls),
                tool_results=tuple(content.results),
                hidden=is_wrapper(content.text),
                pictures=tuple(content.pictures),
            ),
            follow=True,
        )
    return ImportedSession(
        SOURCE, path.stem, first_title(thread.messages), messages=tuple(thread.messages), branches=thread.branches(), damage=damage
    )


def _by_session(records: list[Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in records:
        if is_logged(one):
            found.setdefault(identifier(one["sessionId"]), []).append(one)
    return found


def _logged(records: list[Any], path: Path, session: str | None, damage: tuple[Damage, ...]) -> ImportedSession:
    sessions = _by_session(records)
    name = session if session in sessions else next(reversed(sessions), "")
    thread = Thread()
    for number, one in enumerate(sessions.get(name, ()), 1):
        role: Role = "user" if one.get("type") in ("user", None) else "assistant"
        told = identifier(one.get("messageId")) or str(number)
        while thread.knows(told):
            told += "~"
        thread.add(ImportedMessage(told, None, role, text(one["message"]), time=moment(one.get("timestamp"))), follow=True)
    started = next((one.time for one in thread.messages if one.time), None)
    messages = tuple(thread.messages)
    return ImportedSession(SOURCE, name or path.stem, first_title(messages), "", started, messages, thread.branches(), damage)


def log_entries(records: Any, source: Source) -> Iterator[TranscriptEntry]:
    for name, held in _by_session(listing(records)).items():
        times = [found for one in held if (found := moment(one.get("timestamp"))) is not None]
        title = next((text(one["message"]) for one in held if not text(one["message"]).startswith("/")), "")
        yield TranscriptEntry(
            source.path,
            name,
            SOURCE,
            told_title(title),
            started=min(times, default=None),
            updated=max(times, default=None),
            messages=len(held),
        )


# --- AI Studio ------------------------------------------------------------------------------------------------------------


def read_studio(document: dict[str, Any], path: Path) -> ImportedSession:
    """A prompt of AI Studio: chunks of person and model, edits and reruns as branches of their `branchParent`."""
    prompt = mapping(document.get("chunkedPrompt"))
    chunks = listing(prompt.get("chunks"))
    damage = tuple(Damage(1, say("a message is not an object")) for one in chunks if not isinstance(one, dict))
    thread, ids = Thread(), CallIds()
    for number, chunk in enumerate(mappings(chunks), 1):
        name = identifier(chunk.get("id")) or f"chunk-{number}"
        while thread.knows(name):
            name += "~"
        parent = identifier(mapping(chunk.get("branchParent")).get("id")) or identifier(chunk.get("branchParent"))
        thread.add(_chunk(name, parent, chunk, ids), follow=not thread.knows(parent))
    model = text(mapping(document.get("runSettings")).get("model")).removeprefix("models/")
    return ImportedSession(
        source=SOURCE,
        id=identifier(document.get("id")) or path.stem,
        title=told_title(document.get("displayName"), document.get("title")) or first_title(thread.messages),
        started=moment(document.get("createTime")) or next((one.time for one in thread.messages if one.time), None),
        messages=tuple(thread.messages),
        branches=thread.branches(),
        damage=damage,
        model=model,
    )


def _chunk(name: str, parent: str, chunk: dict[str, Any], ids: CallIds) -> ImportedMessage:
    """One chunk. Its text stands in `text` and often once more in `parts`: it is told once."""
    parts = content_of({"parts": chunk["parts"]} if isinstance(chunk.get("parts"), list) else None, ids)
    own = content_of({key: one for key, one in chunk.items() if key != "parts"}, ids)
    thought = chunk.get("isThought") is True
    said = own.text or parts.text
    thinking = joined((said, "" if own.text == parts.thinking else parts.thinking)) if thought else joined((*own.thoughts, *parts.thoughts))
    pictures = [*own.pictures, *parts.pictures, *_images(chunk)]
    attached = [f"[{text(mapping(chunk.get(key)).get('id')) or key}]" for key in chunk if key.startswith("drive") and mapping(chunk[key])]
    return ImportedMessage(
        id=name,
        parent=parent or None,
        role="user" if chunk.get("role") == "user" else "assistant",
        text="" if thought else joined((said, *attached)),
        thinking=thinking,
        tool_calls=tuple(own.calls or parts.calls),
        tool_results=tuple(own.results or parts.results),
        time=moment(chunk.get("createTime")),
        tokens=whole(chunk.get("tokenCount")),
        pictures=tuple(pictures),
    )


def _images(chunk: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("inlineImage", "inlineFile"):
        held = mapping(chunk.get(key))
        shown = picture(held.get("mimeType"), held.get("data")) or data_url(held.get("data"))
        if shown:
            yield shown
