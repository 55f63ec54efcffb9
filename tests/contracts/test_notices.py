"""The third-party notices name exactly what the lock file installs, with a licence each, and no GPL-only package."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
NOTICE = re.compile(r"^([A-Za-z0-9._-]+) (\S+) — (.+)$", re.MULTILINE)


def _locked() -> dict[str, str]:
    return dict(REQUIREMENT.findall((ROOT / "packaging/constraints.txt").read_text(encoding="utf-8")))


def _noticed() -> dict[str, tuple[str, str]]:
    text = (ROOT / "THIRD-PARTY-NOTICES").read_text(encoding="utf-8")
    packages = text[text.index("PYTHON PACKAGES") :]
    return {name: (version, licence) for name, version, licence in NOTICE.findall(packages)}


def test_every_locked_package_is_named_with_its_version() -> None:
    assert {name: version for name, (version, _) in _noticed().items()} == _locked()


def test_no_package_is_under_the_gpl() -> None:
    assert [name for name, (_, licence) in _noticed().items() if re.search(r"(?<!L)GPL", licence)] == []


def test_qt_and_the_models_are_named() -> None:
    text = (ROOT / "THIRD-PARTY-NOTICES").read_text(encoding="utf-8")
    assert "LGPL-3.0-only" in text
    assert "Qwen2.5-Coder-1.5B-Instruct (GGUF, Q4_K_M) — Apache-2.0" in text
    assert "Qwen2.5-Coder-0.5B-Instruct (GGUF, Q4_K_M) — Apache-2.0" in text


def test_lock_files_have_hashes_and_no_addresses() -> None:
    for name in ("constraints.txt", "constraints-test.txt"):
        text = (ROOT / "packaging" / name).read_text(encoding="utf-8")
        assert "://" not in text
        requirements = re.split(r"(?m)^(?=[A-Za-z0-9])", text)[1:]
        assert requirements
        assert [block.split("==")[0] for block in requirements if "--hash=sha256:" not in block] == []


def test_direct_dependencies_stand_in_the_lock_with_the_same_version() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = {re.sub(r"\[.*?\]", "", name): version for name, version in (d.split("==") for d in project["dependencies"])}
    assert {name: _locked()[name] for name in direct} == direct
