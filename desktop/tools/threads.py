"""Blocking work of tools in worker threads, and what a cancellation means for it. Called on the asyncio thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
SETTLE_S = 0.8
"""How long a cancelled call waits for a change that is under way, so that it is done or not done when the call has ended."""


async def stoppable(work: Callable[[threading.Event], T]) -> T:
    """Run reading work; when the caller is cancelled its event is set, so that the thread ends soon."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    except asyncio.CancelledError:
        stop.set()
        raise


async def settled(work: Callable[[], T]) -> T:
    """Run work that changes something; a cancelled caller waits for its end, at most `SETTLE_S` seconds."""
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        done, _ = await asyncio.wait([task], timeout=SETTLE_S)
        if done:
            task.exception()  # looked at, so that nothing is logged for it
        raise
