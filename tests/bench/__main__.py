"""Runs the benchmarks one after the other, each in a process of its own: `python -m tests.bench [NAME…]`. Prints figures next to budgets.

A benchmark is a `bench_NAME.py` with a `main()`. Figures are for people: a slow machine fails nothing, a benchmark that breaks does.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PREFIX = "bench_"


def names() -> list[str]:
    """The benchmarks that can be run, without their prefix, in order."""
    files = sorted(HERE.glob(f"{PREFIX}*.py"))
    return [path.stem.removeprefix(PREFIX) for path in files if _has_main(path)]


def _has_main(path: Path) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


def run(name: str) -> int:
    """One benchmark with its title above and its seconds below; the exit status."""
    environ = dict(os.environ)
    if not environ.get("DISPLAY") and not environ.get("WAYLAND_DISPLAY"):
        environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(f"--- {name}", flush=True)
    began = time.monotonic()
    status = subprocess.run([sys.executable, "-m", f"tests.bench.{PREFIX}{name}"], cwd=HERE.parents[1], env=environ, check=False).returncode
    print(f"    {time.monotonic() - began:.0f} s{f', failed with {status}' if status else ''}\n", flush=True)
    return status


def main(argv: list[str] | None = None) -> int:
    known = names()
    wanted = sys.argv[1:] if argv is None else argv
    unknown = [name for name in wanted if name not in known]
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    return max([run(name) for name in wanted or known], default=0)


if __name__ == "__main__":
    sys.exit(main())
