"""Colours, measures and fonts of the window. Owns the current theme and the one style sheet; a change sets it once for the whole app.

Tokens are those of the design (`editor`, `side`, `text`, `memory` …); widgets ask for a token, never for a colour of their own.
GUI thread only.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from desktop.base.resources import resource_path, resource_text

DARK, LIGHT, SYSTEM = "dark", "light", "system"
TEXT_PX = 13
"""Size of ordinary text at zoom 1."""
CODE_PX = 13
MIN_ZOOM, MAX_ZOOM = 0.5, 3.0

UI_FALLBACK = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei UI", "WenQuanYi Micro Hei")
UI_PREFERRED = (
    "Segoe UI Variable Text", "Segoe UI", "Ubuntu", "Cantarell", "Noto Sans", "Inter", "Roboto", "Liberation Sans", "DejaVu Sans",
)  # fmt: skip
GENERIC = ("Sans Serif", "Sans", "System")
"""Names that stand for whatever the font configuration makes of them; Qt takes a CJK font for them here."""
CODE_PREFERRED = ("Cascadia Code", "Consolas", "Menlo", "Ubuntu Mono", "DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono")
CODE_FALLBACK = ("Noto Sans Mono CJK SC", *UI_FALLBACK)

TEXT_PAIRS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("text", ("editor", "side", "input", "code", "hover", "selection", "find")),
    ("selection_text", ("selection", "text_selection", "find")),
    ("secondary", ("editor", "side", "input", "code", "hover")),
    ("disabled", ("editor",)),
    ("link", ("editor", "side", "code")),
    ("accent_text", ("accent", "accent_hover")),
    ("added", ("editor", "side")),
    ("removed", ("editor", "side")),
    ("warning", ("editor", "side")),
    ("memory", ("editor", "side", "code", "hover", "selection")),
)
"""Which text token stands on which grounds. The contrast test computes every pair of every theme; the style sheet uses no other."""


@dataclass(frozen=True)
class Theme:
    """One set of colours at one zoom.

    Attributes:
        name: `dark` or `light`.
        dark: for what cannot be said in tokens (syntax colours of code).
        zoom: factor on every measure and font.
    """

    name: str
    dark: bool
    colors: tuple[tuple[str, str], ...]
    zoom: float = 1.0

    def color(self, token: str) -> QColor:
        """The colour of a token.

        Raises:
            KeyError: there is no such token.
        """
        return QColor(self.hex(token))

    def hex(self, token: str) -> str:
        """The colour of a token as `#RRGGBB`."""
        return dict(self.colors)[token]

    def px(self, size: float) -> int:
        """A measure of the design, in device-independent pixels at this zoom."""
        return max(1, round(size * self.zoom))

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.colors)


class ThemeSignals(QObject):
    """theme_changed(Theme): emitted after palette, fonts and style sheet are set."""

    theme_changed = Signal(object)


@lru_cache(maxsize=4)
def load(name: str) -> Theme:
    """The shipped theme `name` at zoom 1."""
    data = json.loads(resource_text("themes", f"{name}.json"))
    return Theme(name, data["type"] == "dark", tuple(data["colors"].items()))


class _State:
    """The theme in force, and what it was chosen from."""

    def __init__(self) -> None:
        self.signals = ThemeSignals()
        self.choice = SYSTEM
        self.theme = load(DARK)
        self.following = False


_state = _State()
signals = _state.signals


def current() -> Theme:
    return _state.theme


def choice() -> str:
    """What was asked for: `system`, `dark` or `light`."""
    return _state.choice


def resolve(name: str) -> str:
    """`dark` or `light`. A system that says nothing gets dark."""
    if name in (DARK, LIGHT):
        return name
    return LIGHT if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Light else DARK


def apply(app: QApplication, name: str, zoom: float | None = None) -> Theme:
    """Set theme and zoom for the whole app; one palette, one font, one style sheet.

    Args:
        app: the application.
        name: `system`, `dark` or `light`.
        zoom: 0.5 … 3, or None to keep it.
    """
    _state.choice = name
    factor = min(MAX_ZOOM, max(MIN_ZOOM, zoom if zoom is not None else _state.theme.zoom))
    theme = replace(load(resolve(name)), zoom=factor)
    unchanged = theme == _state.theme and bool(app.styleSheet())
    _state.theme = theme
    if not _state.following:
        QGuiApplication.styleHints().colorSchemeChanged.connect(_follow_system)
        _state.following = True
    if not unchanged:
        app.setStyleSheet("")  # from one sheet to another Qt styles every widget again and again: three times the work
        app.setPalette(palette(theme))
        app.setFont(ui_font(theme))
        app.setStyleSheet(style_sheet(theme))
        signals.theme_changed.emit(theme)
    return theme


def _follow_system() -> None:
    app = QApplication.instance()
    if isinstance(app, QApplication) and _state.choice == SYSTEM:
        apply(app, SYSTEM)


@lru_cache(maxsize=1)
def _families() -> frozenset[str]:
    return frozenset(QFontDatabase.families())


def _present(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in _families()]


def ui_families() -> list[str]:
    """The system's own UI font, then what draws Chinese, of the fonts that exist here.

    A CJK font never comes first: it draws “ ” and ’ as wide as a Han character.
    """
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    named = [system] if system in _families() and system not in GENERIC else _present(UI_PREFERRED)[:1]
    return [*named, *_present(UI_FALLBACK)[:1]] or [system]


def code_families() -> list[str]:
    """A monospaced font, then what draws Chinese."""
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return [*(_present(CODE_PREFERRED)[:1] or [system]), *_present(CODE_FALLBACK)[:1]]


def ui_font(theme: Theme | None = None, size: float = TEXT_PX) -> QFont:
    font = QFont(ui_families())
    font.setPixelSize((theme or current()).px(size))
    return font


def code_font(theme: Theme | None = None, size: float = CODE_PX) -> QFont:
    font = QFont(code_families())
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize((theme or current()).px(size))
    return font


def palette(theme: Theme) -> QPalette:
    """What is drawn without the style sheet (text documents, the Fusion style) in the same colours."""
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    made = QPalette()
    for target, token in (
        (role.Window, "side"), (role.WindowText, "text"), (role.Base, "editor"), (role.AlternateBase, "code"),
        (role.Text, "text"), (role.Button, "input"), (role.ButtonText, "text"), (role.BrightText, "accent_text"),
        (role.ToolTipBase, "input"), (role.ToolTipText, "text"), (role.PlaceholderText, "secondary"), (role.Link, "link"),
        (role.LinkVisited, "link"), (role.Highlight, "text_selection"), (role.HighlightedText, "selection_text"), (role.Accent, "accent"),
        (role.Light, "hover"), (role.Midlight, "hover"), (role.Mid, "border"), (role.Dark, "border"), (role.Shadow, "border"),
    ):  # fmt: skip
        made.setColor(target, theme.color(token))
    for target in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(group.Disabled, target, theme.color("disabled"))
    return made


def style_sheet(theme: Theme) -> str:
    """The style sheet of the app with tokens (`@text`) and measures (`{22}`) of `theme` filled in."""
    text = resource_text("qss", "app.qss")
    quoted = ", ".join(f'"{name}"' for name in code_families())
    text = text.replace("@code_families", quoted).replace("@icons", resource_path("icons").as_posix())
    text = text.replace("@kind", "dark" if theme.dark else "light")
    text = re.sub(r"@([a-z_]+)", lambda found: theme.hex(found[1]), text)
    return re.sub(r"<(\d+(?:\.\d+)?)>", lambda found: f"{theme.px(float(found[1]))}px", text)


def contrast(first: QColor, second: QColor) -> float:
    """WCAG 2 contrast ratio, 1 … 21."""
    lights = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lights[0] + 0.05) / (lights[1] + 0.05)


def _luminance(color: QColor) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else float(((value + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())
