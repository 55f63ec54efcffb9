"""What a command gives back, and the buttons that go with it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from desktop.base.phrases import Phrase
from desktop.messages.events import MemoryChangeRef

Status = Literal["ok", "error", "ask"]
Act = Literal["open", "command", "settings"]


@dataclass(frozen=True, slots=True)
class CommandAction:
    """A button below a result.

    Attributes:
        act: open the file `path` of the memory root `root`; run the command `text`; show the memory settings.
        label: a phrase, or the name of what is opened or chosen.
        detail: a second line that tells it from others; may be empty.
    """

    act: Act
    label: str
    root: str = ""
    path: str = ""
    text: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command gave.

    Attributes:
        command: its name, with the slash.
        title: what was asked, for the head of the card.
        text: Markdown, made of phrases.
        data: the same for programs; holds nothing but JSON values.
        status: ok; error (it was not done, the text says why); ask (one of the choices has to be taken).
        changes: what was changed in memory, for Undo.
        actions: buttons.
        opens: the session that the window goes to.
        draft: text for the composer.
        quiet: the window shows what came of it by itself: no card.
    """

    command: str
    title: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)
    status: Status = "ok"
    changes: tuple[MemoryChangeRef, ...] = ()
    actions: tuple[CommandAction, ...] = ()
    opens: str = ""
    draft: str = ""
    quiet: bool = False


def as_words(value: Any) -> Any:
    """A value for `CommandResult.data`: phrases as plain text, tuples as lists."""
    if isinstance(value, Phrase):
        return str(value)
    if isinstance(value, dict):
        return {str(key): as_words(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_words(one) for one in value]
    return value
