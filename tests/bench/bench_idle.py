"""CPU at rest of a window with a chat of 5,000 messages, and how long a full garbage collection stops it.

Run: `python -m tests.bench.bench_idle`. A real window in a process of its own, left alone; the session is a true file. Budget: product
design, section 6.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from desktop.base.clock import SystemClock
from desktop.base.paths import resolve_paths
from desktop.memory.identity import resolve_project
from desktop.messages.codec import message_to_json
from desktop.sessions.record import encode, header_to_json
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import message_state
from tests.bench.bench_stream import long_session
from tests.bench.window import prepare, scripted, window

MESSAGES = 5_000
BUDGET = 1.0
SETTLE_MS = 8_000
SECONDS = 30.0

CODE = (
    f"REST_MS, COLLECT_MS = {SETTLE_MS}, {SETTLE_MS + int(SECONDS * 1000) + 1_000}\n"
    + """
import gc, time
class Watched(application.Application):
    def _on_workspace(self, workspace):
        super()._on_workspace(workspace)
        self.parts.chat.controller.opened.connect(self.shown)
    def shown(self, opened):
        if len(opened.messages) > 1000:
            QTimer.singleShot(REST_MS, lambda: say("rest"))
            QTimer.singleShot(COLLECT_MS, self.collect)
        else:
            QTimer.singleShot(0, lambda: self.parts.chat.controller.resume(sys.argv[3]))
    def collect(self):
        began = time.thread_time()
        gc.collect(2)
        print(f"a full collection           {1000 * (time.thread_time() - began):6.1f} ms CPU", flush=True, file=sys.stderr)
        say("collected")
"""
)


def write_session(profile: Path, folder: Path, model: str) -> str:
    """A session of 5,000 messages of this folder, as its file is; gives its id."""
    paths = resolve_paths(str(profile), {})
    project = resolve_project(folder, paths)
    handle = SessionStore(paths, SystemClock()).create(project_key=project.key, workspace=folder, memory_enabled=True, model=model)
    now = handle.header.created
    lines = [encode(0, "session", header_to_json(handle.header), now)]
    parent: str | None = None
    for number, one in enumerate(long_session(MESSAGES)):
        message = replace(one, parent=parent)
        parent = message.id
        summary = {"count": number + 1, "tokens": 0, "state": message_state(message), "model": model, "title": "long"}
        lines.append(encode(number + 1, "message", message_to_json(message), now, **summary))
    handle.path.parent.mkdir(parents=True, exist_ok=True)
    handle.path.write_bytes(b"".join(lines))
    handle.close()
    return handle.id


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        model = scripted(Path(place))
        profile, folder = prepare(Path(place), model__default=model)
        session = write_session(profile, folder, model)
        with window(CODE, str(profile), str(folder), session) as watched:
            watched.wait_for("rest")
            used = watched.cpu(SECONDS)
            print(f"CPU at rest, {MESSAGES:,} messages   {used:6.2f} %   budget {BUDGET} %  ({SECONDS:.0f} s)")
            print(f"resident                    {watched.resident():6.0f} MiB")
            watched.wait_for("collected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
