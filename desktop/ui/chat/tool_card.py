"""One tool call: what it does, live output, result, changes, how long it took. The state is said by icon and word. GUI thread."""

from __future__ import annotations

import json
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop.base.phrases import phrase_from_json
from desktop.bridge.spoken import spoken
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.ui.chat.citation_row import CitationRow, citations_in
from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.diff_view import DiffView, counts
from desktop.ui.chat.fold import FoldRow
from desktop.ui.chat.folded_output import FoldedOutput
from desktop.ui.chat.image_strip import ImageStrip
from desktop.ui.chat.images import ImageSource, images_of, taken_out
from desktop.ui.chat.items import call_title
from desktop.ui.chat.surface import Surface, label
from desktop.ui.markdown import shown

ToolState = Literal["writing", "waiting", "running", "ok", "error", "denied", "interrupted"]
_ICONS: dict[ToolState, tuple[str, str]] = {
    "writing": ("edit", "secondary"),
    "waiting": ("clock", "secondary"),
    "running": ("sync", "link"),
    "ok": ("pass", "added"),
    "error": ("error", "removed"),
    "denied": ("circle-slash", "warning"),
    "interrupted": ("debug-stop", "warning"),
}
LIVE_LINES = 8


class ToolCard(Surface):
    """A call from its first written letter to its result.

    Attributes:
        call: the call, or None while the model still writes it.
        state: where it stands.

    Signals:
        session_requested(str, int): open this session at this message; a reading of another session cites some.
    """

    session_requested = Signal(str, int)

    def __init__(
        self,
        parent: QWidget,
        call: ToolCallPart | None = None,
        result: ToolResultPart | None = None,
        *,
        name: str = "",
        source: ImageSource | None = None,
    ) -> None:
        super().__init__(parent, ground="code", border="border")
        self._source = source
        self.setObjectName("toolCard")
        self.call = call
        self.state: ToolState = "waiting" if call is not None else "writing"
        self._result = result
        self._seconds: float | None = None
        self._written = 0
        self._name = call.name if call is not None else name
        self._title = spoken(call_title(call)) if call is not None else name
        self.row = FoldRow(self, self._title)
        self.row.toggled.connect(self._toggled)
        self._details: QWidget | None = None
        self.live: PlainView | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(2, 2, 2, 2)
        self._column.setSpacing(0)
        self._column.addWidget(self.row)
        if result is not None:
            self.set_result(result)
        else:
            self._say()

    @property
    def tool_name(self) -> str:
        return self._name

    # --- facts -------------------------------------------------------------------------------------------------------

    def writing(self, arguments: str) -> None:
        """A piece of the call's arguments came."""
        self._written += len(arguments)
        self._say()

    def set_call(self, call: ToolCallPart) -> None:
        """The call is complete."""
        self.call = call
        self._name = call.name
        self._title = spoken(call_title(call))
        if self.state == "writing":
            self.state = "waiting"
        self._say()

    def start(self, title: str) -> None:
        self.state = "running"
        self._title = spoken(title) or self._title
        self._say()

    def add_output(self, text: str) -> None:
        """Live output: the last lines are in view."""
        if self.live is None:
            self.live = PlainView(self, lines=LIVE_LINES)
            self.live.setMaximumBlockCount(2_000)
            self.live.setAccessibleName(self.tr("Live output"))
            self.live.setContentsMargins(28, 0, 8, 4)
            self._column.addWidget(_padded(self.live, self))
        self.live.append_text(shown(text))

    def set_result(self, result: ToolResultPart, seconds: float | None = None) -> None:
        """The call has ended."""
        self._result = result
        self._seconds = seconds if seconds is not None else self._seconds
        self.state = result.status
        if self.live is not None:
            holder = self.live.parentWidget()
            self.live = None
            if holder is not None:
                self._column.removeWidget(holder)
                holder.deleteLater()
        if self._details is not None:
            self._column.removeWidget(self._details)
            self._details.deleteLater()
            self._details = None
        self._say()
        if self.row.is_open:
            self._build()
        elif result.status == "error" or (result.diff and result.status == "ok"):
            self.row.set_open(True)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def state_text(self) -> str:
        """The state as a word."""
        words: dict[ToolState, str] = {
            "writing": self.tr("writing…"),
            "waiting": self.tr("waiting"),
            "running": self.tr("running…"),
            "ok": self.tr("done"),
            "error": self.tr("failed"),
            "denied": self.tr("not allowed"),
            "interrupted": self.tr("stopped"),
        }
        return words[self.state]

    def _say(self) -> None:
        self.row.set_icon(*_ICONS[self.state])
        self.row.set_title(self._title or self._name)
        notes = [self.state_text()]
        if self.state == "writing" and self._written > 200:
            notes.append(self.tr("{n} characters").format(n=f"{self._written:,}"))
        if self._result is not None and self._result.diff:
            added, removed = counts(self._result.diff)
            notes.insert(0, f"+{added} −{removed}")
        if self._seconds is not None and self._seconds >= 0.1:
            notes.append(self.tr("{n} s").format(n=f"{self._seconds:.1f}"))
        self.row.set_note(" · ".join(notes))

    def _toggled(self, is_open: bool) -> None:
        if is_open and self._details is None:
            self._build()
        if self._details is not None:
            self._details.setVisible(is_open)

    def _build(self) -> None:
        self._details = QWidget(self)
        column = QVBoxLayout(self._details)
        column.setContentsMargins(28, 2, 8, 8)
        column.setSpacing(4)
        result = self._result
        pictures = images_of(result.data) if result is not None else ()
        self._add_citations(column, result)
        if self.call is not None and not (result is not None and result.diff):
            self._add_arguments(column, self.call)
        if result is not None and result.diff:
            column.addWidget(DiffView(self._details, result.diff))
        if result is not None and result.output and not (result.diff and result.status == "ok"):
            column.addWidget(self._caption(self.tr("Result")))
            drawn, written = taken_out(said_output(result)) if self._source is not None else (said_output(result), ())
            column.addWidget(self._output(drawn, sentences=result.status != "ok", rest=_rest(result)))
            pictures = (*pictures, *written)
        if pictures:
            column.addWidget(ImageStrip(self._details, pictures, self._source))
        self._column.addWidget(self._details)

    def _add_citations(self, column: QVBoxLayout, result: ToolResultPart | None) -> None:
        """The messages of another session that its reading cites, as links."""
        session = self.call.input.get("sessionId") if self.call is not None and self._name == "ReadSessionContext" else None
        citations = citations_in(result.data) if result is not None and isinstance(session, str) else []
        if not citations:
            return
        row = CitationRow(self, citations)
        session_id = str(session).strip().removeprefix("#")
        row.message_requested.connect(lambda at: self.session_requested.emit(session_id, at))
        column.addWidget(self._caption(self.tr("Messages that are cited")))
        column.addWidget(row)

    def _add_arguments(self, column: QVBoxLayout, call: ToolCallPart) -> None:
        text = call.raw if call.raw is not None else arguments_text(call)
        if not text:
            return
        column.addWidget(self._caption(self.tr("Input")))
        column.addWidget(FoldedOutput(self, self.tr("Input"), text, wrap=True))

    def _output(self, output: str, *, sentences: bool, rest: tuple[str, int] | None = None) -> FoldedOutput:
        return FoldedOutput(self, self.tr("Result"), output, wrap=sentences, rest=rest, source=self._source)

    def _caption(self, text: str) -> QLabel:
        made = label(self, text, role="secondary")
        made.setAlignment(Qt.AlignmentFlag.AlignLeft)
        return made


def said_output(result: ToolResultPart) -> str:
    """A result's text; a refusal or an error of ours in the window's language."""
    phrase = phrase_from_json((result.data or {}).get("said"))
    return result.output if phrase is None else spoken(phrase)


def _rest(result: ToolResultPart) -> tuple[str, int] | None:
    """Digest and bytes of the side file that holds the whole output, while the part has only its beginning."""
    aside = (result.data or {}).get("side_files")
    one = aside.get("output") if isinstance(aside, dict) else None
    if not isinstance(one, dict) or not isinstance(one.get("file"), str) or one.get("lost"):
        return None
    size = one.get("bytes")
    return one["file"], size if isinstance(size, int) else 0


def arguments_text(call: ToolCallPart) -> str:
    """The arguments as `name: value` lines; values with several lines stand below their name."""
    lines = []
    for name, value in call.input.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        lines.append(f"{name}:\n{text}" if "\n" in text else f"{name}: {text}")
    return "\n".join(lines)


def _padded(view: QWidget, parent: QWidget) -> QWidget:
    holder = QWidget(parent)
    column = QVBoxLayout(holder)
    column.setContentsMargins(28, 0, 8, 6)
    view.setParent(holder)
    column.addWidget(view)
    return holder
