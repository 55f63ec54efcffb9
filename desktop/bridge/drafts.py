"""What was typed and not yet sent: one small file a conversation below the state folder. Blocking: called through `operations`."""

from __future__ import annotations

import re
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, decode, digest, read_bytes

LIMIT = 64 << 20
NAME_LENGTH = 120
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


class DraftStore:
    """Drafts by key: a session id, or `new-` and a project key for a conversation that has no message yet."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, key: str) -> str:
        """The draft, or an empty text. A file that cannot be read raises StorageError."""
        path = self._path(key)
        return decode(read_bytes(path, LIMIT)) if path.is_file() else ""

    def save(self, key: str, text: str) -> None:
        """Keep `text`; an empty one removes the file.

        Raises:
            StorageError: it was not kept; the old one still is.
        """
        path = self._path(key)
        if text:
            ensure_private_dir(self._folder)
            atomic_write(path, text.encode("utf-8", errors="replace"))
            return
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(
                say("The draft {path} could not be removed ({reason}).", path=path, reason=os_reason(error)), detail=str(error)
            ) from error

    def _path(self, key: str) -> Path:
        name = _UNSAFE.sub("-", key)
        if len(name) > NAME_LENGTH:  # what makes a long key another one may stand at its end
            name = f"{name[: NAME_LENGTH - 17]}-{digest(key.encode())[:16]}"
        return self._folder / f"{name}.txt"
