"""Porter's stems are SQLite's own, so that what the index found is marked."""

from __future__ import annotations

import random
import sqlite3

from desktop.search.porter import LONGEST, porter

_ROOTS = """
run plan stop map commit cache use deploy configur test index hope fall hiss fizz agree feed plaster motor conflat troubl siz happy sky
relation condition ration valency digitizer conform radical different vile analog vietnam predic operat feudal decis hopeful callous
formal sensit sensibl triplic form electric good reviv allow infer airline gyroscop adjust defens"""
_ENDINGS = """
s es ed ing er ers ly y ies ied ation ations ational izer ization alism iveness fulness ousness aliti iviti biliti icate ative alize iciti
ical ful ness al ance ence ic able ible ant ement ment ent ion ou ism ate iti ous ive ize e ll sses eed logi"""
ROOTS, ENDINGS = _ROOTS.split(), _ENDINGS.split()


def sqlite_stems(words: list[str]) -> list[str | None]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE kept USING fts5 (word, tokenize = 'porter unicode61 remove_diacritics 1')")
    connection.execute("CREATE VIRTUAL TABLE stem USING fts5vocab (kept, instance)")
    connection.executemany("INSERT INTO kept (rowid, word) VALUES (?, ?)", enumerate(words))
    found = dict(connection.execute("SELECT doc, term FROM stem"))
    connection.close()
    return [found.get(number) for number in range(len(words))]


def test_stems_are_those_of_sqlite() -> None:
    seed = 20_261_130
    print("seed", seed)
    chance = random.Random(seed)
    words = [root + ending for root in ROOTS for ending in ("", *ENDINGS)]
    words += ["".join(chance.choices("aeioubcdlrsty", k=chance.randint(5, 9))) + chance.choice(ENDINGS) for _ in range(3_000)]
    assert list(map(porter, words)) == sqlite_stems(words)


def test_what_is_no_plain_word_stays() -> None:
    for word in ("", "a", "is", "éclairs", "x" * LONGEST, "数据"):
        assert porter(word) == word
