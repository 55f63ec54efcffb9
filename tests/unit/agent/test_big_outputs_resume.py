"""Outputs that stand in side files are in the next request to the byte as they were before the restart, and so they are in a fork."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path

from desktop.messages.parts import ToolResultPart
from desktop.sessions.side_files import SideFiles
from tests.helpers.script import call
from tests.unit.agent.test_exact_resume import Two, scenario

BIG = "一行输出 a line of output\n" * 6_000
IMAGE = {"media_type": "image/png", "data": base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(500)).decode()}
ROOMY = {"context_window": 900_000}


def test_a_big_output_is_whole_in_the_request_after_a_restart(tmp_path: Path) -> None:
    async def act(two: Two) -> None:
        await two.turn("read it", {"tool_calls": [call("Read", "c1", file_path="a.txt")]}, {"text": "read"}, **ROOMY)
        asked = next(m for m in two.session.messages if m.tool_calls)
        there = next(m for m in two.session.messages if m.tool_results)
        big = ToolResultPart("c1", "Read", BIG, data={"image": IMAGE})
        two.session.handle.append(replace(there, id="msg_big", parent=asked.id, parts=(big,)))
        assert len(SideFiles(two.session.handle.path).paths()) == 2
        request = (await two.check("and now?", **ROOMY)).decode()
        assert request.count("a line of output") == 6_000
        assert two.session.handle.path.stat().st_size < 200_000, "the transcript holds the first part alone"

    assert scenario(tmp_path, act).compared == 1
