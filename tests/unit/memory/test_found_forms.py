"""Forms in which memories of other programs and people come: other keys, other spellings, lines that say something before their link."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.memory.change import Change
from desktop.memory.frontmatter import parse
from desktop.memory.health import REPAIRABLE, HealthContext, Problem, check_folder, check_health, repair
from desktop.memory.index_burst import synced_many
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import read_entry
from desktop.memory.links import backlinks, links_of, loose_name
from desktop.memory.moving import rename_with_links, set_pinned
from desktop.memory.note import note_of
from desktop.memory.trash import list_trash
from desktop.memory.workspace_names import WorkspaceNames
from tests.unit.memory.conftest import MAIN, PERSON, Desk, note_text

REMARK = "- **Late joiners**: the server replays the last event to whoever comes back within a minute. See [replay](replay.md) for how.\n"


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def put(root: Path, **files: str) -> None:
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / f"{name}.md").write_text(text)


def kinds(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.kind, problem.path) for problem in problems]


# a folder that had no index, or no line for a memory


def test_an_undo_leaves_no_index_where_there_was_none(desk: Desk) -> None:
    put(desk.root, stack="# Stack\n\nVue and Go.\n", other="# Other\n\nMore.\n")
    desk.store.observe()
    before = tree(desk.root)
    acts: list[Callable[[], Change]] = [
        lambda: set_pinned(desk.store, "stack.md", True, origin=PERSON),
        lambda: rename_with_links(desk.store, "stack.md", "tools.md", origin=PERSON),
        lambda: desk.store.write("new.md", note_text("new", "A new one."), base_digest=None, origin=MAIN),
    ]
    for act in acts:
        change = act()
        assert "MEMORY.md" in tree(desk.root)
        desk.store.undo(change.id)
        assert tree(desk.root) == before
    assert [entry.path for entry in list_trash(desk.store)] == ["new.md"]


def test_an_undo_of_an_undo_brings_the_index_again(desk: Desk) -> None:
    put(desk.root, stack="# Stack\n\nVue and Go.\n")
    desk.store.observe()
    made = set_pinned(desk.store, "stack.md", True, origin=PERSON)
    with_pin = tree(desk.root)
    back = desk.store.undo(made.id)
    desk.store.undo(back.id)
    assert tree(desk.root) == with_pin


@pytest.mark.parametrize("index", [None, b"# Index\r\n\r\n- [Other](other.md) - words"])
def test_a_deletion_that_took_no_line_brings_none_when_undone(desk: Desk, index: bytes | None) -> None:
    put(desk.root, stack="# Stack\n\nVue and Go.\n", other="# Other\n\nMore.\n")
    if index is not None:
        (desk.root / "MEMORY.md").write_bytes(index)
    desk.store.observe()
    before = tree(desk.root)
    change = desk.store.delete("stack.md", origin=PERSON)
    desk.store.undo(change.id)
    assert tree(desk.root) == before


def test_a_model_that_read_the_index_before_it_went_writes_it_again(desk: Desk) -> None:
    change = desk.store.write("a.md", note_text("a", "One."), base_digest=None, origin=MAIN)
    read = desk.store.read("MEMORY.md").digest
    desk.store.undo(change.id)
    desk.store.write("MEMORY.md", "- [mine](mine.md)\n", base_digest=read, origin=MAIN)
    assert desk.index() == "- [mine](mine.md)\n"


# lines that say something themselves


@pytest.mark.parametrize(
    ("line", "late"),
    [
        (REMARK, True),
        ("- 断线重连后服务器会在一分钟内补发最后一个事件给重新进入的玩家，详细步骤和注意事项请参见 [replay](replay.md)\n", True),
        ("- see [replay](replay.md) for how\n", False),
        ("- 2026-03-01 — **Replay**: [replay](replay.md) and what it is good for\n", False),
        (f"| {'a long first cell ' * 6} | [replay](replay.md) |\n", False),
    ],
)
def test_a_point_that_says_something_before_its_link_only_refers(line: str, late: bool) -> None:
    entry = read_entry(line)
    assert entry is not None
    assert entry.late is late


@pytest.mark.parametrize("times", [1, 12])
def test_such_a_point_loses_the_link_and_keeps_its_words(times: int) -> None:
    unlinked = REMARK.replace("[replay](replay.md)", "replay")
    text = f"# Index\n\n{REMARK}\n## More\n- [replay](replay.md) - steps\n"
    removed = [f"gone{number}.md" for number in range(times - 1)] + ["replay.md"]
    assert (
        synced_many(IndexKeeper.of_nothing(), text, added=[], renamed=[], removed=removed, known=[]) == f"# Index\n\n{unlinked}\n## More\n"
    )


def test_its_words_come_back_once_also_when_the_index_was_changed_meanwhile(desk: Desk) -> None:
    put(
        desk.root,
        replay="Replay the last event.\n",
        other="Other.\n",
        MEMORY=f"{REMARK}- [replay](replay.md) - steps\n- [other](other.md)\n",
    )
    desk.store.observe()
    change = desk.store.delete("replay.md", origin=PERSON)
    stored = desk.store.read("MEMORY.md")
    desk.store.write("MEMORY.md", f"{stored.text}\nAn added line.\n", base_digest=stored.digest, origin=PERSON)
    desk.store.undo(change.id)
    assert desk.index().count("Late joiners") == 1
    assert REMARK in desk.index()
    assert "- [replay](replay.md) - steps\n" in desk.index()


def test_a_repair_of_such_a_point_keeps_its_words(desk: Desk) -> None:
    put(desk.root, other="Other.\n", MEMORY=f"{REMARK}- [other](other.md)\n- [gone](gone.md) - lost\n")
    repair(desk.store, ["dangling-line"], origin=PERSON)
    assert desk.index() == REMARK.replace("[replay](replay.md)", "replay") + "- [other](other.md)\n"


def test_one_undo_takes_back_all_that_one_repair_of_the_index_did(desk: Desk) -> None:
    index = (
        "# Index\r\n\r\n- [gone](gone.md) - lost\r\n\r\n## Rules\r\n\r\n"
        + "- Every service logs to one place and keeps that for a month.\r\n" * 6
    )
    put(desk.root, other="Other.\n")
    (desk.root / "MEMORY.md").write_bytes(index.encode())
    desk.store.observe()
    before = tree(desk.root)
    changes = repair(desk.store, REPAIRABLE, origin=PERSON)
    assert [change.path for change in changes][-1] == "MEMORY.md"
    assert len(changes) == 2
    assert [problem for problem in check_health(desk.store) if problem.kind in REPAIRABLE] == []
    back = desk.store.undo(changes[0].id)
    assert tree(desk.root) == before
    desk.store.undo(back.id)
    assert [problem for problem in check_health(desk.store) if problem.kind in REPAIRABLE] == []


def test_a_file_of_the_project_that_a_point_names_is_no_lost_memory(tmp_path: Path) -> None:
    index = (
        "- `docs/rules/style.md` - how texts are written\n- **CHANGELOG.md**: newest first\n"
        "- lost.md - gone\n- [other](other.md)\n- [x](docs/y.md) - linked\n"
    )
    put(tmp_path, other="Other.\n", MEMORY=index)
    lost = [problem.about for problem in check_folder(tmp_path) if problem.kind == "dangling-line"]
    assert lost == ["lost.md", "docs/y.md"]


def test_words_behind_two_dashes_or_a_wide_colon_are_words_too() -> None:
    keeper = IndexKeeper.of_nothing()
    for line in ("- [a](a.md) -- as in [b](b.md)\n", "- [a](a.md)： 见 [b](b.md)\n"):
        assert keeper.synced(f"{line}- [b](b.md)\n", removed=["a.md"]) == "- [b](b.md)\n"


def test_a_line_that_the_app_cannot_word_shorter_is_no_alarm(desk: Desk) -> None:
    name = "a-very-long-name-that-somebody-chose-for-what-it-holds-so-that-it-says-all"
    desk.store.write(f"{name}.md", note_text(name, "It says more than the room behind its link can hold."), base_digest=None, origin=PERSON)
    assert len(desk.index()) > 150
    assert check_health(desk.store) == []


# links in another spelling


@pytest.mark.parametrize(
    "written", ["short-answers", "Short_Answers", "feedback-short-answers", "feedback_short_answers.md", "short answers"]
)
def test_a_link_finds_the_memory_whose_name_is_spelled_otherwise(desk: Desk, written: str) -> None:
    put(desk.root, feedback_short_answers="---\nname: Short answers, please\n---\nNo preamble.\n", other=f"See [[{written}]].\n")
    assert [link.target for link in links_of(desk.store, "other.md")] == ["feedback_short_answers.md"]
    assert [kind for kind, _ in kinds(check_health(desk.store)) if kind == "dangling-link"] == []
    before = tree(desk.root)
    change = rename_with_links(desk.store, "feedback_short_answers.md", "tone.md", name="tone", origin=PERSON)
    assert [link.source for link in backlinks(desk.store, "tone.md")] == ["other.md"]
    desk.store.undo(change.id)
    assert tree(desk.root) == before


def test_a_loose_spelling_that_two_memories_have_leads_to_neither(desk: Desk) -> None:
    put(desk.root, project_build="One.\n", reference_build="Two.\n", other="See [[Build]] and [[project_build]].\n")
    assert [link.target for link in links_of(desk.store, "other.md")] == [None, "project_build.md"]
    assert [loose_name(name) for name in ("project_", "user", "Feedback: x")] == ["project", "user", "feedback:-x"]


# headers with other keys


def test_the_keys_of_other_programs_are_read() -> None:
    head = (
        "---\ntitle: The router's surface\nsummary: What is public\ndate: 2026-05-11\nlast_updated: 2026-06-01\ntags: [router, 接口]\n"
        "supersedes: []\nsuperseded_by: []\n---\nText.\n"
    )
    note = note_of("adr.md", parse(head.encode()), size=1, mtime_s=0)
    assert (note.name, note.description, note.hint, note.keywords) == ("adr", "", "What is public", ("router", "接口"))
    assert (note.created, note.modified) == (datetime(2026, 5, 11, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))
    untold = head.replace("summary: What is public\n", "")
    assert note_of("adr.md", parse(untold.encode()), size=1, mtime_s=0).hint == "The router's surface"
    listed = head.replace("[router, 接口]", "router, 接口，gate")
    assert note_of("adr.md", parse(listed.encode()), size=1, mtime_s=0).keywords == ("router", "接口", "gate")
    ours = head.replace("---\ntitle", "---\nname: router\ndescription: Ours\nkeywords: api\nmodified: 2026-07-01\ntitle")
    note = note_of("adr.md", parse(ours.encode()), size=1, mtime_s=0)
    assert (note.name, note.description, note.keywords, note.modified.month) == ("router", "Ours", ("api",), 7)


def test_an_empty_list_of_successors_replaces_nothing(tmp_path: Path) -> None:
    text = "---\nname: {0}\nsuperseded_by: {1}\nmodified: 2026-01-01\n---\nThe gateway listens on port {2}.\n"
    put(tmp_path, a=text.format("a", "[]", 8080), b=text.format("b", "next", 8081), c=text.format("c", "null", 8082))
    context = HealthContext(now=datetime(2026, 11, 1, tzinfo=UTC))
    stale = [path for kind, path in kinds(check_folder(tmp_path, context=context)) if kind == "stale"]
    assert stale == ["a.md", "c.md"]


def test_a_type_of_another_program_is_good_to_know_and_no_damage(tmp_path: Path) -> None:
    put(tmp_path, a="---\nname: a\ntype: decision\n---\nText.\n", b="---\nname: b\ndescription: one: two\n---\nText.\n")
    found = {problem.path: problem.informative for problem in check_folder(tmp_path) if problem.kind == "broken-header"}
    assert found == {"a.md": True, "b.md": False}


def test_a_check_of_another_program_counts_as_confirmed(tmp_path: Path) -> None:
    put(tmp_path, a="---\nname: a\nmodified: 2026-01-01\nlast_verified: 2026-10-20\n---\nText.\n")
    context = HealthContext(now=datetime(2026, 11, 1, tzinfo=UTC))
    assert "stale" not in [kind for kind, _ in kinds(check_folder(tmp_path, context=context))]


def test_names_in_double_brackets_are_names_in_a_header_too() -> None:
    note = note_of("a.md", parse(b"---\nsupersedes: [[old-way]]\nkeywords:\n  - '[[api]]'\n  - 7\n---\nText.\n"), size=1, mtime_s=0)
    assert (note.supersedes, note.keywords) == (("old-way",), ("api", "7"))


# what a workspace and a day can tell


def test_memories_about_another_place_are_not_held_against_this_one(tmp_path: Path) -> None:
    named = [f"src/part_{letter}.py" for letter in "abcdefgh"]
    put(tmp_path / "memory", a="".join(f"The {at}. part is in `{name}`.\n" for at, name in enumerate(named)))
    workspace = tmp_path / "work"
    (workspace / "src").mkdir(parents=True)
    (workspace / "src" / "other.py").write_text("")

    def stale() -> list[str]:
        context = HealthContext(now=datetime.now(UTC), names=WorkspaceNames((workspace,)))
        return [problem.about for problem in check_folder(tmp_path / "memory", context=context) if problem.kind == "stale"]

    assert stale() == []
    (workspace / "src" / "part_a.py").write_text("")
    assert stale() == [f"file:{name}" for name in named[1:]]


@pytest.mark.parametrize("name", ["2026-03-04", "log_20260304", "2026_03_04-standup"])
def test_today_in_the_notes_of_a_day_is_that_day(tmp_path: Path, name: str) -> None:
    text = "Done today: the parser.\n\n今天完成了解析器。\n\nTomorrow the printer follows.\n\nNext week we ship.\n"
    put(tmp_path, **{name: text, "v20260304123": text})
    found = [(problem.path, problem.about) for problem in check_folder(tmp_path) if problem.kind == "relative-date"]
    assert [word for path, word in found if path == f"{name}.md"] == ["Next week"]
    assert [word for path, word in found if path == "v20260304123.md"] == ["today", "今天", "Tomorrow", "Next week"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"gone" and "lost" are two things', '"gone" and "lost" are two things'),
        ('"gone" is not "lost"', '"gone" is not "lost"'),
        ('"he said "gone" to me"', 'he said "gone" to me'),
        ("'it's gone' he said", "'it's gone' he said"),
        ('"plain": no', '"plain": no'),
    ],
)
def test_quotes_within_a_description_that_is_no_yaml_are_not_taken_for_those_around_it(written: str, read: str) -> None:
    document = parse(f"---\nname: a\ndescription: {written}\nodd: [\n---\nText.\n".encode())
    assert document.header is not None
    assert document.header.broken
    assert document.description == read


def test_a_deletion_brings_its_line_back_also_when_the_index_was_edited_elsewhere_before(desk: Desk) -> None:
    put(desk.root, stack="Vue and Go.\n", other="More.\n", MEMORY="# Index\n\n- [Stack](stack.md) - ours\n- [Other](other.md)\n")
    desk.store.observe()
    edited = "# Our index\n\n- [Stack](stack.md) - my words\n- [Other](other.md)\n"
    (desk.root / "MEMORY.md").write_text(edited)
    change = desk.store.delete("stack.md", origin=PERSON)
    assert desk.index() == edited.replace("- [Stack](stack.md) - my words\n", "")
    desk.store.undo(change.id)
    assert desk.index() == edited
