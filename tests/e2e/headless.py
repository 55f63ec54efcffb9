"""Starting the real process without a window: a scripted model, a throw-away profile, and what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on standard output, which holds nothing else."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


@dataclass(slots=True)
class Headless:
    """A profile, a workspace and a script of model responses below one folder."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.workspace.mkdir(parents=True, exist_ok=True)

    @property
    def workspace(self) -> Path:
        return self.root / "work 工作"

    @property
    def profile(self) -> Path:
        return self.root / "profile"

    @property
    def dumps(self) -> Path:
        return self.root / "dumps"

    def script(self, *responses: dict[str, Any], name: str = "script.json") -> str:
        """Write a script; gives the model id."""
        path = self.root / name
        path.write_text(json.dumps({"responses": list(responses)}), encoding="utf-8")
        return f"scripted:{path}"

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-I", "-m", "desktop", "--profile-dir", str(self.profile), *words]

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("KEEPSAKE_") and k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        kept.pop("QT_QPA_PLATFORM", None)
        return {**kept, **self.environ, **(extra or {})}

    def run(self, *words: str, stdin: str | None = None, environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Ended:
        """Run to the end. Without `stdin` the process has none."""
        given: dict[str, Any] = {"input": stdin.encode()} if stdin is not None else {"stdin": subprocess.DEVNULL}
        done = subprocess.run(
            self.command(*words), cwd=cwd or self.workspace, env=self.environment(environ), capture_output=True, timeout=TIMEOUT_S, **given
        )
        return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start and do not wait."""
        return subprocess.Popen(
            self.command(*words),
            cwd=self.workspace,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, prompt: str, model: str, *words: str) -> Ended:
        """One turn with JSON output and request dumps."""
        return self.run("-p", prompt, "--model", model, "--output", "json", "--dump-requests", str(self.dumps), *words)

    def requests(self, kind: str = "main") -> list[dict[str, Any]]:
        """The dumped requests of a kind, oldest first."""
        files = sorted(self.dumps.glob(f"*-{kind}.json"))
        return [json.loads(path.read_text(encoding="utf-8")) for path in files]

    def last_body(self) -> str:
        """The text of the newest main request's body."""
        return json.dumps(self.requests()[-1]["body"], ensure_ascii=False)

    def transcripts(self) -> list[Path]:
        return sorted((self.profile / "data" / "sessions").glob("*/*.jsonl"))

    def messages(self, session_id: str) -> Sequence[dict[str, Any]]:
        """The stored messages of a session."""
        shown = self.run("sessions", "show", session_id, "--json")
        assert shown.status == 0
        value = shown.json["messages"]
        assert isinstance(value, list)
        return value


def note_call(name: str, root: str | Path, body: str = "We use bun.", call_id: str = "c1") -> dict[str, Any]:
    """A Write call that stores a memory."""
    content = f"---\nname: {name}\ndescription: About {name}\nmetadata:\n  type: project\n---\n\n{body}\n"
    return {"id": call_id, "name": "Write", "input": {"file_path": f"{root}/{name}.md", "content": content}}
