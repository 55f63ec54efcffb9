"""The child process that holds the model: llama.cpp's loopback server behind a random key. Run as a module, never imported by the app.

Parameters come as one JSON line on standard input (the key must not stand on a command line that every local user can read). After that
each line is a word: `busy` and `free` frame a request, so that the child knows when it is idle. It ends when standard input closes (the
parent is gone), after `idle_s` without a request, and when the machine runs short of memory. It writes one JSON line to standard output
once it listens.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from typing import Any

EXIT_OK = 0
EXIT_FAILED = 70
EXIT_SHORT_OF_MEMORY = 75
TICK_S = 1.0
SHORT_IDLE = 300 << 20
"""Free memory below which an idle child ends; a busy one ends below a third of it, before the system kills something else."""


def end_with_parent() -> None:
    """Ask Linux to end this process with its parent; elsewhere the closed standard input does it."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes
    import signal

    pr_set_pdeathsig = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL, 0, 0, 0)


class Watch:
    """Ends the process when it is no longer wanted. `words` runs in the thread that reads, `ticks` in its own."""

    def __init__(self, idle_s: float) -> None:
        self._idle_s = idle_s
        self._busy = False
        self._last = time.monotonic()

    def words(self) -> None:
        for line in sys.stdin.buffer:
            self._busy = line.strip() == b"busy"
            self._last = time.monotonic()
        os._exit(EXIT_OK)

    def ticks(self) -> None:
        import psutil

        while True:
            time.sleep(TICK_S)
            if not self._busy and time.monotonic() - self._last > self._idle_s:
                os._exit(EXIT_OK)
            if psutil.virtual_memory().available < (SHORT_IDLE // 3 if self._busy else SHORT_IDLE):
                os._exit(EXIT_SHORT_OF_MEMORY)


def server_parameters(given: dict[str, Any]) -> Any:
    """llama.cpp's parameters. See the architecture page, section 5, for the figures behind them."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = given["file"]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [given["api_key"]]
    params.n_ctx = given["n_ctx"]
    params.n_parallel = 1
    params.cpuparams.n_threads = given["threads"]
    params.cpuparams_batch.n_threads = given["threads"]
    params.no_extra_bufts = True
    params.fit_params = False
    params.warmup = False
    params.ui = False
    params.cache_ram_mib = 0
    params.cors_origins = "null"
    params.verbosity = 0
    if given.get("slots"):
        params.slot_save_path = given["slots"]
    return params


def main() -> int:
    end_with_parent()
    os.umask(0o077)
    given = json.loads(sys.stdin.buffer.readline() or b"{}")
    watch = Watch(float(given.get("idle_s", 600.0)))
    threading.Thread(target=watch.words, daemon=True).start()
    # llama.cpp logs to both streams: our one line goes to a copy of standard output, and that stream then joins the errors.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        import xllamacpp

        server = xllamacpp.Server(server_parameters(given))
        address = str(server.listening_address)
    except Exception as error:  # noqa: BLE001 - whatever the library raises is told to the parent, which makes a clear message of it
        answer.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        answer.flush()
        return EXIT_FAILED
    answer.write(json.dumps({"address": address, "pid": os.getpid()}) + "\n")
    answer.flush()
    threading.Thread(target=watch.ticks, daemon=True).start()
    threading.Event().wait()
    return EXIT_OK


if __name__ == "__main__":
    os._exit(main())
