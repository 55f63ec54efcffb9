"""A list of sessions with what can be done with them; used by the picker and by the side-bar view. Emits intents. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from desktop.sessions.summary import SessionSummary
from desktop.ui.sessions.delegate import SessionDelegate
from desktop.ui.sessions.facts import OWN
from desktop.ui.sessions.menu import SessionMenu
from desktop.ui.sessions.model import SessionsModel

INTENTS = (
    "resume_requested",
    "open_requested",
    "read_requested",
    "fork_requested",
    "rename_requested",
    "mark_requested",
    "export_requested",
    "reveal_requested",
    "trash_requested",
    "reference_copied",
)
"""The signals that picker and view hand on."""


class SessionList(QListView):
    """See the module's text.

    Attributes:
        sessions: the model.

    Signals:
        resume_requested(str), open_requested(str), read_requested(str), fork_requested(str), rename_requested(str), reveal_requested(str),
        trash_requested(str): with the session's id.
        mark_requested(str, name, bool): `pinned` or `archived` is wanted or not.
        export_requested(str, kind): `md` or `json`.
        reference_copied(str): `#sess_…` is on the clipboard.
        chosen_changed(): another row is current.
    """

    resume_requested = Signal(str)
    open_requested = Signal(str)
    read_requested = Signal(str)
    fork_requested = Signal(str)
    rename_requested = Signal(str)
    mark_requested = Signal(str, str, bool)
    export_requested = Signal(str, str)
    reveal_requested = Signal(str)
    trash_requested = Signal(str)
    reference_copied = Signal(str)
    chosen_changed = Signal()

    def __init__(self, parent: QWidget, model: SessionsModel) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Sessions"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setDefaultDropAction(Qt.DropAction.CopyAction)
        self.sessions = model
        self.setModel(model)
        self.setItemDelegate(SessionDelegate(self))
        self._actions = SessionMenu(self)
        self._before = ""
        model.modelAboutToBeReset.connect(self._remember)
        model.folded.connect(self._go_back)
        self.doubleClicked.connect(lambda index: self._emit(self.resume_requested, index.row()))
        self.customContextMenuRequested.connect(self._menu)
        self.selectionModel().currentChanged.connect(lambda _new, _old: self.chosen_changed.emit())

    def chosen(self) -> SessionSummary | None:
        return self.sessions.session_at(self.currentIndex().row())

    def choose(self, row: int) -> None:
        """Make a row current, within what there is."""
        count = self.sessions.rowCount()
        if count:
            self.setCurrentIndex(self.sessions.index(max(0, min(row, count - 1))))

    def choose_session(self, session_id: str) -> None:
        self.choose(max(0, self.sessions.row_of(session_id)))

    def _remember(self) -> None:
        chosen = self.chosen()
        self._before = chosen.id if chosen is not None else ""

    def _go_back(self) -> None:
        """Folding keeps the row that it was asked for."""
        if self._before:
            self.choose_session(self._before)
            self._show_children()

    def _show_children(self) -> None:
        """What was unfolded below the last visible row is scrolled to, as far as its own session stays in view."""
        row = last = self.currentIndex().row()
        while self.sessions.is_child(last + 1):
            last += 1
        if last > row and not self.sessions.is_child(row):
            self.scrollTo(self.sessions.index(last))
            self.scrollTo(self.sessions.index(row))

    # --- what can be done --------------------------------------------------------------------------------------------

    def resume(self) -> None:
        self._emit(self.resume_requested)

    def open(self) -> None:
        self._emit(self.open_requested)

    def read(self) -> None:
        self._emit(self.read_requested)

    def fork(self) -> None:
        self._emit(self.fork_requested, own=True)

    def rename(self) -> None:
        self._emit(self.rename_requested, own=True)

    def trash(self) -> None:
        self._emit(self.trash_requested, own=True)

    def reveal(self) -> None:
        self._emit(self.reveal_requested)

    def pin(self) -> None:
        """Pin the chosen session, or let it go."""
        session = self.chosen()
        if session is not None and session.source == OWN:
            self.mark_requested.emit(session.id, "pinned", not session.pinned)

    def archive(self) -> None:
        """Put the chosen session into the archive, or take it out."""
        session = self.chosen()
        if session is not None and session.source == OWN:
            self.mark_requested.emit(session.id, "archived", not session.archived)

    def export(self, kind: str) -> None:
        session = self.chosen()
        if session is not None:
            self.export_requested.emit(session.id, kind)

    def copy_reference(self) -> None:
        session = self.chosen()
        if session is not None:
            QGuiApplication.clipboard().setText(f"#{session.id}")
            self.reference_copied.emit(session.id)

    def _emit(self, signal: object, row: int = -1, *, own: bool = False) -> None:
        session = self.sessions.session_at(row if row >= 0 else self.currentIndex().row())
        if session is not None and not (own and session.source != OWN):
            signal.emit(session.id)  # type: ignore[attr-defined]

    def menu_for_chosen(self) -> QMenu:
        """The menu of the current session."""
        session = self.chosen()
        return self._actions.menu_for(session) if session is not None else QMenu(self)

    def show_menu(self) -> None:
        """The menu of the current session, at its row."""
        self._menu(self.visualRect(self.currentIndex()).center())

    def _menu(self, at: QPoint) -> None:
        if self.chosen() is not None:
            self.menu_for_chosen().popup(self.viewport().mapToGlobal(at))

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.go(control=control, shift=shift)
            case Qt.Key.Key_F2:
                self.rename()
            case Qt.Key.Key_Delete:
                self.trash()
            case Qt.Key.Key_Right | Qt.Key.Key_Left:
                self.fold(wanted=event.key() == Qt.Key.Key_Right)
            case Qt.Key.Key_Menu:
                self.show_menu()
            case Qt.Key.Key_F10 if shift:
                self.show_menu()
            case _ if event.matches(QKeySequence.StandardKey.Copy):
                self.copy_reference()
            case _:
                super().keyPressEvent(event)

    def go(self, *, control: bool, shift: bool) -> None:
        """Return: resume; with Ctrl: read into the chat; with Shift: open read-only."""
        self.read() if control else self.open() if shift else self.resume()

    def fold(self, *, wanted: bool) -> None:
        """Show or hide the sub-agents of the chosen session; hidden from one of them, its own session is chosen."""
        row = self.currentIndex().row()
        if not wanted and self.sessions.is_child(row):
            parent = self.sessions.row_of(self.sessions.session_at(row).parent)  # type: ignore[union-attr]
            self.choose(max(0, parent))
        else:
            self.sessions.toggle(row, wanted)
