"""Figures of the embedded model: load, prompt and generation speed, memory, first answer, stop, tool choice, remembered and asked pairs.

`python -m tests.bench.bench_embedded [speed] [choice] [pairs]` (all without arguments) with the model installed or `KEEPSAKE_MODELS` set.
Prints each figure next to what the architecture page says. Wall times depend on what else runs; CPU seconds of the child stand beside.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import psutil

from desktop.base.paths import AppPaths
from desktop.compose import Options, build_services
from desktop.messages.events import ApprovalAnswer, ApprovalRequest, ResponseEnd, TextDelta
from desktop.messages.parts import Message, TextPart, ToolCallPart
from desktop.messages.tools import ToolSpec
from desktop.providers.base import ModelRequest
from desktop.providers.catalogue import find_file
from desktop.providers.embedded import EmbeddedModel
from desktop.providers.embedded_http import call
from desktop.providers.embedded_info import embedded_info
from desktop.providers.embedded_server import EmbeddedServer

TOOLS = tuple(ToolSpec(n, "", {}) for n in ("Read", "Write", "Edit", "Glob", "Grep", "Bash"))
CHOICES: tuple[tuple[str, str, str], ...] = (
    ("List the files in this folder", "Glob", r"\*"),
    ("Show me README.md", "Read", "README.md"),
    ("Find all Python files", "Glob", r"\.py"),
    ("Where is the function greet defined?", "Grep", "greet"),
    ("Search for TODO in the code", "Grep", "TODO"),
    ("Run the tests", "Bash", "test"),
    ("Create a file hello.txt that contains hello", "Write", r"hello\.txt"),
    ("What is the capital of France?", "answer", "Paris"),
    ("Explain what a mutex is", "answer", "(?i)thread|lock|exclusi"),
    ("What does this project do?", "Read|Glob", ""),
    ("列出当前目录的文件", "Glob", r"\*"),
    ("看看 main.py 写了什么", "Read", r"main\.py"),
    ("找出所有 Markdown 文件", "Glob", r"\.md"),
    ("函数 greet 在哪里定义的？", "Grep", "greet"),
    ("在代码里搜索 TODO", "Grep", "TODO"),
    ("运行 git status", "Bash", "git status"),
    ("新建文件 notes.txt，内容是 你好", "Write", r"notes\.txt"),
    ("什么是递归？", "answer", "递归|函数"),
    ("写一个计算阶乘的 Python 函数", "answer", "def "),
    ("删除文件 old.txt", "Bash", r"rm.*old\.txt"),
)
PAIRS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "English": (
        ("Remember: our package manager is bun", "Which package manager do we use?", "bun"),
        ("Please remember that the API listens on port 8081", "What port does the API listen on?", "8081"),
        ("Remember that Anna owns the billing service", "Who owns the billing service?", "anna"),
        ("From now on, use tabs for indentation", "Should I indent with tabs or spaces?", "tabs"),
        ("Keep in mind that we deploy on Thursdays", "On which day do we deploy?", "thursday"),
        ("Never push directly to the main branch", "May I push directly to main?", r"\b(?:no|never|not)\b"),
        ("Remember: the staging server is called birch", "What is the staging server called?", "birch"),
        ("Always run the linter before a commit", "What should be done before a commit?", "lint"),
        ("Note for later: the design docs are at https://wiki.example/design", "Where are the design docs?", "wiki.example/design"),
        ("Remember that my favourite editor is Helix", "Which editor do I like best?", "helix"),
    ),
    "Chinese": (
        ("记住：提交信息都用中文写", "提交信息用什么语言？", "中文"),
        ("请记住我们的数据库是 PostgreSQL", "我们用的是什么数据库？", "postgres"),
        ("以后回答都要简短", "我希望你的回答是什么样的？", "简短|简洁"),
        ("记住：测试环境的端口是 9090", "测试环境的端口是多少？", "9090"),
        ("别忘了：周五不发布", "哪一天不能发布？", "周五|星期五"),
        ("记一下，小李负责支付模块", "支付模块由谁负责？", "小李"),
        ("永远不要直接推送到 main 分支", "可以直接推送到 main 分支吗？", "不"),
        ("我们的包管理器是 pnpm，记住了", "我们用哪个包管理器？", "pnpm"),
        ("请记得每次提交前运行测试", "提交之前要做什么？", "测试"),
        ("把发布分支叫 stable 记下来", "发布分支叫什么名字？", "stable"),
    ),
}


def show(name: str, value: str, wanted: str = "") -> None:
    print(f"{name:<44} {value:>16}   {wanted}", flush=True)


def cpu(pid: int | None) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def request(text: str, folder: Path) -> ModelRequest:
    message = Message("msg_1", "user", (TextPart(text),), datetime.now(UTC))
    return ModelRequest("main", "", (message,), TOOLS, workspace=str(folder), memory_root=str(folder / "none"))


async def raw_speed(file: Path) -> None:
    """Without our prompt: what the server itself does."""
    started = time.perf_counter()
    server = EmbeddedServer(file)
    endpoint = await server.endpoint()
    show("load", f"{time.perf_counter() - started:.1f} s", "2.2 s")
    text = " ".join(f"Fact {n}: the service {n * 37 % 101} listens on port {8000 + n}." for n in range(20))
    before = cpu(server.pid)
    value = await call(
        endpoint,
        "POST",
        "/v1/chat/completions",
        {
            "messages": [{"role": "user", "content": text + " Count to thirty in words."}],
            "max_tokens": 40,
            "temperature": 0,
            "ignore_eos": True,
        },
    )
    timings = value["timings"]
    show("prompt", f"{timings['prompt_per_second']:.0f} tokens/s", "45, one thread 33")
    show("generation", f"{timings['predicted_per_second']:.1f} tokens/s", "16")
    show("CPU of both", f"{cpu(server.pid) - before:.1f} s", f"{timings['prompt_n']} + {timings['predicted_n']} tokens")
    show("resident", f"{psutil.Process(server.pid).memory_info().rss >> 20:,} MB", "1,444 MB")
    await server.close()


async def our_speed(model: EmbeddedModel, folder: Path) -> None:
    started = time.perf_counter()
    await model.warm()
    server = model.link.server
    assert server is not None
    show("warm, nothing kept (once on a machine)", f"{time.perf_counter() - started:.1f} s", f"CPU {cpu(server.pid):.1f} s")
    server.stop()
    started = time.perf_counter()
    await model.warm()
    show("warm, prompt kept (every start)", f"{time.perf_counter() - started:.1f} s", f"CPU {cpu(server.pid):.1f} s")
    started, before, first = time.perf_counter(), cpu(server.pid), 0.0
    async for event in model.stream(request("What is a mutex?", folder)):
        if isinstance(event, TextDelta) and not first:
            first = time.perf_counter() - started
        if isinstance(event, ResponseEnd):
            show("first text of a warm answer", f"{first:.1f} s", f"CPU of the answer {cpu(server.pid) - before:.1f} s")
            show("tokens from the cache", f"{event.usage.cache_read_tokens} of {event.usage.input_tokens}", "1,165 of 1,174")
    task = asyncio.create_task(_drain(model, request("Summarise: " + "the service number listens on a port. " * 300, folder)))
    await _until(lambda: server.busy)
    await asyncio.sleep(1.0)
    started = time.perf_counter()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await _until(lambda: not server.busy)
    show("stop while the prompt is read", f"{time.perf_counter() - started:.2f} s", "1 s")


async def _until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def _drain(model: EmbeddedModel, wanted: ModelRequest) -> None:
    async for _ in model.stream(wanted):
        pass


async def choices(model: EmbeddedModel, folder: Path) -> None:
    good = 0
    for text, tools, pattern in CHOICES:
        [end] = [e async for e in model.stream(request(text, folder)) if isinstance(e, ResponseEnd)]
        part = end.parts[-1]
        name, said = (part.name, json.dumps(part.input)) if isinstance(part, ToolCallPart) else ("answer", end_text(end))
        right = name in tools.split("|") and bool(re.search(pattern, said))
        good += right
        if not right:
            print(f"   {text} → {name} {said[:120]!r}", flush=True)
    show("right tool with right arguments", f"{good}/{len(CHOICES)}", "20/20")


def end_text(end: ResponseEnd) -> str:
    return " ".join(p.text for p in end.parts if isinstance(p, TextPart))


async def pairs(folder: Path) -> None:
    """Each fact is told in one session and asked in another, all on the app's real services with one memory a language."""

    async def allow(_: ApprovalRequest) -> ApprovalAnswer:
        return ApprovalAnswer("deny")

    for language, told in PAIRS.items():
        place = folder / language
        place.mkdir()
        options = Options(profile_dir=str(folder / "profile"), model="embedded", environ=os.environ, headless=True)
        services = build_services(options)
        workspace = services.open_workspace(place)
        good = saved = 0
        keep = services.new_session(workspace)  # holds the server over the sessions that come and go
        for fact, question, wanted in told:
            session = services.new_session(workspace)
            await session.run(fact, lambda _: None, allow)
            saved += any(c.name == "Write" for m in session.messages for c in m.tool_calls)
            await session.close()
            session = services.new_session(workspace)
            await session.run(question, lambda _: None, allow)
            answer = session.messages[-1].text
            right = bool(re.search(wanted, answer.casefold()))
            good += right
            if not right:
                print(f"   {question} → {answer[:160]!r}", flush=True)
            await session.close()
        await keep.close()
        show(f"{language}: saved / answered", f"{saved}/{len(told)} {good}/{len(told)}", "10/10 10/10")


async def main(parts: list[str]) -> int:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        paths = AppPaths(folder / "data", folder / "config", folder / "cache")
        found, info = find_file(paths, os.environ), embedded_info(paths, os.environ)
        if found is None or info is None:
            print("The embedded model is not installed: run `keepsake models fetch`, or set KEEPSAKE_MODELS.")
            return 1
        print(f"{found.name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else found.name)
        model = EmbeddedModel(info, paths, os.environ)
        if "speed" in parts:
            await raw_speed(found.path)
            await our_speed(model, folder)
        if "choice" in parts:
            await choices(model, folder)
        await model.close()
        if "pairs" in parts:
            await pairs(folder)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:] or ["speed", "choice", "pairs"])))
