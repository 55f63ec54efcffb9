"""`keepsake memory doctor` from the terminal: one kind, one problem, another repair, passing over; and undo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.headless import Headless, note_call

SECRET = "ghp_" + "Z9y8X7w6" * 5


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def root_of(app: Headless) -> Path:
    return Path(app.run("memory", "list", "--json").json["root"])


def put(root: Path, name: str, body: str, modified: str) -> Path:
    place = root / f"{name}.md"
    place.write_text(f"---\nname: {name}\nmetadata:\n  type: project\n  modified: {modified}\n---\n\n{body}\n", encoding="utf-8")
    return place


def problems(app: Headless) -> dict[str, dict[str, Any]]:
    return {one["kind"]: one for one in app.run("memory", "doctor", "--json").json["problems"]}


def test_a_kind_is_mended_and_undone_and_a_secret_is_never_printed(app: Headless) -> None:
    root = root_of(app)
    root.mkdir(parents=True, exist_ok=True)
    secret = put(root, "token", f"The token is {SECRET}.", "2026-03-05T10:00:00Z")
    before = secret.read_bytes()
    told = app.run("memory", "doctor")
    assert SECRET not in told.out + told.err
    assert "token.md:8" in told.out
    mended = app.run("memory", "doctor", "--fix", "secret", "--json").json
    assert "token.md" in {change["path"] for change in mended["fixed"]}
    assert all(SECRET not in path.read_text(encoding="utf-8") for path in root.rglob("*.md"))
    assert "secret" not in {one["kind"] for one in mended["problems"]}
    assert app.run("memory", "undo", mended["fixed"][0]["id"]).status == 0
    assert secret.read_bytes() == before


def test_one_problem_is_mended_by_its_id_and_by_another_repair(app: Headless) -> None:
    root = root_of(app)
    root.mkdir(parents=True, exist_ok=True)
    old = put(root, "old", "The port of the API is 3000.", "2026-01-01T00:00:00Z")
    put(root, "new", "The port of the API is 8080.", "2026-02-01T00:00:00Z")
    contradicted = problems(app)["contradicted"]
    assert contradicted["path"] == "old.md"
    assert contradicted["fixes"] == ["delete", "mark-superseded"]
    app.run("memory", "doctor", "--fix", contradicted["id"], "--with", "mark-superseded", "--json")
    assert "superseded_by: new" in old.read_text(encoding="utf-8")
    assert "contradicted" not in problems(app)
    unknown = app.run("memory", "doctor", "--fix", "no-such-kind")
    assert unknown.status == 1
    assert "secret" in unknown.err
    wrong = app.run("memory", "doctor", "--fix", "--with", "delete")
    assert wrong.status == 2
    by_hand = app.run("memory", "doctor", "--fix", "link")
    assert by_hand.status == 2


def test_a_problem_is_passed_over_and_counted_again(app: Headless) -> None:
    root = root_of(app)
    root.mkdir(parents=True, exist_ok=True)
    put(root, "demo", "The demo is tomorrow.", "2026-03-05T10:00:00Z")
    wanted = problems(app)["relative-date"]["id"]
    assert app.run("memory", "doctor", "--ignore", wanted).status == 0
    assert problems(app)["relative-date"]["ignored"] is True
    assert "tomorrow" not in app.run("memory", "doctor").out
    app.run("memory", "doctor", "--show-again", wanted)
    assert problems(app)["relative-date"]["ignored"] is False
    assert app.run("memory", "doctor", "--ignore", "0123456789abcdef").status == 1


def test_names_of_the_workspace_are_looked_for_there(app: Headless) -> None:
    model = app.script({"tool_calls": [note_call("helpers", root_of(app), "helpers live in slash_models_witness.rs")]}, {"text": "ok"})
    app.ask("Remember where the helpers live: slash_models_witness.rs", model)
    stale = problems(app).get("stale")
    assert stale is not None
    assert "slash_models_witness.rs" in stale["message"]
    (app.workspace / "slash_models_witness.rs").write_text("", encoding="utf-8")
    assert "stale" not in problems(app)


def test_whole_files_are_mended_by_the_names_of_the_window_and_looked_at_before(app: Headless) -> None:
    root = root_of(app)
    root.mkdir(parents=True, exist_ok=True)
    long = put(
        root,
        "orders",
        "".join(f"## Part {n}\n\n{f'The orders of part {n} go to the archive. ' * 200}\n\n" for n in range(5)),
        "2026-02-01T00:00:00Z",
    )
    chinese = root / "port.md"
    chinese.write_bytes("---\nname: port\n---\n\n数据库的默认端口是 5433，测试必须先跑。\n".encode("gb18030"))
    found = problems(app)
    before = {path.name: path.read_bytes() for path in root.glob("*.md")}
    before["MEMORY.md"].decode()  # a memory that is no text gets a line that is one
    assert (found["oversize-note"]["fixes"], found["unreadable"]["fixes"]) == (["split-sections"], ["save-utf8"])
    told = app.run("memory", "doctor")
    assert "split-sections" in told.out
    shown = app.run("memory", "doctor", "--fix", "oversize-note", "--preview")
    assert "+- [[orders-part-0]]" in shown.out
    assert {path.name: path.read_bytes() for path in root.glob("*.md")} == before
    mended = app.run("memory", "doctor", "--fix", "oversize-note", "--with", "split-sections", "--json").json
    assert len(list(root.glob("orders-part-*.md"))) == 5
    assert app.run("memory", "undo", mended["fixed"][0]["id"]).status == 0
    assert long.read_bytes() == before["orders.md"]
    assert not list(root.glob("orders-part-*.md"))
    mended = app.run("memory", "doctor", "--fix", "unreadable", "--json").json
    assert "数据库的默认端口是 5433" in chinese.read_text(encoding="utf-8")
    assert app.run("memory", "undo", mended["fixed"][0]["id"]).status == 0
    assert chinese.read_bytes() == before["port.md"]
    assert app.run("memory", "doctor", "--preview").status == 2
