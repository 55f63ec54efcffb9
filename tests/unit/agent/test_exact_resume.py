"""The next request after a restart is the one that would have been sent without it: after plain turns, calls, recall, cuts and every act on
the tree. The profile is copied, one process goes on, another one takes up the copy, and both requests are compared byte by byte.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.session import AgentSession
from desktop.memory.store import ChangeOrigin
from desktop.messages.boundary import is_boundary
from desktop.messages.parts import Message, TextPart
from tests.helpers.agent import Desk
from tests.helpers.script import call
from tests.helpers.sweeps import sweeps_done

PERSON = ChangeOrigin("person")
UNSTORED = ("id", "time", "parent")


def note(name: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\n{body}\n"


NONCE = re.compile(r'(</?recalled-memory id=)"[0-9a-f]{16}"')


def sent(body: dict[str, Any], text: str) -> bytes:
    """What of a neutral request a provider is given: no ids and times of messages. Marks drawn by lot in this turn count as one."""
    messages = [{key: value for key, value in one.items() if key not in UNSTORED} for one in body["messages"]]
    newest = max(at for at, one in enumerate(messages) if one["parts"][0].get("text") == text)
    for one in messages[newest + 1 :]:
        one["parts"][0]["text"] = NONCE.sub(r'\1"new"', one["parts"][0]["text"])
    return json.dumps(body | {"messages": messages}, ensure_ascii=False).encode("utf-8", "surrogatepass")


@dataclass
class Two:
    """One conversation that is gone on with twice from the same place: by the process that holds it, and by one that was just started."""

    desk: Desk
    session: AgentSession
    scripts: int = 0
    compared: int = 0
    sizes: list[int] = field(default_factory=list)

    def play(self, *responses: dict[str, Any], **top: Any) -> None:
        """What the model answers next."""
        self.scripts += 1
        script = self.desk.script(*responses, name=f"script-{self.scripts}.json", **top)
        self.session.model = self.desk.services.make_model(script)

    async def turn(self, text: str, *responses: dict[str, Any], **top: Any) -> None:
        self.play(*responses, **top)
        await self.desk.turn(self.session, text)

    async def check(self, text: str = "go on", **top: Any) -> bytes:
        """Send `text` both ways and compare the first request of each; the session is then the restarted one, before that message."""
        profile, kept = self.desk.folder / "profile", self.desk.folder / "kept"
        sweeps_done()
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(profile, kept)
        went_on = await self._request(text, **top)
        await self.close()
        sweeps_done()
        shutil.rmtree(profile)
        kept.rename(profile)
        self.desk.services = self.desk.build()
        self.desk.workspace = self.desk.services.open_workspace(self.desk.workspace_folder)
        self.session = self.desk.services.resume(self.session.id, model_id=self.desk.script(name="idle.json"))
        restarted = await self._request(text, **top)
        assert restarted.decode() == went_on.decode()
        await self.session.rewind(next(m.id for m in reversed(self.session.messages) if m.origin == "person"))
        self.compared += 1
        self.sizes.append(len(restarted))
        return restarted

    async def _request(self, text: str, **top: Any) -> bytes:
        before = len(self.mains())
        self.play({"text": "ok"}, **top)
        await self.desk.turn(self.session, text)
        return sent(self.mains()[before], text)

    def mains(self) -> list[dict[str, Any]]:
        return [body for body in self.desk.bodies() if body["kind"] == "main"]

    async def close(self) -> None:
        await self.session.close()
        self.desk.services.memory_search.close()
        self.desk.services.session_search.close()


def scenario(folder: Path, act: Callable[[Two], Awaitable[None]]) -> Two:
    """A conversation with two memories and a file in its folder."""
    desk = Desk(folder)
    desk.services.settings.set("memory.recall_wait_ms", 5_000)
    store = desk.workspace.memories.store()
    store.write("queue.md", note("carrier retries", "Three tries, then the dead letter queue."), base_digest=None, origin=PERSON)
    store.write("berth.md", note("泊位七号", "七号泊位的龙门吊五月前关闭。"), base_digest=None, origin=PERSON)
    (desk.workspace_folder / "a.txt").write_text("alpha\n" * 3)
    (desk.workspace_folder / "AGENTS.md").write_text("Tests first.\n")

    async def main() -> Two:
        two = Two(desk, desk.session(name="first.json"))
        try:
            await act(two)
        finally:
            await two.close()
        return two

    return asyncio.run(main())


def test_a_restart_changes_nothing_of_the_next_request(tmp_path: Path) -> None:
    async def act(two: Two) -> None:
        await two.turn("Add a retry to the carrier client", {"text": "Three tries it is."})
        assert "dead letter queue" in (await two.check("and now?")).decode()
        await two.turn(
            "七号泊位怎么样？",
            {"thinking": "look", "text": "I read it.", "tool_calls": [call("Read", "c1", file_path="a.txt"), call("Fly", "c2", to="x")]},
            {"text": "说完了。", "usage": {"input_tokens": 9_000, "output_tokens": 7}},
        )
        request = (await two.check()).decode()
        assert "龙门吊" in request and "alpha" in request and "dead letter queue" in request

    assert scenario(tmp_path, act).compared == 2


def test_what_was_cut_stays_cut_and_nothing_else_is(tmp_path: Path) -> None:
    async def act(two: Two) -> None:
        for number in range(9):
            (two.desk.workspace_folder / f"big{number}.txt").write_text(f"line of file {number}\n" * 500)
            read = {"tool_calls": [call("Read", f"big-{number}", file_path=f"big{number}.txt")]}
            done = {"text": f"read {number}", "usage": {"input_tokens": 9_000 + 2_500 * number, "output_tokens": 3}}
            await two.turn(f"read file {number}", read, done, context_window=40_000)
            await two.check(context_window=40_000)
        assert two.session._conversation.cut, "nothing had to be cut: the case proves nothing"

    assert scenario(tmp_path, act).compared == 9


def test_an_interrupted_call_is_answered_and_a_result_without_a_call_is_left_out(tmp_path: Path) -> None:
    """B45, both ways."""

    async def act(two: Two) -> None:
        await two.turn("read it", {"tool_calls": [call("Read", "c1", file_path="a.txt")]}, {"text": "read"})
        calls = next(m for m in two.session.messages if m.tool_calls)
        two.session.handle.set_leaf(calls.id)  # as a process leaves it that was killed in the middle of the call
        request = (await two.check()).decode()
        assert '"interrupted"' in request and request.count('"c1"') == 2
        result = next(m for m in two.session.handle.everything() if m.tool_results)
        two.session.handle.set_leaf(None)
        two.session.handle.append(Message("msg_lost", "tool", result.parts, result.time, None, "tool"), first=True)
        assert '"c1"' not in (await two.check()).decode()

    assert scenario(tmp_path, act).compared == 2


def test_requests_begin_at_the_newest_boundary_of_the_live_branch(tmp_path: Path) -> None:
    async def act(two: Two) -> None:
        await two.turn("Add a retry to the carrier client", {"text": "FIRST ANSWER"})
        last = two.session.messages[-1]
        boundary = Message("msg_b", "user", (TextPart("SUMMARY of it"),), last.time, last.id, "app", notes={"boundary": {"messages": 2}})
        two.session.handle.append(boundary)
        request = (await two.check("七号泊位怎么样？")).decode()
        assert "SUMMARY of it" in request and "FIRST ANSWER" not in request and "龙门吊" in request
        assert [m.id for m in two.session.messages][-1] == "msg_b" and is_boundary(two.session.messages[-1])
        await two.session.rewind(last.id)
        request = (await two.check()).decode()
        assert "FIRST ANSWER" in request and "SUMMARY of it" not in request

    assert scenario(tmp_path, act).compared == 2


def test_a_recalled_memory_that_changed_meanwhile_leaves_both_requests(tmp_path: Path) -> None:
    async def act(two: Two) -> None:
        await two.turn("Add a retry to the carrier client", {"text": "Three tries it is."})
        store = two.desk.workspace.memories.store()
        store.write("queue.md", note("carrier retries", "FIVE tries now."), base_digest=store.read("queue.md").digest, origin=PERSON)
        assert "Three tries, then" not in (await two.check("an unrelated thing")).decode()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Two, "_request", without_start(Two._request))
        assert scenario(tmp_path, act).compared == 1


def without_start(request: Callable[..., Awaitable[bytes]]) -> Callable[..., Awaitable[bytes]]:
    """Memory is read again by whoever takes a session up (memory design, C-04): only what the conversation holds is compared."""

    async def made(two: Two, text: str, **top: Any) -> bytes:
        body = json.loads(await request(two, text, **top))
        return json.dumps(body["messages"][1:-1]).encode()

    return made


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_any_walk_over_the_tree(tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)

    async def act(two: Two) -> None:
        for number in range(14):
            await step(two, chosen, number)
            await two.check(chosen.choice(["go on", "retry the carrier?", "泊位呢？"]))

    two = scenario(tmp_path, act)
    print(f"\nseed {seed}: {two.compared} requests equal byte by byte, up to {max(two.sizes):,} bytes")
    assert two.compared == 14


async def step(two: Two, chosen: random.Random, number: int) -> None:
    session = two.session
    answer = {"text": f"answer {number}", "usage": {"input_tokens": chosen.choice([0, 4_000, 9_000]), "output_tokens": 3}}
    calls = {"text": "first", "tool_calls": [call("Read", file_path="a.txt"), call("Glob", pattern="*")]}
    persons = [m for m in session.handle.everything() if m.role == "user" and m.origin == "person"]
    acts = ["say", "call"] + (["edit", "retry", "rewind", "switch", "fork"] if persons and session.messages else [])
    match chosen.choice(acts):
        case "say":
            await two.turn(f"carrier question {number}", answer)
        case "call":
            await two.turn(f"read {number}", calls, answer)
        case "edit":
            two.play(calls, answer)
            await session.edit_and_resend(chosen.choice(persons).id, f"edited {number}", two.desk.events.append, two.desk.approve)
        case "retry":
            if any(m.origin == "person" for m in session.messages):
                two.play(answer)
                await session.retry(two.desk.events.append, two.desk.approve)
        case "rewind":
            await session.rewind(chosen.choice(session.messages).id)
        case "switch":
            await session.switch_branch(chosen.choice(session.handle.everything()).id)
        case "fork":
            forked = await session.fork(chosen.choice(session.handle.everything()).id)
            await session.close()
            two.session = two.desk.services.resume(forked, model_id=two.desk.script(name="idle.json"))
