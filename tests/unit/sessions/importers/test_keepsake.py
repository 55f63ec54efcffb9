"""Sessions of our own from outside the profile: a JSON export and a transcript file come back whole, and damaged ones as far as they go."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolResultPart
from desktop.sessions.export_file import export_to
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.importers import ImportedMessage, ImportedSession, list_transcripts, open_transcript
from desktop.sessions.importers.convert import as_transcript
from desktop.sessions.side_files import folder_of
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.counts import tell
from tests.unit.sessions.importers.damage import Harm, damaged_bytes, damaged_lines, wrong_types
from tests.unit.sessions.make import filled, message, new_handle, older_lines, paths_in, store_in
from tests.unit.sessions.trees import base64_of, image, made_session, png

SEED = 20261201
PNG = png(7)


def expected(one: Message) -> dict[str, Any]:
    """What of a message has to come back, told without the importer."""

    def pictures(data: dict[str, Any] | None) -> list[tuple[str, str]]:
        found = [*([data["image"]] if data and "image" in data else []), *(data or {}).get("images", [])]
        return [(picture["media"], picture["base64"]) for picture in found]

    texts = [part for part in one.parts if isinstance(part, TextPart)]
    return {
        "id": one.id,
        "parent": one.parent,
        "role": one.role,
        "text": "\n\n".join(part.text for part in texts),
        "thinking": "".join(part.text for part in one.parts if isinstance(part, ThinkingPart)),
        "calls": [(call.id, call.name, call.raw if call.raw is not None else call.input) for call in one.tool_calls],
        "results": [(r.call_id, r.name, r.output, r.status != "ok", pictures(r.data)) for r in one.tool_results],
        "time": one.time,
        "hidden": one.origin == "app",
        "model": one.model or "",
        "tokens": one.usage.input_tokens + one.usage.output_tokens if one.usage else 0,
        "cost": one.usage.cost_usd if one.usage else None,
        "pictures": [found for part in texts for found in pictures(part.data)],
    }


def came_back(one: ImportedMessage) -> dict[str, Any]:
    return {
        "id": one.id,
        "parent": one.parent,
        "role": one.role,
        "text": one.text,
        "thinking": one.thinking,
        "calls": [(call.id, call.name, call.input) for call in one.tool_calls],
        "results": [(r.id, r.name, r.output, r.is_error, list(r.pictures)) for r in one.tool_results],
        "time": one.time,
        "hidden": one.hidden,
        "model": one.model,
        "tokens": one.tokens,
        "cost": one.cost_usd,
        "pictures": list(one.pictures),
    }


def exported(store: SessionStore, handle: SessionHandle, target: Path) -> Path:
    return export_to(store, handle.id, "json", target).path


def same_session(found: ImportedSession, store: SessionStore, handle: SessionHandle, made: list[Message]) -> None:
    summary, loaded = store.find(handle.id), store.load(handle.id)
    assert [came_back(one) for one in found.messages] == [expected(one) for one in made]
    assert found.damage == ()
    assert (found.id, found.leaf, found.model) == (handle.id, loaded.leaf, loaded.model)
    assert found.title == ("" if summary.title == summary.id else summary.title)
    assert (found.workspace, found.started) == (handle.header.workspace, handle.header.created)
    parents = {one.parent for one in made}
    assert found.branches == sum(one.id not in parents for one in made)
    back = as_transcript(found, "sess_x", "key")
    assert [one.id for one in back.messages] == [one.id for one in made]
    assert [one.id for one in back.live] == [one.id for one in loaded.live]
    assert [one.parent for one in back.messages] == [one.parent for one in made]


@pytest.mark.parametrize("trees", [25, pytest.param(400, marks=pytest.mark.full)])
def test_every_tree_comes_back_whole_from_export_and_from_transcript(tmp_path: Path, trees: int) -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    store = store_in(tmp_path / "here")
    for number in range(trees):
        handle, made = made_session(store, chance, chance.randrange(1, 25))
        found = open_transcript(exported(store, handle, tmp_path / f"{number}.json"))
        assert found.source == "keepsake-export"
        same_session(found, store, handle, made)
        elsewhere = tmp_path / "elsewhere" / handle.path.name
        elsewhere.parent.mkdir(exist_ok=True)
        shutil.copy(handle.path, elsewhere)
        if folder_of(handle.path).is_dir():
            shutil.copytree(folder_of(handle.path), folder_of(elsewhere))
        found = open_transcript(elsewhere)
        assert found.source == "keepsake"
        same_session(found, store, handle, made)
    tell("sessions of our own that came back whole, from export and from transcript:", trees, "of", trees)


def test_an_export_of_an_import_is_the_same_once_more(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle, made = made_session(store, random.Random(3), 20)
    first = exported(store, handle, tmp_path / "a.json")
    foreign = ForeignSessions(tmp_path / "f.json", tmp_path / "n.json", lambda: (), lambda folder: "")
    [summary] = foreign.add(first)

    class One:
        find, load = staticmethod(foreign.find), staticmethod(foreign.load)

        @staticmethod
        def side_file(session_id: str, digest: str) -> bytes:
            return store.side_file(session_id, digest)

    second = export_to(One(), summary.id, "json", tmp_path / "b.json")
    found = open_transcript(second.path)
    assert [came_back(one) for one in found.messages] == [expected(one) for one in made]
    assert second.lost == 0


def test_what_is_no_secret_in_a_picture_stays(tmp_path: Path) -> None:
    """Base64 may look like a key; a text that only calls itself a picture is masked all the same."""
    key = "AKIA" + "QWERTYUIOPASDFGH"
    store = store_in(tmp_path)
    handle = new_handle(store)
    odd = PNG + b"\0" * (-len(PNG) % 3) + bytes.fromhex("00") * 3
    content = base64_of(odd) + "/" + key + "/" * 11
    data = {"shown": {"mime": "image/png", "data": content}, "no": {"mime": "image/png", "data": key}}
    handle.append(message("", parts=(TextPart("look", data=data),)))
    handle.close()
    text = exported(store, handle, tmp_path / "a.json").read_text()
    [one] = open_transcript(tmp_path / "a.json").messages
    assert [picture for _, picture in one.pictures] == [content]
    assert text.count(key) == 1


def test_ids_that_look_like_secrets_stay_apart(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    secret = "ghp_" + "a1B2" * 9
    names = [f"{secret[:-1]}{last}" for last in "xyz"]
    for name in names:
        handle.append(Message(name, "user", (TextPart(f"my name is {name[-1]}"),), message("").time))
    handle.close()
    text = exported(store, handle, tmp_path / "a.json").read_text()
    found = open_transcript(tmp_path / "a.json")
    assert secret[:20] not in text
    assert len({one.id for one in found.messages}) == 3
    assert [one.parent for one in found.messages] == [None, *(one.id for one in found.messages[:2])]
    assert found.leaf == found.messages[-1].id


def test_a_lost_picture_is_said_and_the_rest_is_there(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(
        message("", parts=(TextPart("see"), TextPart("", data={"image": image(PNG)}), TextPart("", data={"image": image(png(8))})))
    )
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Read", "big " * 30_000),)))
    handle.close()
    for path in folder_of(handle.path).iterdir():
        if path.suffix == ".txt" or path.read_bytes() == PNG:
            path.unlink()
    written = export_to(store, handle.id, "json", tmp_path / "a.json")
    assert (written.pictures, written.lost) == (1, 1)
    for path in (tmp_path / "a.json", handle.path):
        found = open_transcript(path)
        assert [text for _, text in found.messages[0].pictures] == [base64_of(png(8))]
        assert "rest of this text is lost" in found.messages[1].tool_results[0].output
        said = " ".join(str(damage.reason) for damage in found.damage)
        assert "picture" in said or "image" in said


def test_a_fork_finds_the_pictures_of_the_session_beside_it(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    origin = new_handle(store)
    origin.append(message("", parts=(TextPart("", data={"image": image(PNG)}),)))
    origin.close()
    fork = store.create(project_key=origin.path.parent.name, workspace=Path("/srv"), memory_enabled=False, model="m", parent=origin.id)
    fork.append(message("mine"))
    fork.close()
    record = next(line for line in origin.path.read_text().splitlines() if '"kind":"message"' in line)
    fork.path.write_text(fork.path.read_text() + record + "\n")  # a fork of an earlier version: it only names the picture
    found = open_transcript(fork.path)
    assert found.parent == origin.id
    assert [text for one in found.messages for _, text in one.pictures] == [base64_of(PNG)]


def test_it_is_told_by_its_kind_and_nothing_else_is(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2, "words")
    handle.close()
    exported(store, handle, tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "notes.txt").write_text(json.dumps(json.loads(text)))
    (tmp_path / "turned.txt").write_text(json.dumps(dict(reversed(json.loads(text).items()))))
    for name in ("notes.txt", "turned.txt"):
        found = open_transcript(tmp_path / name)
        assert (found.source, len(found.messages)) == ("keepsake-export", 2), name
    (tmp_path / "about.md").write_text(f"# Export\n\nIt looks like this:\n\n```json\n{text}```\n")
    (tmp_path / "other.json").write_text('{"kind": "keepsake-settings", "messages": []}')
    assert open_transcript(tmp_path / "about.md").source != "keepsake-export"
    assert open_transcript(tmp_path / "other.json").source == "unknown"
    shutil.copy(handle.path, tmp_path / "any name.log")
    assert open_transcript(tmp_path / "any name.log").source == "keepsake"


def test_an_older_transcript_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "sess_old.jsonl"
    path.write_bytes(older_lines("sess_old"))
    found = open_transcript(path)
    assert (found.source, found.title, found.workspace) == ("keepsake", "An old one", "/srv/old")
    assert [one.text for one in found.messages] == ["asked 很久以前", "answered"]


def test_a_folder_lists_transcripts_and_exports_and_not_what_lies_beside(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(message("the first words", parts=(TextPart("the first words"), TextPart("", data={"image": image(PNG)}))))
    talk = "\n".join(json.dumps({"role": role, "content": "said in an output " * 3_000}) for role in ("user", "assistant"))
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Read", talk),)))
    handle.close()
    handle.path.with_name(handle.path.name + ".20260101T000000Z.torn").write_bytes(handle.path.read_bytes()[:200])
    exported(store, handle, handle.path.parent / "talk.json")
    entries = list_transcripts(paths_in(tmp_path).data)
    assert sorted((one.source, one.path.name, one.title) for one in entries) == [
        ("keepsake", handle.path.name, "the first words"),
        ("keepsake-export", "talk.json", "the first words"),
    ]
    assert {one.workspace for one in entries} == {"/srv/demo"} and all(one.started and one.updated for one in entries)


def test_in_the_list_it_is_read_only_and_stands_apart_from_our_own(tmp_path: Path) -> None:
    there = store_in(tmp_path / "there")
    handle = new_handle(there)
    filled(handle, 2, "words")
    handle.close()
    exported(there, handle, tmp_path / "a.json")
    foreign = ForeignSessions(tmp_path / "f.json", tmp_path / "n.json", lambda: (), lambda folder: f"key-of-{folder}")
    [export] = foreign.add(tmp_path / "a.json")
    [transcript] = foreign.add(handle.path)
    assert (export.source, transcript.source) == ("keepsake-export", "keepsake-file")
    assert len({export.id, transcript.id, handle.id}) == 3
    assert export.title == transcript.title == "words 0" and export.messages == transcript.messages == 2
    assert export.project_key == "key-of-/srv/demo"
    assert [one.text for one in foreign.load(export.id).live] == [one.text for one in there.load(handle.id).live]


# --- damage -----------------------------------------------------------------------------------------------------------


def _lines(tmp_path: Path) -> tuple[list[bytes], list[str]]:
    store = store_in(tmp_path / "made")
    handle = new_handle(store)
    made = filled(handle, 9, "words 话")
    handle.close()
    return handle.path.read_bytes().splitlines(), ["", *(one.text for one in made)]


@pytest.mark.parametrize("number", range(32))
def test_damaged_transcripts_keep_every_whole_record(tmp_path: Path, number: int) -> None:
    records, texts = _lines(tmp_path)
    harms = list(damaged_lines(records))
    if number >= len(harms):
        pytest.skip("no such harm")
    harm: Harm = harms[number]
    path = tmp_path / "sess_any.jsonl"
    path.write_bytes(harm.data)
    found = open_transcript(path)
    assert path.read_bytes() == harm.data
    if harm.survivors is not None:
        assert [one.text for one in found.messages] == [texts[number] for number in harm.survivors if texts[number]], harm.name
        assert found.source == ("keepsake" if harm.survivors else "unknown")
    if harm.told:
        assert found.damage


def _export_bytes(tmp_path: Path) -> tuple[bytes, list[Message]]:
    store = store_in(tmp_path / "made")
    handle, made = made_session(store, random.Random(11), 14)
    return exported(store, handle, tmp_path / "whole.json").read_bytes(), made


def test_damaged_exports_raise_nothing_and_give_what_is_whole(tmp_path: Path) -> None:
    data, made = _export_bytes(tmp_path)
    path = tmp_path / "a.json"
    texts = {one.id: one.text for one in made}
    for harm in damaged_bytes(data):
        path.write_bytes(harm.data)
        found = open_transcript(path)
        json.dumps([dict(one) for one in found.messages], default=str).encode()
        assert found.messages or found.damage, harm.name
        if harm.name.startswith("cut"):
            whole = [one for one in made if f'"id": "{one.id}"' in _before_last_object(harm.data)]
            assert found.source == "keepsake-export" and found.damage, harm.name
            assert {one.id for one in whole} <= {one.id for one in found.messages} <= texts.keys(), harm.name
            assert all(one.text == texts[one.id] for one in found.messages)
        list_transcripts(path)


def _before_last_object(data: bytes) -> str:
    """A cut export without its last message, which may be the one that is cut."""
    return data.decode("utf-8", "replace").rpartition('\n  {\n   "id": "msg_')[0]


def test_a_start_that_is_lost_does_not_hide_the_messages(tmp_path: Path) -> None:
    data, made = _export_bytes(tmp_path)
    path = tmp_path / "a.json"
    start = data.index(b'"messages"')
    for wreck in (data[start + 12 :], random.Random(1).randbytes(900) + data[start:], b"\0" * 5_000 + data[start:]):
        path.write_bytes(wreck)
        found = open_transcript(path)
        assert found.source == "keepsake-export"
        assert [one.text for one in found.messages] == [one.text for one in made]
        assert found.leaf is not None and found.damage


def test_encodings_change_nothing(tmp_path: Path) -> None:
    data, made = _export_bytes(tmp_path)
    text = data.decode()
    path = tmp_path / "a.json"
    for other in (b"\xef\xbb\xbf" + data, text.encode("utf-16"), text.replace("\n", "\r\n").encode()):
        path.write_bytes(other)
        found = open_transcript(path)
        assert found.source == "keepsake-export" and len(found.messages) == len(made) and not found.damage


def test_lone_surrogates_end_nowhere(tmp_path: Path) -> None:
    """Not in ids, models or arguments either: what is read can always be written again."""
    parts = [{"kind": "tool_call", "id": "c\ud800", "name": "R\udfff", "input": {"a\ud800": ["\udfff"]}}]
    first = {"id": "m\ud800", "role": "assistant", "origin": "model", "model": "x\ud800", "parent": None, "parts": parts, "live": True}
    second = {
        "id": "n",
        "role": "user",
        "origin": "person",
        "parent": "m\ud800",
        "parts": [{"kind": "text", "text": "\ud800"}],
        "live": True,
    }
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"kind": "keepsake-session", "leaf": "m\ud800", "messages": [first, second]}))
    found = open_transcript(path)
    json.dumps([dict(one) for one in found.messages], default=str, ensure_ascii=False).encode()
    assert found.messages[1].parent == found.messages[0].id == found.leaf


def test_wrong_types_lose_no_other_message(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle, _ = made_session(store, random.Random(5), 6)
    whole = json.loads(exported(store, handle, tmp_path / "a.json").read_text())
    path = tmp_path / "b.json"
    others = [one["id"] for number, one in enumerate(whole["messages"]) if number != 2]
    for wrong in wrong_types(whole["messages"][2]):
        messages = [*whole["messages"]]
        messages[2] = wrong
        path.write_text(json.dumps({**whole, "messages": messages}))
        found = open_transcript(path)
        assert [one.id for one in found.messages if one.id in others] == others
        as_transcript(found, "sess_x", "")
    for wrong in wrong_types({key: value for key, value in whole.items() if key != "messages"}):
        path.write_text(json.dumps({**wrong, "messages": whole["messages"]}))  # type: ignore[dict-item]
        found = open_transcript(path)
        assert len(found.messages) == 6
        as_transcript(found, "sess_x", "")
