"""Memory is there in every new conversation, on demand too, and what is told about it holds no content: CH-11, CH-13, UI-13, W-40."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.memory.change import ChangeOrigin
from tests.e2e.headless import Headless
from tests.helpers.agent import Desk, run
from tests.helpers.script import call

NOTE = "---\nname: build-tool\ndescription: how the archive is built\nmetadata:\n  type: project\n---\n\nIt is built with zirkonmeister.\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.workspace.store.write("build-tool.md", NOTE, base_digest=None, origin=ChangeOrigin("person"))
    return made


def mains(desk: Desk) -> list[dict[str, object]]:
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(desk.dumps.glob("*.json"))]
    return [record["body"] for record in records if record["kind"] == "main"]


def test_every_new_conversation_begins_with_memory(desk: Desk) -> None:
    async def scenario() -> None:
        for number in range(2):
            session = desk.session({"text": "ok"}, {"text": "ok"}, name=f"{number}.json")
            await desk.turn(session, "hello to you")
            await desk.turn(session, "thank you so much")
            await session.close()

    run(scenario)
    assert len(mains(desk)) == 4
    assert all("how the archive is built" in json.dumps(body) for body in mains(desk))


def test_a_memory_is_read_found_and_listed_on_demand(desk: Desk) -> None:
    path = str(desk.workspace.store.root / "build-tool.md")
    session = desk.session(
        {
            "tool_calls": [
                call("Read", file_path=path),
                call("Grep", pattern="zirkonmeister", path=str(desk.workspace.store.root), output_mode="content"),
                call("memory_search", queries=["archive built"]),
                call("memory_index", action="list", file="MEMORY.md"),
            ]
        },
        {"text": "zirkonmeister"},
    )

    async def scenario() -> None:
        await desk.turn(session, "hello to you")
        await session.close()

    run(scenario)
    results = [result for message in session.messages for result in message.tool_results]
    assert [result.status for result in results] == ["ok"] * 4
    assert not desk.asked
    assert all("zirkonmeister" in result.output for result in results[:3])
    assert "build-tool" in results[3].output


def test_the_log_holds_no_content_and_no_name(tmp_path: Path) -> None:
    app = Headless(tmp_path)
    root = app.run("memory", "list", "--json").json["root"]
    body = NOTE.replace("build-tool", "flaschenpost-tool")
    write = {"name": "Write", "input": {"file_path": f"{root}/flaschenpost-tool.md", "content": body}}
    extract: list[dict[str, Any]] = [{"for": "extract", "tool_calls": [write]}, {"for": "extract", "text": "done"}]
    key = "sk-ant-" + "api03-" + "Ab1" * 31
    refused = {"name": "Write", "input": {"file_path": f"{root}/flaschenpost-key.md", "content": f"zirkonmeister {key}"}}
    model = app.script({"tool_calls": [refused]}, {"text": "understood"}, *extract)
    said = "The archive is built with zirkonmeister, how the archive is built matters."
    done = app.run("-p", said, "--model", model, "--memory-bench", "--log-filter", "memory,agent,search,sessions,tools", "--output", "json")
    assert done.status == 0, done.err
    assert done.json["extraction"]["written"] == ["flaschenpost-tool.md"]
    logs = [path for path in (app.profile / "data" / "logs").rglob("*") if path.is_file()]
    text = "\n".join(path.read_text(encoding="utf-8") for path in logs) + done.err
    assert logs
    assert not [word for word in ("zirkonmeister", "flaschenpost", "archive is built") if word in text]
