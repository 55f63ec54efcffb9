"""What can be done with one message besides reading it: “remember this”, and the mark that memories came from it. GUI thread.

Views of messages are made of `MessageView`; it owns the button and the mark, they say where these stand. Emits intents only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit, QTextEdit, QWidget

from desktop.bridge.spoken import spoken_list
from desktop.memory.origins import MemoryPlace
from desktop.ui.chat.chips import TIP_NAMES, MemoryChip
from desktop.ui.chat.surface import icon_button, menu_text, tip
from desktop.ui.markdown import shown


class RememberedMark(MemoryChip):
    """“remembered”: memories that are there now came from this message.

    Attributes:
        places: which.

    Signals:
        open_requested(path, root id)
    """

    open_requested = Signal(str, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("rememberedMark")
        self.places: tuple[MemoryPlace, ...] = ()
        self.clicked.connect(self._open)

    def set_places(self, places: Sequence[MemoryPlace]) -> None:
        """Show the mark for these memories; none hides it."""
        self.places = tuple(places)
        names = [shown(name or path) for _, path, name in self.places]
        text = self.tr("remembered") if len(names) == 1 else self.tr("remembered {n}").format(n=len(names))
        said = self.tr("Memories that come from this message: {names}").format(names=spoken_list(names))
        self.say(text, spoken=said, note="\n".join([self.tr("Memories that come from this message"), *names[:TIP_NAMES]]))
        self.setVisible(bool(names))

    def _open(self) -> None:
        if len(self.places) == 1:
            self.open_requested.emit(self.places[0][1], self.places[0][0])
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for root, path, name in self.places:
            menu.addAction(menu_text(name or path), partial(self.open_requested.emit, path, root))
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


EDIT, RETRY, FORK, REWIND, COPY, REFERENCE = "edit", "retry", "fork", "rewind", "copy", "reference"
MOVING = frozenset((EDIT, RETRY, REWIND))
"""Acts that are not there while a turn runs: they change the branch that it writes to."""


class MessageView(QWidget):
    """A message of the person or of the model.

    Attributes:
        message_id: its id in the transcript; empty while it is not there.
        is_persons: the person wrote it.

    Signals:
        remember_requested(message id, text): the person wants this remembered.
        open_requested(path, root id): show a memory that came from it.
        act_requested(act, message id): one of the acts of this module.
    """

    remember_requested = Signal(str, str)
    open_requested = Signal(str, str)
    act_requested = Signal(str, str)
    is_persons = False

    def __init__(self, parent: QWidget, message_id: str = "") -> None:
        super().__init__(parent)
        self.message_id = message_id
        self._acts: str | None = None
        self._reason: str | None = None
        self.remember_button = icon_button(self, "", self.tr("Remember This…"), self.remember, name="rememberMessage")
        self.remember_button.installEventFilter(self)
        self.remember_button.hide()
        self.mark = RememberedMark(self)
        self.mark.open_requested.connect(self.open_requested)
        self.mark.hide()

    def message_text(self) -> str:
        """The whole text of the message."""
        raise NotImplementedError

    def settle(self, message_id: str) -> None:
        """It is in the transcript now."""
        self.message_id = message_id
        self.set_remember(self._reason)

    def set_remember(self, reason: str | None) -> None:
        """Whether it can be remembered: None: not offered here; "": yes; else why not."""
        self._reason = reason
        offered = reason is not None and bool(self.message_id)
        self.remember_button.setVisible(offered)
        self.remember_button.setEnabled(offered and not reason)
        said = self.tr("Remember This…")
        self.remember_button.setToolTip(tip(f"{said}\n{reason}") if reason else said)
        self.remember_button.setAccessibleDescription(reason or "")

    def set_marks(self, places: Sequence[MemoryPlace]) -> None:
        """The memories that came from it."""
        if tuple(places) != self.mark.places:
            self.mark.set_places(places)

    @property
    def can_remember(self) -> bool:
        return self._reason == "" and bool(self.message_id)

    def remember(self) -> None:
        """Ask for the selected text to be remembered, without a selection for all of it."""
        if self.can_remember:
            self.remember_requested.emit(self.message_id, selected_text(self) or self.message_text())

    def set_acts(self, reason: str | None) -> None:
        """What the tree of the conversation allows: None: nothing here; "": everything; else why nothing that moves the branch."""
        self._acts = reason

    def extend_menu(self, menu: QMenu) -> None:
        """Add what can be done with the message to a menu of one of its texts."""
        if not self.message_id:
            return
        if self._acts is not None:
            self._add_acts(menu, self._acts)
        if self._reason is not None:
            self._add_remember(menu)

    def _add_acts(self, menu: QMenu, reason: str) -> None:
        names = {
            EDIT: self.tr("Edit and Resend…"),
            RETRY: self.tr("Retry"),
            FORK: self.tr("Fork Here"),
            REWIND: self.tr("Rewind to Here"),
            COPY: self.tr("Copy as Markdown"),
            REFERENCE: self.tr("Copy Reference to Message"),
        }
        if not self.is_persons:
            del names[EDIT]
        menu.addSeparator()
        for act, text in names.items():
            if act == COPY:
                menu.addSeparator()
            action = menu.addAction(text, partial(self.act_requested.emit, act, self.message_id))
            action.setObjectName(f"message.{act}")
            if reason and act in MOVING:
                action.setEnabled(False)
                action.setToolTip(reason)
                menu.setToolTipsVisible(True)

    def _add_remember(self, menu: QMenu) -> None:
        menu.addSeparator()
        action = menu.addAction(self.tr("Remember This…"), self.remember)
        action.setEnabled(self.can_remember)
        action.setToolTip(self._reason or "")
        if self._reason:
            menu.setToolTipsVisible(True)

    def _show_actions(self, is_shown: bool) -> None:
        """The button keeps its place in the order of focus while nothing of it is drawn."""
        self.remember_button.set_icon("bookmark" if is_shown else "")

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Beside the texts, which have a menu of their own."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.extend_menu(menu)
        if menu.actions():
            menu.popup(event.globalPos())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_actions(event.type() == QEvent.Type.FocusIn)
        return False


def selected_text(view: QWidget) -> str:
    """The text that is selected in a message, of the part that has the focus first; blank selections do not count."""
    texts: list[QTextEdit | QPlainTextEdit] = [*view.findChildren(QTextEdit), *view.findChildren(QPlainTextEdit)]
    focus = QApplication.focusWidget()
    for text in sorted(texts, key=lambda one: one is not focus):
        selected = text.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n").strip()
        if selected:
            return selected
    return ""


def text_menu(text: QTextEdit | QPlainTextEdit, event: QContextMenuEvent) -> None:
    """The ordinary menu of a text, with what can be done with the message it belongs to."""
    menu = text.createStandardContextMenu()
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    owner = text.parentWidget()
    while owner is not None and not isinstance(owner, MessageView):
        owner = owner.parentWidget()
    if owner is not None:
        owner.extend_menu(menu)
    menu.popup(event.globalPos())
