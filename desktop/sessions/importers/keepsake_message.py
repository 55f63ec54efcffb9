"""A message of ours in the shape of the importers, with its pictures. Pure, but for what gives the bytes of a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from desktop.base.phrases import say
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.export_pictures import Picture, pictures_of
from desktop.sessions.importers import values
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult

Kept = Callable[[Picture], str | None]
"""The base64 of a picture; None when it is lost."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class _Pictures:
    """The pictures of a message; `lost` says why some are not there."""

    kept: Kept
    lost: list[str] = field(default_factory=list)

    def of(self, part: TextPart | ToolResultPart) -> Iterator[tuple[str, str]]:
        for picture in pictures_of(part):
            text = self.kept(picture)
            found = values.picture(picture.media, "".join(text.split())) if text else None
            if found is not None:
                yield found
            else:
                self.lost.append(say("a picture ({size}) is lost", size=picture.size_text))


def imported(message: Message, kept: Kept) -> tuple[ImportedMessage, list[str]]:
    """A message of ours in the shape of the importers, and what of it is lost; `kept` gives the base64 of a picture, or None."""
    pictures = _Pictures(kept)
    own = tuple(one for part in message.parts if isinstance(part, TextPart) for one in pictures.of(part))
    usage = message.usage
    made = ImportedMessage(
        values.text(message.id),
        None if message.parent is None else values.text(message.parent),
        message.role,
        values.text(message.text),
        thinking=values.joined(values.text(part.text) for part in message.parts if isinstance(part, ThinkingPart)),
        tool_calls=tuple(_call(call) for call in message.tool_calls),
        tool_results=tuple(_result(result, pictures) for result in message.tool_results),
        time=message.time if message.time != _EPOCH else None,
        hidden=message.origin == "app",
        model=values.text(message.model),
        tokens=usage.total_tokens if usage else 0,
        cost_usd=usage.cost_usd if usage else None,
        pictures=own,
    )
    return made, pictures.lost


def _call(call: ToolCallPart) -> ImportedCall:
    return ImportedCall(
        values.text(call.id), values.text(call.name), values.clean(call.input) if call.raw is None else values.text(call.raw)
    )


def _result(result: ToolResultPart, pictures: _Pictures) -> ImportedResult:
    return ImportedResult(
        values.text(result.call_id),
        values.text(result.output),
        result.status != "ok",
        values.text(result.name),
        tuple(pictures.of(result)),
    )
