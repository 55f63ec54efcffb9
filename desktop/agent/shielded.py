"""Short work that is finished although its task is cancelled meanwhile. Asyncio thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def even_if_cancelled(work: Coroutine[Any, Any, T]) -> T:
    """Finish short `work` although the task is cancelled meanwhile; the cancellation then comes at the next wait."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if task.cancelled():
            raise
        result = await task
        current = asyncio.current_task()
        if current is not None:
            current.uncancel()
            current.cancel()
        return result
