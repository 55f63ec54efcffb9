"""Purging: no byte of the text is left below the data folder, and everything else works on (S12, memory design 6.8)."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError
from desktop.memory import purge_plan
from desktop.memory.history import history, restore, text_of
from desktop.memory.journal import ChangeOrigin
from desktop.memory.moving import move_between, rename_with_links
from desktop.memory.purge import purge
from desktop.memory.purge_plan import Plan
from desktop.memory.retention import KEPT_FOR
from desktop.memory.roots import user_root
from desktop.memory.store import MemoryStore
from desktop.memory.tombstones import forgotten
from desktop.memory.trash import list_trash, put_back
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import EXTRACTOR, MAIN, PERSON, Desk, note_text

SECRET = "the launch word is zebra-4711 and nobody else knows it"


def hits(desk: Desk, *texts: str) -> list[str]:
    """Every file and name below the data folder that holds one of the texts, in any of the ways in which a program writes text."""
    needles = {
        form
        for text in texts
        for form in (
            text.encode(),
            text.encode("utf-16-le"),
            text.encode("utf-16-be"),
            json.dumps(text)[1:-1].encode(),
            json.dumps(text, ensure_ascii=False)[1:-1].encode(),
        )
    }
    found = []
    for folder, folders, files in os.walk(desk.paths.data):
        for name in (*folders, *files):
            if any(text in name for text in texts):
                found.append(f"name {name}")
        for name in files:
            data = (Path(folder) / name).read_bytes()
            found += [str(Path(folder) / name) for needle in needles if needle.lower() in data.lower()]
    return found


def edit(desk: Desk, path: str, text: str, origin: ChangeOrigin = MAIN) -> None:
    desk.store.write(path, text, base_digest=desk.store.read(path).digest, origin=origin)


def test_s12_a_purge_leaves_no_byte_and_the_others_whole(desk: Desk) -> None:
    desk.add("keep.md", "this one stays")
    desk.add("zebra-plan.md", SECRET)
    edit(desk, "zebra-plan.md", note_text("zebra-plan", f"{SECRET}\n\nand its second version"))
    edit(desk, "keep.md", note_text("keep", "this one stays, and grew"))
    assert hits(desk, SECRET)
    report = purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert report.remaining == ()
    assert report.until is None
    assert report.removed >= 4
    assert hits(desk, SECRET, "second version", "zebra") == []
    assert desk.index() == "- [keep](keep.md) — this one stays, and grew\n"
    assert [version.change.op for version in history(desk.store, "keep.md")] == ["write", "write"]
    desk.store.undo()
    assert desk.store.read("keep.md").text.endswith("this one stays\n")


def test_the_journal_keeps_digests_and_that_something_was_purged(desk: Desk) -> None:
    desk.add("zebra-plan.md", SECRET)
    digests = {change.after for change in desk.store.changes() if change.path == "zebra-plan.md"}
    purge(desk.store, "zebra-plan.md", origin=PERSON)
    changes = [change for change in desk.store.changes() if change.origin.reason == "purged"]
    assert [change.op for change in changes] == ["delete", "write"]
    assert {change.before for change in changes} | {change.after for change in changes} >= digests
    assert all(change.path.startswith("purged-") for change in changes)


@pytest.mark.parametrize("state", ["deleted", "renamed", "by id", "outside", "restored", "trash emptied"])
def test_a_purge_works_from_wherever_the_memory_is(desk: Desk, state: str) -> None:
    desk.add("keep.md", "this one stays")
    desk.add("zebra-plan.md", SECRET)
    wanted = "zebra-plan.md"
    if state in ("deleted", "by id", "trash emptied"):
        change = desk.store.delete(wanted, origin=PERSON)
        wanted = change.id if state == "by id" else wanted
        if state == "trash emptied":
            from desktop.memory.trash import empty

            empty(desk.store)
    elif state == "renamed":
        rename_with_links(desk.store, wanted, "new/plan.md", origin=PERSON)
        wanted = "new/plan.md"
    elif state == "outside":
        desk.store.observe()
        (desk.root / wanted).unlink()
        desk.store.observe()
    else:
        put_back(desk.store, desk.store.delete(wanted, origin=PERSON).id)
    report = purge(desk.store, wanted, origin=PERSON)
    assert report.remaining == ()
    assert hits(desk, SECRET, "zebra") == []
    assert list_trash(desk.store) == []
    assert "keep.md" in desk.index()


def test_an_index_line_in_the_model_s_own_words_goes_from_every_old_index(desk: Desk) -> None:
    desk.add("keep.md", "this one stays")
    desk.add("zebra-plan.md", SECRET)
    index = desk.store.read("MEMORY.md")
    worded = index.text.replace("[zebra-plan](zebra-plan.md)", "[The black and white plan](zebra-plan.md) quite other words on stripes")
    desk.store.write("MEMORY.md", worded + "\n## Notes\n", base_digest=index.digest, origin=MAIN)
    desk.add("later.md", "something that came later")
    purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert hits(desk, SECRET, "zebra", "stripes", "black and white") == []
    assert "later.md" in desk.index()
    old = [version for version in history(desk.store, "MEMORY.md") if version.available]
    assert len(old) >= 3
    texts = [text_of(desk.store, version.digest or "") for version in old]
    assert any("keep.md" in text and "later.md" not in text for text in texts)
    restore(desk.store, "MEMORY.md", old[-1].digest or "", origin=PERSON)
    assert "keep.md" in desk.index()


def test_versions_of_other_files_that_held_its_lines_are_kept_without_them(desk: Desk) -> None:
    desk.add("zebra-plan.md", SECRET)
    desk.store.write("merged.md", note_text("merged", f"- one fact\n- {SECRET}\n- two facts", "facts"), base_digest=None, origin=MAIN)
    edit(desk, "merged.md", note_text("merged", "- one fact\n- two facts", "facts"), PERSON)
    desk.store.write("wide.md", "x\n", base_digest=None, origin=PERSON)
    report = purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert report.remaining == ()
    assert hits(desk, SECRET, "zebra") == []
    newest, oldest = history(desk.store, "merged.md")
    assert oldest.available
    assert text_of(desk.store, oldest.digest or "").count("- ") == 2
    desk.store.undo(newest.change.id)
    assert "one fact" in desk.store.read("merged.md").text
    assert hits(desk, SECRET, "zebra") == []


def test_a_utf_16_copy_in_an_old_version_goes_too(desk: Desk) -> None:
    desk.store.observe()
    desk.add("zebra-plan.md", SECRET)
    for name, data in (("bom.md", b"\xff\xfe" + f"a\n{SECRET}\nb\n".encode("utf-16-le")), ("raw.md", f"a\n{SECRET}\n".encode("utf-16-be"))):
        (desk.root / name).write_bytes(data)
        desk.store.observe()
        desk.store.delete(name, origin=PERSON)
    assert len(hits(desk, SECRET)) > 4
    report = purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert report.remaining == ()
    assert hits(desk, SECRET, "zebra") == []


def test_a_memory_in_utf_16_itself_is_purged(desk: Desk) -> None:
    text = "绝密口令是斑马四七一一，谁都不许说出去"
    (desk.root / "密.md").write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    desk.store.observe()
    edit(desk, "密.md", text + "。\n再加一行很长的说明文字", PERSON)
    purge(desk.store, "密.md", origin=PERSON)
    assert hits(desk, text, "再加一行", "密") == []


@pytest.mark.parametrize("body", ["PIN 4711", "口令四七", "a\n\nb\n\nzebra", "qw" * 4_500])
def test_short_long_and_broken_up_texts(desk: Desk, body: str) -> None:
    desk.add("keep.md", "this one stays")
    desk.add("zebra-plan.md", body)
    edit(desk, "zebra-plan.md", note_text("zebra-plan", body + " again"))
    purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert hits(desk, "zebra", *(line for line in body.split("\n") if len(line) > 3)) == []
    assert desk.index() == "- [keep](keep.md) — this one stays\n"


def test_a_short_word_takes_nothing_out_of_longer_texts_of_others(desk: Desk) -> None:
    desk.add("t.md", "kiwi")
    desk.add("keep.md", "my kiwi list and all that")
    first = desk.store.read("keep.md").digest
    edit(desk, "keep.md", note_text("keep", "another text now"))
    purge(desk.store, "t.md", origin=PERSON)
    assert text_of(desk.store, first).endswith("my kiwi list and all that\n")


def test_reasons_and_damaged_lines_of_the_journal_hold_nothing(desk: Desk) -> None:
    desk.add("keep.md", "this one stays")
    desk.add("zebra-plan.md", SECRET, origin=ChangeOrigin("main", "s", "m", f"the person said: {SECRET}"))
    edit(desk, "keep.md", note_text("keep", "stays longer"), ChangeOrigin("main", "s", "m", "moved from zebra-plan.md"))
    journal = desk.paths.journal / f"{desk.project.key}.jsonl"
    torn = json.dumps({"schema": 1, "reason": SECRET}).encode()[:-9]
    newer = json.dumps({"schema": 99, "path": "x", "text": SECRET}).encode()
    harmless = json.dumps({"schema": 99, "op": "later"}).encode()
    journal.write_bytes(journal.read_bytes() + torn + b"\n" + newer + b"\n" + harmless + b"\n")
    purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert hits(desk, SECRET, "zebra") == []
    assert harmless in journal.read_bytes()


def test_what_another_memory_says_too_is_left_and_said(desk: Desk) -> None:
    desk.add("zebra-plan.md", f"{SECRET}\n\nonly this file says this sentence")
    desk.store.write("also.md", note_text("also", f"Known: {SECRET}", "other"), base_digest=None, origin=PERSON)
    before = desk.store.read("also.md").data
    report = purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert desk.store.read("also.md").data == before
    assert any("also.md" in line for line in report.remaining)
    assert hits(desk, "only this file says") == []
    assert history(desk.store, "also.md")[0].available


def test_transcripts_drafts_and_other_roots_are_named_with_how_long(desk: Desk) -> None:
    desk.add("zebra-plan.md", SECRET)
    sessions = desk.paths.sessions / desk.project.key
    sessions.mkdir(parents=True)
    (sessions / "sess_one.jsonl").write_text('{"text":"said in other words"}\n')
    (sessions / "sess_two.jsonl").write_text(json.dumps({"text": SECRET}) + "\n")
    (sessions / "sess_three.jsonl").write_text(json.dumps({"text": "nothing"}) + "\n")
    (desk.paths.state / "tab-drafts.json").write_text(json.dumps({"x": SECRET}))
    report = purge(desk.store, "zebra-plan.md", origin=PERSON)
    told = "\n".join(report.remaining)
    assert "sess_one" in told
    assert "sess_two" in told
    assert "sess_three" not in told
    assert "tab-drafts.json" in told
    assert report.until is None


def test_the_old_versions_in_the_root_it_moved_from_are_named_with_their_date(desk: Desk) -> None:
    desk.add("zebra-plan.md", SECRET)
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    move_between(desk.store, user, "zebra-plan.md", origin=PERSON)
    report = purge(user, "zebra-plan.md", origin=PERSON)
    assert report.until is not None
    assert any(desk.project.key in line for line in report.remaining)
    purge(desk.store, "zebra-plan.md", origin=PERSON)
    assert hits(desk, SECRET, "zebra") == []
    assert KEPT_FOR.days == 30


def test_a_new_memory_at_the_path_of_a_deleted_one_is_not_purged_with_it(desk: Desk) -> None:
    desk.add("plan.md", SECRET)
    change = desk.store.delete("plan.md", origin=PERSON)
    desk.add("plan.md", "a harmless new plan", name="fresh")
    edit(desk, "plan.md", note_text("fresh", "a harmless new plan, second"))
    purge(desk.store, change.id, origin=PERSON)
    assert hits(desk, SECRET) == []
    assert desk.store.read("plan.md").text.endswith("second\n")
    assert "plan.md" in desk.index()
    assert [version.available for version in history(desk.store, "plan.md")][:2] == [True, True]
    desk.store.undo()
    assert desk.store.read("plan.md").text.endswith("plan\n")


def test_a_path_is_purged_with_all_that_ever_stood_there(desk: Desk) -> None:
    desk.add("plan.md", SECRET)
    desk.store.delete("plan.md", origin=PERSON)
    desk.add("plan.md", "a harmless new plan", name="fresh")
    purge(desk.store, "plan.md", origin=PERSON)
    assert hits(desk, SECRET, "harmless") == []


def test_undo_skips_what_was_purged_and_takes_back_the_rest_of_an_act(desk: Desk) -> None:
    desk.add("keep.md", "See [[Zebra]] and [z](zebra-plan.md).")
    desk.add("zebra-plan.md", SECRET, name="Zebra")
    before = desk.store.read("keep.md").data
    rename_with_links(desk.store, "zebra-plan.md", "z.md", origin=PERSON)
    assert desk.store.read("keep.md").data != before
    purge(desk.store, "z.md", origin=PERSON)
    desk.store.undo()
    assert desk.store.read("keep.md").data == before
    with pytest.raises(KeepsakeError):
        desk.store.undo(next(change.id for change in desk.store.changes() if change.origin.reason == "purged"))
    assert hits(desk, SECRET) == []


def test_the_tombstone_stays_and_nothing_brings_the_text_back(desk: Desk) -> None:
    desk.add("zebra-plan.md", "first wording of it, long enough")
    edit(desk, "zebra-plan.md", note_text("zebra-plan", SECRET), EXTRACTOR)
    purge(desk.store, "zebra-plan.md", origin=PERSON)
    for text in (SECRET, "First wording of it, long enough."):
        assert forgotten(desk.store, note_text("n", text), "msg_later")
    assert forgotten(desk.store, note_text("n", "anything else"), "msg_two")


@pytest.mark.parametrize("origin", [MAIN, EXTRACTOR, ChangeOrigin("dream"), ChangeOrigin("outside")])
def test_only_the_person_purges(desk: Desk, origin: ChangeOrigin) -> None:
    desk.add("a.md", SECRET)
    with pytest.raises(RefusedError, match="person"):
        purge(desk.store, "a.md", origin=origin)
    assert SECRET in desk.store.read("a.md").text


def test_the_index_and_what_is_unknown_cannot_be_purged(desk: Desk) -> None:
    desk.add("a.md", SECRET)
    for wanted in ("MEMORY.md", desk.store.changes(with_index=True)[0].id):
        with pytest.raises(RefusedError, match="index"):
            purge(desk.store, wanted, origin=PERSON)
    for wanted in ("never.md", "chg_never"):
        with pytest.raises(NotFoundError):
            purge(desk.store, wanted, origin=PERSON)


def test_a_file_that_the_journal_never_saw_is_purged(desk: Desk) -> None:
    (desk.root / "zebra.md").write_text(SECRET)
    desk.add("keep.md", "this one stays")
    purge(desk.store, "zebra.md", origin=PERSON)
    assert hits(desk, SECRET, "zebra") == []


def test_a_purge_that_was_killed_after_it_was_decided_is_finished_by_the_next_start(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.add("keep.md", "this one stays")
    desk.add("zebra-plan.md", SECRET)

    class KilledError(BaseException):
        pass

    for stop in ("_rewrite", "_unlink"):
        if stop == "_unlink":
            desk.add("zebra-plan.md", SECRET, origin=PERSON)
        with monkeypatch.context() as patch:

            def killed(*args: object) -> None:
                raise KilledError

            patch.setattr(purge_plan, stop, killed)
            with pytest.raises(KilledError):
                purge(desk.store, "zebra-plan.md", origin=PERSON)
        assert hits(desk, SECRET) != []
        later = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state)
        later.finish_left_over()
        later.forget_caches()
        assert hits(desk, SECRET) == []
        assert not later.pending.there
        assert later.read("keep.md").text.endswith("stays\n")


def test_a_plan_survives_its_file_and_holds_no_text(desk: Desk) -> None:
    plan = Plan({"chg_a": "purged-a.md"}, ("chg_b",), {"d1": "d2"}, ("d1",), ("chg_a",), ("d3",), ("d4",))
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert Plan.from_json({"names": []}) is None


def test_s12_random_histories_are_purged_without_a_trace(desk: Desk) -> None:
    seed = drawn_seed()
    rng = random.Random(seed)
    marks = [f"mark{number}x{rng.randrange(1 << 30)}" for number in range(10)]
    sentences = [f"the word of the day is {mark} for {rng.choice(['测试', 'tests', '🦊', 'שלום'])}" for mark in marks]
    paths = [f"n{number}.md" for number in range(10)]
    for path, sentence in zip(paths, sentences, strict=True):
        desk.add(path, sentence, name=f"note {path}")
    for _ in range(60):
        number = rng.randrange(10)
        path, sentence = paths[number], sentences[number]
        there = (desk.root / path).exists()
        act = rng.choice(["edit", "delete", "rename", "mention", "undo", "outside"])
        try:
            if act == "edit" and there:
                edit(desk, path, note_text(f"note {number}", f"{sentence}\n\nversion {rng.randrange(1 << 30)}"), rng.choice([MAIN, PERSON]))
            elif act == "delete" and there:
                desk.store.delete(path, origin=rng.choice([MAIN, PERSON]))
            elif act == "rename" and there:
                paths[number] = f"{marks[number]}-{rng.randrange(1 << 30)}.md"
                rename_with_links(desk.store, path, paths[number], origin=PERSON)
            elif act == "mention":
                other = paths[(number + 1) % 10]
                if (desk.root / other).exists():
                    kept = desk.store.read(other)
                    desk.store.write(other, f"{kept.text}- {sentence}\n", base_digest=kept.digest, origin=PERSON)
                    edit(desk, other, kept.text, PERSON)
            elif act == "undo":
                desk.store.undo()
            elif there:
                (desk.root / path).write_text(f"{sentence} by hand {rng.randrange(1 << 30)}\n")
                desk.store.observe()
        except KeepsakeError:
            continue
    here = {number for number in range(10) if (desk.root / paths[number]).exists()}
    goes = {number for number in range(10) if rng.random() < 0.5}
    stays = {number: desk.store.read(paths[number]).data for number in here - goes}
    for number in goes:
        wanted = next((p for p in (paths[number], f"n{number}.md") if history(desk.store, p)), "")
        purge(desk.store, wanted, origin=PERSON)
    said = b"".join(stays.values()).decode()
    assert hits(desk, *(marks[number] for number in goes if marks[number] not in said)) == []
    for number, data in stays.items():
        assert desk.store.read(paths[number]).data == data
        assert f"({paths[number]})" in desk.index()
        newest = next(version for version in history(desk.store, paths[number]) if version.digest)
        assert newest.available
