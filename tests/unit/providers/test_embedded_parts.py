"""The pure parts around the small model: reading its JSON while it comes, notes, sentences, prompt, mended calls."""

from __future__ import annotations

import json

import pytest

from desktop.base.words import estimate_tokens
from desktop.providers import embedded_prompt as prompt
from desktop.providers.embedded_choice import chosen, inserted, mended
from desktop.providers.embedded_guards import Fact
from desktop.providers.embedded_json import AnswerReader, parse_choice
from desktop.providers.embedded_notes import (
    KnownNote,
    checked_keywords,
    checked_name,
    description_of,
    free_name,
    known_notes,
    made_name,
    meant,
    note_text,
    older_form,
    same_fact,
    shown_text,
    slug,
    updated_text,
)
from desktop.providers.embedded_sentences import is_chinese, only_asks, sentences
from desktop.providers.embedded_turn import TurnState

BUN = KnownNote("package-manager.md", "package-manager", "our package manager is bun", "our package manager is bun")
DATABASE = KnownNote("数据库.md", "数据库", "数据库是 mysql", "数据库是 mysql")
BIRCH = KnownNote("staging.md", "staging", "the staging server is called birch", "")


# --- reading the answer -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["plain", 'quotes " and \\ slashes', "lines\nand\ttabs", "中文和 😀 and \u2028", "", "ends with \\", "\ud83d alone" * 2]
)
@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_the_text_is_the_same_however_it_is_cut(text: str, ascii_only: bool, size: int) -> None:
    raw = json.dumps({"tool": "answer", "args": {"text": text}}, ensure_ascii=ascii_only)
    reader = AnswerReader()
    pieces = [reader.feed(raw[i : i + size]) for i in range(0, len(raw), size)]
    wanted = text.replace("\ud83d", "\ufffd") if ascii_only else text
    assert "".join(pieces) == reader.text == wanted
    assert reader.complete


def test_a_call_gives_no_text() -> None:
    reader = AnswerReader()
    raw = '{"tool": "Read", "args": {"file_path": "a"}}'
    assert reader.feed(raw) == ""
    assert parse_choice(reader.raw) == ("Read", {"file_path": "a"})


@pytest.mark.parametrize(
    "raw", ["", "nonsense", "[]", '{"tool": 1, "args": {}}', '{"tool": "Read"}', '{"tool": "Read", "args": {"file', "[" * 100_000]
)
def test_what_is_no_choice_is_none(raw: str) -> None:
    assert parse_choice(raw) is None


# --- notes --------------------------------------------------------------------------------------------------------------


def test_a_note_holds_frontmatter_and_the_words() -> None:
    text = note_text("yes", Fact('say "hi": always # ok', "feedback"), ("a",))
    assert text == (
        '---\nname: "yes"\ndescription: "say \\"hi\\": always # ok"\nmetadata:\n  type: feedback\n  explicit: true\n'
        '  keywords: ["a"]\n---\n\nsay "hi": always # ok\n'
    )


def test_an_update_keeps_the_other_fields() -> None:
    old = "---\nname: port\ndescription: the port is 80\nmetadata:\n  created: 2026-01-01\n  pinned: true\n---\n\nthe port is 80\n"
    new = updated_text(old, Fact("the port is 81", "project"), "port")
    assert (
        new == '---\nname: port\ndescription: "the port is 81"\nmetadata:\n  created: 2026-01-01\n  pinned: true\n---\n\nthe port is 81\n'
    )


def test_line_numbers_are_taken_off() -> None:
    assert shown_text("1\ta\n2\t\n3\t  b") == "a\n\n  b"
    assert shown_text("no numbers\nhere") == "no numbers\nhere"


def test_the_same_fact_is_found_whatever_its_punctuation() -> None:
    assert same_fact("Our package manager is Bun!", [BIRCH, BUN]) is BUN
    assert same_fact("the staging server is called birch.", [BIRCH, BUN]) is BIRCH
    assert same_fact("our package manager is pnpm", [BIRCH, BUN]) is None


@pytest.mark.parametrize(
    ("fact", "note"),
    [
        ("our package manager is pnpm", BUN),
        ("use pnpm instead of bun", BUN),
        ("数据库是 postgres", DATABASE),
        ("改用 postgres，不再用mysql", DATABASE),
        ("the staging server is called oak", BIRCH),
        ("our test runner is pytest", None),
        ("we deploy on Fridays", None),
        ("the staging server is at 10.0.0.5", None),
        ("the staging server is reset on Mondays", None),
    ],
)
def test_a_correction_finds_what_it_corrects(fact: str, note: KnownNote | None) -> None:
    assert older_form(fact, [BUN, DATABASE, BIRCH]) is note


@pytest.mark.parametrize(
    ("target", "note"), [("package-manager", BUN), ("the package manager", BUN), ("bun", BUN), ("数据库", DATABASE), ("weather", None)]
)
def test_what_is_meant(target: str, note: KnownNote | None) -> None:
    assert meant(target, [BUN, DATABASE, BIRCH])[0] is note


def test_index_lines_and_notes_are_joined() -> None:
    index = ["- [package-manager](package-manager.md) — bun", "# Heading", "- [staging](staging.md) — birch", "- [x](https://x.example)"]
    found = known_notes(index, [("package-manager.md", "---\nname: package-manager\ndescription: d\n---\n\nbody")])
    assert [(n.path, n.body) for n in found] == [("package-manager.md", "body"), ("staging.md", "")]


@pytest.mark.parametrize(
    ("proposed", "fact", "name"),
    [
        ("Package Manager", "our package manager is bun", "package-manager"),
        ("Database", "our package manager is bun", None),
        ("package-manager-bun", "our package manager is bun", "package-manager"),
        ("提交信息中文", "提交信息都用中文写", "提交信息"),
        ("commit-language", "提交信息都用中文写", "commit-language"),
        ("提交信息", "提交信息都用中文写", "提交信息"),
        ("天气", "提交信息都用中文写", None),
        ("port-9090", "the port is 8080", None),
        ("api端口", "our API listens on port 8080", None),
        ("memory", "memory is tight", None),
        ("../../etc/passwd", "we keep passwd in etc", "etc-passwd"),
        ("", "x", None),
    ],
)
def test_the_models_name_is_checked(proposed: str, fact: str, name: str | None) -> None:
    assert checked_name(proposed, fact) == name


def test_names_made_by_code() -> None:
    assert made_name("our package manager is bun") == "package-manager"
    assert made_name("提交信息都用中文写") == "提交信息"
    assert made_name("we deploy on Fridays") == "deploy-fridays"
    assert made_name("the docs are at https://wiki.example/x") == "docs"
    assert made_name("!!!").startswith("note-")
    assert len(made_name("word " * 200)) <= 48
    assert slug("A  b/../c") == "a-b-c"


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("package-manager", [BUN]) == "package-manager-2"
    assert free_name("x", [BUN], ["x", "x-2"]) == "x-3"


def test_descriptions_are_one_line_and_short() -> None:
    assert description_of("a\nb") == "a b"
    assert len(description_of("word " * 100)) <= 120


def test_keywords_are_checked() -> None:
    assert checked_keywords(["ok", "x", 3, "a" * 40, "<b>", "端口", "9"], "fact") == ("ok", "端口")
    assert checked_keywords("text", "fact") == ()


# --- sentences ----------------------------------------------------------------------------------------------------------


def test_sentences_know_questions_and_quotations() -> None:
    found = sentences('Version 1.2.3 works, e.g. here. Is "remember this." ok? 好的。怎么办？\nlast')
    assert [s.text for s in found] == ["Version 1.2.3 works, e.g. here", 'Is "remember this." ok', "好的", "怎么办", "last"]
    assert [s.question for s in found] == [False, True, False, True, False]
    assert "remember" not in found[1].masked


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What is in a.txt?", True),
        ("Which port do we use", True),
        ("这个文件是做什么的？", True),
        ("Can you fix it?", False),
        ("fix it", False),
        ("把它改掉", False),
        ("Is it broken? Then fix it.", False),
    ],
)
def test_mere_questions(text: str, asks: bool) -> None:
    assert only_asks(text) is asks


@pytest.mark.parametrize(("text", "chinese"), [("记住：我们用 bun", True), ("Remember: the name 小明 is mine", False), ("hello", False)])
def test_the_language_of_a_person(text: str, chinese: bool) -> None:
    assert is_chinese(text) is chinese


# --- prompt and calls ---------------------------------------------------------------------------------------------------


def test_the_fixed_part_is_short_and_offers_what_the_schema_knows() -> None:
    size = sum(estimate_tokens(m["content"]) for m in prompt.PREFIX)
    assert size < 1_300
    for tool in prompt.OFFERED:
        assert f"{tool} {{" in prompt.SYSTEM
    assert [m["role"] for m in prompt.PREFIX[1:]] == ["user", "assistant"] * (len(prompt.PREFIX) // 2)


def test_cutting_keeps_head_and_end() -> None:
    text = "head " + "x" * 50_000 + " end"
    short = prompt.cut_text(text, 200)
    assert estimate_tokens(short) <= 240
    assert short.startswith("head")
    assert short.endswith("end")
    assert prompt.cut_text("short", 200) == "short"
    assert estimate_tokens(prompt.cut_text("中" * 50_000, 200)) <= 240


def test_history_keeps_the_newest() -> None:
    turns = [(f"question {n} " + "x" * 400, "answer") for n in range(50)]
    kept = prompt.history(turns, 1_200)
    assert kept[-2]["content"].startswith("question 49")
    assert sum(estimate_tokens(m["content"]) for m in kept) <= 1_200
    assert kept[0]["role"] == "user"


def test_only_notes_that_fit_are_told_when_some_do() -> None:
    lines = prompt.note_lines("Which package manager?", [BUN, BIRCH])
    assert lines == ["our package manager is bun"]
    assert len(prompt.note_lines("weather", [BIRCH] * 30)) <= prompt.OTHER_LINES


def test_a_question_about_the_project_is_looked_up_when_no_note_fits() -> None:
    assert prompt.must_look("Which cloud do we use?", [BIRCH])
    assert not prompt.must_look("Which package manager do we use?", [BUN])
    assert not prompt.must_look("Which cloud do we use?", [DATABASE])
    assert not prompt.must_look("What is a mutex?", [])


@pytest.mark.parametrize(
    ("text", "old", "new", "wanted"),
    [
        ('a = "x"', "a = 'x'", "a = 'y'", ('a = "x"', 'a = "y"')),
        ("a = 'x'", 'a = "x"', 'a = "it"', ("a = 'x'", "a = 'it'")),
        ("  a = 1\n", "a = 1 ", "a = 2 ", ("a = 1", "a = 2")),
        ("b b", "b", "c", ("b", "c")),
        ("x", "y", "z", ("y", "z")),
    ],
)
def test_edits_are_mended(text: str, old: str, new: str, wanted: tuple[str, str]) -> None:
    assert mended(text, old, new) == wanted


@pytest.mark.parametrize(
    ("said", "tool", "args", "made"),
    [
        ("找出所有 Markdown 文件", "Grep", {"pattern": "*.md"}, ("Glob", "**/*.md")),
        ("How many lines does main.py have?", "Grep", {"pattern": "main.py"}, ("Read", "main.py")),
        ("Where is main.py used?", "Grep", {"pattern": "main.py"}, ("Grep", "main.py")),
        ("Is there a Dockerfile here?", "Grep", {"pattern": "Dockerfile"}, ("Glob", "**/*Dockerfile*")),
        ("Search for TODO", "Grep", {"pattern": "TODO"}, ("Grep", "TODO")),
        ("list", "Glob", {"pattern": "/*"}, ("Glob", "*")),
        ("list", "Glob", {"pattern": ""}, ("Glob", "*")),
    ],
)
def test_small_slips_are_mended(said: str, tool: str, args: dict[str, str], made: tuple[str, str]) -> None:
    state = TurnState(said, (), "", (), "", {})
    found = chosen(json.dumps({"tool": tool, "args": args}), state, "/ws")
    assert found is not None
    assert (found.tool, next(iter(found.args.values()))) == made


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("add # x at the top", ("one", "# x\none")),
        ("在文件末尾加上 # x", ("two", "two\n# x")),
        ("add # x", ("", "# x")),
    ],
)
def test_an_edit_without_an_old_text_is_an_insertion(said: str, wanted: tuple[str, str]) -> None:
    assert inserted("one\n\ntwo\n", "# x", said) == wanted


def test_an_update_drops_the_keywords_of_the_old_words() -> None:
    old = '---\nname: port\ndescription: the port is 80\nmetadata:\n  keywords: ["80", "端口", "port"]\n---\n\nthe port is 80\n'
    assert '  keywords: ["端口", "port"]\n' in updated_text(old, Fact("the port is 81", "project"), "port")
