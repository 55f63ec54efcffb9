"""Big outputs and images beside the transcript: what goes there comes back, what is lost is said, and a request is the same either way."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.errors import NotFoundError
from desktop.base.textio import digest
from desktop.messages.codec import message_from_json, message_to_json
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.sessions.forks import fork
from desktop.sessions.putting_aside import KEPT, LIMIT, put_aside
from desktop.sessions.side_files import REFERENCES, SideFiles, bring_back, folder_of, references
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import filled, message, new_handle, store_in

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
IN_BASE64 = base64.b64encode(PNG).decode()
BIG = "line of output\n" * 10_000


def result(output: str, *, diff: str | None = None, data: dict[str, Any] | None = None) -> Message:
    return message("", "tool", parts=(ToolResultPart("c1", "Read", output, diff=diff, data=data),))


def stored(store: SessionStore, *messages: Message) -> SessionHandle:
    """A closed session with a question, a call and these results."""
    handle = new_handle(store)
    handle.append(message("看看"))
    handle.append(message("", "assistant", parts=(ToolCallPart("c1", "Read", {"file_path": "a"}),), stop="tool_calls"))
    for one in messages:
        handle.append(one)
    handle.close()
    return handle


def side_files(handle: SessionHandle) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in SideFiles(handle.path).paths()}


def reloaded(root: Path, handle: SessionHandle) -> list[Message]:
    return list(store_in(root).load(handle.id).live)


# --- what goes there, and comes back ------------------------------------------------------------------------------------


def test_a_big_output_stands_beside_the_record_that_keeps_its_first_part(tmp_path: Path) -> None:
    handle = stored(store_in(tmp_path), result(BIG))
    name = digest(BIG.encode())
    assert side_files(handle) == {f"{name}.txt": BIG.encode()}
    part = json.loads(handle.path.read_bytes().splitlines()[-1])["message"]["parts"][0]
    assert part["output"] == BIG[:KEPT]
    assert part["data"] == {REFERENCES: {"output": {"file": name, "bytes": len(BIG), "media": "text/plain"}}}
    folder = folder_of(handle.path)
    assert folder == handle.path.parent / f"{handle.id}.files"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert reloaded(tmp_path, handle) == handle.messages and handle.messages[-1].tool_results[0].output == BIG
    assert store_in(tmp_path).side_file(handle.id, name) == BIG.encode()


@pytest.mark.parametrize(
    ("output", "aside"),
    [("a" * LIMIT, False), ("a" * (LIMIT + 1), True), ("字" * (LIMIT // 3), False), ("字" * (LIMIT // 3 + 1), True), ("", False)],
    ids=["64 KiB", "a byte more", "64 KiB of Chinese", "more Chinese", "nothing"],
)
def test_what_is_big_is_counted_in_bytes(tmp_path: Path, output: str, aside: bool) -> None:
    handle = stored(store_in(tmp_path), result(output))
    assert bool(side_files(handle)) == aside
    assert reloaded(tmp_path, handle)[-1].tool_results[0].output == output


def test_words_of_the_person_and_the_model_stay_in_the_record(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    handle.append(message(BIG))
    handle.append(message(BIG, "assistant"))
    handle.close()
    assert side_files(handle) == {} and [m.text for m in reloaded(tmp_path, handle)] == [BIG, BIG]


SHAPES: dict[str, tuple[dict[str, Any], str]] = {
    "address": ({"shot": f"data:image/png;base64,{IN_BASE64}"}, "png"),
    "address in a list": ({"shots": [{"url": f"data:image/jpeg;base64,{IN_BASE64}"}]}, "jpg"),
    "media type and data": ({"image": {"media_type": "image/gif", "data": IN_BASE64}}, "gif"),
    "mime type and data": ({"content": [{"type": "image", "mimeType": "image/webp", "data": IN_BASE64}]}, "webp"),
    "broken lines": ({"image": {"media_type": "image/png", "data": IN_BASE64[:76] + "\n" + IN_BASE64[76:]}}, "png"),
    "unknown picture": ({"image": {"media_type": "image/x-new", "data": IN_BASE64}}, "bin"),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("by", ["person", "tool"])
def test_an_image_is_stored_as_its_bytes_in_whatever_form_it_came(tmp_path: Path, shape: str, by: str) -> None:
    data, extension = SHAPES[shape]
    one = result("a picture", data=data) if by == "tool" else message("", parts=(TextPart("look", data=data),))
    handle = stored(store_in(tmp_path), one)
    assert side_files(handle) == {f"{digest(PNG)}.{extension}": PNG}
    assert IN_BASE64[:40].encode() not in handle.path.read_bytes()
    again = reloaded(tmp_path, handle)
    assert again == handle.messages
    [reference] = references(again[-1])
    assert reference["file"] == digest(PNG) and reference["bytes"] == len(PNG)
    assert store_in(tmp_path).side_file(handle.id, reference["file"]) == PNG


@pytest.mark.parametrize(
    "data",
    [
        {"image": {"media_type": "image/png", "data": "no base64!"}},
        {"url": "data:image/png;base64,%%%"},
        {"url": "https://example.org/a.png"},
        {"image": {"media_type": "text/html", "data": IN_BASE64}},
        {"file": "a" * 64, "bytes": -1, "media": "image/png"},
        {"file": "../../secret", "bytes": 3, "media": "text/plain"},
        {"file": "a.py", "bytes": 3, "media": 7},
    ],
)
def test_what_only_looks_like_an_image_or_a_reference_stays_as_it_is(tmp_path: Path, data: dict[str, Any]) -> None:
    handle = stored(store_in(tmp_path), result("x", data=data))
    assert side_files(handle) == {}
    loaded = store_in(tmp_path).load(handle.id)
    assert loaded.live[-1].tool_results[0].data == data and loaded.damage == []


def test_diffs_and_values_for_the_window_go_there_too(tmp_path: Path) -> None:
    data = {"before": BIG + "1", "files": [{"text": BIG + "2"}, {"text": "short"}], "count": 3}
    handle = stored(store_in(tmp_path), result("ok", diff=BIG + "3", data=data))
    assert len(side_files(handle)) == 3
    assert handle.path.stat().st_size < 3 * KEPT
    part = reloaded(tmp_path, handle)[-1].tool_results[0]
    assert (part.output, part.diff, part.data) == ("ok", BIG + "3", data)


def test_equal_content_is_stored_once(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG), result(BIG), result(BIG, diff=BIG))
    assert len(side_files(handle)) == 1
    assert reloaded(tmp_path, handle) == handle.messages


def test_a_big_output_with_halves_of_surrogate_pairs_comes_back(tmp_path: Path) -> None:
    output = "a\ud800b\udfff\0\u2028\r\n" * 20_000
    handle = stored(store_in(tmp_path), result(output))
    assert reloaded(tmp_path, handle)[-1].tool_results[0].output == output


def test_values_nested_beyond_all_measure_are_stored_as_they_are(tmp_path: Path) -> None:
    deep: Any = BIG
    for _ in range(300):
        deep = [deep]
    handle = stored(store_in(tmp_path), result("x", data={"deep": deep}))
    assert reloaded(tmp_path, handle)[-1].tool_results[0].data == {"deep": deep}


TEXTS = st.text(max_size=20) | st.integers(LIMIT - 3, LIMIT + 3).map(lambda n: "x" * n) | st.just("data:image/png;base64,aGVsbG8=")
VALUES = st.recursive(
    TEXTS | st.none() | st.integers(), lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=6), v, max_size=3)
)


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.none() | TEXTS, st.dictionaries(st.text(max_size=6), VALUES, min_size=1, max_size=3))
def test_whatever_is_put_aside_comes_back(
    tmp_path_factory: pytest.TempPathFactory, output: str, diff: str | None, data: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    part = ToolResultPart("c", "Read", output, diff=diff, data=data)
    aside = put_aside(message("", "tool", parts=(part, TextPart("t", data=data))))
    files = SideFiles(folder / "s.jsonl")
    files.store(aside)
    record = message_from_json(json.loads(json.dumps(message_to_json(aside.record))))
    back = bring_back(record, files)
    assert back.message == aside.message and back.lost == ()
    assert aside.message.tool_results[0].output == output
    assert all(len(text.encode()) <= LIMIT for text in (record.tool_results[0].output, record.tool_results[0].diff or ""))


# --- requests -----------------------------------------------------------------------------------------------------------


def request(messages: list[Message]) -> bytes:
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    from desktop.providers.library_messages import to_library

    made = ModelMessagesTypeAdapter.dump_json(to_library(messages, "openai"))
    return re.sub(rb'"timestamp":"[^"]*"', b"", made)  # the library's own note of when it made the value; not sent


def test_a_request_is_the_same_to_the_byte_before_and_after_a_reload(tmp_path: Path) -> None:
    handle = stored(
        store_in(tmp_path),
        result("数据 " * 50_000, diff=BIG, data={"image": {"media_type": "image/png", "data": IN_BASE64}}),
        message("done", "assistant"),
    )
    again = store_in(tmp_path).open(handle.id)
    assert again.messages == handle.messages
    sent = request(handle.messages)
    assert request(again.messages) == sent and len(sent) > 300_000
    again.close()


# --- reading without them ------------------------------------------------------------------------------------------------


def test_a_reader_that_needs_no_outputs_gets_first_parts_and_references(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG))
    shutil.rmtree(folder_of(handle.path))
    loaded = store.load(handle.id, whole=False)
    part = loaded.live[-1].tool_results[0]
    assert part.output == BIG[:KEPT] and loaded.damage == []
    [reference] = references(loaded.live[-1])
    assert reference["bytes"] == len(BIG)


def test_the_session_list_and_its_folder_know_nothing_of_side_files(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG))
    (folder_of(handle.path) / f"{handle.id}.jsonl").write_text("not a session")
    assert [(s.id, s.messages) for s in store.list()] == [(handle.id, 3)]


# --- lost ---------------------------------------------------------------------------------------------------------------


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _changed(path: Path) -> None:
    path.write_bytes(b"X" + path.read_bytes()[1:])


def _linked(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def _piped(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [Path.unlink, _cut_short, _changed, _linked, _piped, _folder])
def test_a_lost_or_changed_output_is_said_and_the_rest_is_there(tmp_path: Path, harm: Any) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG), message("done", "assistant"))
    [path] = SideFiles(handle.path).paths()
    harm(path)
    before = handle.path.read_bytes()
    again = store.open(handle.id)
    part = again.messages[2].tool_results[0]
    assert part.output.startswith(BIG[:KEPT]) and part.output.endswith(f"[The rest of this text is lost: it had {len(BIG):,} bytes.]")
    assert [line for line, _ in again.damage] == [4] and "missing or damaged" in again.damage[0][1]
    assert [m.text for m in again.messages] == ["看看", "", "", "done"]
    again.append(message("and on"))
    again.close()
    assert handle.path.read_bytes().startswith(before)
    assert store.load(handle.id).skipped == 0
    with pytest.raises(NotFoundError, match="lost or damaged"):
        store.side_file(handle.id, digest(BIG.encode()))


def test_an_output_that_is_put_back_is_whole_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG))
    [path] = SideFiles(handle.path).paths()
    path.rename(tmp_path / "away")
    assert store.load(handle.id).live[-1] != handle.messages[-1]
    (tmp_path / "away").rename(path)
    assert list(store.load(handle.id).live) == handle.messages


def test_a_lost_image_is_said(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result("x", data={"image": {"media_type": "image/png", "data": IN_BASE64}}))
    for path in SideFiles(handle.path).paths():
        path.unlink()
    loaded = store.load(handle.id)
    assert list(loaded.live) == handle.messages and "the image" in loaded.damage[0][1]


@pytest.mark.parametrize("name", ["", "..", "../../x", "0" * 63, "0" * 64, "A" * 64, "a/b", "\0"])
def test_no_other_file_is_given(tmp_path: Path, name: str) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG))
    with pytest.raises(NotFoundError):
        store.side_file(handle.id, name)


def test_a_folder_that_vanishes_while_the_session_is_open_is_made_whole_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(result(BIG))
    shutil.rmtree(handle.path.parent)
    handle.append(message("last"))
    handle.close()
    loaded = store.load(handle.id)
    assert list(loaded.live) == handle.messages and loaded.damage == []
    assert loaded.live[0].tool_results[0].output == BIG


def test_a_damaged_file_is_written_anew_when_its_content_comes_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = stored(store, result(BIG))
    [path] = SideFiles(handle.path).paths()
    _cut_short(path)
    again = store.open(handle.id)
    again.append(replace(result(BIG), parent=again.messages[-1].id))
    again.close()
    assert path.read_bytes() == BIG.encode() and store.load(handle.id).damage == []


# --- forks, incognito --------------------------------------------------------------------------------------------------------


def test_a_fork_has_files_of_its_own(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    source = stored(store, result(BIG, data={"image": {"media_type": "image/png", "data": IN_BASE64}}))
    made = fork(store, source.id)
    files = side_files(source)
    store.trash(source.id)
    store.purge(store.trashed()[0])
    assert {path.name: path.read_bytes() for path in SideFiles(store.path_of(made)).paths()} == files
    loaded = store.load(made)
    assert list(loaded.live) == source.messages and loaded.damage == []


def test_what_a_fork_lost_is_found_in_its_source(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    source = stored(store, result(BIG))
    made = fork(store, fork(store, source.id))
    for session in (made, store.find(made).parent or ""):
        shutil.rmtree(folder_of(store.path_of(session)))
    assert store.load(made).live[-1].tool_results[0].output == BIG
    assert store.side_file(made, digest(BIG.encode())) == BIG.encode()


def test_sessions_that_name_each_other_as_their_source_end(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    one = stored(store, result(BIG))
    other = fork(store, one.id)
    head, rest = one.path.read_bytes().split(b"\n", 1)
    value = json.loads(head)
    value["session"]["parent"] = other
    one.path.write_bytes(json.dumps(value).encode() + b"\n" + rest)
    for path in (one.path, store.path_of(other)):
        shutil.rmtree(folder_of(path))
    assert "missing or damaged" in store.load(other).damage[0][1]


def test_an_incognito_session_puts_nothing_on_disk(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = store.create_incognito(project_key="p", workspace=tmp_path, memory_enabled=True, model="m", reads_memory=True)
    handle.append(result(BIG, data={"image": {"media_type": "image/png", "data": IN_BASE64}}))
    assert handle.messages[0].tool_results[0].output == BIG
    handle.close()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_empty_session_leaves_no_folder(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path, FixedClock()))
    filled(handle, 2)
    handle.close()
    assert not folder_of(handle.path).exists()
