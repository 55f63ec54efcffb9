"""What the windows of Cline and its kin showed (`ui_messages.json`): words, tools and commands as records of `say` and `ask`.

One record is one message; a text that grew while it came in is there as often as it grew and counts once. Pure; nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult

Record = dict[str, Any]

PERSON = ("task", "user_feedback", "user_feedback_diff")
MODEL = ("text", "completion_result", "error", "condense_context", "subtask_result")
ASKED = ("followup", "completion_result", "plan_mode_respond", "act_mode_respond", "condense")
TOOLS = ("tool", "command", "use_mcp_server", "mcp_server_request_started", "browser_action", "browser_action_launch")
OUTPUTS = ("command_output", "browser_action_result", "mcp_server_response")


def is_window_record(record: Record) -> bool:
    kind = record.get("type")
    return kind in ("say", "ask") and isinstance(record.get(kind), str) and ("ts" in record or "text" in record)


@dataclass(slots=True)
class _Window:
    """The messages while records come in."""

    messages: list[ImportedMessage] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    spoken: bool = False
    growing: bool = False
    """Whether the record before was told to be unfinished."""
    tokens: int = 0
    price: float | None = None

    def add(self, record: Record, kind: str, **fields: Any) -> None:
        model = {"tokens": self.tokens, "cost_usd": self.price} if fields["role"] == "assistant" else {}
        if model:
            self.tokens, self.price = 0, None
        message = ImportedMessage(
            id=f"{len(self.messages) + 1}-{values.identifier(record.get('ts')) or 'x'}",
            parent=None,
            time=values.moment(record.get("ts")),
            pictures=tuple(_pictures(record)),
            **{"text": "", **model, **fields},
        )
        grows = self.growing and self._grows(message, kind)
        self.growing = record.get("partial") is True
        if grows:
            held = self.messages[-1]
            self.messages[-1] = replace(message, id=held.id, time=held.time, tokens=held.tokens or message.tokens)
        else:
            self.messages.append(message)
            self.kinds.append(kind)

    def _grows(self, message: ImportedMessage, kind: str) -> bool:
        """Whether a message is the one before, grown: same kind, and its text goes on."""
        if not self.messages or self.kinds[-1] != kind or self.messages[-1].role != message.role:
            return False
        before = self.messages[-1]
        held, text = (before.thinking or before.text).rstrip("….").rstrip(), message.thinking or message.text
        return bool(held) and text.startswith(held)

    def output(self, text: str, pictures: tuple[tuple[str, str], ...]) -> bool:
        """What the last call gave; pieces that come in one after the other are one result. False without such a call."""
        last = self.messages[-1] if self.messages else None
        if last is None or not last.tool_calls:
            return False
        held = last.tool_results[0] if last.tool_results else ImportedResult(last.tool_calls[0].id, "", name=last.tool_calls[0].name)
        output = text if text.startswith(held.output) else "\n".join(filter(None, (held.output, text)))
        self.messages[-1] = replace(last, tool_results=(replace(held, output=output, pictures=held.pictures + pictures),))
        return True


def window_messages(records: list[Record]) -> Iterator[ImportedMessage]:
    """The messages of a window, in their order; the first text is the person's task."""
    window = _Window()
    for record in records:
        kind = values.text(record.get(values.text(record.get("type"))))
        _take(window, record, kind, values.text(record.get("text")))
    yield from window.messages


def _take(window: _Window, record: Record, kind: str, text: str) -> None:
    asks = record.get("type") == "ask"
    if kind == "api_req_started":
        about = values.mapping(values.arguments(text))
        window.tokens = sum(values.whole(about.get(name)) for name in ("tokensIn", "tokensOut", "cacheWrites", "cacheReads"))
        window.price = values.cost(about.get("cost"))
        window.spoken = True
    elif kind in TOOLS:
        _tool(window, record, kind, text)
    elif kind in OUTPUTS:
        if not window.output(text, tuple(_pictures(record))) and text:
            window.add(record, kind, role="assistant", tool_results=(ImportedResult("", text, name=kind),))
    elif kind == "reasoning":
        window.add(record, kind, role="assistant", thinking=text)
    elif kind in PERSON or (kind == "text" and not asks and not window.spoken):
        window.spoken = True
        if text or record.get("images"):
            window.add(record, kind, role="user", text=text)
    elif (kind in ASKED if asks else kind in MODEL) and text:
        window.add(record, kind, role="assistant", text=_asked(text) if asks else text)


def _asked(text: str) -> str:
    """A question with the answers that were offered, where it is stored as an object."""
    held = values.mapping(values.arguments(text)) if text.lstrip().startswith("{") else {}
    question = values.text(held.get("question") or held.get("response"))
    offered = held.get("options") or held.get("suggest")
    options = [values.text(one.get("answer")) if isinstance(one, dict) else values.text(one) for one in values.listing(offered)]
    return "\n".join((question, *(f"- {one}" for one in options if one))) if question else text


def _tool(window: _Window, record: Record, kind: str, text: str) -> None:
    held = values.arguments(text)
    about = values.mapping(held)
    name = values.text(about.get("tool") or about.get("toolName") or about.get("action")) or kind
    given = {key: value for key, value in about.items() if key != "tool"} if about else {"command" if kind == "command" else "text": text}
    if kind == "mcp_server_request_started" and not text:
        return
    ident = f"tool-{len(window.messages) + 1}"
    last = window.messages[-1] if window.messages else None
    same = last is not None and window.kinds[-1] == f"tool:{kind}" and bool(last.tool_calls) and _goes_on(last.tool_calls[0], name, given)
    call = ImportedCall(last.tool_calls[0].id if same and last is not None else ident, name, given)
    if same and last is not None:
        window.messages[-1] = replace(last, tool_calls=(call,))
    else:
        window.add(record, f"tool:{kind}", role="assistant", tool_calls=(call,))


def _goes_on(before: ImportedCall, name: str, given: Record) -> bool:
    """Whether a call is the one before, shown again as it grew, or asked and then told."""
    if before.name != name or not isinstance(before.input, dict):
        return False
    return all(
        values.as_text(given[key]).startswith(values.as_text(value).rstrip("….")) for key, value in before.input.items() if key in given
    )


def _pictures(record: Record) -> Iterator[tuple[str, str]]:
    for one in values.listing(record.get("images")):
        found = values.data_url(one)
        if found is not None:
            yield found
