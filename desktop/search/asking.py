"""Asking the encoder for the vector of a question without waiting for it longer than a search may take.

The encoder is loaded and called in one thread of its own; a question that is not answered in time is answered for the next search. Owns
what the person is told when there is no vector. Thread-safe.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotInTime
from typing import Any

from desktop.base.errors import KeepsakeError
from desktop.base.phrases import say
from desktop.search.encoder import Encoder

log = logging.getLogger(__name__)

PATIENCE_S = 1.5
KEPT = 64
Answer = tuple[Encoder, Any] | None


class Asking:
    """Vectors of questions.

    Args:
        encoder: gives the encoder, or None when there is none; may raise KeepsakeError.
        patience_s: how long a search waits for the vector.
    """

    def __init__(self, encoder: Callable[[], Encoder | None], patience_s: float = PATIENCE_S) -> None:
        self._encoder = encoder
        self._patience_s = patience_s
        self._lock = threading.Lock()
        self._lane: ThreadPoolExecutor | None = None
        self._asked: OrderedDict[str, Future[Answer]] = OrderedDict()

    def vector(self, question: str) -> tuple[Answer, str]:
        """The encoder with its vector of the question, and a note for the person where there is none though one was to be had."""
        future = self._future(question)
        try:
            return future.result(self._patience_s), ""
        except NotInTime:
            return None, say("Search by meaning takes longer than usual; these are the results by words.")
        except KeepsakeError as error:
            self._forget(question)
            return None, say("Search by words only: {reason}", reason=error.message)
        except (OSError, ValueError, MemoryError, ArithmeticError) as error:
            self._forget(question)
            log.warning("the encoder failed", exc_info=error)
            return None, say("Search by words only: the encoder failed ({reason}).", reason=str(error) or type(error).__name__)

    def _future(self, question: str) -> Future[Answer]:
        with self._lock:
            future = self._asked.pop(question, None)
            if future is None:
                if self._lane is None:
                    self._lane = ThreadPoolExecutor(1, thread_name_prefix="encoder")
                future = self._lane.submit(self._ask, question)
                while len(self._asked) >= KEPT:
                    self._asked.popitem(last=False)
            self._asked[question] = future
            return future

    def _ask(self, question: str) -> Answer:
        encoder = self._encoder()
        return None if encoder is None else (encoder, encoder.query(question))

    def _forget(self, question: str) -> None:
        with self._lock:
            self._asked.pop(question, None)

    def forget(self) -> None:
        """Another encoder may be chosen from now on."""
        with self._lock:
            self._asked.clear()

    def close(self) -> None:
        with self._lock:
            lane, self._lane = self._lane, None
            self._asked.clear()
        if lane is not None:
            lane.shutdown(wait=False, cancel_futures=True)
