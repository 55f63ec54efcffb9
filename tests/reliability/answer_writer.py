"""A process in which answers stream, to be killed: `python -m tests.reliability.answer_writer FOLDER LOG ANSWERS SEED`.

What it tells stands in LOG, one line a fact, each written before the next thing happens, with the system's monotonic seconds:
`delta N T LENGTH` (so much of answer N was given to the listener), `stored N T ID` (a message was acknowledged), `late T S` (its loop was
S seconds late).
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from pathlib import Path

from desktop.agent.session import AgentSession
from desktop.messages.events import ApprovalAnswer, ApprovalRequest, MessageAppended, TextDelta, TurnEvent
from tests.helpers.agent import Desk

WORDS = 4_000
TICK_S = 0.02


def answer_text(number: int) -> str:
    """Every piece of it stands in one place only."""
    return " ".join(f"{number}字{word}" for word in range(WORDS))


async def _deny(_request: ApprovalRequest) -> ApprovalAnswer:
    return ApprovalAnswer("deny")


class _Log:
    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tell(self, *words: object) -> None:
        os.write(self._file, (" ".join(map(str, words)) + "\n").encode())

    async def tick(self) -> None:
        before = time.monotonic()
        while True:
            await asyncio.sleep(TICK_S)
            now = time.monotonic()
            if now - before > 2 * TICK_S:
                self.tell("late", now, now - before)
            before = now


async def _answer(session: AgentSession, number: int, log: _Log, begins_s: float) -> None:
    length = 0

    def emit(event: TurnEvent) -> None:
        nonlocal length
        if isinstance(event, TextDelta):
            length += len(event.text)
            log.tell("delta", number, time.monotonic(), length)
        elif isinstance(event, MessageAppended):
            log.tell("stored", number, time.monotonic(), event.message.id)

    await asyncio.sleep(begins_s)
    await session.run(f"Tell me story {number}", emit, _deny)


async def main(folder: str, log: str, answers: int, seed: int) -> None:
    chance = random.Random(seed)
    desk, told = Desk(Path(folder)), _Log(log)
    sessions = []
    for number in range(answers):
        pace = {"delay_ms": chance.randint(2, 15), "chunk": chance.randint(3, 40)}
        sessions.append(desk.session({"text": answer_text(number), **pace}, name=f"script-{number}.json"))
        (Path(folder) / f"session-{number}").write_text(sessions[-1].id)
    ticking = asyncio.ensure_future(told.tick())
    await asyncio.gather(*(_answer(one, number, told, chance.uniform(0, 0.8)) for number, one in enumerate(sessions)))
    ticking.cancel()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
