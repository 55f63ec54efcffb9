"""The sentence classifier of the guards: its weights are whole, it decides both ways, and no score opens what the hard guards keep shut."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from desktop.base.resources import resource_path
from desktop.providers import embedded_classifier, embedded_statements
from desktop.providers.embedded_classifier import ABOUT, FOLDER, TYPE_BUCKETS, TYPES, WEIGHTS, likely_type, score
from desktop.providers.embedded_guards import Remember, extract_candidates, read_intent
from desktop.providers.embedded_ngrams import BUCKETS, FLAG, features, tokenized
from desktop.providers.embedded_sentences import sentences
from desktop.providers.embedded_statements import fact_of, may_be_admitted, taken_by_form

ADMITTED = [
    "gpl is a no go for us",
    "my eyes glaze over at more than a screenful",
    "old thinkpad, 4 gigs, please nothing heavy",
    "扫码枪走串口 9600",
    "我开面包店的，网站自己做的",
]
SHUT = [
    "half of the stores are still on windows 7, aren't they?",
    "is half of the fleet still on windows 7?",
    "WARNING: half of the stores are still on windows 7",
    "npm ERR! half of the stores are still on windows 7",
    "acceptance criteria: half of the stores are still on windows 7",
    "> half of the stores are still on windows 7",
    "```\nhalf of the stores are still on windows 7\n```",
    "assume half of the stores are still on windows 7",
    "half of the stores are still on windows 7, add a check",
    "需求：扫码枪走串口 9600",
    "扫码枪走串口 9600 吗",
    "假设扫码枪走串口 9600",
]
TASKS = [
    "the popup should close on escape, that's the ticket",
    "this function does too many things",
    "my laptop is so slow today",
    "oh great, another friday deploy",
    "这个函数太长了",
    "哇，半夜上线，我好期待",
    "预发又挂了",
]


PLAIN = """
our workers run on php 8.1
we use postgres 15
our api port is 8080
we deploy on fridays
tests live in spec/
I prefer short answers
our ci runs on github actions
our app runs on kubernetes
the backend is written in go
my timezone is UTC+2
the main branch is called develop
we release every two weeks
we have two environments
I'm a python developer
我们用 postgres 15
测试都放在 spec 目录
我们每周五发版
后端是 go 写的
我喜欢简短的回答
我用 vim
我是做前端的
客户都在日本
文档在 wiki 上
""".strip().splitlines()


@pytest.fixture
def no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The resources of the classifier are looked for in an empty folder."""
    monkeypatch.setattr(embedded_classifier, "resource_path", lambda *parts: tmp_path.joinpath(*parts))
    embedded_classifier._weights.cache_clear()
    yield tmp_path
    embedded_classifier._weights.cache_clear()


def _one(text: str) -> float:
    found = score(sentences(text)[0], known=False)
    assert found is not None
    return found


def test_the_weights_are_whole_and_small() -> None:
    raw = resource_path(FOLDER, WEIGHTS).read_bytes()
    about = json.loads(resource_path(FOLDER, ABOUT).read_text(encoding="utf-8"))
    assert len(raw) == 2 * BUCKETS + len(TYPES) * TYPE_BUCKETS <= 200_000
    assert sha256(raw).hexdigest() == about["sha256"]
    assert about["sentences"] >= 1_500


@pytest.mark.parametrize("said", ADMITTED)
def test_what_no_form_knows_is_taken_by_its_score(said: str) -> None:
    assert not taken_by_form(sentences(said)[0])
    assert extract_candidates([said])


@pytest.mark.parametrize("said", SHUT)
def test_no_score_opens_what_the_hard_guards_keep_shut(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_statements, "score", lambda sentence, around=None, *, known: 99.0)
    assert extract_candidates([said]) == []


def test_no_score_lets_a_secret_in() -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5" * 3 + "F6g7H8"
    assert not may_be_admitted(sentences(f"the runners all use {secret} these days")[0])


@pytest.mark.parametrize("said", TASKS)
def test_what_is_of_the_moment_scores_low(said: str) -> None:
    assert _one(said) < 0
    assert extract_candidates([said]) == []


@pytest.mark.parametrize("said", PLAIN)
def test_plain_facts_are_not_lost(said: str) -> None:
    assert extract_candidates([said])


def test_a_doubtful_form_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Nobody merges to the release branch except Ivana"
    assert extract_candidates([said])
    monkeypatch.setattr(embedded_statements, "score", lambda sentence, around=None, *, known: -3.0)
    assert extract_candidates([said]) == []


@pytest.mark.parametrize("said", ["Always check the return value", "Never log passwords", "以后都用空格", "from now on sign the commits"])
def test_a_plain_order_for_every_case_passes_whatever_its_score(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_classifier, "score", lambda sentence, around=None, *, known: -9.0)
    assert isinstance(read_intent(said), Remember)


@pytest.mark.parametrize("said", ["以后说不定会用 graphql，现在先不考虑", "以后也许换成 zig，再看"])
def test_a_supposition_in_the_form_of_a_rule_is_none(said: str) -> None:
    assert read_intent(said) is None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("we're on flask 2.3, can i use async views there?", "we're on flask 2.3"),
        ("我们用的 flask 2.3，能用异步视图吗？", "我们用的 flask 2.3"),
    ],
)
def test_what_is_told_beside_a_question_is_judged_without_the_question(said: str, told: str) -> None:
    assert extract_candidates([said]) == [told]


@pytest.mark.parametrize("said", ["remember: this function does too many things", "记住：这个函数太长了"])
def test_explicit_words_pass_whatever_the_score(said: str) -> None:
    assert isinstance(read_intent(said), Remember)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("not a fan of long parameter lists", "feedback"),
        ("css and i don't get along, never learnt it properly", "user"),
        ("our scanners speak serial at 9600 baud", "project"),
        ("the wiki is at https://wiki.corp.example/x", "reference"),
        ("mock 我信不过，能用 fake 就用 fake", "feedback"),
        ("我本职是护士，写代码是爱好", "user"),
        ("预发每晚清空", "project"),
    ],
)
def test_types(said: str, kind: str) -> None:
    assert fact_of(said).type == kind


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "broken", "emptied", "no-object"])
def test_damaged_weights_leave_the_guards_to_decide_alone(damage: str, no_weights: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = no_weights / FOLDER
    folder.mkdir()
    raw = resource_path(FOLDER, WEIGHTS).read_bytes()
    if damage != "missing":
        spoilt = {"broken": b"{", "emptied": b"{}", "no-object": b"[]"}
        (folder / ABOUT).write_bytes(spoilt.get(damage) or resource_path(FOLDER, ABOUT).read_bytes())
        (folder / WEIGHTS).write_bytes(raw[:-1] if damage == "cut" else bytes([raw[0] ^ 1]) + raw[1:])
    with caplog.at_level(logging.WARNING):
        assert extract_candidates(["our package manager is bun"]) == ["our package manager is bun"]
        assert extract_candidates([ADMITTED[0]]) == []
    assert likely_type(sentences("our package manager is bun")[0]) is None
    assert len([one for one in caplog.records if "classifier" in one.message]) == 1


def test_features_are_of_length_one_beside_the_flags_and_the_same_in_every_process() -> None:
    row = features("we use nats over kafka", ("form",))
    assert sum(value * value for value in row.values()) == pytest.approx(1 + FLAG * FLAG)
    code = "from desktop.providers.embedded_ngrams import features; print(sorted(features('we use nats over kafka', ('form',)).items()))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"})
    assert other.stdout.strip() == str(sorted(row.items()))


def test_names_become_their_kinds() -> None:
    assert tokenized("see https://x.example/a or src/app/main.py, since v2.1 on 2027-01-02") == [
        *("see", "<url>", "or", "<path>", ",", "since", "<num>", "on", "<date>")
    ]
    assert tokenized("ask Marta in #help about max_size") == ["ask", "<name>", "in", "<channel>", "about", "<id>"]


@pytest.mark.parametrize("text", ["", " ", "□" * 50, "a" * 10_000, "，" * 5_000, "我们" * 5_000, "1 " * 9_000, "a/" * 9_000, "𝒳" * 100])
def test_any_text_has_features(text: str) -> None:
    assert all(0 <= bucket < BUCKETS for bucket in features(text))


def test_the_guards_start_without_numpy_and_without_the_weights() -> None:
    code = (
        "import sys; from desktop.providers.embedded_guards import extract_candidates, read_intent; read_intent('Remember: we use bun');"
        "assert 'desktop.providers.embedded_classifier' not in sys.modules; extract_candidates(['our linter is ruff']);"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
