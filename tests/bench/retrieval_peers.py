"""Other searches behind the interface of the retrieval harness, to be run beside ours: each `make_NAME()` gives `build(docs)` and
`search(query, k)`.

Every peer gets each text as one row and only the words of the question, as its own documentation shows it, with an English stemmer where it
has one. None of them is a dependency of Keepsake: their packages are imported when a peer is made, and one that is missing says how it is
installed. Knows nothing of any data set.
"""

from __future__ import annotations

import importlib
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from desktop.base.words import CJK

Doc = tuple[object, str, object]
_WORD = re.compile(r"\w+")
_WIDE = re.compile(f"[{CJK}]+")
MOST_FETCHED = 50
"""S1 takes three times as many rows as it shows, at most so many (FT-08)."""


class Peer(Protocol):
    """What the harness calls."""

    def build(self, docs: Sequence[Doc]) -> None: ...

    def search(self, query: str, k: int) -> list[object]: ...


class PeerMissing(Exception):
    """A package is not installed; the message says how to install it."""


def package(name: str, *install: str) -> ModuleType:
    """A module of a peer.

    Raises:
        PeerMissing: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        wanted = " ".join(install or (name,))
        raise PeerMissing(
            f"{wanted} is not installed: `python -m pip install --target PEERS {wanted}`, then run with PYTHONPATH=PEERS. "
            "It is a peer to compare with and no dependency of Keepsake."
        ) from error


class Fts5:
    """A table of SQLite's full-text search, a row for each text, in the order of its own BM25.

    Args:
        tokenize: FTS5's option.
        expression: makes the MATCH expression of a question; "" finds nothing.
    """

    def __init__(self, tokenize: str, expression: Callable[[str], str]) -> None:
        self._expression = expression
        self._ids: list[object] = []
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute(f"CREATE VIRTUAL TABLE row USING fts5 (body, tokenize = '{tokenize}')")  # our own constant

    def build(self, docs: Sequence[Doc]) -> None:
        self._ids = [identity for identity, _, _ in docs]
        self._connection.executemany("INSERT INTO row (rowid, body) VALUES (?, ?)", enumerate(text for _, text, _ in docs))
        self._connection.execute("INSERT INTO row (row) VALUES ('optimize')")

    def search(self, query: str, k: int) -> list[object]:
        expression = self._expression(query)
        if not expression:
            return []
        rows = self._connection.execute(
            "SELECT rowid FROM row WHERE row MATCH ? ORDER BY bm25(row) LIMIT ?", (expression, min(3 * k, MOST_FETCHED))
        )
        return [self._ids[number] for (number,) in rows.fetchall()][:k]

    def close(self) -> None:
        self._connection.close()


def any_word(query: str) -> str:
    """FT-07: runs of letters, digits and underscore, each quoted, joined by OR."""
    return " OR ".join(f'"{word}"' for word in _WORD.findall(query))


def any_trigram(query: str) -> str:
    """Words of three letters and more; a longer run of Chinese by each three characters of it, without which it never matches."""
    found: list[str] = []
    for word in _WORD.findall(query):
        if _WIDE.search(word):
            found += [word[at : at + 3] for at in range(len(word) - 2)]
        elif len(word) >= 3:
            found.append(word)
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(found))


def make_s1() -> Peer:
    """S1's design as the FT rows of the design describe it, without its floor: a floor only takes hits away."""
    return Fts5("unicode61 remove_diacritics 1", any_word)


def make_trigram() -> Peer:
    """FTS5's `trigram`, often advised for Chinese."""
    return Fts5("trigram", any_trigram)


class Bm25s:
    """The package bm25s: BM25 as a sparse matrix, English stop words and the Snowball stemmer, as its README begins."""

    def __init__(self) -> None:
        self._library: Any = package("bm25s", "bm25s", "PyStemmer")
        self._stemmer: Any = package("Stemmer", "PyStemmer").Stemmer("english")
        self._index: Any = None
        self._ids: list[object] = []

    def _words(self, texts: Sequence[str], *, ids: bool) -> Any:
        return self._library.tokenize(list(texts), stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=ids)

    def build(self, docs: Sequence[Doc]) -> None:
        self._ids = [identity for identity, _, _ in docs]
        self._index = self._library.BM25()
        self._index.index(self._words([text for _, text, _ in docs], ids=True), show_progress=False)

    def search(self, query: str, k: int) -> list[object]:
        words = self._words([query], ids=False)
        if not words[0]:
            return []
        found, scores = self._index.retrieve(words, k=min(k, len(self._ids)), show_progress=False)
        return [self._ids[int(number)] for number, score in zip(found[0], scores[0], strict=True) if score > 0]


def make_bm25s() -> Peer:
    return Bm25s()


class Bm25sJieba(Bm25s):
    """bm25s over words that the package jieba cuts, stemmed where they are English: what one would build for Chinese from packages."""

    def __init__(self) -> None:
        super().__init__()
        self._jieba: Any = package("jieba")
        self._jieba.setLogLevel("ERROR")

    def _words(self, texts: Sequence[str], *, ids: bool) -> Any:
        return [self._stemmer.stemWords([w for w in self._jieba.cut_for_search(text.lower()) if _WORD.fullmatch(w)]) for text in texts]


def make_bm25s_jieba() -> Peer:
    return Bm25sJieba()


class RankBm25:
    """The package rank-bm25, which many agents' frameworks use: BM25Okapi over words in lower case, without stemming as it has none."""

    def __init__(self) -> None:
        self._library: Any = package("rank_bm25", "rank-bm25")
        self._numpy: Any = package("numpy")
        self._index: Any = None
        self._ids: list[object] = []

    def build(self, docs: Sequence[Doc]) -> None:
        self._ids = [identity for identity, _, _ in docs]
        self._index = self._library.BM25Okapi([_WORD.findall(text.lower()) for _, text, _ in docs])

    def search(self, query: str, k: int) -> list[object]:
        scores = self._index.get_scores(_WORD.findall(query.lower()))
        best = self._numpy.argsort(-scores, kind="stable")[:k]
        return [self._ids[int(number)] for number in best if scores[number] > 0]


def make_rank_bm25() -> Peer:
    return RankBm25()


class Tantivy:
    """The package tantivy, a search engine in Rust, with its English stemmer; words joined by OR."""

    def __init__(self) -> None:
        self._library: Any = package("tantivy")
        schema = self._library.SchemaBuilder()
        schema.add_text_field("body", tokenizer_name="en_stem")
        schema.add_integer_field("number", stored=True)
        self._folder = tempfile.mkdtemp(prefix="tantivy-")
        self._index: Any = self._library.Index(schema.build(), path=self._folder)
        self._searcher: Any = None
        self._ids: list[object] = []

    def build(self, docs: Sequence[Doc]) -> None:
        self._ids = [identity for identity, _, _ in docs]
        writer = self._index.writer()
        for number, (_, text, _) in enumerate(docs):
            writer.add_document(self._library.Document(body=text, number=number))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, query: str, k: int) -> list[object]:
        expression = any_word(query)
        if not expression:
            return []
        found = self._searcher.search(self._index.parse_query(expression, ["body"]), k)
        return [self._ids[self._searcher.doc(address)["number"][0]] for _, address in found.hits]

    def close(self) -> None:
        self._searcher = self._index = None
        shutil.rmtree(self._folder, ignore_errors=True)


def make_tantivy() -> Peer:
    return Tantivy()


class Whoosh:
    """The package whoosh-reloaded, full-text search in Python alone: its stemming analyser, BM25F, words joined by OR."""

    def __init__(self) -> None:
        self._fields: Any = package("whoosh.fields", "whoosh-reloaded")
        self._storage: Any = package("whoosh.filedb.filestore", "whoosh-reloaded").RamStorage()
        analyser = package("whoosh.analysis", "whoosh-reloaded").StemmingAnalyzer()
        schema = self._fields.Schema(number=self._fields.STORED, body=self._fields.TEXT(analyzer=analyser))
        self._index: Any = self._storage.create_index(schema)
        query: Any = package("whoosh.query", "whoosh-reloaded")
        self._any, self._term, self._analyser = query.Or, query.Term, analyser
        self._searcher: Any = None
        self._ids: list[object] = []

    def build(self, docs: Sequence[Doc]) -> None:
        self._ids = [identity for identity, _, _ in docs]
        writer = self._index.writer()
        for number, (_, text, _) in enumerate(docs):
            writer.add_document(number=number, body=text)
        writer.commit()
        self._searcher = self._index.searcher()

    def search(self, query: str, k: int) -> list[object]:
        words = dict.fromkeys(token.text for token in self._analyser(query, mode="query"))
        found = self._searcher.search(self._any([self._term("body", word) for word in words]), limit=k)
        return [self._ids[hit["number"]] for hit in found]

    def close(self) -> None:
        if self._searcher is not None:
            self._searcher.close()


def make_whoosh() -> Peer:
    return Whoosh()


@dataclass(frozen=True, slots=True)
class Known:
    """A peer in the table.

    Attributes:
        make: as the harness calls it; raises PeerMissing.
        what: for whoever reads the table.
    """

    make: Callable[[], Peer]
    what: str


PEERS: dict[str, Known] = {
    "s1": Known(make_s1, "S1's design: FTS5 `unicode61`, all words by OR"),
    "trigram": Known(make_trigram, "FTS5 `trigram`, all words by OR"),
    "bm25s": Known(make_bm25s, "bm25s with English stop words and stemmer"),
    "bm25s+jieba": Known(make_bm25s_jieba, "bm25s over words cut by jieba"),
    "rank-bm25": Known(make_rank_bm25, "rank-bm25, BM25Okapi over words"),
    "tantivy": Known(make_tantivy, "tantivy, `en_stem`, all words by OR"),
    "whoosh": Known(make_whoosh, "whoosh-reloaded, stemming analyser, BM25F, all words by OR"),
}
