"""The window: title bar, activity bar, side bar, editor area, chat pane, status bar, in nested splitters of our own.

Owns the regions and how they are arranged; what is in them is given to it. Emits intents; does no work of its own. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.commands.registry import CommandRegistry
from desktop.ui import theme
from desktop.ui.activity_bar import ActivityBar
from desktop.ui.editor.area import EditorArea
from desktop.ui.notifications import Action, Kind, Notifications
from desktop.ui.palette import CommandPalette
from desktop.ui.regions import Room, widths
from desktop.ui.sash import Sashes, SashReset
from desktop.ui.shortcuts import Shortcuts, shown_key
from desktop.ui.side_bar import MIN_WIDTH as SIDE_MIN
from desktop.ui.side_bar import SideBar
from desktop.ui.status_bar import StatusBar
from desktop.ui.tab_order import next_stop, stop_beside
from desktop.ui.title_bar import TitleBar
from desktop.ui.window_state import CHAT_WIDTH, MIN_HEIGHT, MIN_WIDTH, SIDE_WIDTH, Layout, clamp

CHAT_MIN, EDITOR_MIN = 280, 220
SIDE_GIVES, CHAT_GIVES, EDITOR_WANTS = 228, 360, 384
"""For the editor's sake side bar and chat are narrower than by themselves, down to these widths; not where the person chose a width."""


class Workbench(QMainWindow):
    """See the module's text.

    Attributes:
        registry: the commands of this window.
        editors: the tabs.
        status: the status bar.
        notifications: the toasts.
        palette_box: the command palette.

    Signals:
        first_painted(): once, after everything was on the screen for the first time.
        close_requested(): the person or the system wants the window closed; `finish_close` does it.
        folder_dropped(str): a folder was dropped on the window.
        layout_changed(): a region was shown, hidden or resized.
    """

    first_painted = Signal()
    close_requested = Signal()
    folder_dropped = Signal(str)
    layout_changed = Signal()

    def __init__(self, registry: CommandRegistry) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAccessibleName("Keepsake")
        self.setMinimumSize(MIN_WIDTH, MIN_HEIGHT)
        self.setAcceptDrops(True)
        self.registry = registry
        self._painted = False
        self._closing = False
        self._layout = Layout()
        self._room = Room(("chat", "side"))
        self._arranged: list[int] = []
        self.activity = ActivityBar(self)
        self.side = SideBar(self)
        self.editors = EditorArea(self)
        self.status = StatusBar(self)
        self.title_bar = TitleBar(registry, self)
        self._chat: QWidget | None = None
        self._focused: QWidget | None = None
        self._focused_in: dict[QWidget, QWidget] = {}
        self._status_menus: dict[str, tuple[str, ...]] = {}
        self.chat_pane = QFrame(self)
        self.chat_pane.setObjectName("chatPane")
        self.chat_pane.setAccessibleName(self.tr("Chat"))
        self._chat_column = QVBoxLayout(self.chat_pane)
        self._chat_column.setContentsMargins(0, 0, 0, 0)
        self._build_body()
        self.notifications = Notifications(self)
        self.notifications.keep_clear(self.chat_pane)
        self.palette_box = CommandPalette(registry, self)
        self.shortcuts = Shortcuts(registry, self)
        self._connect()
        self.set_title("")

    def _build_body(self) -> None:
        self._center = QSplitter(Qt.Orientation.Vertical, self)
        self._center.setObjectName("centerSplitter")
        self._center.setChildrenCollapsible(False)
        self._center.addWidget(self.editors)
        self.editors.setMinimumWidth(EDITOR_MIN)
        self.chat_pane.setMinimumWidth(CHAT_MIN)
        self._splitter = Sashes(Qt.Orientation.Horizontal, self)
        self._splitter.setObjectName("mainSplitter")
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(1)
        for part in (self.side, self._center, self.chat_pane):
            self._splitter.addWidget(part)
        SashReset(self._splitter, self._reset_widths)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setStretchFactor(2, 0)
        body = QWidget(self)
        row = QHBoxLayout(body)
        holder = QWidget(self)
        column = QVBoxLayout(holder)
        for box in (row, column):
            box.setContentsMargins(0, 0, 0, 0)
            box.setSpacing(0)
        row.addWidget(self.activity)
        row.addWidget(self._splitter, 1)
        column.addWidget(self.title_bar)
        column.addWidget(body, 1)
        column.addWidget(self.status)
        self.setCentralWidget(holder)

    def _connect(self) -> None:
        self.activity.view_requested.connect(self._on_view_requested)
        self.activity.action_requested.connect(self.run)
        self.status.command_requested.connect(self.run)
        self.status.menu_requested.connect(self._show_status_menu)
        self.title_bar.command_requested.connect(self.run)
        self.side.view_changed.connect(self._on_view_changed)
        self._splitter.splitterMoved.connect(self._on_splitter_moved)
        self._splitter.resized.connect(self._fit_widths)
        self.editors.current_changed.connect(self._on_editor)
        self.notifications.count_changed.connect(self._on_notifications)
        self._on_notifications(0)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        theme.signals.theme_changed.connect(self._on_theme)

    # --- what others use ---------------------------------------------------------------------------------------------

    def add_side_view(
        self, view_id: str, title: str, icon_name: str, widget: QWidget, *, key: str = "", own_header: bool = False, first: bool = False
    ) -> None:
        """Put a view into side bar and activity bar. `own_header`: it brings its own title row; `first`: its button stands above the
        others."""
        self.side.add_view(view_id, title, widget, own_header=own_header)
        self.activity.add_view(view_id, title, icon_name, key, first=first)
        self._refresh_activity()

    def show_side_view(self, view_id: str) -> None:
        """Show the side bar with this view."""
        if self.side.show_view(view_id):
            self.set_region("side", True)

    def set_chat(self, widget: QWidget | None) -> None:
        """Put a widget into the chat pane instead of the one before, which is deleted."""
        if self._chat is not None:
            self._chat_column.removeWidget(self._chat)
            self._chat.deleteLater()
        self._chat = widget
        if widget is not None:
            self._chat_column.addWidget(widget)

    @property
    def chat(self) -> QWidget | None:
        return self._chat

    def notify(self, kind: Kind, text: str, actions: Sequence[Action] = (), detail: str = "", tag: str = "") -> None:
        """Say something in a toast; actions are (label, callable). It replaces one with the same tag."""
        self.notifications.notify(kind, text, actions, detail, tag)

    def withdraw(self, tag: str) -> None:
        """What was said with this tag holds no longer."""
        self.notifications.withdraw(tag)

    def run(self, command_id: str) -> None:
        self.registry.run(command_id)

    def set_status_menu(self, item_id: str, commands: Sequence[str]) -> None:
        """What a right click on a status item offers: those of the commands that are active."""
        self._status_menus[item_id] = tuple(commands)

    def _show_status_menu(self, item_id: str, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setObjectName("statusMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for command in map(self.registry.get, self._status_menus.get(item_id, ())):
            if command is not None and self.registry.active(command):
                menu.addAction(command.label, partial(self.run, command.id))
        if menu.actions():
            menu.popup(at)
        else:
            menu.deleteLater()

    def set_title(self, folder: str, label: str = "") -> None:
        """The opened folder's path, or empty; `label` is its readable name."""
        name = label or (Path(folder).name if folder else "")
        self.setWindowTitle(f"{name} – Keepsake" if name else "Keepsake")
        self.title_bar.set_title(name or "Keepsake")

    # --- regions -----------------------------------------------------------------------------------------------------

    def _regions(self) -> dict[str, QWidget]:
        return {"side": self.side, "chat": self.chat_pane, "activity": self.activity, "status": self.status}

    def region_visible(self, name: str) -> bool:
        """`side`, `chat`, `activity` or `status`."""
        return not self._regions()[name].isHidden()

    def set_region(self, name: str, visible: bool) -> None:
        """Show or hide a region; side bar and chat come back with the width they had. Without room for both the other one folds."""
        if visible:
            self._room.asked(name)
        else:
            self._room.settled(name)
        if self.region_visible(name) == visible:
            return
        self._remember_widths()
        self._show_region(name, visible)
        self._fit_regions()
        self._apply_widths()
        self.layout_changed.emit()

    def _show_region(self, name: str, visible: bool) -> None:
        region, focus = self._regions()[name], QApplication.focusWidget()
        if not visible and focus is not None and region.isAncestorOf(focus):
            (self.editors.current_widget() or self.editors).setFocus(Qt.FocusReason.OtherFocusReason)
        region.setVisible(visible)
        self._mark_view()
        self.registry.set_fact(f"{name}Visible", visible)

    def _fit_regions(self) -> bool:
        """Fold what has no room, and bring back what has it again; whether something changed."""
        width = self.width() - (0 if self.activity.isHidden() else self.activity.width()) - 2 * self._splitter.handleWidth()
        shown = [name for name in self._regions() if name in self._room and self.region_visible(name)]
        kept, editor = self._room.fit(width, shown, {"side": SIDE_MIN, "chat": CHAT_MIN}, EDITOR_MIN)
        self.editors.setMinimumWidth(editor)
        changed = [name for name in (*self._room.folded, *kept) if self.region_visible(name) != (name in kept)]
        for name in changed:
            self._show_region(name, name in kept)
        return bool(changed)

    def toggle_region(self, name: str) -> None:
        self.set_region(name, not self.region_visible(name))

    def _remember_widths(self) -> None:
        """What differs from what there is room for was moved by the person."""
        sizes, arranged = self._splitter.sizes(), self._arranged or self._splitter.sizes()
        if not self.side.isHidden() and sizes[0] not in (0, arranged[0]):
            self._layout = replace(self._layout, side_width=sizes[0])
        if not self.chat_pane.isHidden() and sizes[2] not in (0, arranged[2]):
            self._layout = replace(self._layout, chat_width=sizes[2])

    def _reset_widths(self) -> None:
        self._layout = replace(self._layout, side_width=SIDE_WIDTH, chat_width=CHAT_WIDTH)
        self._apply_widths()
        self.layout_changed.emit()

    def _apply_widths(self) -> None:
        self._splitter.setSizes(self._wanted_sizes())
        self._arranged = self._splitter.sizes()
        self.notifications.place()

    def _wanted_sizes(self) -> list[int]:
        """As the person wants them, or as there is room."""
        layout, wanted = self._layout, dict[str, int]()
        least = {"side": SIDE_GIVES} if layout.side_width == SIDE_WIDTH else {}
        least |= {"chat": CHAT_GIVES} if layout.chat_width == CHAT_WIDTH else {}
        if not self.side.isHidden():
            wanted["side"] = layout.side_width
        if not self.chat_pane.isHidden():
            wanted["chat"] = layout.chat_width
        total = max(self._splitter.width() - len(wanted) * self._splitter.handleWidth(), MIN_WIDTH - self.activity.width())
        given = widths(total, wanted, least, EDITOR_WANTS)
        return [given.get("side", 0), max(EDITOR_MIN, total - sum(given.values())), given.get("chat", 0)]

    def _fit_widths(self) -> None:
        """The room for them is another one now. What the person moved stays as it is moved."""
        if self._arranged:
            sizes = self._splitter.sizes()
            if (sizes[0], sizes[2]) != tuple(self._wanted_sizes()[::2]):
                self._splitter.setSizes(self._wanted_sizes())
            self._arranged = self._splitter.sizes()

    # --- state -------------------------------------------------------------------------------------------------------

    def layout_state(self) -> Layout:
        """How the window is arranged now; widths as the person wants them, also where there is no room for them."""
        self._remember_widths()
        geometry = self.normalGeometry() if self.isMaximized() or self.isFullScreen() else self.geometry()
        return replace(
            self._layout,
            geometry=(geometry.x(), geometry.y(), geometry.width(), geometry.height()),
            maximized=self.isMaximized(),
            side_visible=self.region_visible("side") or "side" in self._room.folded,
            chat_visible=self.region_visible("chat") or "chat" in self._room.folded,
            activity_visible=self.region_visible("activity"),
            status_visible=self.region_visible("status"),
            side_view=self.side.current or self._layout.side_view,
        )

    def restore_layout(self, layout: Layout) -> None:
        """Arrange the window as stored, on the screens that exist. Called before it is shown."""
        self._layout = layout
        primary = QGuiApplication.primaryScreen()
        screens = sorted(QGuiApplication.screens(), key=lambda screen: screen is not primary)
        self.setGeometry(clamp(layout.geometry, [screen.availableGeometry() for screen in screens]))
        if layout.maximized:
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)
        shown = {
            "side": layout.side_visible,
            "chat": layout.chat_visible,
            "activity": layout.activity_visible,
            "status": layout.status_visible,
        }
        for name, visible in shown.items():
            self._regions()[name].setVisible(visible)
            self.registry.set_fact(f"{name}Visible", visible)
        self._splitter.resize(self.width() - self.activity.width(), self.height())
        self._fit_regions()
        self._apply_widths()

    def finish_close(self) -> None:
        """Close without asking again."""
        self._closing = True
        self.shortcuts.close()
        self.close()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _on_view_requested(self, view_id: str) -> None:
        """VS Code's habit: the active view's button hides the side bar."""
        if view_id == self.side.current and self.region_visible("side"):
            self.set_region("side", False)
        else:
            self.show_side_view(view_id)

    def _on_view_changed(self, view_id: str) -> None:
        self._mark_view()
        self.registry.set_fact("sideView", view_id)
        self.layout_changed.emit()

    def _mark_view(self) -> None:
        self.activity.set_active(self.side.current if self.region_visible("side") else "")

    def _refresh_activity(self) -> None:
        self._mark_view()
        if self._layout.side_view and self._layout.side_view != self.side.current:
            self.side.show_view(self._layout.side_view)

    def _on_splitter_moved(self, _at: int, _index: int) -> None:
        self._remember_widths()
        self.notifications.place()
        self.layout_changed.emit()

    def _on_editor(self, key: str) -> None:
        self.registry.set_fact("editorOpen", bool(key))

    def _on_notifications(self, count: int) -> None:
        text = self.tr("%n notifications", "", count) if count else self.tr("No notifications")
        self.status.set_item(
            "notifications", "", text, "bell-dot" if count else "bell", "notifications.show", "link" if count else "secondary"
        )

    def _on_theme(self) -> None:
        self.notifications.bottom = self.status.height() if self.region_visible("status") else 0
        self._fit_width()
        self.notifications.place()

    def _fit_width(self) -> None:
        """The window, or what stands in it, is wider or narrower than it was."""
        if self._fit_regions():
            self._apply_widths()
        else:
            self._fit_widths()
        self._arranged = self._splitter.sizes()

    def key_text(self, command_id: str) -> str:
        """The key of a command as the platform writes it."""
        return shown_key(self.registry.key_of(command_id))

    # --- Qt ----------------------------------------------------------------------------------------------------------

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab and Shift+Tab, for all that is in the window; and Qt's call when what has the focus was hidden or switched off."""
        regions = (self.title_bar, self.activity, self.side, self.editors, self.chat_pane, self.status)
        present = self.focusWidget()
        if _is_gone(present):
            return self._focus_back(regions, present)
        stop = next_stop(self, regions, present, forward=forward)
        if stop is None:
            return False
        stop.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def _focus_back(self, regions: tuple[QWidget, ...], vanished: QWidget) -> bool:
        """Beside what vanished; where a toast did, back to where the keyboard was before."""
        stop = stop_beside(self, regions, vanished)
        before = self._focused
        if stop is None and before is not None and shiboken6.isValid(before):
            stop = stop_beside(self, regions, before) if _is_gone(before) else before
        if stop is None:
            return False
        stop.setFocus(Qt.FocusReason.OtherFocusReason)
        return True

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Remember the last widget of the regions that had the keyboard; toasts and the palette are in none."""
        region = next((one for one in (self.side, self.editors, self.chat_pane) if new is not None and one.isAncestorOf(new)), None)
        if new is not None and region is not None:
            self._focused = self._focused_in[region] = new

    def focused_in(self, region: QWidget) -> QWidget | None:
        """What had the keyboard last in a region, as far as it still can; in none of them at first."""
        widget = self._focused_in.get(region)
        return widget if widget is not None and shiboken6.isValid(widget) and not _is_gone(widget) and region.isAncestorOf(widget) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses the button that has the focus, as people expect; Qt leaves that to Space."""
        focused = self.focusWidget()
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and not event.isAutoRepeat() and isinstance(focused, (QPushButton, QToolButton)):
            focused.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.UpdateRequest and not self._painted and self.isVisible():
            self._painted = True
            QTimer.singleShot(0, self.first_painted.emit)
        return handled

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._closing:
            event.accept()
        else:
            event.ignore()
            self.close_requested.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _folder_in(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        folder = _folder_in(event)
        if folder is not None:
            event.acceptProposedAction()
            self.folder_dropped.emit(folder)


def _is_gone(widget: QWidget | None) -> bool:
    """Hidden or switched off: it cannot have the keyboard."""
    return widget is not None and not (widget.isVisible() and widget.isEnabled())


def _folder_in(event: QDropEvent) -> str | None:
    """The one local path that is dragged. Whether it is a folder is found out when it is opened."""
    urls = event.mimeData().urls()
    return urls[0].toLocalFile() if len(urls) == 1 and urls[0].isLocalFile() else None
