"""One input for each kind of setting, behind one interface: it shows a value and tells when the person gave another. GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget

from desktop.settings.schema import Field
from desktop.ui.settings.entries import Entry
from desktop.ui.settings.switch import Switch

MAX_INT = 2_000_000_000
ZOOM_KEY = "appearance.zoom"


class _QuietCombo(QComboBox):
    """The wheel scrolls the page, it never changes a value that the pointer merely passes."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _QuietSpin(QSpinBox):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _QuietDouble(QDoubleSpinBox):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Control(QObject):
    """A widget and how a value gets in and out.

    Attributes:
        widget: what stands in the row.

    Signals:
        value_changed(object): the person gave this value.
    """

    value_changed = Signal(object)

    def __init__(self, widget: QWidget, put: Callable[[Any], None]) -> None:
        super().__init__(widget)
        self.widget = widget
        self._put = put

    def give(self, value: Any) -> None:
        """The person gave `value`."""
        self.value_changed.emit(value)

    def set_value(self, value: Any) -> None:
        """Show a value without telling."""
        with QSignalBlocker(self.widget):
            self._put(value)
        self.widget.update()


def _switch(parent: QWidget) -> Control:
    switch = Switch(parent)
    control = Control(switch, lambda value: _check(switch, bool(value)))
    switch.clicked.connect(control.give)
    return control


def _check(switch: Switch, on: bool) -> None:
    switch.setChecked(on)
    switch.setAccessibleDescription(switch.word())


def _choice(entry: Entry, parent: QWidget) -> Control:
    combo = _QuietCombo(parent)
    combo.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    for value, label in entry.choices:
        combo.addItem(label, value)
    control = Control(combo, lambda value: combo.setCurrentIndex(max(0, combo.findData(value))))
    combo.activated.connect(lambda at: control.give(combo.itemData(at)))
    return control


def _inset(spin: QSpinBox | QDoubleSpinBox) -> None:
    """Keep the number off the frame, as in the other inputs."""
    spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    spin.setKeyboardTracking(False)
    line = spin.findChild(QLineEdit)
    if line is not None:
        line.setTextMargins(4, 0, 0, 0)


def _whole(field: Field, entry: Entry, parent: QWidget) -> Control:
    spin = _QuietSpin(parent)
    _inset(spin)
    spin.setRange(int(field.minimum if field.minimum is not None else -MAX_INT), int(min(field.maximum or MAX_INT, MAX_INT)))
    spin.setSuffix(entry.suffix)
    spin.setGroupSeparatorShown(True)
    if entry.zero and spin.minimum() == 0:
        spin.setSpecialValueText(entry.zero)
    control = Control(spin, lambda value: spin.setValue(min(int(value), MAX_INT)))
    spin.valueChanged.connect(control.give)
    return control


def _decimal(field: Field, entry: Entry, parent: QWidget) -> Control:
    spin = _QuietDouble(parent)
    _inset(spin)
    spin.setDecimals(2)
    spin.setSingleStep(0.1)
    spin.setRange(field.minimum if field.minimum is not None else -1e9, field.maximum if field.maximum is not None else 1e9)
    spin.setSuffix(entry.suffix)
    if entry.zero and spin.minimum() == 0:
        spin.setSpecialValueText(entry.zero)
    control = Control(spin, lambda value: spin.setValue(float(value)))
    spin.valueChanged.connect(control.give)
    return control


def _percent(field: Field, parent: QWidget) -> Control:
    """A factor, shown in per cent."""
    spin = _QuietSpin(parent)
    _inset(spin)
    spin.setRange(round((field.minimum or 0.5) * 100), round((field.maximum or 3.0) * 100))
    spin.setSingleStep(10)
    spin.setSuffix(" %")
    control = Control(spin, lambda value: spin.setValue(round(float(value) * 100)))
    spin.valueChanged.connect(lambda value: control.give(value / 100))
    return control


def _line(parent: QWidget, *, many: bool) -> Control:
    """A text, or a list of texts with commas between."""
    line = QLineEdit(parent)

    def put(value: Any) -> None:
        line.setText(", ".join(value) if many else str(value))
        line.setCursorPosition(0)  # of a long text the beginning is seen

    def tell() -> None:
        if line.isModified():
            line.setModified(False)
            text = line.text().strip()
            control.give([part.strip() for part in text.split(",") if part.strip()] if many else text)

    control = Control(line, put)
    line.editingFinished.connect(tell)
    return control


def make_control(field: Field, entry: Entry, parent: QWidget) -> Control:
    """The input for a setting. Its values are of the field's kind."""
    if entry.key == ZOOM_KEY:
        return _percent(field, parent)
    match field.kind:
        case "bool":
            return _switch(parent)
        case "choice":
            return _choice(entry, parent)
        case "int":
            return _whole(field, entry, parent)
        case "float":
            return _decimal(field, entry, parent)
        case _:
            return _line(parent, many=field.kind == "list")
