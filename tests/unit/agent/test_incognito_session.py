"""An incognito session on real services: what tools, approvals and shell commands leave behind, which is nothing."""

from __future__ import annotations

from pathlib import Path

from desktop.agent.session import AgentSession
from desktop.messages.events import MemorySaved, Notice
from tests.e2e.test_incognito import forms_of
from tests.helpers.agent import Desk, run
from tests.helpers.script import call


def incognito(desk: Desk, *responses: dict[str, object], reads_memory: bool = True) -> AgentSession:
    model = desk.script(*responses)
    return desk.services.new_session(desk.workspace, model_id=model, incognito=True, reads_memory=reads_memory)


def traces(folder: Path, word: str) -> list[Path]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "script.json")
    return [path for path in found if word in str(path) or any(form in path.read_bytes() for form in forms_of(word))]


def test_a_shell_command_leaves_nothing_in_memory_or_quarantine(tmp_path: Path) -> None:
    desk = Desk(tmp_path, answer="always")
    root = desk.workspace.store.root
    bash = call("Bash", command=f"mkdir -p {root}/sub && echo zirkonkatze > {root}/sub/a.md && echo zirkonkatze > {root}/b.md")
    session = incognito(desk, {"tool_calls": [bash]}, {"text": "done"})

    async def scenario() -> None:
        await desk.turn(session, "zirkonkatze please")
        await session.close()

    run(scenario)
    assert desk.asked, "the person was asked"
    result = next(result for message in session.messages for result in message.tool_results)
    assert "incognito" in result.output
    assert [notice.code for notice in desk.of(Notice) if notice.code.startswith("grant")] == ["grant.incognito"]
    assert not traces(tmp_path, "zirkonkatze")
    assert not list((tmp_path / "profile").rglob("permissions.json"))


def test_an_ordinary_session_does_keep_what_was_taken_out(tmp_path: Path) -> None:
    desk = Desk(tmp_path, answer="once")
    bash = call("Bash", command=f"echo zirkonkatze > {desk.workspace.store.root}/b.md")
    session = desk.session({"tool_calls": [bash]}, {"text": "done"})

    async def scenario() -> None:
        await desk.turn(session, "please")
        await session.close()

    run(scenario)
    assert any("trash" in str(path) for path in traces(tmp_path / "profile", "zirkonkatze"))


def test_writes_are_refused_with_the_reason(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    write = call("Write", file_path=str(desk.workspace.store.root / "pm.md"), content="We use bun.")
    session = incognito(desk, {"tool_calls": [write]}, {"text": "I've saved it to memory."})

    async def scenario() -> None:
        await desk.turn(session, "Remember: we use bun, whatever happens to the rest")
        await session.close()

    run(scenario)
    result = next(result for message in session.messages for result in message.tool_results)
    assert result.status in ("denied", "error") and "incognito" in result.output
    assert desk.of(MemorySaved) == []
    assert [notice.code for notice in desk.of(Notice) if notice.code.startswith("memory")] == ["memory.not_saved"]
    assert session.report is None
    assert not traces(tmp_path, "bun, whatever happens")


def test_the_switch_cannot_make_it_write(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    session = incognito(desk, {"text": "a"}, reads_memory=False)
    assert not session.memory_state().enabled
    assert not session.apply_memory_switch().enabled
    reading = incognito(desk, {"text": "a"})
    state = reading.apply_memory_switch()
    assert state.enabled and not state.write and state.extraction == "off"

    async def scenario() -> None:
        await session.close()
        await reading.close()

    run(scenario)
