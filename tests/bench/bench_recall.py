"""Recall by words: how long a turn waits for it at 100, 1,000 and 10,000 notes, and what it recalls of a labelled set of messages.

Budget: p95 of the wall time from `begin` to the text of the first half at most 100 ms (`memory.recall_wait_ms`), once the index is in step.
The set, `recall_cases.json`, holds notes of an invented company and messages to its coding agent in English and Chinese, on half of which
no note bears. `cases` were in view when the weights were fitted, `held` was written afterwards and measured as it is. Prints figures; fails
when more than 15 % of the unrelated messages of either recall anything, or fewer than 80 % of the others what they should.
Run it as `python -m tests.bench.bench_recall`; KEEPSAKE_BENCH_SIZES chooses other numbers of notes.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.agent.recall import Recall
from desktop.base.clock import SystemClock
from desktop.base.ids import new_message_id
from desktop.base.paths import AppPaths
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.memories import Memories
from desktop.memory.search import MemorySearch
from desktop.memory.switches import MemoryState
from desktop.providers.scripted import ScriptedModel
from desktop.settings.store import SettingsStore

SIZES = (100, 1_000, 10_000)
BUDGET_MS = 100.0
MOST_FALSE, LEAST_HITS = 0.15, 0.8
CASES = Path(__file__).with_name("recall_cases.json")
ON = MemoryState(True, "", True, "", "auto")
_FILL = {
    "en": "anchor barge buoy cargo crane dock ferry gauge harbour hull jetty keel ladder mast moor pallet pier pilot quay rope rudder sail "
    "ship tide tug vessel wharf winch yard berth chart deck",
    "zh": "锚 驳船 浮标 货物 吊机 码头 渡轮 港口 船体 栈桥 龙骨 梯子 桅杆 系泊 托盘 引水 缆绳 船舵 船帆 潮汐 拖轮 船厂 泊位 "
    "海图 甲板 航道 灯塔 船坞 舱位 集装箱",
}


def cases() -> dict[str, Any]:
    """The labelled set: `notes`, and `cases` with the paths that bear on each question."""
    found: dict[str, Any] = json.loads(CASES.read_text(encoding="utf-8"))
    return found


def note_text(note: dict[str, Any]) -> str:
    """A note of the set as a memory file."""
    keywords = f"  keywords: {json.dumps(note['keywords'], ensure_ascii=False)}\n" if note["keywords"] else ""
    description = json.dumps(note["description"], ensure_ascii=False)
    return f"---\nname: {note['name']}\ndescription: {description}\nmetadata:\n  type: {note['type']}\n{keywords}---\n\n{note['body']}\n"


def fill(root: Path, count: int) -> None:
    """Notes about harbours, in both languages, that bear on none of the questions."""
    chance = random.Random(7)
    for number in range(count):
        words = _FILL["zh" if number % 3 == 0 else "en"].split()
        folder = root / f"fill-{number % 20}"
        folder.mkdir(exist_ok=True)
        title, text = " ".join(chance.sample(words, 3)), " ".join(chance.choices(words, k=60))
        (folder / f"fill-{number}.md").write_text(
            f"---\nname: {title}\ndescription: {text[:50]}\nmetadata:\n  type: project\n---\n\n{text}\n", encoding="utf-8"
        )


@dataclass
class Rates:
    """Of one language: messages that recall what they should, and unrelated ones that recall anything."""

    related: int = 0
    hits: int = 0
    beside: int = 0
    unrelated: int = 0
    false: int = 0
    wrong: list[str] = field(default_factory=list)


class World:
    """The set's notes and `count` in all, in a profile of their own."""

    def __init__(self, folder: Path, count: int) -> None:
        workspace = folder / "ws"
        workspace.mkdir()
        paths, clock = AppPaths(data=folder / "data", config=folder / "config", cache=folder / "cache"), SystemClock()
        project = resolve_project(workspace, paths)
        ensure_project(project, clock)
        self.set = cases()
        self.settings = SettingsStore(paths)
        self.settings.set("memory.recall", "lexical")
        self.settings.set("memory.recall_wait_ms", 5_000)  # so that what comes late is seen to be late, and not lost
        memories = Memories(project, workspace, paths, clock, lambda: ON, settings=self.settings)
        root = memories.store().root
        root.mkdir(parents=True, exist_ok=True)
        for note in self.set["notes"]:
            (root / note["path"]).write_text(note_text(note), encoding="utf-8")
        fill(root, count - len(self.set["notes"]))
        self.search = MemorySearch(paths, clock, now_ns=lambda: time.time_ns() + 60_000_000_000)
        self.recall = Recall(memories, self.search, self.settings, clock, language="en")
        script = folder / "script.json"
        script.write_text('{"responses": []}', encoding="utf-8")
        self.model = ScriptedModel(script)
        self._clock = clock

    async def ask(self, question: str) -> tuple[list[str], float, float]:
        """(files that words recall, seconds of wall time until they are there, seconds of CPU)."""
        wall, cpu = time.perf_counter(), time.process_time()
        message = new_message_id(self._clock.now())
        turn = self.recall.begin(question, (), self.model, message_id=message, session_id="sess_bench")
        await turn.first()
        spent = time.perf_counter() - wall, time.process_time() - cpu
        while turn.running:  # the look behind the search belongs to no other question
            await asyncio.sleep(0.001)
        await turn.close()
        return [ref.path for ref in turn.refs], *spent


def rates(world: World, part: str = "cases") -> dict[str, Rates]:
    """What the messages of a part of the set recall, by language."""
    found: dict[str, Rates] = {}

    async def ask_all() -> None:
        for case in world.set[part]:
            paths, _, _ = await world.ask(case["question"])
            _count(found.setdefault(case["lang"], Rates()), case, paths)

    asyncio.run(ask_all())
    return found


def _count(rate: Rates, case: dict[str, Any], paths: list[str]) -> None:
    right = set(paths) & set(case["want"])
    if case["want"]:
        rate.related += 1
        rate.hits += bool(right)
        rate.beside += bool(set(paths) - set(case["want"]))
    else:
        rate.unrelated += 1
        rate.false += bool(paths)
    if not right and (case["want"] or paths):
        rate.wrong.append(case["question"])


def latency(world: World) -> tuple[list[float], list[float]]:
    """Milliseconds of wall time and of CPU of each of the set's messages, in order."""
    walls, cpus = [], []

    async def ask_all() -> None:
        for case in world.set["cases"]:
            _, wall, cpu = await world.ask(case["question"])
            walls.append(wall * 1_000)
            cpus.append(cpu * 1_000)

    asyncio.run(ask_all())
    return sorted(walls), sorted(cpus)


def main() -> int:
    sizes = [int(size) for size in os.environ.get("KEEPSAKE_BENCH_SIZES", "").split(",") if size] or list(SIZES)
    failed = False
    for count in sizes:
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder), count)
            began = time.perf_counter()
            world.recall.warm(seconds=600)
            first = time.perf_counter() - began
            walls, cpus = latency(world)
            failed |= _tell_latency(count, first, walls, cpus)
            for part in ("cases", "held"):
                failed |= _tell_rates(f"{count:>6,} notes, {part}", rates(world, part))
            world.search.close()
    return int(failed)


def _tell_latency(count: int, first: float, walls: list[float], cpus: list[float]) -> bool:
    p95 = walls[int(len(walls) * 0.95)]
    print(
        f"{count:>6,} notes: first look {first:.2f} s; until the first half is there p50 {walls[len(walls) // 2]:.1f}, p95 {p95:.1f}, most "
        f"{walls[-1]:.1f} ms wall; p50 {cpus[len(cpus) // 2]:.1f}, p95 {cpus[int(len(cpus) * 0.95)]:.1f} ms CPU (n = {len(walls)}; "
        f"budget {BUDGET_MS:.0f} ms)"
    )
    return p95 > BUDGET_MS


def _tell_rates(name: str, found: dict[str, Rates]) -> bool:
    for language, rate in sorted(found.items()):
        hits, false = rate.hits / rate.related, rate.false / rate.unrelated
        print(
            f"{name}, {language}: hits {rate.hits} of {rate.related} ({hits:.0%}), another beside {rate.beside}; "
            f"false recalls {rate.false} of {rate.unrelated} ({false:.1%}); wrong: {'; '.join(rate.wrong) or 'none'}"
        )
    related, unrelated = sum(rate.related for rate in found.values()), sum(rate.unrelated for rate in found.values())
    few = sum(rate.hits for rate in found.values()) < LEAST_HITS * related
    return few or sum(rate.false for rate in found.values()) > MOST_FALSE * unrelated


if __name__ == "__main__":
    sys.exit(main())
