"""The right to extract: one process a project at a time (EX-04), held by the operating system, so that a killed holder leaves none behind.

Owns the lock's place and the waiting for it. Whoever does not get it leaves its work pending. Asyncio thread; asking takes a moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager

from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import AppPaths

ASK_AGAIN_S = 0.25
Lease = Callable[[float], AbstractAsyncContextManager[bool]]
"""Takes how many seconds to wait; gives whether the lease was had."""


def extraction_lease(paths: AppPaths, key: str) -> Lease:
    """The lease of the project whose memory has this key."""
    file = paths.state / "locks" / f"extract-{key}.lock"

    @asynccontextmanager
    async def lease(wait_s: float) -> AsyncIterator[bool]:
        with ExitStack() as stack:
            waits = int(wait_s / ASK_AGAIN_S)
            had = _taken(stack)
            while not had and waits > 0:
                waits -= 1
                await asyncio.sleep(ASK_AGAIN_S)
                had = _taken(stack)
            yield had

    def _taken(stack: ExitStack) -> bool:
        try:
            stack.enter_context(held(file, timeout_s=0))
        except StorageError:
            return False
        return True

    return lease
