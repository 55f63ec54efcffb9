"""Near duplicates and contradictions in English and Chinese: what is found, and above all what is not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from desktop.memory.contradiction import Claims, Contradiction, claims_in, contradictions
from desktop.memory.near_duplicates import near_pairs, sketch_of

START = datetime(2026, 1, 1, tzinfo=UTC)


def claims(path: str, text: str, day: int, *, supersedes: tuple[str, ...] = (), superseded: bool = False) -> Claims:
    return Claims(path, path, START + timedelta(days=day), False, supersedes, superseded, claims_in([(1, text)]))


def between(old: str, new: str) -> list[Contradiction]:
    return contradictions([claims("old", old, 0), claims("new", new, 1)])


def near(one: str, two: str) -> bool:
    return bool(near_pairs({"a": sketch_of(one), "b": sketch_of(two)}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The port is 3000.", "The port is 8080."),
        ("Postgres listens on port 5433", "Postgres runs on port 5432"),
        ("We use bun, not npm", "We use npm"),
        ("Use tabs, not spaces", "Use spaces, not tabs"),
        ("Never push on Fridays", "Always push on Fridays"),
        ("The default branch is main", "The default branch is develop"),
        ("The package manager is bun", "The package manager is npm because CI wants it"),
        ("服务端口是3000", "服务端口改为8080"),
        ("我们决定使用端口5433，数据库是postgres", "端口是5432"),
        ("提交信息语言是中文", "提交信息语言是英文"),
        ("包管理器用 bun", "包管理器用 npm"),
        ("缩进用两个空格", "缩进用四个空格"),
        ("用 bun 而不是 npm", "用 npm 而不是 bun"),
        ("不要在周五部署", "在周五部署"),
    ],
)
def test_two_values_of_one_subject_contradict_and_the_older_is_named(old: str, new: str) -> None:
    [found] = between(old, new)
    assert (found.path, found.other) == ("old", "new")
    assert found.value
    assert found.other_value


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The API port is 3000 in development", "The API port is 8080 in production"),
        ("The port of the API is 3000", "The port of the admin page is 8080"),
        ("The Python version is 3.12", "The Python version is 3.12.4"),
        ("The owner is Ann", "The reviewer is Bob"),
        ("The API uses Redis", "The API uses Postgres"),
        ("The port was 3000 before the move", "The port is 8080"),
        ("If the port is 3000, it is the old server", "The port is 8080"),
        ("Is the port 3000?", "The port is 8080"),
        ("The timeout is 30 seconds", "The timeout of the API is 10 seconds"),
        ("开发环境端口是3000", "生产环境端口是8080"),
        ("数据库负责人是小王", "前端负责人是小李"),
        ("Do not commit secrets", "Commit messages are imperative"),
        ("The port is 3000.", "The port is 3000!"),
    ],
)
def test_other_conditions_subjects_and_times_do_not_contradict(old: str, new: str) -> None:
    assert between(old, new) == []


def test_a_superseded_memory_that_still_stands_is_named_until_it_is_marked() -> None:
    new = claims("new", "Anything.", 1, supersedes=("old.md",))
    assert [(one.path, one.other) for one in contradictions([claims("old", "Something.", 0), new])] == [("old", "new")]
    assert contradictions([claims("old", "Something.", 0, superseded=True), new]) == []
    assert contradictions([new]) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("We use bun for builds", "The build runs with bun"),
        ("我们决定使用端口5433，数据库是postgres", "决定用端口 5433，数据库是 postgres"),
        (
            "Deploys go through staging first, then Ann checks the metrics board.",
            "Deploys go through staging first, then Ann checks the metrics board twice.",
        ),
        ("回答用中文，代码注释、提交信息和文档都用英文书写。", "回答用中文，代码注释、提交信息和文档都要用英文书写"),
    ],
)
def test_the_same_in_other_small_words_is_near(one: str, two: str) -> None:
    assert near(one, two)
    assert near(two, one)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("use tabs not spaces", "use spaces not tabs"),
        ("deploy on Monday", "deploy on Tuesday"),
        ("run lint before tests", "run tests before lint"),
        ("提交信息用中文写", "提交信息用英文写"),
        ("never commit to main", "commit to main"),
        ("先部署数据库，再部署服务", "先部署服务，再部署数据库"),
        (
            "The nightly job of the archive moved to the second region in March",
            "The nightly job of the archive moved to the third region in March",
        ),
        ("Use bun", "Use npm"),
        ("", ""),
        (
            "The server has 8 cores and 32 GB of memory in rack 4 of the lab",
            "The server has 8 cores and 64 GB of memory in rack 4 of the lab",
        ),
        ("周会在周一上午十点，地点是二楼会议室，小王主持", "周会在周二上午十点，地点是二楼会议室，小王主持"),
    ],
)
def test_another_value_or_another_order_is_not_near(one: str, two: str) -> None:
    assert not near(one, two)


def test_many_texts_of_common_words_are_compared_in_time() -> None:
    texts = {
        f"n{number}": sketch_of(
            f"Decision number {number} about topic t{number} of the archive was made by the team in room r{number % 7}."
        )
        for number in range(3_000)
    }
    assert near_pairs(texts) == []
