"""`keepsake memory …` on real files: versions, repairs, archives, projects that moved. Each test starts the real process."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.e2e.headless import Headless, note_call


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def root_of(app: Headless) -> Path:
    return Path(app.run("memory", "list", "--json").json["root"])


def remember(app: Headless, name: str, body: str) -> None:
    model = app.script({"tool_calls": [note_call(name, root_of(app), body)]}, {"text": "ok"}, name=f"{name}.json")
    assert app.ask(f"Remember {name}", model).json["memory"]["saved"] == [f"{name}.md"]


def test_list_names_every_root_and_its_policy(app: Headless) -> None:
    listed = app.run("memory", "list", "--json").json
    assert set(listed) >= {"root", "enabled", "notes", "index", "roots"}
    assert {root["id"]: root["policy"] for root in listed["roots"]} == {"project": "allow", "user": "ask", "workspace": "ask"}
    user = Path(next(root["folder"] for root in listed["roots"] if root["id"] == "user"))
    user.mkdir(parents=True, exist_ok=True)
    (user / "editor.md").write_text("Prefers tabs.\n", encoding="utf-8")
    assert [note["path"] for note in app.run("memory", "list", "--root", "user", "--json").json["notes"]] == ["editor.md"]
    assert "Prefers tabs." in app.run("memory", "show", "editor", "--root", "user").out
    unknown = app.run("memory", "list", "--root", "team")
    assert unknown.status == 2 and "team" in unknown.err and "workspace" in unknown.err


def test_history_restore_and_undo(app: Headless) -> None:
    remember(app, "build", "We build with bun.")
    file = root_of(app) / "build.md"
    file.write_text(file.read_text(encoding="utf-8").replace("bun", "deno"), encoding="utf-8")
    versions = app.run("memory", "history", "build", "--json").json["versions"]
    assert [(v["actor"], v["available"]) for v in versions] == [("outside", True), ("main", True)]
    assert app.run("memory", "restore", "build", versions[-1]["digest"][:10], "--json").json["change"]["path"] == "build.md"
    assert "bun" in app.run("memory", "show", "build").out
    assert app.run("memory", "undo").status == 0
    assert "deno" in app.run("memory", "show", "build").out
    wrong = app.run("memory", "restore", "build", "ffffffff")
    assert wrong.status == 2 and "memory history build.md" in wrong.err


def test_doctor_finds_and_mends(app: Headless) -> None:
    remember(app, "build", "We build with bun.")
    root = root_of(app)
    (root / "MEMORY.md").write_text("- [Gone](gone.md) — nothing there\n- [build](build.md)\n", encoding="utf-8")
    (root / "broken.md").write_text('---\nname: x\ndescription: "a "b" c"\n---\nBody.\n', encoding="utf-8")
    problems = app.run("memory", "doctor", "--json").json["problems"]
    kinds = {problem["kind"]: problem for problem in problems}
    assert set(problems[0]) >= {"kind", "path", "line", "message", "fix"}
    assert kinds["dangling-line"]["line"] == 1 and kinds["broken-header"]["path"] == "broken.md"
    mended = app.run("memory", "doctor", "--fix", "--json").json
    assert mended["fixed"] and "dangling-line" not in {problem["kind"] for problem in mended["problems"]}
    assert "gone.md" not in (root / "MEMORY.md").read_text(encoding="utf-8")


def test_purge_says_what_it_would_do_and_then_leaves_no_text(app: Headless) -> None:
    remember(app, "secretplan", "The word is Rumpelstilzchen.")
    asked = app.run("memory", "purge", "secretplan")
    assert asked.status == 2 and "--yes" in asked.err and (root_of(app) / "secretplan.md").exists()
    done = app.run("memory", "purge", "secretplan", "--yes", "--json").json
    assert done["removed"] >= 1 and done["remaining"]
    data = app.profile / "data"
    holding = [p for p in data.rglob("*") if p.is_file() and "sessions" not in p.parts and b"Rumpelstilzchen" in p.read_bytes()]
    assert holding == []


def test_export_and_import_are_a_round_trip(app: Headless, tmp_path: Path) -> None:
    remember(app, "build", "We build with bun.")
    root = root_of(app)
    (root / "主题").mkdir()
    (root / "主题" / "部署.md").write_bytes("\ufeff周五部署。\r\n".encode())
    target = tmp_path / "memory 记忆.zip"
    assert app.run("memory", "export", str(target), "--json").json["files"] == 3
    again = app.run("memory", "export", str(target))
    assert again.status == 2 and "--force" in again.err
    other = Headless(tmp_path / "other")
    imported = other.run("memory", "import", str(target), "--json").json
    assert sorted(imported["imported"]) == ["MEMORY.md", "build.md", "主题/部署.md"]
    there = Path(imported["root"])
    files = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.md")}
    assert {p.relative_to(there).as_posix(): p.read_bytes() for p in there.rglob("*.md")} == files


def test_a_hostile_zip_is_refused_by_name_and_nothing_is_written(app: Headless, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(hostile, "w") as zip_file:
        zip_file.writestr("good.md", "good")
        zip_file.writestr("../escaped.md", "evil")
    done = app.run("memory", "import", str(hostile))
    assert done.status != 0 and "../escaped.md" in done.err and "Traceback" not in done.err
    assert list(root_of(app).rglob("*.md")) == [] and not list(app.root.rglob("escaped.md"))


def test_a_renamed_folder_is_recognised_and_relinked(app: Headless, tmp_path: Path) -> None:
    remember(app, "build", "We build with bun.")
    old_root = root_of(app)
    moved = tmp_path / "新名字"
    app.workspace.rename(moved)
    fresh = app.run("memory", "list", "--workspace", str(moved), "--json", cwd=tmp_path)
    assert fresh.json["notes"] == [] and "memory relink" in fresh.err
    assert app.run("memory", "relink", "--workspace", str(moved), cwd=tmp_path).status == 0
    listed = app.run("memory", "list", "--workspace", str(moved), "--json", cwd=tmp_path)
    assert [note["path"] for note in listed.json["notes"]] == ["build.md"] and "memory relink" not in listed.err
    assert Path(listed.json["root"]) == old_root


def test_a_lost_project_is_listed_and_adopted(app: Headless, tmp_path: Path) -> None:
    remember(app, "build", "We build with bun.")
    key = root_of(app).parent.name
    app.workspace.rename(tmp_path / "gone for good")
    (tmp_path / "gone for good").rename(tmp_path / "far")
    for entry in (tmp_path / "far").iterdir():
        entry.unlink()
    (tmp_path / "far").rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    projects = app.run("memory", "projects", "--workspace", str(elsewhere), "--json", cwd=tmp_path).json["projects"]
    assert [(p["key"], p["orphan"], p["notes"]) for p in projects if p["key"] == key] == [(key, True, 1)]
    adopted = app.run("memory", "adopt", key, "--workspace", str(elsewhere), "--json", cwd=tmp_path).json
    assert adopted["moved"] == 1
    listed = app.run("memory", "list", "--workspace", str(elsewhere), "--json", cwd=tmp_path).json
    assert [note["path"] for note in listed["notes"]] == ["build.md"]
    nothing = app.run("memory", "relink", "--workspace", str(elsewhere), cwd=tmp_path)
    assert nothing.status == 1 and "memory projects" in nothing.err
