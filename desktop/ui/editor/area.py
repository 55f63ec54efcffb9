"""The editor area: tabs with close buttons and modified dots, recently used order, and the question before unsaved text is closed.

Owns the tabs and their widgets; knows nothing of what is in them. An editor widget may offer, and the area then uses:

- `is_modified() -> bool` and a signal `modified_changed(bool)`: the dot, and the question when it is closed;
- `save(done: Callable[[bool], None])`: saves and calls back whether it worked; without it the question has no “Save”;
- a signal `title_changed(str)`; `tab_tooltip() -> str`; `dispose()`, called once before the widget is deleted.

GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QStackedWidget, QVBoxLayout, QWidget

from desktop.ui.editor.tab_bar import EditorTabBar
from desktop.ui.editor.watermark import Watermark
from desktop.ui.low_room import LowRoom

Factory = Callable[[], QWidget]


@dataclass(frozen=True, slots=True)
class OpenTab:
    """What is needed to open a tab again."""

    key: str
    title: str


class EditorArea(QWidget):
    """Tabs over a stack of widgets.

    Signals:
        opened(str), closing(str), closed(str): the key of a tab; a closing one still has its widget.
        current_changed(str): the key of the tab in front, or empty.
        modified_changed(): a tab has unsaved text now, or no longer.
        close_all_finished(bool): the answer to `close_all`: True when every tab was closed.
    """

    opened = Signal(str)
    closing = Signal(str)
    closed = Signal(str)
    current_changed = Signal(str)
    modified_changed = Signal()
    close_all_finished = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editorArea")
        self.setAccessibleName(self.tr("Editor area"))
        self._widgets: dict[str, QWidget] = {}
        self._titles: dict[str, str] = {}
        self._recent: list[str] = []
        self._cycling = -1
        self._asking: QMessageBox | None = None
        self.tabs = EditorTabBar(self)
        self.stack = QStackedWidget(self)
        self.stack.setObjectName("editorStack")
        self.watermark = Watermark(self)
        self.stack.addWidget(self.watermark)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        self.room = LowRoom(self.stack, self)
        column.addWidget(self.room, 1)
        self.tabs.currentChanged.connect(self._on_current)
        self.tabs.close_requested.connect(self.request_close)
        self.tabs.customContextMenuRequested.connect(self._show_menu)
        self._refresh_visibility()

    # --- opening -----------------------------------------------------------------------------------------------------

    def open(self, key: str, title: str, factory: Factory, *, icon_name: str = "", focus: bool = True) -> QWidget:
        """Bring the tab `key` to the front; `factory` makes its widget if it is not open yet. Returns the widget."""
        widget = self._widgets.get(key)
        if widget is None:
            widget = factory()
            self._add(key, title, widget, icon_name)
        self._bring(key)
        if focus:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)
        return widget

    def _add(self, key: str, title: str, widget: QWidget, icon_name: str) -> None:
        self._widgets[key] = widget
        self._titles[key] = title
        self._recent.append(key)
        self.stack.addWidget(widget)
        self.tabs.add_tab(key, title, icon_name)
        for name, slot in (("modified_changed", self._on_modified), ("title_changed", self._on_title)):
            signal = getattr(widget, name, None)
            if signal is not None:
                signal.connect(slot)
        self._refresh(key)
        self._refresh_visibility()
        self.opened.emit(key)

    # --- what is open ------------------------------------------------------------------------------------------------

    def open_keys(self) -> list[str]:
        """In the order of the tabs."""
        return [self.tabs.key_at(index) for index in range(self.tabs.count())]

    def open_tabs(self) -> tuple[OpenTab, ...]:
        return tuple(OpenTab(key, self._titles[key]) for key in self.open_keys())

    def widget(self, key: str) -> QWidget | None:
        return self._widgets.get(key)

    def current_key(self) -> str:
        index = self.tabs.currentIndex()
        return self.tabs.key_at(index) if index >= 0 else ""

    def current_widget(self) -> QWidget | None:
        return self._widgets.get(self.current_key())

    def modified_keys(self) -> list[str]:
        return [key for key in self.open_keys() if _is_modified(self._widgets[key])]

    def set_title(self, key: str, title: str) -> None:
        if key in self._widgets:
            self._titles[key] = title
            self._refresh(key)

    def rename(self, old: str, new: str, title: str) -> None:
        """The thing behind a tab has another key now (a renamed memory)."""
        if old in self._widgets and new not in self._widgets:
            self._widgets[new] = self._widgets.pop(old)
            self._titles.pop(old)
            self._titles[new] = title
            self._recent = [new if key == old else key for key in self._recent]
            self.tabs.set_key(self._index(old), new)
            self._refresh(new)

    # --- moving between tabs -----------------------------------------------------------------------------------------

    def show_recent(self, step: int = 1) -> None:
        """Ctrl+Tab: go along the recently used tabs while Ctrl is held."""
        if len(self._recent) < 2:
            return
        if self._cycling < 0:
            self._cycling = len(self._recent) - 1
            _app().installEventFilter(self)
        self._cycling = (self._cycling - step) % len(self._recent)
        self.tabs.setCurrentIndex(self._index(self._recent[self._cycling]))

    def _end_cycle(self) -> None:
        self._cycling = -1
        _app().removeEventFilter(self)
        self._used(self.current_key())

    def show_next(self, step: int = 1) -> None:
        """Ctrl+PageDown: the next tab to the right, around the end."""
        if self.tabs.count():
            self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())

    # --- closing -----------------------------------------------------------------------------------------------------

    def close(self, key: str = "") -> bool:
        """Close a tab (the current one by default) without a question; True if it was open."""
        key = key or self.current_key()
        if key in self._widgets:
            self.closing.emit(key)
        widget = self._widgets.pop(key, None)
        if widget is None:
            return False
        index = self._index(key)
        self._recent.remove(key)
        self._titles.pop(key)
        following = self._recent[-1] if self._recent else ""
        was_current = index == self.tabs.currentIndex()
        self.tabs.removeTab(index)
        self.stack.removeWidget(widget)
        dispose = getattr(widget, "dispose", None)
        if callable(dispose):
            dispose()
        widget.deleteLater()
        if was_current and following:
            self.tabs.setCurrentIndex(self._index(following))
        self._refresh_visibility()
        self.closed.emit(key)
        self.modified_changed.emit()
        return True

    def request_close(self, key: str = "") -> None:
        """Close a tab; when its text is not saved, ask first."""
        key = key or self.current_key()
        if key in self._widgets:
            self._close_each([key], lambda _: None)

    def close_all(self, keep: str = "") -> None:
        """Close every tab but `keep`, asking for each that is not saved; `close_all_finished` tells how it ended."""
        self._close_each([key for key in self.open_keys() if key != keep], self.close_all_finished.emit)

    def close_right_of(self, key: str) -> None:
        """Close the tabs behind `key`, asking for each that is not saved."""
        self._close_each([one for one in self.open_keys() if self._index(one) > self._index(key)], self.close_all_finished.emit)

    def confirm_all(self, then: Callable[[bool], None]) -> None:
        """Ask for each tab that is not saved (before the window closes); tabs stay open. `then(True)` = go on."""
        self._confirm_each(self.modified_keys(), then)

    def _close_each(self, keys: list[str], then: Callable[[bool], None]) -> None:
        for at, key in enumerate(keys):
            widget = self._widgets.get(key)
            if widget is not None and _is_modified(widget):
                self._ask(key, partial(self._go_on_closing, key, keys[at + 1 :], then))
                return
            self.close(key)
        then(True)

    def _go_on_closing(self, key: str, rest: list[str], then: Callable[[bool], None], ok: bool) -> None:
        if not ok:
            then(False)
            return
        self.close(key)
        self._close_each(rest, then)

    def _confirm_each(self, keys: list[str], then: Callable[[bool], None]) -> None:
        if not keys:
            then(True)
            return
        self._ask(keys[0], lambda ok: self._confirm_each(keys[1:], then) if ok else then(False))

    def _ask(self, key: str, then: Callable[[bool], None]) -> None:
        """Save, don't save, or cancel; `then(True)` when the tab may go."""
        if self._asking is not None:
            self._asking.raise_()
            self._asking.activateWindow()
            return
        widget = self._widgets[key]
        save = getattr(widget, "save", None)
        self.tabs.setCurrentIndex(self._index(key))
        box = QMessageBox(self.window())
        box.setObjectName("unsavedDialog")
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("Unsaved changes"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Save the changes you made to “{name}”?").format(name=self._titles[key]))
        box.setInformativeText(self.tr("Your changes will be lost if you don’t save them."))
        saving = box.addButton(self.tr("Save"), QMessageBox.ButtonRole.AcceptRole) if callable(save) else None
        discarding = box.addButton(self.tr("Don’t Save"), QMessageBox.ButtonRole.DestructiveRole)
        cancelling = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(saving or cancelling)
        box.setEscapeButton(cancelling)
        self._asking = box

        def answered() -> None:
            chosen = box.clickedButton()
            self._asking = None
            box.deleteLater()
            if saving is not None and chosen is saving and callable(save):
                save(then)
            else:
                then(chosen is discarding)

        box.finished.connect(answered)
        box.open()

    # --- inside ------------------------------------------------------------------------------------------------------

    def _bring(self, key: str) -> None:
        index = self._index(key)
        if index == self.tabs.currentIndex():
            self._on_current(index)
        else:
            self.tabs.setCurrentIndex(index)

    def _index(self, key: str) -> int:
        return next((index for index in range(self.tabs.count()) if self.tabs.key_at(index) == key), -1)

    def _used(self, key: str) -> None:
        if key in self._recent:
            self._recent.remove(key)
            self._recent.append(key)

    def _on_current(self, index: int) -> None:
        key = self.tabs.key_at(index) if index >= 0 else ""
        self.stack.setCurrentWidget(self._widgets.get(key, self.watermark))
        if self._cycling < 0:
            self._used(key)
        self.current_changed.emit(key)

    def _key_of_sender(self) -> str:
        sender = self.sender()
        return next((key for key, widget in self._widgets.items() if widget is sender), "")

    def _on_modified(self, _modified: bool) -> None:
        self._refresh(self._key_of_sender())
        self.modified_changed.emit()

    def _on_title(self, title: str) -> None:
        self.set_title(self._key_of_sender(), title)

    def _refresh(self, key: str) -> None:
        widget = self._widgets.get(key)
        if widget is None:
            return
        tooltip = getattr(widget, "tab_tooltip", None)
        self.tabs.describe(self._index(key), self._titles[key], _is_modified(widget), tooltip() if callable(tooltip) else self._titles[key])

    def _refresh_visibility(self) -> None:
        self.tabs.setVisible(self.tabs.count() > 0)
        if not self.tabs.count():
            self.stack.setCurrentWidget(self.watermark)
            self.current_changed.emit("")

    def _show_menu(self, at: QPoint) -> None:
        index = self.tabs.tabAt(at)
        if index < 0:
            return
        key = self.tabs.key_at(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Close"), lambda: self.request_close(key))
        others = menu.addAction(self.tr("Close Others"), lambda: self.close_all(keep=key))
        right = menu.addAction(self.tr("Close to the Right"), lambda: self.close_right_of(key))
        others.setEnabled(self.tabs.count() > 1)
        right.setEnabled(index < self.tabs.count() - 1)
        menu.addSeparator()
        menu.addAction(self.tr("Close All"), self.close_all)
        menu.popup(self.tabs.mapToGlobal(at))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While Ctrl is held after Ctrl+Tab: its release ends the walk."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyRelease and event.key() == Qt.Key.Key_Control:
            self._end_cycle()
        return False


def _app() -> QObject:
    app = QApplication.instance()
    assert app is not None
    return app


def _is_modified(widget: QWidget) -> bool:
    asked = getattr(widget, "is_modified", None)
    return bool(asked()) if callable(asked) else False
