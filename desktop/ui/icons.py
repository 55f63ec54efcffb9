"""Codicons. Owns the icon font and a cache of icons by (name, colour, sizes); the font is loaded after the first paint.

Until then an icon is empty; `when_ready` calls back when real ones can be had, and `bind` keeps an icon right over font loading and
theme changes. Icons are plain pixmaps: an icon engine written in Python is freed under Qt's feet (measured: segmentation fault).
GUI thread only.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Protocol

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPixmap

from desktop.base.resources import icon_font
from desktop.ui import theme

SIZE = 16
ACTIVITY_SIZE = 24
SMALL_SIZE = 14
_SIZES = (SMALL_SIZE, SIZE, ACTIVITY_SIZE)
_RATIOS = (1.0, 2.0)


class HasIcon(Protocol):
    """A button or an action."""

    def setIcon(self, icon: QIcon) -> None: ...


class IconSignals(QObject):
    """ready(): the icon font is loaded."""

    ready = Signal()


class _Font:
    """The loaded icon font: family and glyph by name (empty before `load`), icons made so far, and what shows them."""

    def __init__(self) -> None:
        self.signals = IconSignals()
        self.family = ""
        self.glyphs: dict[str, str] = {}
        self.icons: dict[tuple[str, str], QIcon] = {}
        self.made_for: theme.Theme | None = None
        self.bound: list[tuple[weakref.ref[HasIcon], str, str]] = []
        theme.signals.theme_changed.connect(self.renew)
        self.signals.ready.connect(self.renew)

    def renew(self) -> None:
        """Set every bound icon again; what was deleted since is dropped."""
        self.bound = [entry for entry in self.bound if _living(entry[0]) is not None]
        for reference, name, token in self.bound:
            target = _living(reference)
            if target is not None:
                target.setIcon(icon(name, token))


def _living(reference: weakref.ref[HasIcon]) -> HasIcon | None:
    target = reference()
    return target if target is not None and shiboken6.isValid(target) else None


_font = _Font()
signals = _font.signals


def is_ready() -> bool:
    return bool(_font.family)


def when_ready(callback: Callable[[], None]) -> None:
    """Call back now if icons are there, else once they are. `callback` is a bound method of a QObject."""
    if is_ready():
        callback()
    else:
        signals.ready.connect(callback, Qt.ConnectionType.SingleShotConnection)


def load() -> bool:
    """Load the font; True if icons can be drawn. Called once, after the first paint."""
    if is_ready():
        return True
    found = icon_font()
    number = QFontDatabase.addApplicationFont(str(found[0])) if found is not None else -1
    families = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
    if found is None or not families:
        return False
    _font.family, _font.glyphs = families[0], found[1]
    _font.icons.clear()
    signals.ready.emit()
    return True


def bind(target: HasIcon, name: str, token: str = "text") -> None:
    """Give a button or an action an icon that follows the theme; calling again replaces it."""
    _font.bound = [entry for entry in _font.bound if (one := _living(entry[0])) is not None and one is not target]
    _font.bound.append((weakref.ref(target), name, token))
    target.setIcon(icon(name, token))


def icon(name: str, token: str = "text") -> QIcon:
    """The Codicon `name` in a colour of the present theme; ask again (or `bind`) after a theme change."""
    present = theme.current()
    if _font.made_for != present:
        _font.icons.clear()
        _font.made_for = present
    key = (name, token)
    if key not in _font.icons:
        _font.icons[key] = _make(name, present.color(token), present.color("disabled"), present.zoom)
    return _font.icons[key]


def _make(name: str, color: QColor, disabled: QColor, zoom: float) -> QIcon:
    made = QIcon()
    glyph = _font.glyphs.get(name)
    if glyph is None:
        return made
    for size in _SIZES:
        for ratio in _RATIOS:
            made.addPixmap(_draw(glyph, round(size * zoom), ratio, color), QIcon.Mode.Normal)
        made.addPixmap(_draw(glyph, round(size * zoom), 1.0, disabled), QIcon.Mode.Disabled)
    return made


def _draw(glyph: str, size: int, ratio: float, color: QColor) -> QPixmap:
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    font = QFont(_font.family)
    font.setPixelSize(size)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(0, 0, size, size, int(Qt.AlignmentFlag.AlignCenter), glyph)
    painter.end()
    return pixmap
