"""W-04, W-14: a question is given the other names of its words. The tables are sound, and what is given finds its texts in a real index."""

from __future__ import annotations

import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from desktop.base.words import CJK
from desktop.search.glossary import MOST, Group, groups, others, segments
from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage
from desktop.search.segment import STOP, Term

SEED = 20261201
GROUPS = tuple(groups())
FORMS = tuple(form for group in GROUPS for entry in group for form in entry.forms)
ENGLISH = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")
CHINESE = re.compile(f"[{CJK}]{{2,}}")


def shown(query: str) -> set[str]:
    return {term.shown for term in others(query)}


def forms_of(group: Group) -> list[str]:
    return [form for entry in group for form in entry.forms]


def test_the_tables_are_large_and_every_name_is_well_formed() -> None:
    assert len(GROUPS) >= 500
    wrong = [form for form in FORMS if not (ENGLISH if form.isascii() else CHINESE).fullmatch(form)]
    assert not wrong, "English in lower case, Chinese of two characters or more, neither empty"
    assert not [form for form in FORMS if form in STOP], "words of grammar are never looked up"


def test_every_group_holds_two_names_or_more_and_none_twice() -> None:
    assert not [group for group in GROUPS if len(group) < 2]
    assert not [group for group in GROUPS if len(set(forms_of(group))) < len(forms_of(group))]


def test_no_name_stands_in_more_than_two_groups_and_no_two_groups_share_two_names() -> None:
    assert not [form for form, count in Counter(FORMS).items() if count > 2]
    shared = Counter(pair for group in GROUPS for pair in pairs(forms_of(group)))
    assert [pair for pair, count in shared.items() if count > 1] == [("settings", "设置")], (
        "a word for itself, and a weak one beside config"
    )


def pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    ordered = sorted(names)
    return ((one, other) for at, one in enumerate(ordered) for other in ordered[at + 1 :])


def stems(names: Iterable[str]) -> dict[str, str]:
    """Names as the index keeps them."""
    listed = sorted(set(names))
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE text USING fts5(name, tokenize = 'porter unicode61 remove_diacritics 1')")
    connection.execute("CREATE VIRTUAL TABLE word USING fts5vocab(text, instance)")
    connection.executemany("INSERT INTO text (rowid, name) VALUES (?, ?)", enumerate(listed))
    found: dict[str, str] = dict.fromkeys(listed, "")
    for stem, row in connection.execute("SELECT term, doc FROM word ORDER BY doc, offset"):
        found[listed[row]] += f" {stem}"
    connection.close()
    return found


def test_no_group_gives_two_names_that_the_index_keeps_as_one() -> None:
    kept = stems(entry.head for group in GROUPS for entry in group)
    given = [[kept[entry.head] for entry in group if entry.given] for group in GROUPS]
    assert not [names for names in given if len(set(names)) < len(names)], "it would count twice"


def test_nothing_is_given_whose_stem_is_that_of_a_common_other_word() -> None:
    kept = stems(entry.head for group in GROUPS for entry in group if entry.given)
    common = {" import", " even", " late", " id", " intern", " object", " gener"}
    clash = {head for head, stem in kept.items() if stem in common} - {"import", "object", "internal", "generate", "generator"}
    assert not clash


def test_every_name_reaches_all_of_its_groups() -> None:
    lost = []
    for group in GROUPS:
        for entry in group:
            rest = [other.head for other in group if other is not entry and other.given]
            for form in entry.forms:
                if rest and not shown(form) & set(rest) and not all(holds(head, entry.head) for head in rest):
                    lost.append(form)
    assert not lost


def holds(longer: str, shorter: str) -> bool:
    return f" {shorter} " in f" {longer} " if shorter.isascii() else shorter in longer


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[sqlite3.Connection, dict[str, int]]]:
    """A real index with a sentence for every name, and the number of the passage of each."""
    heads = sorted({entry.head for group in GROUPS for entry in group})
    file: Path = tmp_path_factory.mktemp("glossary") / "index.sqlite"
    index = SearchIndex(file)
    sentences = (f"We spoke of {head} there." if head.isascii() else f"上回说到{head}是这样" for head in heads)
    index.update([Document("k", "s", "s", "memory", "1", tuple(Passage(text, unit=at) for at, text in enumerate(sentences)))])
    index.close()
    connection = sqlite3.connect(file)
    rows = connection.execute("SELECT unit, id FROM passage").fetchall()
    yield connection, {heads[unit]: number for unit, number in rows}
    connection.close()


def matching(connection: sqlite3.Connection, term: Term) -> set[int]:
    return {row for (row,) in connection.execute("SELECT rowid FROM term WHERE term MATCH ?", (term.match,))}


def test_every_term_that_is_given_finds_its_text_in_an_index(texts: tuple[sqlite3.Connection, dict[str, int]]) -> None:
    connection, places = texts
    terms = {term for form in dict.fromkeys(FORMS) for term in others(form)}
    assert len(terms) > 1_500
    missed = [term.shown for term in terms if places[term.shown] not in matching(connection, term)]
    assert not missed


def test_a_longer_chinese_term_finds_its_characters_in_their_order_only(tmp_path: Path) -> None:
    index = SearchIndex(tmp_path / "index.sqlite")
    said = ("连接数据库失败", "库数据都在", "数据都在仓库", "数据，据库", "DB 数据库")
    index.update([Document("k", "s", "s", "memory", "1", tuple(Passage(text, unit=at) for at, text in enumerate(said)))])
    index.close()
    connection = sqlite3.connect(tmp_path / "index.sqlite")
    (term,) = [term for term in others("database") if term.shown == "数据库"]
    assert term == Term('"数据 据库"', "数据库", "phrase")
    found = {
        unit for (unit,) in connection.execute("SELECT unit FROM passage JOIN term ON term.rowid = id WHERE term MATCH ?", (term.match,))
    }
    connection.close()
    assert found == {0, 4}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("which port does the database use", {"端口", "数据库", "db"}),
        ("数据库用哪个端口", {"port", "database", "db"}),
        ("Regular Expressions in the parser", {"正则", "regex", "解析器"}),
        ("正则表达式怎么写", {"regex", "regular expression"}),
        ("pull requests", {"pr", "merge request", "合并请求"}),
        ("发布之前要冻结多久", {"release", "freeze", "封版"}),
        ("how were the services built?", {"构建", "服务"}),
        ("ＤＡＴＡＢＡＳＥ", {"数据库"}),
        ("retryTimeout", {"重试", "超时"}),
        ("flaky-test on k8s", {"kubernetes", "偶发", "测试"}),
        ("dependencies cached", {"依赖", "deps", "缓存"}),
        ("提交信息用英文", {"commit message", "english"}),
        ("暗色模式", {"dark mode", "dark theme", "深色模式"}),
        ("running out of memory", {"oom", "内存不足"}),
        ("policies forbid rebasing", {"禁止", "变基"}),
        ("请用中文件名", {"filename", "file name"}),
        ("数组长度", {"array", "length"}),
    ],
)
def test_a_question_is_given_other_names(query: str, wanted: set[str]) -> None:
    assert wanted <= shown(query)


@pytest.mark.parametrize(
    ("query", "unwanted"),
    [
        ("set it here", "配置"),
        ("what is the news", "old"),
        ("windows build", "窗口"),
        ("pull request", "请求"),
        ("数据库", "data"),
        ("the string is empty", "堆栈"),
        ("this and that, how could it be", ""),
        ("重要", "import"),
        ("订单测试", "unit test"),
        ("以上线程", "go live"),
        ("what to do with it", "待办"),
        ("regular expression 正则", "正则表达式"),
        ("deploying", "deploy"),
    ],
)
def test_a_question_is_not_given_what_it_does_not_ask(query: str, unwanted: str) -> None:
    given = shown(query)
    assert not given if not unwanted else unwanted not in given


@pytest.mark.parametrize("query", ["", " ", "zzz qqq", "？！…", "\ud800 \x00", "a", "的", "🚀", "數", "c++ c# .net", "'\"*()^-:"])
def test_a_question_without_known_words_is_given_nothing(query: str) -> None:
    assert others(query) == ()


def test_terms_have_the_form_of_the_index() -> None:
    kinds = {term.shown: (term.match, term.kind) for query in ("端口", "端口 分支 拉取请求", "port database") for term in others(query)}
    assert kinds["port"] == ('"port"', "word")
    assert kinds["pull request"] == ('"pull request"', "phrase")
    assert kinds["端口"] == ('"端口"', "pair")
    assert kinds["数据库"] == ('"数据 据库"', "phrase")


def test_the_most_specific_come_first_and_never_more_than_allowed() -> None:
    long = " ".join(entry.head for group in GROUPS[40:] for entry in group[:1])
    given = others(long)
    assert len(given) == MOST
    kinds = [term.kind == "phrase" for term in others("database port, pull request, unit test, log")]
    assert kinds == sorted(kinds, reverse=True)
    assert True in kinds
    assert False in kinds


def test_where_there_are_too_many_every_word_has_one_in_the_other_language() -> None:
    asked = {
        "数据库": "database",
        "端口": "port",
        "日志": "log",
        "缓存": "cache",
        "合并请求": "pull request",
        "缩进": "indent",
        "登录": "login",
    }
    more = {"性能": "performance", "证书": "certificate", "测试": "test", "回滚": "rollback", "每周": "weekly", "文件夹": "dir"}
    wanted = {**asked, **more}
    query = "，".join(wanted)
    assert len(others(query)) == MOST
    assert set(wanted.values()) <= shown(query)


def test_what_a_question_holds_is_never_given_to_it() -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    for _ in range(400):
        query = chance.choice((" ", ", ", " 的 ")).join(chance.sample(FORMS, chance.randint(1, 6)))
        given = others(query)
        names = [term.shown for term in given]
        assert len(set(names)) == len(names) <= MOST
        assert not [name for name in names if holds(query.replace(",", ""), name)], query
        for term in given:
            parts = term.match.strip('"').split(" ")
            assert term.shown == (" ".join(parts) if term.shown.isascii() else parts[0] + "".join(part[1] for part in parts[1:]))
            assert term.shown.isascii() or all(one[1] == other[0] for one, other in pairwise(parts))


def test_any_text_is_answered() -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    alphabet = "ab Z9_-'.,数据库端口正则\u0e01\uac00\U00020000ﬁＡ🚀\ud800\x00\n"
    for _ in range(400):
        others("".join(chance.choice(alphabet) for _ in range(chance.randint(0, 300))))
    assert others("database, " * 100_000) == others("database")


def cut(query: str) -> dict[str, set[str]]:
    return {text: {name.shown for name in names} for text, names in segments(query)}


def test_a_question_is_cut_into_what_the_tables_know_and_what_is_left() -> None:
    found = cut("帮我修复 depot 里失败的单元测试")
    assert {"unit test"} <= found["单元测试"] and found["depot"] == set() and found["帮我"] == set()
    assert "merge request" in cut("Open a pull request now")["pull request"]
    assert "".join(cut("数据库端口是多少")) in ("是多少端口数据库", "端口数据库是多少")


def test_segments_lose_no_character_of_any_question() -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    for _ in range(300):
        query = "".join(chance.choice([*FORMS, "depot", "我", "们的", " ", " ", "，", "x"]) for _ in range(chance.randrange(1, 9)))
        pieces = Counter("".join(text for text, _ in segments(query)).replace(" ", ""))
        assert pieces == Counter(c for c in query.casefold() if re.match(f"[{CJK}a-z0-9]", c)), query


@pytest.mark.parametrize("query", ["", " ", "?!", "的", "a", "pull", "\x00\ud800", "单", "x" * 9_000, "数" * 9_000])
def test_odd_questions_are_cut_too(query: str) -> None:
    assert all(text for text, _ in segments(query))
