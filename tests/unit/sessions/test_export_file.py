"""Exports to a file: pictures beside a Markdown document, linked so that they are found, and inside a JSON one; what is lost is said."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from desktop.base.errors import StorageError
from desktop.messages.parts import TextPart, ToolResultPart
from desktop.sessions.export import export_session, message_text
from desktop.sessions.export_file import Exported, export_to, side_files_of
from desktop.sessions.export_pictures import Picture, pictures_in
from desktop.sessions.side_files import folder_of
from desktop.sessions.store import SessionHandle, SessionStore
from tests.unit.sessions.make import message, new_handle, store_in
from tests.unit.sessions.trees import base64_of, image, png

FIRST, SECOND = png(1), png(2, 5_000)
LINK = re.compile(r"!\[a picture, ([^\]]+)\]\(([^)]+)\)")


def told(store: SessionStore) -> SessionHandle:
    handle = new_handle(store)
    handle.append(message("", parts=(TextPart("what is this?"), TextPart("", data={"image": image(FIRST)}))))
    shot = {"images": [image(SECOND)], "again": {"media_type": "image/png", "data": base64_of(FIRST)}}
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Shot", "taken", data=shot),)))
    handle.append(message("A bird.", "assistant"))
    handle.close()
    return handle


def exported(store: SessionStore, handle: SessionHandle, target: Path) -> Exported:
    return export_to(store, handle.id, "json" if target.suffix == ".json" else "md", target)


def test_markdown_links_to_the_pictures_beside_it(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = told(store)
    target = tmp_path / "2026-01-02 鸟 (talk).md"
    written = exported(store, handle, target)
    assert (written.messages, written.pictures, written.lost) == (3, 3, 0)
    links = LINK.findall(target.read_text())
    assert [size for size, _ in links] == ["1 KB", f"{round(len(SECOND) / 1024)} KB", "1 KB"]
    assert all(" " not in link for _, link in links), "a blank would end the link"
    assert [(target.parent / unquote(link)).read_bytes() for _, link in links] == [FIRST, SECOND, FIRST]
    folder = tmp_path / "2026-01-02 鸟 (talk).files"
    assert len(list(folder.iterdir())) == 2 and {path.suffix for path in folder.iterdir()} == {".png"}


def test_a_second_export_finds_its_pictures_and_leaves_what_else_is_there(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = told(store)
    exported(store, handle, tmp_path / "a.md")
    (tmp_path / "a.files" / "notes.txt").write_text("mine")
    exported(store, handle, tmp_path / "a.md")
    assert len(list((tmp_path / "a.files").iterdir())) == 3
    assert (tmp_path / "a.files" / "notes.txt").read_text() == "mine"


def test_without_pictures_there_is_no_folder(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(message("words"))
    handle.close()
    assert exported(store, handle, tmp_path / "a.md").pictures == 0
    assert not (tmp_path / "a.files").exists()


def test_a_folder_that_cannot_be_made_leaves_no_document_without_pictures(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = told(store)
    (tmp_path / "a.files").write_text("in the way")
    with pytest.raises(StorageError, match=r"a\.files.*cannot be made"):
        exported(store, handle, tmp_path / "a.md")
    assert not (tmp_path / "a.md").exists() and (tmp_path / "a.files").read_text() == "in the way"


def test_json_holds_them(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = told(store)
    written = exported(store, handle, tmp_path / "a.json")
    assert written.pictures == 3 and not (tmp_path / "a.files").exists()
    value = json.loads((tmp_path / "a.json").read_text())
    held = [picture.text for one in value["messages"] for part in one["parts"] for picture in pictures_in(part.get("data"))]
    assert held == [base64_of(FIRST), base64_of(SECOND), base64_of(FIRST)]


def test_where_nothing_can_stand_beside_it_their_size_is_said(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = told(store)
    loaded = store.load(handle.id)
    text = export_session(loaded, store.find(handle.id), "md", side_file=side_files_of(store, handle.id))
    assert text.count("(a picture, 1 KB)") == 2 and "](" not in text
    assert message_text(loaded.live[0]) == "what is this?\n\n(a picture, 1 KB)"


@pytest.mark.parametrize("kind", ["md", "json"])
def test_what_is_lost_is_said_at_its_place_and_counted(tmp_path: Path, kind: str) -> None:
    store = store_in(tmp_path)
    handle = told(store)
    next(path for path in folder_of(handle.path).iterdir() if path.read_bytes() == SECOND).unlink()
    written = exported(store, handle, tmp_path / f"a.{kind}")
    text = written.path.read_text()
    assert (written.pictures, written.lost) == (2, 1)
    assert any("missing or damaged" in reason for _, reason in written.damage)
    if kind == "md":
        assert text.count(" KB, lost)") == 1 and len(LINK.findall(text)) == 2
    else:
        assert text.count('"lost": true') == 1


def test_sizes_and_names_of_files() -> None:
    sizes = (1, 1_500, 12_300, 1_048_000, 1_048_576, 5_400_000)
    assert [Picture("image/png", size).size_text for size in sizes] == ["1 KB", "1 KB", "12 KB", "1023 KB", "1.0 MB", "5.1 MB"]
    names = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg", "image/x-../../etc": "xetc", "image/+": "bin"}
    assert {media: Picture(media, 1).extension for media in names} == names


def test_what_only_calls_itself_a_picture_is_none() -> None:
    values = [
        {"media": "image/png", "base64": "not base64!"},
        {"media": "image/png", "base64": base64_of(b"words and no picture")},
        {"media": "text/plain", "base64": base64_of(FIRST)},
        {"media": "image/png"},
        "data:image/png;base64,@@@@",
        {"image": 7, "media": ["image/png"]},
    ]
    assert list(pictures_in(values)) == []
    assert [one.text for one in pictures_in(["data:image/PNG;base64," + base64_of(FIRST)])] == [base64_of(FIRST)]
