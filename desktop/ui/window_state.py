"""What of the window comes back after a restart, as values. Reading is tolerant: what is wrong becomes its default.

Stored by the app as `<data>/state/window.json`; nothing here touches a file. Pure, but for the rectangles of Qt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QRect

from desktop.ui.editor.area import OpenTab
from desktop.ui.search import query as search
from desktop.ui.search.query import SearchQuery
from desktop.ui.sessions.filtering import ListOptions

SCHEMA = 1
MIN_WIDTH, MIN_HEIGHT = 600, 400
DEFAULT_SIZE = (1440, 900)
RECENT_FOLDERS = 12
FOLDERS = 60
SIDE_WIDTH, CHAT_WIDTH = 280, 420
MAX_PIXELS = 32_000


@dataclass(frozen=True, slots=True)
class Layout:
    """How the window is arranged. `geometry` is x, y, width, height, or None before the first time. Widths are pixels."""

    geometry: tuple[int, int, int, int] | None = None
    maximized: bool = False
    side_visible: bool = True
    chat_visible: bool = True
    status_visible: bool = True
    activity_visible: bool = True
    side_width: int = SIDE_WIDTH
    chat_width: int = CHAT_WIDTH
    side_view: str = ""


@dataclass(frozen=True, slots=True)
class FolderState:
    """What was open in one folder. `places`: where tabs were scrolled to, by their keys, closed ones too; see `app.tab_places`."""

    tabs: tuple[OpenTab, ...] = ()
    active_tab: str = ""
    session_id: str = ""
    places: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WindowState:
    """All of it."""

    layout: Layout = field(default_factory=Layout)
    last_folder: str = ""
    recent_folders: tuple[str, ...] = ()
    recent_commands: tuple[str, ...] = ()
    folders: Mapping[str, FolderState] = field(default_factory=dict)
    search: SearchQuery = field(default_factory=SearchQuery)
    sessions: ListOptions = field(default_factory=ListOptions)

    def with_folder(self, folder: str, state: FolderState) -> WindowState:
        """`folder` is the newest one, and this was open in it."""
        others = {name: one for name, one in self.folders.items() if name != folder}
        kept = dict(list(others.items())[-(FOLDERS - 1) :])
        return replace(self, folders={**kept, folder: state})

    def opened(self, folder: str) -> WindowState:
        recent = (folder, *(name for name in self.recent_folders if name != folder))[:RECENT_FOLDERS]
        return replace(self, last_folder=folder, recent_folders=recent)

    def without_folder(self, folder: str) -> WindowState:
        """Forget a folder that is not there any more."""
        return replace(
            self,
            last_folder="" if self.last_folder == folder else self.last_folder,
            recent_folders=tuple(name for name in self.recent_folders if name != folder),
        )


def to_json(state: WindowState) -> dict[str, Any]:
    layout = state.layout
    return {
        "schema": SCHEMA,
        "layout": {
            "geometry": list(layout.geometry) if layout.geometry is not None else None,
            "maximized": layout.maximized,
            "side_visible": layout.side_visible,
            "chat_visible": layout.chat_visible,
            "status_visible": layout.status_visible,
            "activity_visible": layout.activity_visible,
            "side_width": layout.side_width,
            "chat_width": layout.chat_width,
            "side_view": layout.side_view,
        },
        "last_folder": state.last_folder,
        "recent_folders": list(state.recent_folders),
        "recent_commands": list(state.recent_commands),
        "search": search.to_json(state.search),
        "sessions": state.sessions.to_json(),
        "folders": {
            name: {
                "tabs": [{"key": tab.key, "title": tab.title} for tab in one.tabs],
                "active_tab": one.active_tab,
                "session_id": one.session_id,
                "places": dict(one.places),
            }
            for name, one in state.folders.items()
        },
    }


def from_json(value: Any) -> WindowState:
    """The state in a parsed file, whatever it holds."""
    data = value if isinstance(value, dict) else {}
    folders = data.get("folders")
    return WindowState(
        layout=_layout(data.get("layout")),
        last_folder=_text(data.get("last_folder")),
        recent_folders=_texts(data.get("recent_folders"))[:RECENT_FOLDERS],
        recent_commands=_texts(data.get("recent_commands")),
        search=search.from_json(data.get("search")),
        sessions=ListOptions.from_json(data.get("sessions")),
        folders={name: _folder(one) for name, one in folders.items() if isinstance(name, str)} if isinstance(folders, dict) else {},
    )


def merge(mine: WindowState, stored: WindowState, folder: str) -> WindowState:
    """What to store when another window on the same data folder may have stored its own: my layout, everybody's folders."""
    recent = (*mine.recent_folders, *(name for name in stored.recent_folders if name not in mine.recent_folders))
    folders = {**mine.folders, **stored.folders}
    if folder in mine.folders:
        folders.pop(folder, None)
        folders[folder] = mine.folders[folder]
    return replace(mine, recent_folders=recent[:RECENT_FOLDERS], folders=folders)


def clamp(geometry: tuple[int, int, int, int] | None, screens: Iterable[QRect]) -> QRect:
    """A rectangle that lies wholly on one of the screens (available areas, the first is the primary one).

    A window that was on a screen which is gone comes to the primary one; a size larger than the screen is cut.
    """
    areas = [area for area in screens if area.isValid()] or [QRect(0, 0, *DEFAULT_SIZE)]
    if geometry is None:
        size = QRect(0, 0, min(DEFAULT_SIZE[0], areas[0].width()), min(DEFAULT_SIZE[1], areas[0].height()))
        size.moveCenter(areas[0].center())
        return size
    wanted = QRect(*geometry)

    def shared(area: QRect) -> int:
        part = area.intersected(wanted)
        return part.width() * part.height() if part.isValid() else 0

    best = max(areas, key=shared)
    width = min(max(wanted.width(), MIN_WIDTH), best.width())
    height = min(max(wanted.height(), MIN_HEIGHT), best.height())
    left = min(max(wanted.left(), best.left()), best.left() + best.width() - width)
    top = min(max(wanted.top(), best.top()), best.top() + best.height() - height)
    return QRect(left, top, width, height)


def _layout(value: Any) -> Layout:
    data = value if isinstance(value, dict) else {}
    plain = Layout()
    numbers = data.get("geometry")
    geometry = None
    if isinstance(numbers, list) and len(numbers) == 4 and all(_is_pixel(number) for number in numbers):
        geometry = (numbers[0], numbers[1], numbers[2], numbers[3])
    return Layout(
        geometry=geometry,
        maximized=data.get("maximized") is True,
        side_visible=data.get("side_visible") is not False,
        chat_visible=data.get("chat_visible") is not False,
        status_visible=data.get("status_visible") is not False,
        activity_visible=data.get("activity_visible") is not False,
        side_width=_width(data.get("side_width"), plain.side_width),
        chat_width=_width(data.get("chat_width"), plain.chat_width),
        side_view=_text(data.get("side_view")),
    )


def _folder(value: Any) -> FolderState:
    data = value if isinstance(value, dict) else {}
    tabs = data.get("tabs")
    found = [
        OpenTab(tab["key"], _text(tab.get("title")) or tab["key"])
        for tab in (tabs if isinstance(tabs, list) else [])
        if isinstance(tab, dict) and isinstance(tab.get("key"), str) and tab["key"]
    ]
    held = data.get("places")
    places = (
        {key: place for key, place in held.items() if isinstance(key, str) and isinstance(place, str)} if isinstance(held, dict) else {}
    )
    return FolderState(tuple(found), _text(data.get("active_tab")), _text(data.get("session_id")), places)


def _is_pixel(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -MAX_PIXELS <= value <= MAX_PIXELS


def _width(value: Any, default: int) -> int:
    return value if _is_pixel(value) and value > 40 else default


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str) and one) if isinstance(value, list) else ()
