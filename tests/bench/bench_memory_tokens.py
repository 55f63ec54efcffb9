"""What memory costs a turn, in tokens: rules, contents, recalled notes and tools, at 10, 100 and 1,000 notes, in each preset.

English and Chinese notes; each figure is of a real session's request with a scripted model, as its load report gives it (estimated by
script, a little above what tokenizers count). The request beside the turn, in which a model chooses what to recall, is counted apart.
Run it as `python -m tests.bench.bench_memory_tokens`.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop.base.textio import digest
from desktop.base.words import estimate_tokens
from desktop.messages.events import ContextReported
from tests.helpers.agent import Desk, run
from tests.helpers.script import call

PRESETS = ("default", "zcode", "claude", "mini")
COUNTS = (10, 100, 1_000)
SEED = 20_260
ENGLISH = (
    ("build", "release", "deploy", "review", "login", "search", "export", "import", "billing", "report", "cache", "queue"),
    ("server", "pipeline", "module", "script", "branch", "database", "schema", "client", "worker", "dashboard", "token", "folder"),
    ("runs every night", "needs two approvals", "is owned by the platform team", "must stay on version 4", "is frozen until spring"),
)
CHINESE = (
    ("构建", "发布", "部署", "评审", "登录", "搜索", "导出", "导入", "账单", "报表", "缓存", "队列"),
    ("服务器", "流水线", "模块", "脚本", "分支", "数据库", "表结构", "客户端", "后台任务", "看板", "令牌", "目录"),
    ("每天夜里运行", "需要两个人批准", "由平台组负责", "必须停留在第四版", "春天之前冻结"),
)
WORDS = {"English": ENGLISH, "Chinese": CHINESE}
QUESTIONS = {"English": "Who owns the login database, and what about the build server?", "Chinese": "登录数据库由谁负责？构建服务器呢？"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens that memory costs one request: rules in the system text, contents in the slots A and B, recalled notes, tools.

    `beside`: of the request in which a model chooses what to recall, 0 when there is none. `kept`: entries or lines that were loaded.
    """

    rules: int
    contents: int
    recalled: int
    tools: int
    beside: int
    kept: int

    @property
    def total(self) -> int:
        return self.rules + self.contents + self.recalled + self.tools


def facts(language: str, count: int) -> list[tuple[str, str, str]]:
    """File name, hook and text of each note; the same for the same arguments."""
    source = random.Random(f"{SEED} {language}")
    first, second, third = WORDS[language]
    found = []
    for number in range(count):
        one, two, what = source.choice(first), source.choice(second), source.choice(third)
        if number == 0:
            one, two, what = first[4], second[5], third[2]  # the note that answers the question
        hook = f"{one} {two} {what}" if language == "English" else f"{one}{two}{what}"
        why = "because the last outage came from there" if language == "English" else "因为上次故障就是从那里来的"
        found.append((f"{one}-{two}-{number}", hook, f"{hook}, {why}. " * 3))
    return found


def plant(desk: Desk, language: str, count: int) -> None:
    """Notes with their index in the project's memory, and the same facts as sections of the workspace file."""
    root = desk.workspace.project.memory_root
    lines: list[str] = []
    sections: list[str] = []
    for name, hook, text in facts(language, count):
        kind = "feedback" if len(lines) % 4 == 0 else "project"
        header = f"---\nname: {name}\ndescription: {hook}\nmetadata:\n  type: {kind}\n  modified: 2026-01-02T03:04:05.000Z\n---\n"
        (root / f"{name}.md").write_text(f"{header}\n{text}\n", encoding="utf-8")
        lines.append(f"- [{name}]({name}.md) — {hook}")
        sections.append(f"## {name}\n\n{hook}.\n")
    (root / "MEMORY.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shared = desk.workspace_folder / ".agents" / "memory" / "MEMORY.md"
    shared.parent.mkdir(parents=True)
    shared.write_text("\n".join(sections), encoding="utf-8")


def cost(desk: Desk, preset: str, language: str) -> Cost:
    """One turn of a new session under a preset: a question that some notes answer, with one tool call, so that recall has its time."""
    desk.services.settings.set("memory.preset", preset)
    if preset != "default":  # in the default, the facts would stand in the request twice
        shared = desk.workspace_folder / ".agents" / "memory" / "MEMORY.md"
        desk.workspace.allow_workspace_memory(digest(shared.read_bytes()))
    desk.events.clear()
    asked = len(list(desk.dumps.glob("*-select.json")))

    async def turn() -> None:
        session = desk.session(
            {"tool_calls": [call("Glob", pattern="*.none")], "delay_ms": 400},
            {"text": "ok"},
            {"text": json.dumps({"files": []}), "for": "select"},
            name=f"{preset}.json",
        )
        await desk.turn(session, QUESTIONS[language])
        await session.close()

    run(turn)
    report = desk.of(ContextReported)[-1].report
    slots = {slot["slot"]: slot for slot in report["slots"]}
    held = [item for slot in ("A", "B") for item in slots[slot]["items"] if item["memory"]]
    rules = sum(item["tokens"] for item in held if not item["path"])
    selects = sorted(desk.dumps.glob("*-select.json"))[asked:]
    beside = sum(estimate_tokens(json.dumps(json.loads(file.read_text())["body"], ensure_ascii=False)) for file in selects)
    return Cost(
        rules,
        sum(item["tokens"] for item in held) - rules,
        slots["C"]["memory_tokens"],
        slots["F"]["memory_tokens"],
        beside,
        sum(item["lines"] for item in held if item["path"]),
    )


def measure(language: str, count: int, presets: Sequence[str] = PRESETS) -> dict[str, Cost]:
    """What each preset costs with this memory."""
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        desk.services.settings.set("appearance.language", "en" if language == "English" else "zh_CN")
        plant(desk, language, count)
        return {preset: cost(desk, preset, language) for preset in presets}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", type=int, nargs="*", default=COUNTS)
    options = parser.parse_args()
    print("tokens of memory in one request (estimated); “beside” is the request in which a model chooses what to recall")
    heads = ("rules", "contents", "recalled", "tools", "total", "beside", "lines")
    print(f"{'notes':<10}{'count':>6}  {'preset':<9}" + "".join(f"{head:>10}" for head in heads))
    for language in WORDS:
        for count in options.counts:
            for preset, found in measure(language, count).items():
                numbers = (found.rules, found.contents, found.recalled, found.tools, found.total, found.beside, found.kept)
                print(f"{language:<10}{count:>6,}  {preset:<9}" + "".join(f"{number:>10,}" for number in numbers))


if __name__ == "__main__":
    main()
