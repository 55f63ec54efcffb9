from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import psutil
import pytest

from desktop.base.errors import ToolError
from desktop.tools.base import Outcome
from desktop.tools.bash import BashTool
from desktop.tools.output import OutputKeeper, without_escapes
from tests.helpers.wait import wait_for
from tests.unit.tools.conftest import Bench

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")


def run(bench: Bench, command: str, **more: object) -> Outcome:
    return bench.run(BashTool(), command=command, **more)


def lives(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_output_and_status(bench: Bench) -> None:
    outcome = run(bench, "echo out; echo err >&2; exit 3")
    assert outcome.output == "out\nerr\n[Exit status 3.]"
    assert outcome.status == "error"
    assert outcome.data == {"exit_status": 3, "timed_out": False, "ended": 0}


def test_success_without_output_is_said(bench: Bench) -> None:
    outcome = run(bench, "true")
    assert (outcome.output, outcome.status) == ("[The command gave no output.]", "ok")


def test_each_command_starts_in_the_workspace(bench: Bench) -> None:
    bench.file("sub/a.txt")
    assert run(bench, "cd sub && pwd").output == str(bench.workspace / "sub")
    assert run(bench, "pwd").output == str(bench.workspace)


def test_live_output_comes_in_pieces_while_it_runs(bench: Bench) -> None:
    gate = bench.base / "gate"

    async def both() -> Outcome:
        command = f"echo first; while [ ! -e '{gate}' ]; do sleep 0.02; done; echo 第二"
        prepared = await BashTool().prepare({"command": command}, bench.context)
        task = asyncio.ensure_future(prepared.run())
        await asyncio.to_thread(wait_for, lambda: "first" in "".join(bench.live), what="the first piece")
        assert not task.done()
        gate.touch()
        return await task

    assert asyncio.run(both()).output == "first\n第二"
    assert "".join(bench.live) == "first\n第二\n"


def test_nothing_can_be_read(bench: Bench) -> None:
    assert run(bench, "cat; read x || echo nothing").output == "nothing"


def test_there_is_no_terminal(bench: Bench) -> None:
    assert run(bench, "test -e /dev/tty && (: < /dev/tty) 2>/dev/null && echo tty || echo none").output == "none"


def test_keys_and_our_own_variables_are_not_passed_on(bench: Bench) -> None:
    names = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_AUTH_TOKEN", "SOME_API_KEY", "KEEPSAKE_HOME", "BASH_ENV"]
    bench.environ.update(dict.fromkeys(names, "value-of-it"))
    bench.environ["ORDINARY"] = "kept"
    output = run(bench, "env").output
    assert "value-of-it" not in output
    assert "ORDINARY=kept" in output


def test_a_start_file_in_the_environment_is_not_run(bench: Bench) -> None:
    script = bench.base / "start.sh"
    script.write_text("echo started\n")
    bench.environ["BASH_ENV"] = bench.environ["ENV"] = str(script)
    bench.environ["BASH_FUNC_ls%%"] = "() { echo function; }"
    assert run(bench, "ls").output == "[The command gave no output.]"


def test_long_output_keeps_its_ends(bench: Bench) -> None:
    outcome = run(bench, "echo START; head -c 500000 /dev/zero | tr '\\0' x; echo; echo END")
    assert outcome.output.startswith("START\nxxx")
    assert outcome.output.endswith("xxx\nEND")
    assert "bytes left out here]" in outcome.output
    assert len(outcome.output) < 30_200


def test_an_endless_flood_is_ended_in_time_with_bounded_memory(bench: Bench) -> None:
    outcome = run(bench, "yes", timeout=400)
    assert outcome.status == "error"
    assert "ended after 0.4 s" in outcome.output
    assert len(outcome.output) < 30_500
    assert len("".join(bench.live)) < 200_000


def test_a_timeout_ends_the_whole_group(bench: Bench) -> None:
    pids = bench.base / "pids"
    outcome = run(bench, f"sleep 300 & echo $! >> '{pids}'; (trap '' TERM; sleep 300 & echo $! >> '{pids}'; wait) & sleep 300", timeout=500)
    assert outcome.data is not None
    assert outcome.data["timed_out"] is True
    started = [int(line) for line in pids.read_text().split()]
    assert len(started) == 2
    assert not any(lives(pid) for pid in started)


def test_a_child_that_left_the_group_is_ended_too(bench: Bench) -> None:
    pids = bench.base / "pids"
    run(bench, f"setsid sh -c 'echo $$ > \"{pids}\"; exec sleep 300' & wait", timeout=500)
    assert not lives(int(pids.read_text()))


def test_background_processes_do_not_outlive_the_command(bench: Bench) -> None:
    pids = bench.base / "pids"
    outcome = run(bench, f"sleep 300 & echo $! > '{pids}'; echo done")
    assert outcome.output == "done\n[Processes that it left running were ended: 1.]"
    assert outcome.status == "ok"
    assert not lives(int(pids.read_text()))


def test_cancelling_leaves_no_process(bench: Bench) -> None:
    pids = bench.base / "pids"

    async def cancel() -> None:
        command = f"trap '' TERM; sleep 300 & echo $! >> '{pids}'; echo $$ >> '{pids}'; wait; sleep 300"
        prepared = await BashTool().prepare({"command": command}, bench.context)
        task = asyncio.ensure_future(prepared.run())
        await asyncio.to_thread(wait_for, lambda: pids.exists() and len(pids.read_text().split()) == 2, what="the start")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not any(lives(int(pid)) for pid in pids.read_text().split())

    asyncio.run(cancel())


def test_cancelling_twice_still_ends_it(bench: Bench) -> None:
    pids = bench.base / "pids"

    async def cancel() -> None:
        prepared = await BashTool().prepare({"command": f"trap '' TERM; echo $$ > '{pids}'; while :; do sleep 0.05; done"}, bench.context)
        task = asyncio.ensure_future(prepared.run())
        await asyncio.to_thread(wait_for, lambda: pids.exists() and pids.read_text().strip() != "", what="the start")
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not lives(int(pids.read_text()))

    asyncio.run(cancel())


def test_cancelling_while_it_starts_leaves_no_process(bench: Bench) -> None:
    """The program may have begun before its start is known here: every point of the start is cancelled in turn."""
    marks = bench.base / "marks"
    marks.mkdir()

    async def cancel(turns: int) -> None:
        command = f"sleep 300 & echo $! > '{marks}/{turns}'; wait"
        prepared = await BashTool().prepare({"command": command}, bench.context)
        task = asyncio.ensure_future(prepared.run())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    for turns in range(12):
        asyncio.run(cancel(turns))
    assert not [mark.name for mark in marks.iterdir() if mark.read_text().strip() and lives(int(mark.read_text()))]


def test_a_signal_is_named(bench: Bench) -> None:
    assert run(bench, "kill -SEGV $$").output.endswith("[The command was ended by signal SIGSEGV.]")


def test_terminal_escapes_are_removed(bench: Bench) -> None:
    assert run(bench, r"printf '\033[31mred\033[0m \033]0;title\007plain\n'").output == "red plain"
    assert without_escapes("\x1b[1;31ma\x1b[0m \x1b") == "a "


def test_invalid_bytes_are_shown(bench: Bench) -> None:
    assert run(bench, r"printf 'a\377b'").output == "a\ufffdb"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "`command` is required"),
        ({"command": "ls", "timeout": 600_001}, "`timeout` must lie between 1 and 600,000"),
        ({"command": "ls", "timeout": "5"}, "`timeout` must be a whole number"),
        ({"command": "ls", "run_in_background": True}, "`run_in_background` must be false"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": "ls", "cwd": "/"}, "`cwd` is not an argument"),
    ],
)
def test_wrong_arguments(bench: Bench, arguments: dict[str, object], text: str) -> None:
    with pytest.raises(ToolError) as caught:
        bench.prepare(BashTool(), **arguments)
    assert text in caught.value.message


def test_a_vanished_workspace_is_named(bench: Bench) -> None:
    prepared = bench.prepare(BashTool(), command="ls")
    bench.workspace.rmdir()

    async def go() -> Outcome:
        return await prepared.run()

    with pytest.raises(ToolError) as caught:
        asyncio.run(go())
    assert "workspace folder still exists" in caught.value.hint


def test_commands_are_asked_for_and_shown_whole(bench: Bench) -> None:
    prepared = bench.prepare(BashTool(), command="npm   test", description="Run the tests")
    assert prepared.title == "Run the tests"
    assert (prepared.access.kind, prepared.access.content, prepared.access.target) == ("execute", "npm   test", bench.workspace)
    assert [bench.decide(prepared, mode).effect for mode in ("default", "accept-edits", "plan")] == ["ask", "ask", "deny"]


def test_the_loop_may_live_in_another_thread(bench: Bench) -> None:
    import threading

    results: list[Outcome] = []
    thread = threading.Thread(target=lambda: results.append(run(bench, "echo hi; sleep 300 &")))
    thread.start()
    thread.join(20)
    assert results and results[0].output.startswith("hi")


def test_the_keeper_counts_what_it_leaves_out() -> None:
    keeper = OutputKeeper()
    for _ in range(31):
        keeper.add("é".encode() * 1_000)
    text = keeper.text()
    assert text.count("é") == 30_000
    assert "[1,000 characters left out here]" in text


def test_no_descriptor_stays_open(bench: Bench) -> None:
    fds = Path("/proc/self/fd")
    if not fds.is_dir():
        pytest.skip("needs /proc")
    run(bench, "true")
    before = len(list(fds.iterdir()))
    for _ in range(5):
        run(bench, "echo x; sleep 30 &")
    assert len(list(fds.iterdir())) <= before
