"""Output that was pasted bare and what a person takes back in the same message give no memory; what is asked for in words always does."""

from __future__ import annotations

import pytest

from desktop.providers.embedded_guards import Remember, extract_candidates, read_intent
from desktop.providers.embedded_sentences import sentences
from desktop.providers.embedded_standing import standing, without_output

OUTPUT = [
    "panic: nil map\ngoroutine 7 [running]:\nmain.(*Pool).take(0x0)\n\t/src/pool.go:31 +0x2a",
    "Warning  BackOff  2m  kubelet  Back-off restarting\nNormal  Pulled  3m  kubelet  Image is present",
    'src/list.ts(3,9): error TS2304: Cannot find name "row".\nsrc/list.ts(8,1): error TS1005: a comma is missing',
    "Epoch 3/10 loss: 0.4312 acc: 0.87\nEpoch 4/10 loss: 0.4102 acc: 0.88",
    "NAME   READY   STATUS   AGE\nweb-1   0/1   Pending   40m\napi-2   1/1   Running   3d",
    "10.0.0.4 - - [12/Nov/2026:03:14:07 +0000] 500 1043",
]
OWN = [
    "our env needs NODE_ENV=test in every container",
    "our firmware starts at 0x8000",
    "we deploy on fridays\nour api port is 8080",
    "我们用 postgres 15\n测试都放在 spec 目录",
]
TAKEN_BACK = [
    "We make backups at two. No wait, I mix it up with my old company",
    "our api port is 8080, no wait, scratch that",
    "our staging host is birch. Scratch that.",
    "我们用 mysql 8。不对，说错了",
    "接口端口是 8080。当我没说",
]


@pytest.mark.parametrize("pasted", OUTPUT)
def test_lines_that_a_program_printed_give_nothing(pasted: str) -> None:
    assert without_output(pasted).strip() == ""
    assert extract_candidates([pasted]) == []


@pytest.mark.parametrize("said", OWN)
def test_what_a_person_writes_is_no_output(said: str) -> None:
    assert without_output(said) == said


def test_a_fact_beside_pasted_output_is_kept() -> None:
    assert extract_candidates([f"{OUTPUT[0]}\nour api port is 8080"]) == ["our api port is 8080"]


@pytest.mark.parametrize("said", TAKEN_BACK)
def test_what_is_taken_back_in_the_same_message_is_not_kept(said: str) -> None:
    assert extract_candidates([said]) == []


def test_only_what_stands_before_is_taken_back() -> None:
    found = standing(sentences("We use Redis 6. Our api port is 8080. Scratch that. We deploy on fridays"))
    assert found[0].text == "We use Redis 6"
    assert "Our api port is 8080" not in [one.text for one in found]
    assert "We deploy on fridays" in [one.text for one in found]


def test_what_is_asked_to_be_remembered_stands() -> None:
    assert isinstance(read_intent("remember that the port is 8080. No wait, first run the tests"), Remember)
    assert isinstance(read_intent("remember: host=web01 port=80"), Remember)


@pytest.mark.parametrize("said", ["don't use a package for this, i want to understand it", "别用现成的库，我想自己弄懂"])
def test_a_limit_that_serves_learning_is_no_rule(said: str) -> None:
    assert read_intent(said) is None
    assert extract_candidates([said]) == []


def test_a_condition_at_the_end_keeps_what_it_belongs_to() -> None:
    said = "I skim these in the lift, so three lines, not essays, please, whenever you report to me"
    assert extract_candidates([said]) == [said]
