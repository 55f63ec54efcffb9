"""What a text encoder is for dense search: texts in, unit vectors out. Only the shape; numpy is named for types alone.

An encoder is made elsewhere (`desktop/providers/encoders.py`) and handed in. Its calls take CPU time: a worker thread makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy


class Encoder(Protocol):
    """Makes vectors whose dot product tells how near two texts are in meaning. Safe to call from several threads, one at a time each.

    Attributes:
        id: stands beside every stored vector; it changes when vectors are not comparable any more.
        dimensions: length of a vector.
        share: weight of what it finds against what words find, 0…1; measured for each (docs/benchmarks.md).
        languages: None: any. Otherwise only texts that `language_of` calls so are encoded, since an encoder of one language gives
            vectors without sense for another.
    """

    @property
    def id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def share(self) -> float: ...

    @property
    def languages(self) -> frozenset[str] | None: ...

    def passages(self, texts: Sequence[str]) -> numpy.ndarray:
        """Vectors of texts that will be found: float32, (n, dimensions), each of length 1."""
        ...

    def query(self, text: str) -> numpy.ndarray:
        """The vector of a question: float32, (dimensions,), of length 1."""
        ...
