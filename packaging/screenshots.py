"""Takes the pictures of the documentation with the app itself: `python packaging/screenshots.py [--out DIR] [NAME…]`.

Builds a throw-away profile with content of its own through the app's services, opens the real window without a display, plays a scripted
conversation, and grabs the window. Every look (dark and light, English and Chinese) runs in a process of its own. Without `--out` the few
pictures that the documentation shows go to `docs/images`; with it all of them go there. Needs a CJK font (`fonts-noto-cjk`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

    from desktop.app.application import Application
    from desktop.compose import Services
    from desktop.providers.base import ModelInfo

ROOT = Path(__file__).resolve().parents[1]
LOOKS = ("dark-en", "light-en", "dark-zh", "light-zh")
SHOWN = {
    "welcome-dark": ("dark-en", "welcome"),
    "chat-dark": ("dark-en", "chat"),
    "chat-light-zh": ("light-zh", "chat"),
    "memory-light": ("light-en", "memory"),
    "history-dark": ("dark-en", "history"),
    "merge-light-zh": ("light-zh", "merge"),
    "settings-dark": ("dark-en", "settings"),
    "sessions-dark": ("dark-en", "picker"),
    "search-dark": ("dark-en", "search"),
    "search-light-zh": ("light-zh", "search-session"),
    "recalled-dark": ("dark-en", "recalled"),
    "review-light-zh": ("light-zh", "review"),
    "health-dark": ("dark-en", "health"),
    "context-light": ("light-en", "context"),
}
"""What goes to `docs/images`: name there, look, picture."""
NOW = datetime(2026, 3, 12, 9, 40, tzinfo=UTC)
SIZE = (1360, 850)
SIDE, CHAT = 290, 470
WAIT_S = 20.0
LIMIT = 150_000
MODEL = "workshop:qwen3-coder-30b"
FOLDER = "keepsake-demo"

# --- the content ---------------------------------------------------------------------------------------------------------

UPLOAD = '''"""Uploads of the photo archive."""

from fastapi import HTTPException, UploadFile

MAX_MB = 8


async def store(file: UploadFile) -> str:
    data = await file.read()
    if len(data) > MAX_MB * 1024 * 1024:
        raise HTTPException(413, "The file is too large.")
    return await archive.put(file.filename, data)
'''

MEMORIES: tuple[tuple[str, str, str, float, str, str], ...] = (
    ("package-manager", "project", "The frontend uses bun, never npm", 0.1, "main",
     "Use `bun install` and `bun test`.\n\n**Why:** the lock file in the repository is bun's.\n\nSee [[release-steps]]."),
    ("reply-language", "user", "和我说话用中文，代码和注释用英文", 1.2, "main",
     "回答用中文；代码、注释和提交信息用英文。"),
    ("commit-style", "feedback", "Commit messages: imperative, at most 72 characters", 2.1, "main",
     "Write “Add the album page”, not “Added …”.\n\n**How to apply:** one sentence, then a blank line, then the reason."),
    ("release-steps", "project", "How a release of the photo archive is made", 3.4, "extractor",
     "1. Raise the version in `pyproject.toml`.\n2. Run the tests on the staging server.\n3. Tag, push, and watch the deployment.\n\n"
     "See [[package-manager]] and [[staging-server]]."),
    ("staging-server", "reference", "The staging server and who may restart it", 5.0, "main",
     "It lives behind the VPN. Restarts are announced in the team channel first."),
    ("database", "project", "数据库是 PostgreSQL 16，迁移用 Alembic", 6.3, "extractor",
     "- 端口 5433，库名 `archive`\n- 每次迁移都要能回退\n- 测试用临时库，不用 SQLite"),
    ("test-first", "feedback", "先写会失败的测试，再改代码", 8.0, "main",
     "修缺陷时，先加一个会失败的测试，看到它失败，再改代码。"),
    ("image-sizes", "project", "Three sizes of every picture, made at upload", 12.6, "main",
     "Thumbnail 320, screen 1600, original. WebP for the first two."),
    ("accessibility", "feedback", "Every picture on the site has an alternative text", 21.0, "person",
     "Without one the upload form does not let you go on."),
    ("meeting-notes", "reference", "周会纪要放在 docs/meetings，文件名用日期", 33.5, "extractor",
     "例如 `2026-03-09.md`。结论写在最前面。"),
)  # fmt: skip
"""Name, type, description, age in days, who wrote it, text."""

USER_MEMORIES: tuple[tuple[str, str, str, float, str], ...] = (
    (
        "working-hours",
        "user",
        "Works in the mornings, reviews in the evening",
        20.0,
        "Questions that can wait are collected for the evening.",
    ),
    ("解释方式", "feedback", "先给结论，再讲原因", 11.0, "回答先写一句结论，然后再展开。"),
)
"""What holds in all projects: name, type, description, age in days, text."""

CHANGES: tuple[tuple[float, str, str, str, str], ...] = (
    (1.4, "main", "staging server.", "staging server, in a clean checkout.", "The person said how the tests are run."),
    (0.9, "person", "Tag, push,", "Tag `v2.5`, push,", ""),
    (0.2, "outside", "watch the deployment.", "watch the deployment for fifteen minutes.", ""),
)
"""Later changes of release-steps: age in days, by whom, old and new words, why."""

SESSIONS: tuple[tuple[str, float, int, str], ...] = (
    ("Why is the album page slow on phones?", 0.08, 6, "The page loads the originals. With the screen size it is nine times lighter."),
    ("给上传接口加上进度显示", 0.2, 8, "进度显示做好了，断线后也能接着传。"),
    ("Write the release notes for 2.4", 1.1, 4, "Here are the notes, in the order in which a visitor meets the changes."),
    ("Rename “photo” to “picture” everywhere", 1.3, 10, "Renamed in 41 files. The API keeps the old name for one more release."),
    ("把数据库迁移改成可以回退的", 1.9, 12, "两个迁移都补上了 downgrade，来回各跑了一遍。"),
    ("Set up the nightly backup", 3.2, 6, "The backup runs at 03:15 and keeps fourteen days."),
    ("解释一下缓存是怎么失效的", 4.4, 4, "缓存的键里有图片的修改时间，所以换了图片就会失效。"),
    ("Find the test that fails one time in twenty", 5.1, 14, "It depended on the order of two files in a folder."),
    ("What does the archive service do on start?", 7.8, 4, "It reads the settings, opens the database, and warms the thumbnails."),
    ("登录页的错误提示太含糊", 9.5, 6, "现在会说明是密码不对，还是账号被停用。"),
    ("Move the settings into one file", 15.0, 8, "All of them are in settings.toml now, with their defaults beside them."),
    ("第一次：介绍一下这个项目", 40.0, 4, "这是一个家庭照片档案：上传、相册、搜索，三个部分。"),
)
"""Prompt, age in days, messages, last answer."""

PROMPT = (
    "Photos over 8 MB cannot be uploaded. Find out why, raise the limit to 64 MB, and remember the new limit. 最后用中文说一下改了什么。"
)
FIRST = "I look at the upload handler first."
FOUND = (
    "The limit is one constant, checked after the whole file was read:\n\n```python\nMAX_MB = 8\n\nif len(data) > MAX_MB * 1024 * 1024:\n"
    '    raise HTTPException(413, "The file is too large.")\n```\n\nI raise it.'
)
DONE = (
    "改好了：\n\n- `upload.py` 的上限从 **8 MB** 提到 **64 MB**，只动了一个常量；\n- 新的上限记在记忆里，以后会话都知道。\n\n"
    "Now I run the tests of the upload."
)


def script(folder: Path, memory: Path) -> dict[str, Any]:
    """What the model says and calls."""
    head = "---\nname: upload-limit\ndescription: Uploads may have 64 MB\nmetadata:\n  type: project\n---\n\n"
    note = {"file_path": str(memory / "upload-limit.md"), "content": f"{head}The limit stands in `upload.py` as `MAX_MB`.\n"}
    upload = str(folder / "upload.py")
    thinking = "The person wants a larger limit and a memory of it. First I have to see where the limit is checked."
    command = {"command": "python -m pytest -q tests/test_upload.py", "description": "Run the tests of the upload"}
    edit = {"file_path": upload, "old_string": "MAX_MB = 8\n", "new_string": "MAX_MB = 64\n"}
    used = {"input_tokens": 14_200, "output_tokens": 310}
    from screenshots_memory import responses

    return {
        "context_window": 131_072,
        "responses": [
            {"thinking": thinking, "text": FIRST, "tool_calls": [{"name": "Read", "input": {"file_path": upload}}], "usage": used},
            {"text": FOUND, "tool_calls": [{"name": "Edit", "input": edit}], "usage": used},
            {"tool_calls": [{"name": "Write", "input": note}], "usage": used},
            {"text": DONE, "tool_calls": [{"name": "Bash", "input": command}], "usage": used},
            *responses(str(memory)),
        ],
    }


class DemoClock:
    """The moment of the pictures; a second passes as a second."""

    def __init__(self, start: datetime = NOW) -> None:
        self._start = start
        self._began = time.monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return time.monotonic() - self._began


# --- the profile ---------------------------------------------------------------------------------------------------------


def fill_folder(folder: Path) -> None:
    """A small project to work on."""
    (folder / "tests").mkdir(parents=True)
    (folder / "upload.py").write_text(UPLOAD, encoding="utf-8")
    (folder / "README.md").write_text("# Photo archive\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text('[project]\nname = "photo-archive"\nversion = "2.4"\n', encoding="utf-8")
    (folder / "tests" / "test_upload.py").write_text("def test_limit() -> None:\n    assert True\n", encoding="utf-8")


def fill_sessions(services: Services, folder: Path, key: str) -> str:
    """A dozen sessions over forty days; gives the id of the newest."""
    from desktop.base.ids import new_message_id
    from desktop.messages.parts import Message, TextPart
    from desktop.messages.usage import Usage
    from desktop.sessions.store import SessionStore

    newest = ""
    for prompt, age, count, answer in reversed(SESSIONS):
        clock = DemoClock(NOW - timedelta(days=age))
        handle = SessionStore(services.paths, clock).create(project_key=key, workspace=folder, memory_enabled=True, model=MODEL)
        for number in range(count):
            person = number % 2 == 0
            text = (prompt if number == 0 else "And then?") if person else answer
            parent = handle.messages[-1].id if handle.messages else None
            usage = None if person else Usage(2_100 + 640 * number, 180 + 40 * number)
            now = clock.now()
            model, stop = (None, None) if person else (MODEL, "end")
            role, origin = ("user", "person") if person else ("assistant", "model")
            handle.append(Message(new_message_id(now), role, (TextPart(text),), now, parent, origin, model, usage, stop))  # type: ignore[arg-type]
        handle.close()
        newest = handle.id
    return newest


def fill_memory(services: Services, folder: Path, session: str) -> None:
    """Ten memories of different age, through the store that the app uses."""
    from desktop.memory.identity import ensure_project
    from desktop.memory.journal import ChangeOrigin
    from desktop.memory.store import MemoryStore

    workspace = services.open_workspace(folder)
    ensure_project(workspace.project, services.clock)
    for name, kind, description, age, actor, body in sorted(MEMORIES, key=lambda one: -one[3]):
        store = MemoryStore(workspace.project, services.paths, DemoClock(NOW - timedelta(days=age)), workspace.memory_state)
        text = f"---\nname: {name}\ndescription: {json.dumps(description, ensure_ascii=False)}\nmetadata:\n  type: {kind}\n---\n\n{body}\n"
        store.write(f"{name}.md", text, base_digest=None, origin=ChangeOrigin(actor, session))  # type: ignore[arg-type]


def change_memory(services: Services, folder: Path) -> None:
    """What happened to one memory since, by three hands, and what is known of the person in all projects."""
    from desktop.memory.store import ChangeOrigin, MemoryStore

    workspace = services.open_workspace(folder)
    for age, actor, old, new, reason in CHANGES:
        clock = DemoClock(NOW - timedelta(days=age))
        store = MemoryStore(workspace.project, services.paths, clock, workspace.memory_state)
        stored = store.read("release-steps.md")
        text = stored.text.replace(old, new)
        if actor == "outside":
            (store.root / "release-steps.md").write_text(text, encoding="utf-8")
            store.observe()
        else:
            store.write("release-steps.md", text, base_digest=stored.digest, origin=ChangeOrigin(actor, reason=reason))  # type: ignore[arg-type]
    for name, kind, description, age, body in USER_MEMORIES:
        clock = DemoClock(NOW - timedelta(days=age))
        root = workspace.memories.root("user")
        store = MemoryStore(workspace.project, services.paths, clock, workspace.memory_state, root=root)
        text = f"---\nname: {name}\ndescription: {json.dumps(description, ensure_ascii=False)}\nmetadata:\n  type: {kind}\n---\n\n{body}\n"
        store.write(f"{name}.md", text, base_digest=None, origin=ChangeOrigin("person"))


def fill_profile(services: Services, home: Path, look: str) -> Path:
    """Everything that the pictures show; gives the folder that is opened."""
    from desktop.base.paths import ensure_private_dir
    from desktop.ui.window_state import Layout, WindowState, to_json

    folder = home / "projects" / FOLDER
    fill_folder(folder)
    others = [home / "projects" / name for name in ("garden-planner", "旅行笔记", "ledger")]
    for other in others:
        other.mkdir()
    theme, language = look.split("-")
    settings = services.settings
    endpoint, name = MODEL.split(":")
    server = {"base_url": "http://127.0.0.1:8080/v1", "models": [name], "context_window": 131_072}
    settings.set("model.endpoints", {endpoint: server})
    settings.set("model.default", MODEL)
    settings.set("appearance.theme", theme)
    settings.set("appearance.language", "zh_CN" if language == "zh" else "en")
    project = services.open_workspace(folder).project
    fill_memory(services, folder, fill_sessions(services, folder, project.key))
    change_memory(services, folder)
    layout = Layout(geometry=(0, 0, *SIZE), side_width=SIDE, chat_width=CHAT)
    state = WindowState(layout=layout, recent_folders=(str(folder), *map(str, others)))
    ensure_private_dir(services.paths.state)
    (services.paths.state / "window.json").write_text(json.dumps(to_json(state)), encoding="utf-8")
    return folder


# --- the window ----------------------------------------------------------------------------------------------------------


def save_small(image: QImage, target: Path) -> None:
    """Save with a palette of 256 colours, and the nearest of them for the few others. A third of the size."""
    from PySide6.QtGui import QImage

    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = array("I", bytes(plain.constBits()))
    counts = Counter(pixels)
    table = best_colours(counts)
    known = {colour: number for number, colour in enumerate(table)}
    places = bytes(known[one] if one in known else known.setdefault(one, _nearest(one, table)) for one in pixels)
    small = QImage(places, plain.width(), plain.height(), plain.width(), QImage.Format.Format_Indexed8)
    small.setColorTable(table)
    small.save(str(target), "PNG", 0)  # type: ignore[call-overload]  # quality 0 is the strongest compression


def best_colours(counts: Counter[int], size: int = 256, apart: int = 400) -> list[int]:
    """Half of the table: the commonest colours. The other half: the commonest of those that none in the table is near to.

    The commonest alone are shades of grey: a keyword of a few letters would lose its colour to the edges of all the grey text.
    `apart` is the square of a distance in RGB.
    """
    ranked = [colour for colour, _ in counts.most_common()]
    table = ranked[: size // 2]
    for colour in ranked[size // 2 :]:
        if len(table) == size:
            break
        if _apart(colour, table[_nearest(colour, table)]) > apart:
            table.append(colour)
    taken = set(table)
    return [*table, *(colour for colour in ranked if colour not in taken)][:size]


def _apart(first: int, second: int) -> int:
    return sum(((first >> shift & 255) - (second >> shift & 255)) ** 2 for shift in (0, 8, 16))


def _nearest(colour: int, table: Sequence[int]) -> int:
    return min(range(len(table)), key=lambda at: _apart(colour, table[at]))


class Studio:
    """The real application with the scripted model under the name of a configured one, and the pictures of one look."""

    def __init__(self, app: QApplication, application: Application, look: str, out: Path) -> None:
        self._app = app
        self.application = application
        self._look = look
        self._out = out

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Let the window work until something holds."""
        end = time.monotonic() + WAIT_S
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"{self._look}: {what} did not come")
            self._app.processEvents()
            time.sleep(0.005)
        self.settle()

    def settle(self, seconds: float = 0.4) -> None:
        """Let layouts, icons and workers come to rest."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._app.processEvents()
            time.sleep(0.005)

    def take(self, name: str) -> None:
        """One picture of the whole window."""
        self.settle()
        window = self.application.workbench
        target = self._out / f"{name}-{self._look}.png"
        save_small(window.grab().toImage(), target)
        if target.stat().st_size > LIMIT:
            print(f"{target.name}: {target.stat().st_size // 1000} KB, more than {LIMIT // 1000}", file=sys.stderr)

    def run(self, folder: Path) -> None:
        """All pictures in the order in which a person would come to them."""
        application = self.application
        application.start()
        self.until(lambda: application.parts is not None and application.workbench.editors.open_tabs(), "the welcome page")
        self.take("welcome")
        application.open_folder(str(folder))
        parts = application.parts
        assert parts is not None
        self.until(lambda: parts.chat.controller.session_id, "a session")
        self.until(lambda: parts.memory.controller.snapshot is not None, "the memories")
        self.take("empty")
        parts.memory.open_memory("release-steps.md")
        self.chat()
        self.search()
        self.pages()
        self.versions()
        self.overlays()
        self.memory_in_use()
        self.moved(folder)
        application.end()

    def chat(self) -> None:
        from desktop.ui.chat.approval_card import ApprovalCard

        parts = self.application.parts
        assert parts is not None
        pane = parts.chat.pane
        pane.composer.set_text(PROMPT)
        self.take("composer")
        pane.composer.edit.send_requested.emit()
        self.until(lambda: pane.live.open_questions, "the question before the edit")
        self.take("approval")
        card: ApprovalCard = pane.live.open_questions[0]
        card.once.click()
        self.until(lambda: [one for one in pane.live.open_questions if one is not card], "the question before the command")
        self.take("chat")
        pane.messages.verticalScrollBar().setValue(0)
        self.take("chat-top")

    def search(self) -> None:
        """What is found in memory and sessions, the filter of the memory view, and a session at a message."""
        parts, bench = self.application.parts, self.application.workbench
        assert parts is not None
        search, view = parts.search, parts.search.view
        self.until(lambda: search.controller.ready and not search.controller.busy, "the index")
        bench.set_region("chat", False)
        bench.run("search.show")
        self.take("search-empty")
        view.box.setText("staging server tests")
        self.until(lambda: view.model.rowCount() == 2, "what was searched for")
        bench.run("search.next")
        self.take("search")
        view.box.setText("数据库 迁移")
        self.until(lambda: view.model.results.query.text == "数据库 迁移", "what was searched for in Chinese")
        view.tree.choose(next(row.key for row in view.model.results.rows if row.kind == "message"))
        bench.run("search.next")
        self.take("search-session")
        view.box.setText("nothing of the kind 没有")
        view.filters.kinds["feedback"].trigger()
        self.until(lambda: not view.model.rowCount(), "that nothing was found")
        self.take("search-nothing")
        view.filters.kinds[""].trigger()
        parts.memory.filter()
        parts.memory.panel.filter.setText("lock")
        self.settle(0.6)
        self.take("filter")
        parts.memory.panel.filter.clear()
        view.box.clear()
        for key in bench.editors.open_keys()[1:]:
            bench.editors.close(key)
        bench.set_region("chat", True)

    def pages(self) -> None:
        parts = self.application.parts
        assert parts is not None
        bench = self.application.workbench
        bench.set_region("chat", False)
        self.take("memory")
        parts.sessions.show()
        self.take("sessions")
        parts.memory.show()
        parts.settings.show("memory")
        self.take("settings")
        parts.settings.show("models")
        self.take("models")
        parts.settings.show("appearance")
        self.take("appearance")
        bench.set_region("chat", True)

    def versions(self) -> None:
        """The history of a memory, and a change by the agent while it is edited."""
        from desktop.memory.store import ChangeOrigin
        from desktop.ui.editor.memory_editor import MemoryEditor

        parts, bench = self.application.parts, self.application.workbench
        assert parts is not None
        workspace = parts.memory.controller.workspace
        assert workspace is not None
        bench.set_region("chat", False)
        parts.memory.tabs.history("project", "release-steps.md")
        self.settle(1.0)
        self.take("history")
        parts.memory.open_memory("release-steps.md")
        editor = bench.editors.widget(bench.editors.current_key())
        assert isinstance(editor, MemoryEditor)
        self.until(lambda: editor.document.base is not None, "the memory")
        editor.source.change_to(editor.draft().replace("See [[package-manager]]", "4. Write the release notes.\n\nSee [[package-manager]]"))
        stored = workspace.store.read("release-steps.md")
        changed = stored.text.replace("Raise the version", "Raise the version and the year")
        workspace.store.write("release-steps.md", changed, base_digest=stored.digest, origin=ChangeOrigin("main", reason="said"))
        self.until(lambda: editor.outside.state == "changed", "the question what to do with the draft")
        self.settle(0.6)
        self.take("merge")
        editor.outside.compare()
        self.settle(0.6)
        self.take("compare")
        editor.take_theirs()
        self.settle()
        bench.set_region("chat", True)

    def memory_in_use(self) -> None:
        """What is recalled, saved, proposed and wrong, and what a chat keeps of it."""
        from screenshots_memory import take_memory

        take_memory(self, lambda ago: DemoClock(NOW - ago))

    def moved(self, folder: Path) -> None:
        """The project's folder under another name."""
        parts = self.application.parts
        assert parts is not None
        self.application.close_folder()
        renamed = folder.rename(folder.with_name("photo-archive"))
        self.application.open_folder(str(renamed))
        self.until(lambda: parts.memory.controller.snapshot is not None, "the renamed folder")
        self.settle(1.0)
        self.take("moved")

    def overlays(self) -> None:
        from PySide6.QtWidgets import QDialog

        parts = self.application.parts
        assert parts is not None
        bench = self.application.workbench
        parts.memory.open_memory("database.md")
        parts.sessions.pick()
        self.take("picker")
        parts.sessions.picker.hide()
        bench.palette_box.open_palette()
        self.take("palette")
        bench.palette_box.hide()
        parts.sessions.ask_read(parts.sessions.controller.sessions[2].id)
        self.settle()
        dialog = next(one for one in bench.findChildren(QDialog) if one.isVisible())
        save_small(dialog.grab().toImage(), self._out / f"read-into-{self._look}.png")
        dialog.reject()


def take_look(look: str, out: Path, place: Path) -> None:
    """All pictures of one look, in this process."""
    home = place / "home"
    home.mkdir()
    os.environ["HOME"] = str(home)
    from desktop import compose
    from desktop.app import application as application_module
    from desktop.app.main import make_qt_application
    from desktop.providers.registry import list_models
    from desktop.providers.scripted import ScriptedModel

    options = compose.Options(profile_dir=str(place / "profile"), environ=os.environ)
    clock = DemoClock()
    build = compose.build_services
    services = build(options, clock)
    folder = fill_profile(services, home, look)
    played = place / "script.json"
    memory = services.open_workspace(folder).project.memory_root
    played.write_text(json.dumps(script(folder, memory)), encoding="utf-8")
    info = next(one for one in list_models(services.providers) if one.id == MODEL)

    class Played(ScriptedModel):
        @property
        def info(self) -> ModelInfo:
            return info

    def make(_id: str, _context: object) -> Played:
        return Played(played)

    def build_with_clock(given: compose.Options, _clock: object = None) -> Services:
        return build(given, clock)

    vars(compose).update(make_model=make, build_services=build_with_clock)
    app = make_qt_application()
    made = application_module.Application(app, options)
    Studio(app, made, look, out).run(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="a folder for all pictures, instead of docs/images for the shown ones")
    parser.add_argument("--look", choices=LOOKS, help=argparse.SUPPRESS)
    parser.add_argument("looks", nargs="*", metavar="LOOK", help=f"which of {', '.join(LOOKS)}; all by default")
    found = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="keepsake-pictures-") as name:
        place = Path(name)
        if found.look:
            take_look(found.look, found.out, place)
            return 0
        out = found.out.absolute() if found.out else place / "all"
        out.mkdir(parents=True, exist_ok=True)
        screen = place / "screen.json"
        screen.write_text(json.dumps({"screens": [{"name": "pictures", "x": 0, "y": 0, "width": 1600, "height": 1000}]}))
        shown = {"QT_QPA_PLATFORM": f"offscreen:configfile={screen}", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        environ = {**os.environ, **shown, "PYTHONPATH": str(ROOT)}
        for look in found.looks or LOOKS:
            subprocess.run([sys.executable, __file__, "--look", look, "--out", str(out)], env=environ, check=True)
        if not found.out:
            images = ROOT / "docs" / "images"
            images.mkdir(parents=True, exist_ok=True)
            taken = {name: one for name, one in SHOWN.items() if one[0] in (found.looks or LOOKS)}
            for name_there, (look, picture) in taken.items():
                (images / f"{name_there}.png").write_bytes((out / f"{picture}-{look}.png").read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
