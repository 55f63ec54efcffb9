"""The tools that measure search: peers find what their design can find, and the tables say what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import bench_retrieval as bench
from tests.bench.retrieval_peers import PEERS, Peer, PeerMissing, package

DOCS = [
    ("port", "The database listens on port 5433.", "a"),
    ("tabs", "Indent with tabs, never with blanks.", "a"),
    ("deploy", "Deployments happen on Thursdays.", "b"),
    ("db", "我们决定使用端口5433，数据库是 postgres。", "b"),
]
RESULTS: bench.Results = {
    "ours": {
        "codemem": {
            "queries": 4,
            "docs": 2,
            "hit5": 0.5,
            "r5": 0.5,
            "worst": 0.25,
            "cpu_p50_ms": 1.0,
            "cpu_p95_ms": 2.0,
            "build_cpu_s": 0.1,
        }
    },
    "s1": {
        "codemem": {
            "queries": 4,
            "docs": 2,
            "hit5": 0.25,
            "r5": 0.25,
            "worst": 0.0,
            "cpu_p50_ms": 1.0,
            "cpu_p95_ms": 2.0,
            "build_cpu_s": 0.1,
        }
    },
}
for found in RESULTS.values():
    found["codemem"]["kinds"] = {"en>zh": {"n": 4, "hit5": 0.5}}


def made(name: str) -> Peer:
    try:
        peer = PEERS[name].make()
    except PeerMissing as error:
        pytest.skip(str(error))
    peer.build(DOCS)
    return peer


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_an_english_word_and_survives_odd_questions(name: str) -> None:
    peer = made(name)
    try:
        assert peer.search("which port does the database use", 3)[0] == "port"
        for odd in ("", "?!", '" OR * NEAR(', "zzz qqq", "\N{GRINNING FACE}"):
            assert len(peer.search(odd, 3)) <= 3
    finally:
        bench.close(peer)


def test_the_design_that_takes_a_run_for_a_word_finds_no_part_of_it() -> None:
    s1, trigram = made("s1"), made("trigram")
    assert s1.search("数据库", 3) == []
    assert trigram.search("数据库", 3) == ["db"]
    assert trigram.search("端口", 3) == [], "two characters are no trigram"


def test_a_missing_package_is_named_with_the_way_to_install_it() -> None:
    with pytest.raises(PeerMissing, match=r"pip install --target PEERS no-such-package"):
        package("no_such_module_here", "no-such-package")


def test_the_table_holds_what_was_asked_for_and_every_retriever() -> None:
    rows = bench.main_table(RESULTS)
    assert rows[0] == ["", "codemem hit@5 / worst direction"]
    assert ["must, no model", "0.55 / –"] in rows
    assert ["ours, words alone", "0.500 / 0.250"] in rows
    assert rows[-1][1] == "0.250 / 0.000"


def test_what_is_not_reached_is_told_for_ours_alone() -> None:
    assert bench.missed(RESULTS)[1:] == [
        ["ours, words alone", "codemem hit@5 0.500 < 0.55", "codemem hit@5 0.500 < 0.95, codemem worst direction 0.250 < 0.90"]
    ]


def test_a_figure_that_was_not_measured_is_an_empty_cell() -> None:
    assert bench.main_table({**RESULTS, "bm25s": {}})[-1][1] == ""
    assert bench.shown({}, bench.as_text).count("\n") == 0, "without figures there is no table"


def test_a_page_gets_the_tables_between_its_marks_and_keeps_the_rest(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{bench.MARKS[0]}\nold\n{bench.MARKS[1]}\nafter\n", encoding="utf-8")
    bench.put_into(page, "new")
    assert page.read_text(encoding="utf-8") == f"before\n{bench.MARKS[0]}\n\nnew\n\n{bench.MARKS[1]}\nafter\n"
    page.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="does not hold the marks"):
        bench.put_into(page, "new")
    assert page.read_text(encoding="utf-8") == "no marks"


def test_the_variable_for_the_encoder_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setenv("KEEPSAKE_DENSE", "minilm")
    with bench.dense("off"):
        assert os.environ["KEEPSAKE_DENSE"] == "off"
    assert os.environ["KEEPSAKE_DENSE"] == "minilm"


def test_names_come_from_a_variable_or_are_all() -> None:
    assert bench.chosen({"X": " a, b,"}, "X", ["c"]) == ["a", "b"]
    assert bench.chosen({}, "X", ["c"]) == ["c"]
    assert "there is no retriever nothing" in bench.absent("nothing")
