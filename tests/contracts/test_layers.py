"""The layers and the other import contracts of pyproject.toml hold, and a broken one would be seen."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINT = "import sys; from importlinter.cli import lint_imports_command as lint; lint()"


def _lint(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", LINT, "--no-cache", *words], cwd=ROOT, capture_output=True, text=True, timeout=110)


def test_the_contracts_are_kept() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    done = _lint()
    assert done.returncode == 0, done.stdout
    for contract in contracts:
        assert f"{contract['name']} KEPT" in done.stdout, contract["name"]
    assert f"{len(contracts)} kept, 0 broken" in done.stdout


def test_a_broken_contract_is_seen(tmp_path: Path) -> None:
    """The window does import the core: a contract that forbids it must break."""
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(
        '[tool.importlinter]\nroot_package = "desktop"\n[[tool.importlinter.contracts]]\nname = "Wrong"\ntype = "forbidden"\n'
        'source_modules = ["desktop.app"]\nforbidden_modules = ["desktop.compose"]\n',
        encoding="utf-8",
    )
    done = _lint("--config", str(wrong))
    assert done.returncode == 1 and "Wrong BROKEN" in done.stdout


def test_every_package_is_in_the_layers() -> None:
    """A new package that no contract knows would be free of all rules."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    known = {
        name.strip() for contract in contracts if contract["type"] == "layers" for layer in contract["layers"] for name in layer.split("|")
    }
    packages = {f"desktop.{path.parent.name}" for path in (ROOT / "desktop").glob("*/__init__.py")}
    assert packages - known == set()
