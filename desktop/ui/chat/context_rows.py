"""What a load report says, as rows for a list: slots with their share, what is in each, what was left out. Pure values, any report.

A report comes from an event or from another version: what is missing or of another kind counts as nothing. Texts are plain; sentences of
the core are said in the window's language. GUI thread, since it translates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication

from desktop.ui.markdown import shown

translate = QCoreApplication.translate
NAME_LENGTH, DROPPED_SHOWN = 300, 500
RowKind = Literal["slot", "item", "dropped"]


@dataclass(frozen=True, slots=True)
class ContextRow:
    """One line.

    Attributes:
        kind: a slot, something in it, or a name that was left out of that.
        name: what it is.
        note: why it is as it is, or "".
        tokens: what it costs, estimated; -1 where nothing is said.
        share: of the window, else of all that is sent; 0 … 1. Slots only.
        memory_share: the part of `share` that memory costs.
        state: loaded, cut, left-out or error.
        path: the file behind it, or "".
        memory: it is there because memory is on.
    """

    kind: RowKind
    name: str
    note: str = ""
    tokens: int = -1
    share: float = 0.0
    memory_share: float = 0.0
    state: str = "loaded"
    path: str = ""
    memory: bool = False

    def state_word(self) -> str:
        """The state in words, where it is not the ordinary one."""
        if self.kind == "dropped":
            return ""
        words = {
            "cut": translate("ContextRows", "cut"),
            "left-out": translate("ContextRows", "left out"),
            "error": translate("ContextRows", "could not be read"),
        }
        return words.get(self.state, "")

    def spoken(self) -> str:
        """All of it for a screen reader."""
        parts = [self.name, self.state_word(), self.note]
        if self.tokens >= 0:
            parts.append(tokens_text(self.tokens))
        if self.kind == "slot":
            parts.append(percent_text(self.share))
        return ", ".join(part for part in parts if part)


def tokens_text(tokens: int) -> str:
    return translate("ContextRows", "{n} tokens").format(n=f"{tokens:,}")


def percent_text(share: float) -> str:
    """A share that is there is never 0 %."""
    return f"{share * 100:.0f} %" if share >= 0.01 or share <= 0 else "< 1 %"


def context_rows(report: Mapping[str, Any]) -> list[ContextRow]:
    """Every slot with what is in it, and the conversation. Slots in which nothing is are left out."""
    whole = _number(report, "window") or _number(report, "total") or 1
    rows: list[ContextRow] = []
    for slot in _objects(report.get("slots")):
        items = _objects(slot.get("items"))
        tokens = _number(slot, "tokens")
        if not tokens and not items:
            continue
        memory = _number(slot, "memory_tokens")
        note = translate("ContextRows", "memory: {n}").format(n=f"{memory:,}") if memory else ""
        rows.append(ContextRow("slot", _text(slot, "title") or _text(slot, "slot"), note, tokens, tokens / whole, memory / whole))
        for item in items:
            rows += _item_rows(item)
    history = _number(report, "history_tokens")
    if history:
        rows.append(ContextRow("slot", translate("ContextRows", "The chat"), "", history, history / whole))
    return rows


def loaded_rows(report: Mapping[str, Any], context: Mapping[str, Any] | None) -> list[ContextRow]:
    """What of memory was loaded: from the report of slots where there is one, else the names that were left out of the index."""
    items = [item for slot in _objects((context or {}).get("slots")) for item in _objects(slot.get("items")) if item.get("memory") is True]
    rows = [row for item in items for row in _item_rows(item)]
    if not rows:
        rows = list(_dropped(report.get("dropped")))
    return rows


def _item_rows(item: Mapping[str, Any]) -> list[ContextRow]:
    name = _text(item, "name") or _text(item, "path")
    state = _text(item, "state") or "loaded"
    memory = item.get("memory") is True
    first = ContextRow(
        "item", name, _text(item, "reason"), _number(item, "tokens"), state=state, path=str(item.get("path") or ""), memory=memory
    )
    return [first, *_dropped(item.get("dropped"))]


def _dropped(names: object) -> Iterable[ContextRow]:
    held = [str(name) for name in names] if isinstance(names, (list, tuple)) else []
    for name in held[:DROPPED_SHOWN]:
        yield ContextRow("dropped", shown(name)[:NAME_LENGTH], translate("ContextRows", "left out"), state="left-out")
    if len(held) > DROPPED_SHOWN:
        rest = translate("ContextRows", "{n} more are left out").format(n=f"{len(held) - DROPPED_SHOWN:,}")
        yield ContextRow("dropped", rest, state="left-out")


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, (list, tuple)) else []


def _number(value: Mapping[str, Any], name: str) -> int:
    found = value.get(name)
    return int(found) if isinstance(found, (int, float)) and found > 0 else 0


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return shown(found)[:NAME_LENGTH] if isinstance(found, str) else ""
