"""The commands that belong to the window itself: regions, tabs, palette, themes, zoom, language, notifications, and which key does what.

Changes settings through the store, off the GUI thread; knows nothing of memory, sessions or models. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.commands.registry import Command
from desktop.ui import i18n, theme
from desktop.ui.workbench import Workbench

ZOOM_STEP = 0.1
ZOOM_MS = 40
"""How long steps are gathered: each that is shown styles the whole window anew, and a key that is held down gives thirty a second."""
ACTIVITIES = {"search": "search.show", "memory": "memory.show", "sessions": "sessions.show", "settings.open": "settings.open"}
"""Which command does what a button of the activity bar does."""
FOCUS_FACTS = ("editorFocus", "sideBarFocus", "chatFocus")


class Settings(Protocol):
    """What this controller needs of the settings store."""

    def value(self, key: str) -> Any: ...

    def set(self, key: str, value: Any) -> None: ...


class WorkbenchController(QObject):
    """Registers the window's commands and carries them out.

    Signals:
        language_changed(str): another language is chosen; the window has to be made anew.
        about_requested(): the person wants to know what this is.
    """

    language_changed = Signal(str)
    about_requested = Signal()

    def __init__(self, workbench: Workbench, operations: Operations, settings: Settings | None = None) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._operations = operations
        self._settings = settings
        self._zoom_wanted = 0.0
        self._zooming = QTimer(self)
        self._zooming.setSingleShot(True)
        self._zooming.setInterval(ZOOM_MS)
        self._zooming.timeout.connect(self._zoom_now)
        self._register()
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        self._refresh_watermark()

    def set_settings(self, settings: Settings) -> None:
        """The store of the running services; before, choices hold for this window only."""
        self._settings = settings

    # --- commands ----------------------------------------------------------------------------------------------------

    def _register(self) -> None:
        bench = self._workbench
        view, editor = self.tr("View"), self.tr("Editor")
        bench.registry.register(
            Command("palette.show", self.tr("Show All Commands"), bench.palette_box.open_palette, "ctrl+shift+p|f1", palette=False),
            Command("view.toggleSideBar", self.tr("Toggle Side Bar"), partial(bench.toggle_region, "side"), "ctrl+b", category=view),
            Command("view.toggleChat", self.tr("Toggle Chat Pane"), partial(bench.toggle_region, "chat"), "ctrl+alt+b", category=view),
            Command("view.toggleActivityBar", self.tr("Toggle Activity Bar"), partial(bench.toggle_region, "activity"), category=view),
            Command("view.toggleStatusBar", self.tr("Toggle Status Bar"), partial(bench.toggle_region, "status"), category=view),
            Command("view.zoomIn", self.tr("Zoom In"), partial(self.zoom, ZOOM_STEP), "ctrl+=|ctrl+plus|ctrl+shift+=", category=view),
            Command("view.zoomOut", self.tr("Zoom Out"), partial(self.zoom, -ZOOM_STEP), "ctrl+-", category=view),
            Command("view.zoomReset", self.tr("Reset Zoom"), partial(self.zoom, 0.0), "ctrl+0", category=view),
            Command("view.focusNextRegion", self.tr("Focus Next Part"), partial(self.focus_region, 1), "f6", category=view),
            Command("view.contextMenu", self.tr("Show Context Menu"), self.show_context_menu, "shift+f10", category=view, palette=False),
            Command("view.focusPreviousRegion", self.tr("Focus Previous Part"), partial(self.focus_region, -1), "shift+f6", category=view),
            *self._editor_commands(editor),
            *self._appearance_commands(),
            Command("notifications.show", self.tr("Show Notifications"), bench.notifications.show_history, category=view),
            Command("notifications.clear", self.tr("Close All Notifications"), bench.notifications.dismiss_all, category=view),
            Command("window.close", self.tr("Quit"), bench.close, "ctrl+q"),
            Command("help.about", self.tr("About Keepsake"), self.about_requested.emit, category=self.tr("Help")),
        )

    def _editor_commands(self, category: str) -> Sequence[Command]:
        editors = self._workbench.editors
        opened = "editorOpen"
        return (
            Command("editor.save", self.tr("Save"), self.save, "ctrl+s", opened, category),
            Command("editor.close", self.tr("Close Tab"), editors.request_close, "ctrl+w|ctrl+f4", opened, category),
            Command("editor.closeAll", self.tr("Close All Tabs"), editors.close_all, "ctrl+k ctrl+w", opened, category),
            Command("editor.nextRecent", self.tr("Recent Tab"), partial(editors.show_recent, 1), "ctrl+tab", opened, category),
            Command(
                "editor.previousRecent", self.tr("Least Recent Tab"), partial(editors.show_recent, -1), "ctrl+shift+tab", opened, category
            ),
            Command("editor.next", self.tr("Next Tab"), partial(editors.show_next, 1), "ctrl+pagedown", opened, category),
            Command("editor.previous", self.tr("Previous Tab"), partial(editors.show_next, -1), "ctrl+pageup", opened, category),
        )

    def _appearance_commands(self) -> Sequence[Command]:
        themes, language = self.tr("Theme"), self.tr("Language")
        return (
            Command("theme.dark", self.tr("Dark"), partial(self.choose_theme, theme.DARK), category=themes),
            Command("theme.light", self.tr("Light"), partial(self.choose_theme, theme.LIGHT), category=themes),
            Command("theme.system", self.tr("Follow the System"), partial(self.choose_theme, theme.SYSTEM), category=themes),
            Command("language.english", "English", partial(self.choose_language, i18n.ENGLISH), category=language),
            Command("language.chinese", "简体中文", partial(self.choose_language, i18n.CHINESE), category=language),
            Command("language.system", self.tr("Follow the System"), partial(self.choose_language, i18n.SYSTEM), category=language),
        )

    def refresh_keys(self) -> None:
        """After keys changed: hints that name them."""
        self._workbench.title_bar.refresh()
        self._refresh_watermark()
        for name, command_id in ACTIVITIES.items():
            button, command = self._workbench.activity.button(name), self._workbench.registry.get(command_id)
            if button is not None and command is not None:
                button.describe(button.accessibleName(), self._workbench.key_text(command_id))

    def _refresh_watermark(self) -> None:
        rows = []
        for command_id in ("palette.show", "folder.open", "session.new", "sessions.pick", "search.show", "memory.show", "settings.open"):
            command = self._workbench.registry.get(command_id)
            key = self._workbench.key_text(command_id)
            if command is not None and key:
                rows.append((command.title, key))
        self._workbench.editors.watermark.set_rows(rows)

    # --- what they do ------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save what is in the front tab, if it can be saved; the editor itself says when it fails."""
        save = getattr(self._workbench.editors.current_widget(), "save", None)
        if callable(save):
            save(lambda _worked: None)

    def zoom(self, step: float) -> None:
        """Larger or smaller by a step; 0 is back to normal."""
        present = self._zoom_wanted if self._zooming.isActive() else theme.current().zoom
        factor = 1.0 if step == 0 else present + step
        self._zoom_wanted = round(min(theme.MAX_ZOOM, max(theme.MIN_ZOOM, factor)), 2)
        if not self._zooming.isActive():
            self._zooming.start()

    def _zoom_now(self) -> None:
        self._apply(theme.choice(), self._zoom_wanted)
        self._store("appearance.zoom", self._zoom_wanted)

    def choose_theme(self, name: str) -> None:
        self._apply(name, None)
        self._store("appearance.theme", name)

    def choose_language(self, choice: str) -> None:
        self._store("appearance.language", choice)
        if i18n.resolve(choice) != i18n.current():
            self.language_changed.emit(choice)

    def on_setting(self, key: str) -> None:
        """A setting was changed somewhere else (the settings page, another window)."""
        if self._settings is None:
            return
        if key in ("appearance.theme", "appearance.zoom"):
            self._apply(str(self._settings.value("appearance.theme")), float(self._settings.value("appearance.zoom")))
        elif key == "appearance.language":
            choice = str(self._settings.value(key))
            if i18n.resolve(choice) != i18n.current():
                self.language_changed.emit(choice)

    def focus_region(self, step: int) -> None:
        """F6: from part to part, as far as they are shown."""
        bench = self._workbench
        parts: list[tuple[str, QWidget]] = [("editor", bench.editors)]
        if bench.region_visible("side"):
            parts.insert(0, ("side", bench.side))
        if bench.region_visible("chat"):
            parts.append(("chat", bench.chat_pane))
        focused = QApplication.focusWidget()
        at = next((number for number, (_, part) in enumerate(parts) if focused is not None and part.isAncestorOf(focused)), -1)
        name, part = parts[(at + step) % len(parts)]
        usual = {"side": bench.side.view(bench.side.current), "editor": bench.editors.current_widget(), "chat": bench.chat}[name]
        last = bench.focused_in(part)
        proxy = _end_of_proxies(usual)
        if last is not None:
            last.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif proxy is not None and proxy.isVisible() and proxy.isEnabled():
            proxy.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            _focus_inside(part)

    def show_context_menu(self) -> None:
        """What the menu key does, for keyboards that have none; Qt knows Shift+F10 on one system only."""
        widget = self._workbench.focusWidget()
        if widget is not None:
            place = widget.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()
            at = place.toPoint() if isinstance(place, QPointF) else place
            event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, widget.mapToGlobal(at))
            QApplication.sendEvent(widget, event)

    def _apply(self, name: str, zoom: float | None) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, name, zoom)

    def _store(self, key: str, value: object) -> None:
        settings = self._settings
        if settings is not None and settings.value(key) != value:
            self._operations.write(lambda: settings.set(key, value), None, self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("error", failure.text(), detail=failure.detail)

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        bench = self._workbench
        parts: dict[str, QWidget] = {"editorFocus": bench.editors, "sideBarFocus": bench.side, "chatFocus": bench.chat_pane}
        for fact in FOCUS_FACTS:
            bench.registry.set_fact(fact, new is not None and parts[fact].isAncestorOf(new))


def _focus_inside(part: QWidget) -> None:
    """The first widget in a part that takes the keyboard."""
    candidates = [child for child in part.findChildren(QWidget) if child.isVisible() and child.isEnabled()]
    for child in candidates:
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus:
            child.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return


def _end_of_proxies(widget: QWidget | None) -> QWidget | None:
    """Who gets the keyboard in the end when `widget` is given it; None where that is the widget itself."""
    proxy = None
    while widget is not None and widget.focusProxy() is not None:
        widget = proxy = widget.focusProxy()
    return proxy
