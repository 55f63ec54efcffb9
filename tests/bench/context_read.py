"""What one reading of a session costs, in a process of its own: seconds of CPU, and its memory before and at its peak."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

STATUS = Path("/proc/self/status")
"""Only Linux tells a process its own peak; what `getrusage` says begins with that of the process that started it."""

_MEASURE = """
import sys, time
from pathlib import Path
from desktop.sessions.context import read_context
from desktop.sessions.context_stream import open_material
def peak_kib():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
before, start = peak_kib(), time.process_time()
with open_material(Path(sys.argv[1]), sys.argv[2]) as material:
    result = read_context(material, sys.argv[2])
print(result.status, len(result.citations), time.process_time() - start, before, peak_kib())
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU in seconds; memory in MiB."""

    cited: int
    seconds: float
    before: float
    peak: float


def measured(path: Path, query: str) -> Cost:
    """Read the session with a question.

    Raises:
        CalledProcessError: the process failed.
        ValueError: the session could not be read.
    """
    done = subprocess.run([sys.executable, "-c", _MEASURE, str(path), query], capture_output=True, text=True, check=True)
    status, cited, seconds, before, peak = done.stdout.split()
    if status != "success":
        raise ValueError(status)
    return Cost(int(cited), float(seconds), int(before) / 1024, int(peak) / 1024)
