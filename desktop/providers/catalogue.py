"""The embedded models: what each is, where its file may lie, and whether that file was checked. Downloads nothing.

A file is looked for in `KEEPSAKE_MODELS` (a folder, or one GGUF file), then `<data>/models`, then the default profile's models folder.
Beside a checked file lies a stamp with its digest, size and time of change, so that a gigabyte is hashed once and not at every start.
Blocking; `check_file` may take seconds and belongs into a thread.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.paths import AppPaths, default_paths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, read_bytes
from desktop.providers.embedded_pieces import PIECES_0_5B, PIECES_1_5B, Piece

STAMP_SUFFIX = ".checked.json"
STAMP_SCHEMA = 1
GGUF_MAGIC = b"GGUF"
HASH_BLOCK = 1 << 20
STAMP_LIMIT = 10_000
MEMORY_MARGIN = 0.92
"""A machine sold with 4 GB reports a little less, since firmware and graphics keep some."""


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """One model that Keepsake can fetch.

    Attributes:
        name: as on the command line.
        label: for the window.
        file: name of the file in a models folder.
        size: bytes.
        sha256: of the whole file, equal to the publisher's.
        licence: SPDX id.
        publisher: who made the model.
        hub: address of the file at its publisher, or empty.
        pieces: carrier packages, in order.
        needs: bytes of memory and of free disk below which another model is the better choice.
        resident: bytes that the running model holds.
    """

    name: str
    label: str
    file: str
    size: int
    sha256: str
    licence: str
    publisher: str
    hub: str
    pieces: tuple[Piece, ...] = field(repr=False)
    needs: int
    resident: int

    @property
    def largest_piece(self) -> int:
        return max((piece.size for piece in self.pieces), default=0)


CATALOGUE: tuple[CatalogueModel, ...] = (
    CatalogueModel(
        name="qwen2.5-coder-1.5b",
        label=say("{name} (embedded)", name="Qwen2.5-Coder 1.5B"),
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        publisher="Qwen",
        hub="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        pieces=PIECES_1_5B,
        needs=4_000_000_000,
        resident=1_500_000_000,
    ),
    CatalogueModel(
        name="qwen2.5-coder-0.5b",
        label=say("{name} (embedded, light)", name="Qwen2.5-Coder 0.5B"),
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        publisher="Qwen",
        hub="https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        pieces=PIECES_0_5B,
        needs=1_500_000_000,
        resident=750_000_000,
    ),
)


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model file on this machine.

    Attributes:
        name: the catalogue's name, or the file's stem for a person's own GGUF.
        label: for the window.
        path: the file.
        size: bytes on disk.
        checked: its digest was compared and is right (an own file has none to compare with: True).
        problem: why it is not used, or None.
        entry: the catalogue's entry, or None for an own file.
    """

    name: str
    label: str
    path: Path
    size: int
    checked: bool
    problem: str | None
    entry: CatalogueModel | None

    @property
    def own(self) -> bool:
        return self.entry is None


def entry_named(name: str, catalogue: Sequence[CatalogueModel] = CATALOGUE) -> CatalogueModel:
    """The entry behind a name as people write it: whole, or its end (`1.5b`).

    Raises:
        NotFoundError: the message lists what there is.
    """
    wanted = name.strip().casefold()
    exact = [e for e in catalogue if e.name == wanted]
    near = exact or [e for e in catalogue if wanted and e.name.endswith(wanted)]
    if len(near) == 1:
        return near[0]
    raise NotFoundError(
        say("There is no embedded model named “{name}”.", name=name),
        hint=say("Choose one of: {names}.", names=", ".join(e.name for e in catalogue)),
    )


def model_folders(paths: AppPaths, environ: Mapping[str, str], defaults: Callable[[], AppPaths] = default_paths) -> list[Path]:
    """Where model files are looked for, in order, without repetition. `KEEPSAKE_MODELS` may name a file: see `own_file`."""
    folders: list[Path] = []
    given = environ.get("KEEPSAKE_MODELS", "").strip()
    if given:
        folders.append(Path(given))
    folders += [paths.models, defaults().models]
    return list(dict.fromkeys(folders))


# --- stamps -----------------------------------------------------------------------------------------------------------


def _stamp_places(path: Path, paths: AppPaths) -> tuple[Path, Path]:
    """Beside the file; and in the cache for a file in a folder that cannot be written."""
    elsewhere = hashlib.sha256(str(path.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return path.with_name(path.name + STAMP_SUFFIX), paths.cache / "models" / (elsewhere + STAMP_SUFFIX)


def stamped_digest(path: Path, paths: AppPaths) -> str | None:
    """The digest that a valid stamp gives for the file as it is now, or None."""
    try:
        state = path.stat()
    except OSError:
        return None
    for place in _stamp_places(path, paths):
        try:
            value = json.loads(read_bytes(place, STAMP_LIMIT))
        except (KeepsakeError, ValueError):
            continue
        if (
            isinstance(value, dict)
            and value.get("size") == state.st_size
            and value.get("mtime_ns") == state.st_mtime_ns
            and isinstance(value.get("sha256"), str)
        ):
            return str(value["sha256"])
    return None


def write_stamp(path: Path, sha256: str, paths: AppPaths) -> None:
    """Note the digest of the file as it is now. Without a writable place nothing is noted: the file is then hashed again next time."""
    try:
        state = path.stat()
    except OSError:
        return
    value = {"schema": STAMP_SCHEMA, "sha256": sha256, "size": state.st_size, "mtime_ns": state.st_mtime_ns}
    data = (json.dumps(value) + "\n").encode()
    for place in _stamp_places(path, paths):
        try:
            ensure_private_dir(place.parent)
            atomic_write(place, data)
            return
        except KeepsakeError:
            continue


def remove_stamps(path: Path, paths: AppPaths) -> None:
    for place in _stamp_places(path, paths):
        place.unlink(missing_ok=True)


def hash_file(path: Path, cancelled: Callable[[], bool] = lambda: False) -> str:
    """SHA-256 of a file in hex, read in blocks; empty when cancelled.

    Raises:
        OSError: it cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(HASH_BLOCK):
            if cancelled():
                return ""
            digest.update(block)
    return digest.hexdigest()


# --- what is installed ------------------------------------------------------------------------------------------------


def _wrong_digest(path: Path, entry: CatalogueModel) -> str:
    return say("{path} is not the published {name}: its digest is wrong, so it is not used.", path=path, name=entry.name)


def examine(path: Path, entry: CatalogueModel, paths: AppPaths) -> InstalledModel | None:
    """What is at a place where an entry's file may lie, by size and stamp; None when nothing is."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            return None
    except OSError:
        return None
    problem: str | None = None
    checked = False
    if size != entry.size:
        problem = say(
            "{path} has {size:,} bytes, the published {name} has {published:,}: it is incomplete or another file.",
            path=path,
            size=size,
            name=entry.name,
            published=entry.size,
        )
    else:
        digest = stamped_digest(path, paths)
        checked = digest == entry.sha256
        if digest is not None and not checked:
            problem = _wrong_digest(path, entry)
    return InstalledModel(entry.name, entry.label, path, size, checked, problem, entry)


def is_gguf(path: Path) -> bool:
    """A plain file that begins as GGUF files do."""
    try:
        return path.is_file() and read_bytes(path, 4) == GGUF_MAGIC
    except (KeepsakeError, OSError):
        return False


def _is_plain(path: Path) -> bool:
    """A plain file; False also for a place that may not be looked into (another user's profile)."""
    try:
        return path.is_file()
    except OSError:
        return False


def _own(path: Path) -> InstalledModel | None:
    if not is_gguf(path):
        return None
    return InstalledModel(path.stem, f"{path.stem} (your file)", path, path.stat().st_size, True, None, None)


def _own_files(folder: Path, known: set[str]) -> list[InstalledModel]:
    try:
        candidates = sorted(p for p in folder.iterdir() if p.suffix.lower() == ".gguf" and p.name not in known)
    except OSError:
        return []
    return [model for model in map(_own, candidates) if model]


def installed(
    paths: AppPaths,
    environ: Mapping[str, str],
    *,
    catalogue: Sequence[CatalogueModel] = CATALOGUE,
    defaults: Callable[[], AppPaths] = default_paths,
) -> list[InstalledModel]:
    """Model files on this machine, the one to be used first: a file that `KEEPSAKE_MODELS` names, the catalogue's, a person's own.

    A file with a problem comes last. Reads folders and stamps only, never a whole model.
    """
    folders = model_folders(paths, environ, defaults)
    found: list[InstalledModel] = []
    for folder in folders:
        if _is_plain(folder):
            entry = next((e for e in catalogue if e.file == folder.name), None)
            single = examine(folder, entry, paths) if entry else _own(folder)
            found += [single] if single else []
    for entry in catalogue:
        looked = [examine(folder / entry.file, entry, paths) for folder in folders]
        here = [model for model in looked if model]
        good = [model for model in here if model.problem is None]
        found += good[:1] or here[:1]
    known = {e.file for e in catalogue}
    for folder in folders:
        found += _own_files(folder, known)
    unique: dict[str, InstalledModel] = {}
    for model in sorted(found, key=lambda m: m.problem is not None):
        unique.setdefault(model.name, model)
    return list(unique.values())


def find_file(
    paths: AppPaths,
    environ: Mapping[str, str],
    name: str | None = None,
    *,
    catalogue: Sequence[CatalogueModel] = CATALOGUE,
    defaults: Callable[[], AppPaths] = default_paths,
) -> InstalledModel | None:
    """The usable installed model of that name, or the best one; None when there is none."""
    for model in installed(paths, environ, catalogue=catalogue, defaults=defaults):
        if model.problem is None and (name is None or model.name == name):
            return model
    return None


def check_file(model: InstalledModel, paths: AppPaths, cancelled: Callable[[], bool] = lambda: False) -> InstalledModel:
    """Compare the file's digest once and note the outcome; at once when it was checked before. Blocking for seconds.

    Raises:
        NotFoundError: the file is gone, unreadable, or not the published one; the file itself is left where it is.
    """
    if model.checked or model.entry is None:
        return model
    try:
        digest = hash_file(model.path, cancelled)
    except OSError as error:
        raise NotFoundError(
            say("The model file {path} cannot be read ({reason}).", path=model.path, reason=os_reason(error)),
            hint=say("Run `keepsake models fetch`."),
            detail=str(error),
        ) from error
    if not digest:
        raise NotFoundError(say("Checking {path} was stopped.", path=model.path))
    write_stamp(model.path, digest, paths)
    if digest != model.entry.sha256:
        raise NotFoundError(
            _wrong_digest(model.path, model.entry),
            hint=say("Delete the file and run `keepsake models fetch`, or connect another provider."),
            detail=f"expected {model.entry.sha256}, found {digest}",
        )
    return InstalledModel(model.name, model.label, model.path, model.size, True, None, model.entry)
