"""Edit and resend, retry, rewind, switch and fork in real sessions: what is live, kept and told, and what stands in the context."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.session import AgentSession
from desktop.agent.slash import run as run_command
from desktop.base.errors import UsageError
from desktop.messages.events import BranchMoved, TurnEnded, TurnStarted
from desktop.sessions.tree import leaves
from tests.helpers.agent import Desk, run
from tests.helpers.script import call


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    yield Desk(tmp_path)


def texts(session: AgentSession) -> list[str]:
    return [message.text for message in session.messages if message.text]


async def say(desk: Desk, session: AgentSession, *said: str) -> None:
    for text in said:
        assert (await desk.turn(session, text)).stop == "end"


def answers(*words: str) -> list[dict[str, Any]]:
    return [{"text": word} for word in words]


def test_an_edited_message_stands_beside_the_old_one(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1", "a2", "a2b", "a1c"))
        await say(desk, session, "u1", "u2")
        first, _, second, _ = session.messages
        await session.edit_and_resend(second.id, "u2b", desk.events.append, desk.approve)
        assert texts(session) == ["u1", "a1", "u2b", "a2b"]
        moved = desk.of(BranchMoved)[-1]
        assert [m.text for m in moved.messages] == ["u1", "a1"]
        kinds = [type(event) for event in desk.events]
        assert kinds.index(BranchMoved) < len(kinds) - 1 - kinds[::-1].index(TurnStarted), "the branch is told before the turn"
        assert [m["parts"][0]["text"] for m in desk.bodies()[-1]["messages"]][-3:] == ["u1", "a1", "u2b"]

        await session.edit_and_resend(first.id, "u1c", desk.events.append, desk.approve)
        assert texts(session) == ["u1c", "a1c"] and session.messages[0].parent is None
        assert len(leaves(session.handle.everything())) == 3
        await session.switch_branch(second.id)
        assert texts(session) == ["u1", "a1", "u2", "a2"]
        await session.close()

        loaded = desk.services.sessions.load(session.id)
        assert [m.text for m in loaded.live] == ["u1", "a1", "u2", "a2"] and len(loaded.messages) == 8

    run(scenario)


def test_only_what_the_person_said_can_be_edited(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1"))
        await say(desk, session, "u1")
        with pytest.raises(UsageError, match="of your own"):
            await session.edit_and_resend(session.messages[1].id, "x", desk.events.append, desk.approve)
        with pytest.raises(UsageError, match="msg_nowhere"):
            await session.rewind("msg_nowhere")
        with pytest.raises(UsageError, match="not on the branch"):
            await session.retry(desk.events.append, desk.approve, "msg_nowhere")
        await session.close()

    run(scenario)


def test_a_retry_answers_the_same_message_once_more(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1", "a1b", "a2", "a1c"))
        await say(desk, session, "u1")
        old = session.messages[1].id
        await session.retry(desk.events.append, desk.approve)
        assert texts(session) == ["u1", "a1b"]
        await say(desk, session, "u2")
        await session.retry(desk.events.append, desk.approve, session.messages[1].id)
        assert texts(session) == ["u1", "a1c"]
        assert [m["parts"][0]["text"] for m in desk.bodies()[-1]["messages"]][-1] == "u1"
        await session.switch_branch(old)
        assert texts(session) == ["u1", "a1"]
        assert sum(m.origin == "person" for m in session.handle.everything()) == 2, "nothing is said twice"
        await session.close()

    run(scenario)


def test_a_retry_that_gets_no_answer_leaves_the_old_one(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "a1"}, {"error": {"kind": "auth"}})
        await say(desk, session, "u1")
        ended = await session.retry(desk.events.append, desk.approve)
        assert ended.stop == "error" and texts(session) == ["u1", "a1"]
        assert [m.text for m in desk.of(BranchMoved)[-1].messages] == ["u1", "a1"]
        await session.close()
        assert [m.text for m in desk.services.sessions.load(session.id).live] == ["u1", "a1"]

    run(scenario)


def test_an_edit_that_cannot_be_stored_changes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1", "a2", "a1b"))
        await say(desk, session, "u1", "u2")
        first = session.messages[0].id

        def full(_file: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patch:
            patch.setattr("desktop.sessions.handle.os.fsync", full)
            ended = await session.edit_and_resend(first, "u1b", desk.events.append, desk.approve)
        assert ended.stop == "error" and texts(session) == ["u1", "a1", "u2", "a2"]
        await session.edit_and_resend(first, "u1b", desk.events.append, desk.approve)
        assert texts(session) == ["u1b", "a1b"]
        await session.close()

    run(scenario)


def test_a_rewind_goes_before_the_persons_message_and_behind_the_models(desk: Desk) -> None:
    (desk.workspace_folder / "a.txt").write_text("x")

    async def scenario() -> None:
        session = desk.session(
            {"text": "first", "tool_calls": [call("Read", "c1", file_path="a.txt"), call("Glob", "c2", pattern="*")]}, *answers("a1", "a2")
        )
        await say(desk, session, "u1", "u2")
        asked, called, *results = session.messages[:4]
        person = session.messages[5]
        rewound = await session.rewind(person.id)
        assert (rewound.text, texts(session)) == ("u2", ["u1", "first", "a1"])
        rewound = await session.rewind(called.id)
        assert rewound.text == "" and session.messages == [asked, called, *results], "the results of its calls stay with it"
        assert (await session.rewind(asked.id)).leaf is None and session.messages == []
        await session.close()
        assert desk.services.sessions.load(session.id).live == ()

    run(scenario)


def test_what_was_read_on_a_branch_that_was_left_does_not_count_as_read(desk: Desk) -> None:
    (desk.workspace_folder / "a.txt").write_text("one\n")
    change = {"tool_calls": [call("Edit", file_path="a.txt", old_string="one", new_string="two")]}

    async def scenario() -> None:
        desk.answer = "once"
        session = desk.session(
            {"text": "ok"},
            {"tool_calls": [call("Read", file_path="a.txt")]},
            {"text": "read"},
            change,
            {"text": "x"},
            change,
            {"text": "y"},
        )
        await say(desk, session, "u1", "u2")
        read_on = session.messages[-1].id
        await session.rewind(session.messages[1].id)
        await say(desk, session, "change it")
        assert "has not been read" in next(m for m in session.messages if m.tool_results).tool_results[0].output
        await session.switch_branch(read_on)
        await session.close()
        resumed = desk.services.resume(session.id)
        await say(desk, resumed, "change it")
        assert [r.status for m in resumed.messages for r in m.tool_results] == ["ok", "ok"], "read before the restart is read"
        await resumed.close()

    run(scenario)
    assert (desk.workspace_folder / "a.txt").read_text() == "two\n"


def test_nothing_moves_while_a_turn_runs(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1"), {"tool_calls": [call("Write", file_path="b.txt", content="x")]}, {"text": "a2"})
        await say(desk, session, "u1")
        first = session.messages[0].id
        said: list[str] = []

        async def approve(request: object) -> Any:
            for act in (session.rewind(first), session.switch_branch(first), session.retry(desk.events.append, desk.approve)):
                with pytest.raises(UsageError, match="A turn is running"):
                    await act
            said.append(await session.fork(first))
            return await desk.approve(request)  # type: ignore[arg-type]

        await session.run("u2", desk.events.append, approve)
        assert len(said) == 1, "a fork may be made meanwhile"
        await session.close()

    run(scenario)


def test_an_incognito_chat_has_branches_and_no_fork(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.services.new_session(desk.workspace, model_id=desk.script(*answers("a1", "a1b")), incognito=True)
        await say(desk, session, "u1")
        await session.edit_and_resend(session.messages[0].id, "u1b", desk.events.append, desk.approve)
        assert texts(session) == ["u1b", "a1b"] and len(session.handle.everything()) == 4
        with pytest.raises(UsageError, match="incognito"):
            await session.fork()
        await session.close()

    run(scenario)
    assert desk.services.sessions.list() == []


def test_extraction_goes_on_from_the_nearest_common_message(desk: Desk) -> None:
    from desktop.agent.jobs.cursor import Cursor

    async def scenario() -> None:
        session = desk.session(*answers("a1", "a2", "a2b"))
        await say(desk, session, "u1", "u2")
        cursor = Cursor(session.handle)
        cursor.move(session.messages[-1].id)
        await session.edit_and_resend(session.messages[2].id, "u2b", desk.events.append, desk.approve)
        assert cursor.position(session.messages) == 2
        forked = await session.fork()
        await session.close()
        handle = desk.services.sessions.open(forked)
        assert Cursor(handle).position(handle.messages) == 2
        handle.close()

    run(scenario)


# --- the commands --------------------------------------------------------------------------------------------------------


def test_the_commands_of_chats(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1", "a2"))
        assert (await run_command(session, "/fork")).status == "error"
        assert (await run_command(session, "/export")).status == "error"
        await say(desk, session, "carrier retries", "u2")

        rewound = await run_command(session, "/rewind")
        assert (rewound.status, rewound.draft, rewound.quiet) == ("ok", "u2", True) and texts(session) == ["carrier retries", "a1"]
        for wrong in ("/rewind 2", "/rewind x", "/rewind 0"):
            assert (await run_command(session, wrong)).status == "error", wrong

        forked = await run_command(session, "/fork")
        assert desk.services.sessions.find(forked.opens).parent == session.id

        assert (await run_command(session, "/rename 承运商")).data == {"title": "承运商"}
        assert (await run_command(session, "/rename")).status == "error", "alone it is the window's"
        await session.close()

    run(scenario)


def test_a_chat_is_found_by_id_title_or_what_it_says(desk: Desk) -> None:
    async def scenario() -> None:
        ids = []
        for number, said in enumerate(("The album page", "Album covers", "Berth seven")):
            other = desk.session({"text": "龙门吊五月前关闭"}, name=f"{number}.json")
            await say(desk, other, said)
            await other.close()
            ids.append(other.id)
        session = desk.session(name="now.json")
        assert (await run_command(session, f"/resume #{ids[2]}")).opens == ids[2]
        assert (await run_command(session, "/resume berth")).opens == ids[2]
        both = await run_command(session, "/resume album")
        assert both.status == "ask" and {action.text for action in both.actions} == {f"/resume #{one}" for one in ids[:2]}
        saying = await run_command(session, "/resume 龙门吊")
        assert {action.text for action in saying.actions} == {f"/resume #{one}" for one in ids}
        assert (await run_command(session, "/resume zzzz")).status == "error"
        await session.close()

    run(scenario)


def test_an_export_overwrites_nothing(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("CANARY-ANSWER"))
        await say(desk, session, "u1")
        first = Path((await run_command(session, "/export")).data["file"])
        second = Path((await run_command(session, "/export md")).data["file"])
        third = Path((await run_command(session, "/export json out.json")).data["file"])
        assert first != second and first.parent == second.parent == third.parent == desk.workspace_folder
        assert third.name == "out.json"
        for file in (first, second, third):
            assert "CANARY-ANSWER" in file.read_text()
        before = third.read_bytes()
        assert (await run_command(session, "/export out.json")).status == "error"
        assert (await run_command(session, "/export md nowhere/out.md")).status == "error"
        for nowhere in ("~nobody-of-that-name/x.md", "x" * 5_000, "a\0b.md"):
            refused = await run_command(session, f"/export md {nowhere}")
            assert refused.status == "error" and refused.text
        assert third.read_bytes() == before
        await session.close()

    run(scenario)


def test_a_turn_that_ended_says_so_once(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(*answers("a1", "a1b"))
        await say(desk, session, "u1")
        await session.retry(desk.events.append, desk.approve)
        await session.close()

    run(scenario)
    assert len(desk.of(TurnEnded)) == len(desk.of(TurnStarted)) == 2
