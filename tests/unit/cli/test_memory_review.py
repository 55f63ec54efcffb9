"""`keepsake memory review` and `keepsake memory extraction`: what they show, what they do, and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import NotFoundError
from desktop.base.phrases import say
from desktop.cli.main import main
from desktop.compose import Options, Workspace, build_services
from desktop.memory.change import ChangeOrigin
from desktop.memory.proposals import Proposal
from tests.unit.memory.conftest import PERSON, note_text

AGENT = ChangeOrigin("extractor", "sess_one", "msg_two", untrusted=True)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = tmp_path / "工作"
    folder.mkdir()
    options = Options(profile_dir=str(tmp_path / "profile"), environ={"HOME": str(tmp_path)}, headless=True)
    return build_services(options).open_workspace(folder)


def propose(
    workspace: Workspace, path: str, text: str = "", *, op: str = "write", root: str = "project", quote: str = "we use bun"
) -> Proposal:
    store = workspace.memories.store(root)
    try:
        stored = store.read(path)
        base, base_text = stored.digest, stored.text
    except NotFoundError:
        base, base_text = None, ""
    made = store.proposals.add(
        "delete" if op == "delete" else "write", path, text, base=base, base_text=base_text, origin=AGENT, reason=say("Nobody said this."),
        rule="unsupported", quote=quote,
    )  # fmt: skip
    assert made is not None
    return made


def keepsake(workspace: Workspace, *words: str) -> int:
    return main(["memory", *words, "--workspace", str(workspace.folder), "--profile-dir", str(workspace.folder.parent / "profile")])


def told(workspace: Workspace, capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    assert keepsake(workspace, *words, "--json") == status
    value = json.loads(capsys.readouterr().out)
    assert isinstance(value, dict)
    return value


def test_nothing_waits(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert keepsake(workspace, "review") == 0
    assert "Nothing waits" in capsys.readouterr().err
    assert told(workspace, capsys, "review") == {"extraction": "auto", "damaged": 0, "proposals": []}


def test_what_is_listed_and_shown(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.store.write("old.md", note_text("old", "first"), base_digest=None, origin=PERSON)
    made = propose(workspace, "old.md", note_text("old", "第二 second"))
    propose(workspace, "me.md", note_text("me", "speaks German"), root="user")
    found = told(workspace, capsys, "review", "list")["proposals"]
    assert {(one["root"], one["path"], one["op"]) for one in found} == {("project", "old.md", "changed"), ("user", "me.md", "new")}
    one = next(one for one in found if one["id"] == made.id)
    assert (one["rule"], one["reason"], one["quote"], one["session"], one["message"], one["untrusted"]) == (
        "unsupported", "Nobody said this.", "we use bun", "sess_one", "msg_two", True,
    )  # fmt: skip
    assert keepsake(workspace, "review", "show", made.id[-6:]) == 0
    out = capsys.readouterr().out
    assert "-first" in out and "+第二 second" in out and "we use bun" in out and "tools, pages or files" in out
    assert keepsake(workspace, "review", "list", "--root", "user") == 0
    out = capsys.readouterr().out
    assert "me.md" in out and "old.md" not in out


def test_accept_and_reject(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (propose(workspace, f"{name}.md", note_text(name, f"about {name}")) for name in ("one", "two"))
    (done,) = told(workspace, capsys, "review", "accept", first.id)["decided"]
    assert done["path"] == "one.md" and done["change"]
    text = workspace.store.read("one.md").text
    assert "originMessageId: msg_two" in text
    assert told(workspace, capsys, "review", "reject", second.id)["decided"][0]["change"] is None
    assert not (workspace.store.root / "two.md").exists()
    assert told(workspace, capsys, "review")["proposals"] == []
    assert keepsake(workspace, "undo", done["change"]) == 0
    assert not (workspace.store.root / "one.md").exists()


def test_all_and_none(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "two", "three"):
        propose(workspace, f"{name}.md", note_text(name, f"about {name}"))
    assert keepsake(workspace, "review", "accept") == 2
    assert "--all" in capsys.readouterr().err
    assert len(told(workspace, capsys, "review", "accept", "--all")["decided"]) == 3
    assert told(workspace, capsys, "review", "reject", "--all")["decided"] == []


@pytest.mark.parametrize("name", ["prop_00000000000000000000000000", "../x", "p", "prop_"])
def test_an_id_that_waits_nowhere(workspace: Workspace, capsys: pytest.CaptureFixture[str], name: str) -> None:
    propose(workspace, "one.md", note_text("one", "about one"))
    assert keepsake(workspace, "review", "accept", name) == 1
    assert name in capsys.readouterr().err


def test_a_file_that_changed_meanwhile(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    store = workspace.store
    store.write("old.md", note_text("old", "first"), base_digest=None, origin=PERSON)
    made = propose(workspace, "old.md", store.read("old.md").text.replace("first", "second"))
    other = propose(workspace, "new.md", note_text("new", "about new"))
    stored = store.read("old.md")
    store.write("old.md", stored.text.replace("first", "third"), base_digest=stored.digest, origin=PERSON)
    done = told(workspace, capsys, "review", "accept", made.id, other.id, status=1)["decided"]
    assert [one["path"] for one in done] == ["new.md"], "one that fails does not keep the others from it"
    assert told(workspace, capsys, "review", "accept", made.id, "--replace")["decided"][0]["path"] == "old.md"
    assert "second" in store.read("old.md").text


def test_secrets_are_masked(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    workspace.store.write("old.md", note_text("old", f"token {secret}"), base_digest=None, origin=PERSON)
    made = propose(workspace, "old.md", note_text("old", "no token"), quote=f"it is {secret}")
    capsys.readouterr()
    for words in (("review",), ("review", "show", made.id), ("review", "show", made.id, "--json")):
        assert keepsake(workspace, *words) == 0
        shown = capsys.readouterr()
        assert secret not in shown.out + shown.err


def test_damaged_files_are_said(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    propose(workspace, "one.md", note_text("one", "about one"))
    (workspace.store.proposals.folder / "prop_torn.json").write_text("{")
    assert keepsake(workspace, "review") == 0
    assert "1 files" in capsys.readouterr().err
    assert told(workspace, capsys, "review")["damaged"] == 1


def test_the_choice_for_one_workspace(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(workspace, capsys, "extraction") == {"extraction": "auto", "workspace": None, "settings": "auto"}
    assert told(workspace, capsys, "extraction", "review")["extraction"] == "review"
    assert workspace.memory_state().extraction == "review"
    assert told(workspace, capsys, "extraction", "default")["workspace"] is None
    assert keepsake(workspace, "extraction", "sometimes") == 2
