"""The window's stored state: tolerant reading, clamping to screens, merging what two windows stored."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect

from desktop.app.state_file import StateFile
from desktop.base.paths import AppPaths
from desktop.bridge.operations import Operations
from desktop.ui.editor.area import OpenTab
from desktop.ui.window_state import FolderState, Layout, WindowState, clamp, from_json, merge, to_json

LEFT, RIGHT = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024)

STATE = WindowState(
    layout=Layout((10, 20, 900, 700), True, False, True, True, False, 300, 500, "memory"),
    last_folder="/工作/项目",
    recent_folders=("/工作/项目", "/b"),
    recent_commands=("palette.show",),
    folders={
        "/b": FolderState(),
        "/工作/项目": FolderState((OpenTab("memory:a.md", "a.md"), OpenTab("settings", "Settings")), "settings", "sess_1"),
    },
)


def test_round_trip() -> None:
    assert from_json(json.loads(json.dumps(to_json(STATE)))) == STATE


KEYS = ["layout", "geometry", "tabs", "folders", "key", "title", "recent_folders", "side_width", "x"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=20,
)


@given(json_values)
def test_anything_can_be_read(value: object) -> None:
    state = from_json(value)
    assert from_json(to_json(state)) == state


@pytest.mark.parametrize(
    "layout",
    [
        {"geometry": [1, 2, 3]}, {"geometry": [1, 2, 3, "4"]}, {"geometry": [1, 2, 3, 10**9]}, {"geometry": [True, 1, 1, 1]},
        {"side_width": "wide"}, {"side_width": -5}, {"side_width": True}, {"maximized": "yes"}, [], None, 7,
    ],
)  # fmt: skip
def test_a_wrong_layout_is_the_default(layout: object) -> None:
    assert from_json({"layout": layout}).layout == Layout()


@pytest.mark.parametrize(
    ("geometry", "screens", "expected"),
    [
        ((100, 100, 800, 600), [LEFT], QRect(100, 100, 800, 600)),
        ((2000, 100, 800, 600), [LEFT, RIGHT], QRect(2000, 100, 800, 600)),
        ((2000, 100, 800, 600), [LEFT], QRect(1120, 100, 800, 600)),
        ((-500, -500, 800, 600), [LEFT], QRect(0, 0, 800, 600)),
        ((1700, 900, 800, 600), [LEFT], QRect(1120, 480, 800, 600)),
        ((0, 0, 9000, 9000), [LEFT], LEFT),
        ((0, 0, 10, 10), [LEFT], QRect(0, 0, 600, 400)),
        ((50_000, 0, 800, 600), [LEFT, RIGHT], QRect(1120, 0, 800, 600)),
    ],
)
def test_clamped_to_the_screens_that_exist(geometry: tuple[int, int, int, int], screens: list[QRect], expected: QRect) -> None:
    assert clamp(geometry, screens) == expected


@given(
    st.tuples(*[st.integers(-40_000, 40_000)] * 2, *[st.integers(-10, 40_000)] * 2),
    st.lists(st.sampled_from([LEFT, RIGHT, QRect(-800, -600, 800, 600)]), min_size=1, max_size=3),
)
def test_always_wholly_on_one_screen(geometry: tuple[int, int, int, int], screens: list[QRect]) -> None:
    found = clamp(geometry, screens)
    assert any(screen.contains(found) for screen in screens)


def test_without_a_screen_or_a_geometry() -> None:
    assert clamp(None, []).isValid()
    assert LEFT.contains(clamp(None, [LEFT]))


def test_recent_folders() -> None:
    state = WindowState()
    for number in range(20):
        state = state.opened(f"/{number}")
    state = state.opened("/15")
    assert state.last_folder == "/15"
    assert state.recent_folders[:3] == ("/15", "/19", "/18")
    assert len(state.recent_folders) == 12
    assert state.without_folder("/15").last_folder == ""
    assert "/15" not in state.without_folder("/15").recent_folders


def test_merging_keeps_the_other_window_s_folders() -> None:
    mine = WindowState(last_folder="/a", recent_folders=("/a",)).with_folder("/a", FolderState(active_tab="mine"))
    other = WindowState(last_folder="/b", recent_folders=("/b", "/a"), folders={"/a": FolderState(active_tab="old"), "/b": FolderState()})
    merged = merge(mine, other, "/a")
    assert merged.last_folder == "/a"
    assert merged.recent_folders == ("/a", "/b")
    assert merged.folders["/a"].active_tab == "mine"
    assert set(merged.folders) == {"/a", "/b"}
    assert list(merged.folders)[-1] == "/a", "the newest is last, and the last are kept"


def test_the_file(paths: AppPaths, operations: Operations) -> None:
    file = StateFile(paths.state, operations)
    assert file.read() == WindowState()
    file.save(STATE, "/工作/项目")
    operations.close()
    assert file.read() == STATE
    assert (paths.state / "window.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe{", b"[1]", b"\x00" * 10, b"[" * 100_000])
def test_a_broken_file_is_the_default(paths: AppPaths, operations: Operations, data: bytes) -> None:
    paths.state.mkdir(parents=True)
    (paths.state / "window.json").write_bytes(data)
    assert StateFile(paths.state, operations).read() == WindowState()
