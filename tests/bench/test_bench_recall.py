"""The labelled set of recall stays as good as it was measured, and its notes and messages are what they say."""

from __future__ import annotations

from pathlib import Path

from tests.bench.bench_recall import World, cases, rates
from tests.helpers.searches import opened


def test_the_set_is_large_in_both_languages_and_names_only_its_own_notes() -> None:
    found = cases()
    paths = {note["path"] for note in found["notes"]}
    for part, least in (("cases", 160), ("held", 48)):
        listed = found[part]
        assert len(listed) >= least and len({case["question"] for case in listed}) == len(listed)
        for language in ("en", "zh"):
            own = [case for case in listed if case["lang"] == language]
            assert len(own) * 2 >= len(listed) - 4
            assert 0.4 < sum(not case["want"] for case in own) / len(own) < 0.6
        assert {path for case in listed for path in case["want"]} <= paths
    assert {case["question"] for case in found["cases"]}.isdisjoint(case["question"] for case in found["held"])


def test_unrelated_messages_recall_nothing_and_related_ones_what_they_should(tmp_path: Path) -> None:
    world = World(tmp_path, 0)
    opened(world.search)
    world.recall.warm()
    for part, most_false, most_missed in (("cases", 4, 8), ("held", 3, 3)):
        found = rates(world, part)
        assert sum(rate.false for rate in found.values()) <= most_false, {lang: rate.wrong for lang, rate in found.items()}
        assert sum(rate.related - rate.hits for rate in found.values()) <= most_missed, {lang: rate.wrong for lang, rate in found.items()}
