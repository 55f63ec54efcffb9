"""Where everything is stored. Owns the folder names of the data tree; creates nothing by itself. Thread-free.

`--profile-dir D` and `KEEPSAKE_HOME=D` put all of it below D (D/data, D/config, D/cache); the option wins.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import StorageError, UsageError
from desktop.base.phrases import os_reason, say
from desktop.base.textio import fsync_dir

APP_NAME = "keepsake"


@dataclass(frozen=True, slots=True)
class AppPaths:
    """The three roots of one profile and the folders below them."""

    data: Path
    config: Path
    cache: Path

    @property
    def memories(self) -> Path:
        return self.data / "memories"

    @property
    def projects(self) -> Path:
        return self.memories / "projects"

    @property
    def sessions(self) -> Path:
        return self.data / "sessions"

    @property
    def journal(self) -> Path:
        return self.data / "journal"

    @property
    def snapshots(self) -> Path:
        return self.data / "snapshots"

    @property
    def trash(self) -> Path:
        return self.data / "trash"

    @property
    def index(self) -> Path:
        return self.data / "index"

    @property
    def models(self) -> Path:
        return self.data / "models"

    @property
    def state(self) -> Path:
        return self.data / "state"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.json"

    @property
    def keybindings_file(self) -> Path:
        return self.config / "keybindings.json"


def _absolute(value: str, name: str) -> Path:
    path = Path(value)
    if not path.is_absolute():
        raise UsageError(
            say("{name} must be an absolute path, but is “{value}”.", name=name, value=value), hint=say("Give the whole path.")
        )
    return path


def default_paths() -> AppPaths:
    """The profile of this user, as the platform places it."""
    import platformdirs

    return AppPaths(
        data=Path(platformdirs.user_data_dir(APP_NAME, appauthor=False)),
        config=Path(platformdirs.user_config_dir(APP_NAME, appauthor=False)),
        cache=Path(platformdirs.user_cache_dir(APP_NAME, appauthor=False)),
    )


def resolve_paths(profile_dir: str | None = None, environ: Mapping[str, str] = os.environ) -> AppPaths:
    """The profile to use: option, then `KEEPSAKE_HOME`, then the platform's folders.

    Raises:
        UsageError: either is relative.
    """
    if profile_dir is not None:
        root = _absolute(profile_dir, "--profile-dir")
    elif environ.get("KEEPSAKE_HOME"):
        root = _absolute(environ["KEEPSAKE_HOME"], "KEEPSAKE_HOME")
    else:
        return default_paths()
    return AppPaths(data=root / "data", config=root / "config", cache=root / "cache")


def ensure_private_dir(path: Path) -> Path:
    """Make a folder (and parents) that only this user may enter.

    Raises:
        StorageError: it cannot be made; the message names the folder.
    """
    try:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        for folder in reversed(missing):  # not `parents=True`: that gives the parents the mode of the umask
            folder.mkdir(mode=0o700, exist_ok=True)
            with suppress(PermissionError):  # a parent that may be entered and not listed cannot be flushed
                fsync_dir(folder.parent)
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, say("a file stands in its place"))
    except OSError as error:
        raise StorageError(
            say("The folder {path} cannot be made ({reason}).", path=path, reason=os_reason(error)),
            hint=say("Check that the place exists and that you may write there, or choose another with --profile-dir."),
            detail=str(error),
        ) from error
    return path


def check_readable_dir(path: Path) -> None:
    """Make sure that a folder that exists can be listed; a missing one is fine.

    Raises:
        StorageError: it is no folder, or it cannot be read. An empty list must never stand for one that could not be looked into.
    """
    try:
        with os.scandir(path):
            return
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(
            say("The folder {path} cannot be read ({reason}).", path=path, reason=os_reason(error)),
            hint=say("Check that it is a folder and that you may read it."),
            detail=str(error),
        ) from error
