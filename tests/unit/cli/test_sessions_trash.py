"""`keepsake sessions delete|trash|export|import`: what is printed in both forms, what is done, and with which exit code it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import NotFoundError, StorageError, UsageError
from desktop.cli.arguments import parse
from desktop.cli.sessions import run as run_sessions
from desktop.messages.parts import Message, TextPart
from tests.helpers.agent import Desk
from tests.unit.sessions.make import message
from tests.unit.sessions.trees import image, png


class Terminal:
    """A profile of its own, and what a command prints."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        root.mkdir(exist_ok=True)
        self.desk = Desk(root)
        self._capsys = capsys

    def add(self, *texts: str, picture: bool = False) -> str:
        services, workspace = self.desk.services, self.desk.workspace
        handle = services.sessions.create(
            project_key=workspace.project.key, workspace=self.desk.workspace_folder, memory_enabled=True, model="m"
        )
        for number, text in enumerate(texts):
            handle.append(message(text, "assistant" if number % 2 else "user", number=number))
        if picture:
            now = services.clock.now()
            handle.append(Message("msg_picture", "user", (TextPart("", data={"image": image(png(3))}),), now))
        handle.close()
        return handle.id

    def run(self, *words: str) -> str:
        common = ["--profile-dir", str(self.root / "profile"), "--workspace", str(self.desk.workspace_folder)]
        assert run_sessions(parse(["sessions", *words, *common])) == 0
        captured = self._capsys.readouterr()
        return captured.out + captured.err

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json"))

    def listed(self) -> list[str]:
        return [one["id"] for one in self.json("list")["sessions"]]


@pytest.fixture
def terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Terminal(tmp_path / "here", capsys)


def test_to_the_trash_and_back(terminal: Terminal) -> None:
    kept, gone = terminal.add("keep this"), terminal.add("扔掉这个")
    said = terminal.run("delete", f"#{gone}")
    assert "“扔掉这个” is in the trash" in said and f"restore {gone}" in said
    assert terminal.listed() == [kept]
    [entry] = terminal.json("trash")["trash"]
    assert (entry["id"], entry["title"], entry["project_key"]) == (gone, "扔掉这个", terminal.desk.workspace.project.key)
    assert entry["size"] > 0 and entry["deleted"].endswith("Z") and Path(entry["path"]).is_file()
    assert gone in terminal.run("trash", "list")
    assert "is back" in terminal.run("trash", "restore", gone)
    assert set(terminal.listed()) == {kept, gone} and "is empty" in terminal.run("trash")


def test_the_same_as_json(terminal: Terminal) -> None:
    first, second = terminal.add("one"), terminal.add("two")
    assert [(one["id"], one["title"]) for one in terminal.json("delete", first, second, first)["trashed"]] == [
        (first, "one"),
        (second, "two"),
    ]
    assert [one["id"] for one in terminal.json("trash", "restore", first)["restored"]] == [first]
    assert terminal.json("trash", "delete", second, "--yes") == {"deleted": [{"id": second, "title": "two"}]}
    assert terminal.json("trash") == {"trash": []} and terminal.listed() == [first]


def test_for_good_only_with_yes(terminal: Terminal) -> None:
    gone = terminal.add("a flamingo")
    terminal.run("delete", gone)
    with pytest.raises(UsageError, match="“a flamingo” for good") as refused:
        terminal.run("trash", "delete", gone)
    assert "--yes" in refused.value.hint
    assert [one["id"] for one in terminal.json("trash")["trash"]] == [gone]
    assert "deleted for good" in terminal.run("trash", "delete", gone, "--yes")
    data = terminal.desk.services.paths.data
    assert not [path for path in data.rglob("*") if path.is_file() and b"flamingo" in path.read_bytes()]


def test_all_copies_go_and_the_latest_comes_back(terminal: Terminal) -> None:
    store = terminal.desk.services.sessions
    session = terminal.add("first form")
    path = store.path_of(session)
    data = path.read_bytes()
    for _ in range(2):
        terminal.run("delete", session)
        path.write_bytes(data)
    terminal.run("delete", session)
    latest = terminal.json("trash")["trash"][0]
    assert terminal.json("trash", "restore", session)["restored"] == [{"id": session, "title": "first form", "path": str(path)}]
    assert not Path(latest["path"]).exists() and len(terminal.json("trash")["trash"]) == 2
    terminal.run("trash", "delete", session, "--yes")
    assert terminal.json("trash") == {"trash": []} and path.read_bytes() == data


def test_what_is_not_there_is_named_and_nothing_is_done(terminal: Terminal) -> None:
    here = terminal.add("here")
    with pytest.raises(NotFoundError, match="sess_nowhere"):
        terminal.run("delete", here, "sess_nowhere")
    assert terminal.listed() == [here]
    terminal.run("delete", here)
    for verb in ("restore", "delete"):
        with pytest.raises(NotFoundError, match="no session sess_nowhere in the trash"):
            terminal.run("trash", verb, here, "sess_nowhere", "--yes")
        with pytest.raises(UsageError, match="needs a session"):
            terminal.run("trash", verb)
    with pytest.raises(UsageError, match="takes no sessions"):
        terminal.run("trash", "list", here)
    assert [one["id"] for one in terminal.json("trash")["trash"]] == [here]


def test_one_that_is_open_stays(terminal: Terminal) -> None:
    session = terminal.add("open")
    handle = terminal.desk.services.sessions.open(session)
    with pytest.raises(StorageError, match="open elsewhere"):
        terminal.run("delete", session)
    handle.close()
    assert terminal.listed() == [session]


def test_an_export_comes_back_in_another_profile(terminal: Terminal, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = terminal.add("Which port?", "5433, 只在内网", picture=True)
    target = tmp_path / "talk.json"
    assert "3 messages, and 1 picture exported" in terminal.run("export", session, str(target))
    other = Terminal(tmp_path / "there", capsys)
    said = other.run("import", str(target))
    assert "keepsake: 1 session can be read now" in said and "Which port?" in said
    [found] = [one for one in other.json("list", "--all")["sessions"] if one["source"] == "keepsake-export"]
    assert found["messages"] == 3 and found["title"] == "Which port?"
    assert "只在内网" in other.run("show", found["id"])
    shown = other.run("export", found["id"])
    assert "(a picture, 1 KB)" in shown
    with pytest.raises(UsageError, match="nothing there is ever deleted"):
        other.run("delete", found["id"])
    [transcript] = other.json("import", str(terminal.desk.services.sessions.path_of(session)))["sessions"]
    assert transcript["source"] == "keepsake-file" and transcript["messages"] == 3


def test_several_are_counted_as_several(terminal: Terminal, tmp_path: Path) -> None:
    for number in range(2):
        terminal.run("export", terminal.add(f"talk {number}"), str(tmp_path / f"{number}.json"))
    (tmp_path / "both").mkdir()
    for number in range(2):
        (tmp_path / f"{number}.json").rename(tmp_path / "both" / f"{number}.json")
    assert "keepsake: 2 sessions can be read now" in terminal.run("import", str(tmp_path / "both"))


def test_our_own_profile_is_not_imported_into_itself(terminal: Terminal) -> None:
    session = terminal.add("mine")
    for path in (terminal.desk.services.sessions.path_of(session), terminal.desk.services.paths.sessions):
        with pytest.raises(UsageError, match="part of this profile"):
            terminal.run("import", str(path))


def test_markdown_to_a_file_and_to_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    session = terminal.add("look", picture=True)
    assert "(a picture, 1 KB)" in terminal.run("export", session)
    value = terminal.json("export", session, str(tmp_path / "a.md"))
    assert (value["messages"], value["pictures"], value["lost"]) == (2, 1, 0)
    [picture] = (tmp_path / "a.files").iterdir()
    assert f"](a.files/{picture.name})" in (tmp_path / "a.md").read_text() and picture.read_bytes() == png(3)


def test_a_place_for_no_file_is_said(terminal: Terminal, tmp_path: Path) -> None:
    session = terminal.add("look")
    (tmp_path / "there.md").write_text("mine")
    wrong = {"x" * 5_000: "no place", ".": "is a folder", "no/a.md": "no folder", "there.md": "already"}
    for place, said in wrong.items():
        with pytest.raises(UsageError, match=said):
            terminal.run("export", session, str(tmp_path / place))
    assert (tmp_path / "there.md").read_text() == "mine"
    terminal.run("export", session, str(tmp_path / "there.md"), "--force")
    assert "look" in (tmp_path / "there.md").read_text()


def test_a_tool_without_sessions_is_named(terminal: Terminal) -> None:
    terminal.add("ours")
    said = terminal.run("list", "--source", "codex")
    assert "no sessions of codex here" in said and "yet" not in said and "keepsake" in said
    assert "no sessions of codex." in terminal.run("list", "--source", "codex", "--all")
