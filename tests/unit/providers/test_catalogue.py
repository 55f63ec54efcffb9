"""The catalogue: where model files are found, and how it is known that one is right."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError
from desktop.base.paths import AppPaths
from desktop.base.phrases import Phrase
from desktop.providers.catalogue import (
    CATALOGUE,
    STAMP_SUFFIX,
    CatalogueModel,
    check_file,
    entry_named,
    find_file,
    installed,
    stamped_digest,
)

DATA = b"GGUF" + bytes(range(256)) * 8


def entry(name: str = "big", data: bytes = DATA, **values: object) -> CatalogueModel:
    given: dict[str, object] = {
        "name": name,
        "label": name.title(),
        "file": f"{name}.gguf",
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "licence": "Apache-2.0",
        "publisher": "Nobody",
        "hub": "",
        "pieces": (),
        "needs": 1,
        "resident": 1,
    }
    return CatalogueModel(**{**given, **values})  # type: ignore[arg-type]


BIG, SMALL = entry("big"), entry("small", DATA[:100])


class Places:
    def __init__(self, folder: Path) -> None:
        self.paths = AppPaths(folder / "data", folder / "config", folder / "cache")
        self.default = AppPaths(folder / "default", folder / "default", folder / "default")
        self.given = folder / "given"
        self.environ = {"KEEPSAKE_MODELS": str(self.given)}
        for place in (self.paths.models, self.default.models, self.given):
            place.mkdir(parents=True)

    def find(self, name: str | None = None) -> Path | None:
        found = find_file(self.paths, self.environ, name, catalogue=(BIG, SMALL), defaults=lambda: self.default)
        return found.path if found else None


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def test_the_real_entries_are_whole() -> None:
    assert [e.name for e in CATALOGUE] == ["qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"]
    for model in CATALOGUE:
        assert sum(p.size for p in model.pieces) == model.size
        assert len({p.wheel_sha256 for p in model.pieces}) == len(model.pieces)
        assert all(len(p.wheel_sha256) == 64 for p in model.pieces)
        assert model.licence == "Apache-2.0"
        assert model.hub.startswith("https://")
    assert [len(e.pieces) for e in CATALOGUE] == [22, 6]


def test_what_a_model_is_called_can_be_said_in_another_language() -> None:
    for one in CATALOGUE:
        assert isinstance(one.label, Phrase) and one.label.template.startswith("{name}") and "embedded" in one.label


def test_names_may_be_shortened() -> None:
    assert entry_named("0.5b").name == "qwen2.5-coder-0.5b"
    with pytest.raises(NotFoundError) as error:
        entry_named("7b")
    assert "qwen2.5-coder-1.5b" in error.value.hint


def test_the_order_of_places(places: Places) -> None:
    assert places.find() is None
    (places.default.models / "big.gguf").write_bytes(DATA)
    assert places.find() == places.default.models / "big.gguf"
    (places.paths.models / "big.gguf").write_bytes(DATA)
    assert places.find() == places.paths.models / "big.gguf"
    (places.given / "big.gguf").write_bytes(DATA)
    assert places.find() == places.given / "big.gguf"


def test_the_better_model_wins_over_the_nearer_place(places: Places) -> None:
    (places.given / "small.gguf").write_bytes(DATA[:100])
    (places.default.models / "big.gguf").write_bytes(DATA)
    assert places.find() == places.default.models / "big.gguf"
    assert places.find("small") == places.given / "small.gguf"


def test_a_named_file_comes_first(places: Places) -> None:
    own = places.given / "mine.gguf"
    own.write_bytes(b"GGUF own")
    (places.paths.models / "big.gguf").write_bytes(DATA)
    places.environ = {"KEEPSAKE_MODELS": str(own)}
    assert places.find() == own


def test_an_incomplete_file_is_named_and_not_used(places: Places) -> None:
    (places.given / "big.gguf").write_bytes(DATA[:-1])
    [model] = installed(places.paths, places.environ, catalogue=(BIG,), defaults=lambda: places.default)
    assert model.problem is not None
    assert "incomplete" in model.problem
    assert places.find() is None


def test_a_digest_is_checked_once_and_again_after_a_change(places: Places) -> None:
    file = places.paths.models / "big.gguf"
    file.write_bytes(DATA)
    found = find_file(places.paths, {}, catalogue=(BIG,), defaults=lambda: places.default)
    assert found is not None
    assert not found.checked
    assert check_file(found, places.paths).checked
    assert stamped_digest(file, places.paths) == BIG.sha256
    again = find_file(places.paths, {}, catalogue=(BIG,), defaults=lambda: places.default)
    assert again is not None
    assert again.checked
    os.utime(file, ns=(1, 1))
    assert stamped_digest(file, places.paths) is None


def test_a_wrong_digest_is_said_and_the_next_model_is_used(places: Places) -> None:
    wrong = places.paths.models / "big.gguf"
    wrong.write_bytes(DATA[:-1] + b"!")
    (places.paths.models / "small.gguf").write_bytes(DATA[:100])
    found = find_file(places.paths, {}, catalogue=(BIG, SMALL), defaults=lambda: places.default)
    assert found is not None
    assert found.path == wrong
    with pytest.raises(NotFoundError) as error:
        check_file(found, places.paths)
    assert str(wrong) in error.value.message
    assert "digest" in error.value.message
    assert wrong.exists()
    following = find_file(places.paths, {}, catalogue=(BIG, SMALL), defaults=lambda: places.default)
    assert following is not None
    assert following.name == "small"


def test_a_stamp_goes_into_the_cache_when_the_folder_cannot_be_written(places: Places) -> None:
    file = places.given / "big.gguf"
    file.write_bytes(DATA)
    (places.given / ("big.gguf" + STAMP_SUFFIX)).mkdir()
    found = find_file(places.paths, places.environ, catalogue=(BIG,), defaults=lambda: places.default)
    assert found is not None
    check_file(found, places.paths)
    assert stamped_digest(file, places.paths) == BIG.sha256
    assert list((places.paths.cache / "models").iterdir())


def test_own_files_are_listed_after_the_catalogue(places: Places) -> None:
    (places.given / "zebra.gguf").write_bytes(b"GGUF z")
    (places.given / "no-model.gguf").write_bytes(b"text")
    (places.given / "small.gguf").write_bytes(DATA[:100])
    found = installed(places.paths, places.environ, catalogue=(BIG, SMALL), defaults=lambda: places.default)
    assert [m.name for m in found] == ["small", "zebra"]
    assert found[1].own


def test_a_place_that_cannot_be_looked_into_holds_no_model(tmp_path: Path) -> None:
    paths = AppPaths(tmp_path / "data", tmp_path / "config", tmp_path / "cache")
    assert installed(paths, {"KEEPSAKE_MODELS": f"/{'x' * 5_000}"}, defaults=lambda: paths) == []
