"""How far a memory bears on a question, on a scale that no other memory moves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from desktop.memory.note import Note
from desktop.memory.recall_support import Support, atoms_of, concepts_of, pairs_of, weighed
from desktop.search.segment import Term

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def note(name: str, description: str = "", keywords: tuple[str, ...] = ()) -> Note:
    return Note("n.md", name, description, "project", None, NOW, None, None, False, 10, None, keywords=keywords)


def everywhere_once(terms: Sequence[Term]) -> tuple[int, list[int]]:
    return 100, [1] * len(terms)


def support(question: str, one: Note, body: str = "") -> Support:
    return weighed(question, everywhere_once).support(one, body)


def shown(question: str) -> set[str]:
    return {concept.shown for concept in concepts_of(question)}


def test_a_question_is_cut_into_words_phrases_and_pairs() -> None:
    assert shown("How do I open a pull request for the depot?") == {"open", "pull request", "depot"}
    assert {"数据库", "端口"} <= shown("数据库的端口是多少")
    assert "报关" in shown("报关谁负责") and "the" not in shown("the the the")
    assert shown("") == shown("的了吗") == shown("?!") == set()


def test_everyday_words_weigh_little_and_names_more() -> None:
    weights = {concept.shown: concept.weight for concept in concepts_of("fix the crane in parseManifest for k8s42")}
    assert weights["fix"] < 0.3 < weights["crane"] == 1.0 < weights["k8s42"] == weights["manifest"]


def test_title_and_text_and_other_names_are_held() -> None:
    held = support("数据库的端口", note("Database", "It listens on a port."))
    assert held.share == 1.0 and held.enough and set(held.words) == {"数据库", "端口"}
    assert support("database port", note("x"), "the database listens on a port").held < held.held


def test_rare_words_weigh_more_than_common_ones() -> None:
    def count(terms: Sequence[Term]) -> tuple[int, list[int]]:
        return 1_000, [900 if "crane" in term.shown else 1 for term in terms]

    question = weighed("crane pallet", count)
    assert question.support(note("crane"), "").share < 0.1 < 0.9 < question.support(note("pallet"), "").share


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("Merge these dictionaries alphabetically tonight", note("how branches are handled", "We merge branches on Monday.")),
        ("Fix the failing test", note("how code is run", "Run the code before you test it.")),
        ("Make the heading bold and blue", note("deployment", "blue and green")),
        ("用完以后关闭文件", note("内存排查")),
    ],
)
def test_one_word_that_both_happen_to_have_is_not_enough(question: str, one: Note) -> None:
    assert not support(question, one, "没有关闭的游标").enough


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("When do we release?", note("Release day", "Releases go out on Wednesday")),
        ("Please remove the feature flag of the quote page", note("Feature flags", "They live in flags.toml")),
        ("a tariff code of pallets with wrong weight", note("Marta", "Ask her before changing a tariff code.")),
        ("前端用哪个包管理器", note("pnpm only", "", ("包管理器",))),
    ],
)
def test_a_question_or_a_memory_that_is_about_one_thing_needs_no_second(question: str, one: Note) -> None:
    assert support(question, one).enough


def test_a_long_request_need_not_be_held_whole() -> None:
    long = (
        "Please rewrite the manifest exporter so that it groups pallets by vessel, sorts cranes, and writes everything into one spreadsheet"
    )
    assert support(long, note("Manifest exporter", "It groups pallets by berth.")).enough


def test_words_that_follow_each_other_count_as_one_more_thing() -> None:
    assert ("tariff", "code") in pairs_of("the tariff codes")
    beside, apart = note("x", "tariff codes"), note("x", "codes of a tariff")
    assert support("tariff codes", beside).held > support("tariff codes", apart).held


def test_forms_of_words_and_parts_of_names_are_atoms() -> None:
    assert {"pars", "header"} <= {atom[:6] for atom in atoms_of("parseHeader")} | {atom[:4] for atom in atoms_of("parseHeader")}
    assert atoms_of("数据库") == {"数据", "据库"} and atoms_of("库") == {"库"}


@pytest.mark.parametrize("text", ["a" * 200_000, "数据" * 50_000, "aB" * 50_000, "a b " * 40_000, "🦀" * 50_000, "\x00\ud800" * 1_000])
def test_any_question_is_judged_in_linear_time(text: str) -> None:
    assert support(text, note("x"), text[:20_000]).share <= 1.0  # quadratic work on such a text would end at the test's time limit


@pytest.mark.parametrize(
    ("question", "title", "enough"),
    [
        ("How hot is the bread oven?", "bread oven heat", True),
        ("面包烤箱的温度是多少", "面包烤箱温度", True),
        ("How do we clean the bread oven filter?", "bread oven heat", False),
        ("How do I sort a list in bread?", "bread oven heat", False),
        ("oven?", "bread oven heat", False),
    ],
)
def test_a_title_that_holds_all_that_is_asked_bears_on_it_however_many_do(question: str, title: str, enough: bool) -> None:
    """Fifty memories about the bread oven make its words common; a question about nothing else still finds them."""

    def in_all(terms: Sequence[Term]) -> tuple[int, list[int]]:
        return 50, [50] * len(terms)

    assert weighed(question, in_all).support(note(title, f"{title} hot"), "").enough is enough
