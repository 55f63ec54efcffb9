"""Driving the real window as a person would: an X display of its own, keys by xdotool, and what came of it on disk.

The display is never the developer's own: keys go to whatever has the focus. Results are read from files, never from pixels.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop.base.paths import AppPaths, resolve_paths
from desktop.memory.identity import Project, resolve_project
from tests.e2e.headless import Headless
from tests.helpers.wait import wait_for

START_S = 60.0
"""A loaded machine may take this long to show a window; the wait ends with the window."""
END_S = 5.0
"""What the design allows from the wish to close to the end of the process."""


LISTENING = """
import sys
from desktop.ui.chat.pane import ChatPane
from desktop.ui.problem_page import ProblemPage
from desktop.ui.workbench import Workbench
said, notify, make, ask = sys.argv[1], Workbench.notify, ProblemPage.__init__, ChatPane._show_question
def tell(*texts):
    with open(said, "a", encoding="utf-8") as file:
        file.write(" ".join(texts) + chr(10))
def heard(self, kind, text, *rest, **named):
    tell(kind, text)
    notify(self, kind, text, *rest, **named)
def shown(self, title, text, hint, actions):
    tell("page", title, text, hint)
    make(self, title, text, hint, actions)
def asked(self, card):
    ask(self, card)
    tell("question")
Workbench.notify, ProblemPage.__init__, ChatPane._show_question = heard, shown, asked
from desktop.__main__ import main
sys.exit(main(sys.argv[2:]))
"""
"""The real program, with what it tells and asks the person written down as well."""


@dataclass(frozen=True, slots=True)
class Display:
    """An X server without a window manager."""

    name: str

    def xdotool(self, *words: str) -> str:
        """Standard output of one xdotool call; empty when it failed."""
        environ = {**os.environ, "DISPLAY": self.name}
        return subprocess.run(["xdotool", *words], env=environ, capture_output=True, text=True, timeout=30).stdout.strip()

    def ask_to_close(self, window: str) -> None:
        """What a window manager sends when the person clicks on ×."""
        _delete_message(self.name, int(window))


@contextmanager
def virtual_display() -> Iterator[Display]:
    """Start Xvfb on a free number; skips the test where it or xdotool is missing."""
    for program in ("Xvfb", "xdotool"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (sh packaging/test installs it)")
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(words, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb ended before it was ready"
        yield Display(f":{number}")
    finally:
        server.terminate()
        server.wait(10)


@dataclass(slots=True)
class Window:
    """A started process and its window."""

    display: Display
    process: subprocess.Popen[str]
    id: str = ""

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def _find(self) -> bool:
        assert self.running, f"the process ended with {self.process.returncode}: {self.errors()}"
        found = self.display.xdotool("search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--name", "Keepsake").split()
        self.id = found[-1] if found else ""
        return bool(self.id)

    def shown(self, title: str = "") -> Window:
        """Wait until it is there, has this in its title, and takes keys."""
        wait_for(self._find, timeout=START_S, what="a window on the screen")
        wait_for(lambda: title in self.title(), timeout=START_S, what=f"“{title}” in the title")
        self.focus()
        return self

    def title(self) -> str:
        return self.display.xdotool("getwindowname", self.id)

    def focus(self) -> None:
        def focused() -> bool:
            self.display.xdotool("windowfocus", self.id)
            return self.display.xdotool("getwindowfocus") == self.id

        wait_for(focused, what="the focus on the window")

    def key(self, *keys: str) -> None:
        self.display.xdotool("key", "--delay", "5", *keys)

    def type(self, text: str) -> None:
        self.display.xdotool("type", "--delay", "4", text)

    def compose(self, text: str) -> None:
        """Type into the composer."""
        self.key("ctrl+l")
        self.type(text)

    # --- the end -----------------------------------------------------------------------------------------------------

    def ask_to_close(self) -> None:
        self.display.ask_to_close(self.id)

    def ended(self, within: float = END_S) -> int:
        """The exit status, which must come within the bound; pauses of the machine do not count."""
        try:
            wait_for(lambda: self.process.poll() is not None, timeout=within, what="the end of the process")
        except AssertionError:
            raise AssertionError(f"the process runs on after {within} s; children: {self.children()}") from None
        return int(self.process.returncode)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)

    def children(self) -> list[psutil.Process]:
        """All processes below this one."""
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def errors(self) -> str:
        """What it wrote to standard error; only once it ended."""
        return self.process.stderr.read() if self.process.stderr is not None else ""


@dataclass(slots=True)
class Desk:
    """Profile, folder and script of one test, and the windows that it started."""

    display: Display
    headless: Headless
    windows: list[Window] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.headless.workspace

    @property
    def paths(self) -> AppPaths:
        return resolve_paths(str(self.headless.profile), {})

    @property
    def project(self) -> Project:
        return resolve_project(self.folder, self.paths)

    @property
    def memory(self) -> Path:
        return self.project.memory_root

    def environment(self) -> dict[str, str]:
        """Of a process with this display; nothing of the test's own offscreen platform."""
        return {**self.headless.environment(), "DISPLAY": self.display.name, "QT_QPA_PLATFORM": "xcb"}

    def launch(self, *words: str, cwd: Path | None = None, listen: bool = False) -> Window:
        """Start the process and do not wait for its window. `listen`: what it says in messages and problem pages goes into `said`."""
        command = self.headless.command(*words)
        if listen:
            command = [sys.executable, "-I", "-c", LISTENING, str(self.headless.root / "said.txt"), *command[4:]]
        process = subprocess.Popen(
            command,
            cwd=cwd or self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.windows.append(Window(self.display, process))
        return self.windows[-1]

    def open(self, model: str, *words: str, folder: Path | None = None, cwd: Path | None = None, listen: bool = False) -> Window:
        """A window on the folder, ready for keys."""
        chosen = folder or self.folder
        options = ("--model", model, "--dump-requests", str(self.headless.dumps))
        window = self.launch(*options, *words, str(chosen), cwd=cwd, listen=listen)
        return window.shown(f"{chosen.name} – Keepsake")

    def close(self) -> None:
        """Whatever a test left behind ends, with its children."""
        for window in self.windows:
            left = window.children()
            if window.running:
                window.kill()
            for child in left:
                if child.is_running():
                    child.kill()
            if window.process.stderr is not None:
                window.process.stderr.close()

    def send(self, window: Window, text: str) -> None:
        """Type and send; returns when the message is stored. Return is pressed again while a turn that has just ended holds it."""
        before = self.texts("user").count(text)
        window.compose(text)

        def stored() -> bool:
            window.key("Return")
            return soon(lambda: self.texts("user").count(text) > before)

        wait_for(stored, timeout=START_S, what=f"“{text}” in the transcript")

    def _question(self, number: int) -> None:
        """Wait until the question with this number is asked: what is typed earlier goes wherever the focus is."""
        wait_for(lambda: self.said().split("\n").count("question") >= number, timeout=START_S, what=f"question {number}")

    def allow(self, window: Window, until: Callable[[], bool], *, number: int = 1) -> None:
        """Answer a question with “allow once” by its key. `number`: counted since the start; the window was opened with `listen`."""
        self._question(number)
        window.key("ctrl+Return")
        wait_for(until, timeout=START_S, what="what was allowed")

    def deny(self, window: Window, reason: str, until: Callable[[], bool], *, number: int = 1) -> None:
        """Answer a question from the field for the reason, which stands right before the composer. `number` as in `allow`."""
        self._question(number)
        window.key("ctrl+l", "shift+Tab")
        window.type(reason)
        window.key("Return")
        wait_for(until, timeout=START_S, what="what was denied")

    # --- what is on disk ---------------------------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """Every whole line of every transcript."""
        found = []
        for path in self.headless.transcripts():
            for line in path.read_bytes().split(b"\n")[:-1]:
                found.append(json.loads(line))
        return found

    def asked(self, kind: str = "main") -> int:
        """How many requests of a kind went out."""
        return len(list(self.headless.dumps.glob(f"*-{kind}.json")))

    def streaming(self, seconds: float = 0.5) -> bool:
        """Whether the newest request went out at least so long ago: a slow answer is on its way."""
        files = sorted(self.headless.dumps.glob("*.json"))
        return bool(files) and time.time() - files[-1].stat().st_mtime > seconds

    def texts(self, role: str) -> list[str]:
        """The texts of the stored messages of a role, oldest first."""
        messages = [record["message"] for record in self.records() if record["kind"] == "message"]
        return ["".join(part.get("text", "") for part in one["parts"]) for one in messages if one["role"] == role]

    def results(self) -> list[dict[str, Any]]:
        """The stored results of tool calls."""
        messages = [record["message"] for record in self.records() if record["kind"] == "message" and record["message"]["role"] == "tool"]
        return [part for one in messages for part in one["parts"] if part["kind"] == "tool_result"]

    def metas(self, name: str) -> list[Any]:
        return [record["meta"]["value"] for record in self.records() if record["kind"] == "meta" and record["meta"]["name"] == name]

    def bodies(self, kind: str = "main") -> list[str]:
        """The dumped request bodies of a kind as text."""
        return [json.dumps(one["body"], ensure_ascii=False) for one in self.headless.requests(kind)]

    def window_state(self) -> dict[str, Any]:
        value = json.loads((self.paths.state / "window.json").read_text(encoding="utf-8"))
        assert isinstance(value, dict)
        return value

    def said(self) -> str:
        """What windows that were started with `listen` told the person."""
        path = self.headless.root / "said.txt"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def log(self) -> str:
        path = self.paths.logs / "keepsake.log"
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def soon(condition: Callable[[], bool], timeout: float = 1.0) -> bool:
    """Whether a condition comes true within a moment: for keys that may have come too early and are pressed again."""
    try:
        wait_for(condition, timeout=timeout)
    except AssertionError:
        return False
    return True


def still_alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that run on; a zombie that nobody has reaped yet does not."""
    alive = []
    for one in processes:
        try:
            if one.is_running() and one.status() != psutil.STATUS_ZOMBIE:
                alive.append(one)
        except psutil.NoSuchProcess:
            continue
    return alive


def terminate(window: Window) -> None:
    """SIGTERM, as a session manager sends it."""
    window.process.send_signal(signal.SIGTERM)


class _ClientMessage(ctypes.Structure):
    """XClientMessageEvent of Xlib."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
    )


class _Event(ctypes.Union):
    _fields_ = (("client", _ClientMessage), ("room", ctypes.c_long * 24))


def _delete_message(display_name: str, window: int) -> None:
    """Send WM_DELETE_WINDOW; xdotool has no word for it."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(display_name.encode())
    assert display, f"no X server at {display_name}"
    event = _Event()
    message = event.client
    message.type, message.window, message.format = 33, window, 32
    message.message_type = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
    message.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    x11.XSendEvent(display, window, 0, 0, ctypes.byref(event))
    x11.XCloseDisplay(display)
