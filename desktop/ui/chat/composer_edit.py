"""The text field of the composer: grows with its text, sends on Return (never while an input method composes), keeps a history.

Return with Shift makes a new line. Up at the very beginning and Down at the very end walk through what was sent. GUI thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from desktop.base.ids import SESSION_ID
from desktop.bridge.collector import GuiCollector
from desktop.sessions.references import find_references
from desktop.ui import theme
from desktop.ui.chat.pasted import cleaned, is_long, marked, plain
from desktop.ui.chat.pasted_pieces import PastedPieces
from desktop.ui.chat.reference_pills import ReferencePills

MAX_LINES, LEAST_LINES = 12, 2
HISTORY = 100
SESSION_MIME = "application/x-keepsake-session"
"""What a row of the session list gives when it is dragged: ids, one a line."""
DRAFT_MIME = "application/x-keepsake-draft"
"""What is copied here and holds folded pieces, with their marks (see `pasted`)."""

_FLAT = "QPlainTextEdit { background: transparent; border: none; padding: 0; }"


class ComposerEdit(QPlainTextEdit):
    """See the module's text.

    Signals:
        send_requested(): Return was pressed.
        completion_key(int): Up, Down, Return, Tab or Escape while a completion is open (`completing`).
        height_changed()
        focus_changed(bool): the keyboard is here, or no longer.
        piece_pressed(int): a folded piece of the text, counted from 0.

    Attributes:
        pieces: the long texts that were pasted; see `pasted_pieces`.
    """

    send_requested = Signal()
    completion_key = Signal(int)
    height_changed = Signal()
    focus_changed = Signal(bool)
    piece_pressed = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self.setStyleSheet(_FLAT)
        self.setAccessibleName(self.tr("Message"))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(2)
        self.completing = False
        self.pills = ReferencePills(self.document())
        self.pieces = PastedPieces(self)
        self._stood = 0
        self._most = 10_000
        self.cursorPositionChanged.connect(self._leave_pill)
        self._composing = ""
        self._placeholders: tuple[str, ...] = ()
        self._history: list[str] = []
        self._at = 0
        self._unsent = ""
        self.textChanged.connect(self._fit)
        theme.signals.theme_changed.connect(self._on_theme)
        self._fit()

    # --- text --------------------------------------------------------------------------------------------------------

    @property
    def composing(self) -> bool:
        """An input method holds text that is not in the document yet."""
        return bool(self._composing or self.textCursor().block().layout().preeditAreaText())

    def before_cursor(self) -> str:
        """The cursor's line up to it. Qt counts positions in UTF-16, in which an emoji is two."""
        cursor = self.textCursor()
        line, at = cursor.block().text(), cursor.positionInBlock()
        return line[:at] if line.isascii() else line.encode("utf-16-le", "surrogatepass")[: 2 * at].decode("utf-16-le", "replace")

    @property
    def text(self) -> str:
        """What is written, with the pasted texts that are folded in it."""
        return self.pieces.text(self.toPlainText())

    @property
    def draft(self) -> str:
        """The same with marks around what is folded; `put` takes it back."""
        return self.pieces.draft(self.toPlainText())

    def put(self, draft: str, *, undo: bool = True) -> None:
        """Replace the text; the cursor goes to its end. Undo still leads back, unless it must not: to what belongs elsewhere."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        self.pieces.insert(cursor, self._as_folded_before(draft))
        self.setTextCursor(cursor)
        if not undo:
            self.document().clearUndoRedoStacks()
            self.pieces.forget()

    def put_before(self, draft: str) -> None:
        """Put lines in front of the text; who is typing goes on where they are."""
        if draft.strip():
            self.pieces.insert(QTextCursor(self.document()), draft + "\n")

    def clear(self) -> None:
        """Nothing is left, and nothing to undo."""
        super().clear()
        self.pieces.forget()

    def _as_folded_before(self, text: str) -> str:
        """A message that was sent from here is folded as it was then."""
        if not is_long(text):
            return text
        return next((one for one in reversed(self._history) if one != text and plain(one) == text), text)

    def remember(self, text: str) -> None:
        if text.strip() and (not self._history or self._history[-1] != text):
            self._history = [*self._history, text][-HISTORY:]
        self._at = len(self._history)

    def set_history(self, texts: list[str]) -> None:
        """What was sent before in this conversation."""
        self._history = texts[-HISTORY:]
        self._at = len(self._history)

    def _walks(self, key: int) -> bool:
        """Up from the very beginning starts to walk through the history; while walking, the first and the last line are the ends."""
        cursor, walking = self.textCursor(), self._at < len(self._history)
        if key == Qt.Key.Key_Up and (cursor.atStart() or (walking and cursor.blockNumber() == 0)):
            return self._walk(-1)
        if key == Qt.Key.Key_Down and walking and cursor.blockNumber() == self.blockCount() - 1:
            return self._walk(1)
        return False

    def _walk(self, step: int) -> bool:
        target = self._at + step
        if not 0 <= target <= len(self._history) or (step > 0 and self._at == len(self._history)):
            return False
        if self._at == len(self._history):
            self._unsent = self.draft
        self._at = target
        self.put(self._history[target] if target < len(self._history) else self._unsent)
        return True

    def set_placeholder(self, *texts: str) -> None:
        """Shown while the field is empty: the first that fits on one line. Qt would wrap it and show half of the second one."""
        self._placeholders = texts
        self._fit_placeholder()

    def _fit_placeholder(self) -> None:
        room = self.viewport().width() - 2 * int(self.document().documentMargin()) - 2
        metrics = self.fontMetrics()
        fitting = [text for text in self._placeholders if metrics.horizontalAdvance(text) <= room]
        last = self._placeholders[-1] if self._placeholders else ""
        self.setPlaceholderText(fitting[0] if fitting else metrics.elidedText(last, Qt.TextElideMode.ElideRight, max(0, room)))
        self.viewport().update()  # Qt paints another placeholder only when there was none before

    # --- pills -------------------------------------------------------------------------------------------------------

    def refresh_pills(self) -> None:
        """Titles, the look or the width are others now. What is written stays as it is, and so does what undo goes back to."""
        if "#sess_" in self.toPlainText():
            self.pills.rehighlight()

    def _on_theme(self) -> None:
        self.refresh_pills()
        self._fit()

    def _pill_at(self, position: int) -> tuple[int, int] | None:
        """The pill that begins or ends at a position or holds it, as positions of the document."""
        block = self.document().findBlock(position)
        start = block.position()
        inside = position - start
        return next(((start + one.start, start + one.end) for one in self.pills.pills_of(block) if one.start <= inside <= one.end), None)

    def _leave_pill(self) -> None:
        """The cursor never stands inside a pill: it goes to the side that it was going to, or that is nearer."""
        cursor = self.textCursor()
        position, before = cursor.position(), self._stood
        found = self._pill_at(position)
        if found is not None and found[0] < position < found[1]:
            start, end = found
            onwards = before <= start or (before < end and position - start > end - position)
            keep = QTextCursor.MoveMode.KeepAnchor if cursor.hasSelection() else QTextCursor.MoveMode.MoveAnchor
            cursor.setPosition(end if onwards else start, keep)
            self._stood = cursor.position()
            self.setTextCursor(cursor)
        else:
            self._stood = position

    def _takes_pill(self, key: int) -> bool:
        """Backspace behind a pill and Delete before one take all of it."""
        cursor = self.textCursor()
        if cursor.hasSelection() or key not in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            return False
        found = self._pill_at(cursor.position())
        if found is None or cursor.position() != (found[1] if key == Qt.Key.Key_Backspace else found[0]):
            return False
        cursor.setPosition(found[0])
        cursor.setPosition(found[1], QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        block, offset = self.firstVisibleBlock(), self.contentOffset()
        painter = QPainter(self.viewport())
        while block.isValid():
            place = self.blockBoundingGeometry(block).translated(offset)
            if place.top() > self.viewport().height():
                break
            self.pills.draw(painter, block, place.topLeft())
            block = block.next()
        self.pieces.draw_selected(painter)
        painter.end()

    # --- size --------------------------------------------------------------------------------------------------------

    def set_most(self, pixels: int) -> None:
        """How high it may become: in a low window what stands below must not be pushed out."""
        if pixels != self._most:
            self._most = pixels
            self._fit()

    def _fit(self) -> None:
        lines = max(1, round(self.document().size().height()))
        height = min(int(self._text_height(lines)), max(int(LEAST_LINES * QFontMetricsF(self.font()).lineSpacing()), self._most)) + 6
        if height != self.minimumHeight() or height != self.maximumHeight():
            self.setFixedHeight(height)
            self.height_changed.emit()

    def _text_height(self, lines: int) -> float:
        """Of the text, as far as it is shown. A line with glyphs of another font, as Chinese is, may be higher than the field's own."""
        spacing = QFontMetricsF(self.font()).lineSpacing()
        if lines > MAX_LINES:
            return MAX_LINES * spacing
        block, height = self.document().firstBlock(), 0.0
        while block.isValid():
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return max(lines * spacing, height)

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    # --- Qt ----------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        if self.pills.room != self.viewport().width():
            self.pills.room = self.viewport().width()
            self.refresh_pills()
        self._fit()
        self._fit_placeholder()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        GuiCollector.typed()
        self._composing = event.preeditString()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        GuiCollector.typed()
        key, shift = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if self.composing and enter:
            event.accept()  # it belongs to the input method; neither a message nor a new line
        elif self.composing:
            super().keyPressEvent(event)
        elif self.completing and plain and (enter or key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab, Qt.Key.Key_Escape)):
            self.completion_key.emit(int(key))
        elif enter and not shift:
            self.send_requested.emit()
        elif enter:
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        elif not (plain and (self._walks(key) or self._takes_pill(key))):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab takes a proposal while there are some."""
        if self.completing and forward:
            self.completion_key.emit(int(Qt.Key.Key_Tab))
            return True
        return super().focusNextPrevChild(forward)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A press on a folded piece shows it."""
        super().mouseReleaseEvent(event)
        which = self.pieces.at(event.position().toPoint()) if event.button() == Qt.MouseButton.LeftButton else None
        if which is not None and self.textCursor().selectionEnd() - self.textCursor().selectionStart() <= 1:
            self.piece_pressed.emit(which)

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied, cut or dragged away is whole."""
        draft = self.pieces.selected(self.textCursor())
        if not draft:
            return super().createMimeDataFromSelection()
        made = QMimeData()
        made.setText(plain(draft))
        made.setData(DRAFT_MIME, draft.encode("utf-8", "replace"))
        return made

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Sessions that are dragged here, and text."""
        return source.hasFormat(SESSION_MIME) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste is plain text; line ends of other systems become newlines; a long one is folded. Sessions become references."""
        if source.hasFormat(SESSION_MIME):
            self.insert_references(dragged_sessions(source))
        elif source.hasFormat(DRAFT_MIME):
            self._insert_draft(bytes(source.data(DRAFT_MIME).data()).decode("utf-8", "replace"))
        elif source.hasText():
            text = cleaned(source.text())
            if is_long(text):
                self._insert_draft(marked(text))
            else:
                self.insertPlainText(text)
                self.ensureCursorVisible()

    def _insert_draft(self, draft: str) -> None:
        cursor = self.textCursor()
        self.pieces.insert(cursor, draft)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    # --- folded pieces -----------------------------------------------------------------------------------------------

    def expand_piece(self, which: int) -> None:
        """Put a folded text into the message as it is."""
        self._replace_piece(which, lambda text: text, folded=False)

    def remove_piece(self, which: int) -> None:
        """Take a folded text out of the message. Undo brings it back."""
        self._replace_piece(which, lambda _text: "")

    def _replace_piece(self, which: int, changed: Callable[[str], str], *, folded: bool = True) -> None:
        found = self.pieces.found(self.toPlainText())
        if 0 <= which < len(found):
            cursor = self.pieces.replace(found[which], changed(self.pieces[found[which].number].text), folded=folded)
            self.setTextCursor(cursor)
            self.ensureCursorVisible()

    # --- references --------------------------------------------------------------------------------------------------

    def insert_references(self, session_ids: Sequence[str]) -> None:
        """Refer to sessions where the cursor is, each once in the whole text; a blank stands on either side."""
        missing = [one for one in dict.fromkeys(session_ids) if one not in find_references(self.text)]
        if not missing:
            return
        cursor = self.textCursor()
        cursor.clearSelection()
        before = self.before_cursor()
        lead = " " if before and not before[-1].isspace() else ""
        cursor.insertText(lead + "".join(f"#{one} " for one in missing))
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def remove_reference(self, session_id: str) -> None:
        """Take a reference out of the text, wherever it stands, with the blank behind it. Undo brings it back."""
        document = self.document()
        whole = QTextCursor(document)
        whole.beginEditBlock()
        found = document.find(f"#{session_id}", 0, QTextDocument.FindFlag.FindCaseSensitively)
        while not found.isNull():
            at = found.selectionStart()
            after = str(document.characterAt(found.selectionEnd()))
            if after == " ":
                found.setPosition(found.selectionEnd() + 1, QTextCursor.MoveMode.KeepAnchor)
                found.setPosition(at)
                found.setPosition(at + len(session_id) + 2, QTextCursor.MoveMode.KeepAnchor)
            if after.isalnum() or after in "_-":
                at += 1  # another id that only begins so
            else:
                found.removeSelectedText()
            found = document.find(f"#{session_id}", at, QTextDocument.FindFlag.FindCaseSensitively)
        pattern = re.compile(f"#{re.escape(session_id)}(?![\\w-]) ?")
        for which, one in enumerate(self.pieces.found(self.toPlainText())):
            if f"#{session_id}" in self.pieces[one.number].text:
                self._replace_piece(which, lambda text: pattern.sub("", text))
        whole.endEditBlock()


def dragged_sessions(source: QMimeData) -> list[str]:
    """The ids of sessions that are dragged."""
    text = bytes(source.data(SESSION_MIME).data()).decode("utf-8", "replace")
    return [one for one in text.split() if SESSION_ID.match(one)]
