"""The one tree of errors. The core raises these, the bridge turns them into failure values, the window shows message, hint and detail.

`message` names the thing that failed, `hint` the way out, `detail` is the technical part that a person unfolds. Thread-free.
"""

from __future__ import annotations

from typing import Literal

from desktop.base.phrases import together

ProviderErrorKind = Literal["rate_limit", "overloaded", "auth", "network", "cut", "invalid", "context_length", "unavailable", "refused"]


class KeepsakeError(Exception):
    """Base of every error that a person may be shown.

    Attributes:
        message: one sentence that names the thing.
        hint: what the person can do about it; may be empty.
        detail: technical detail for the unfolded part; may be empty.
    """

    exit_status = 1

    def __init__(self, message: str, *, hint: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.detail = detail

    def text(self) -> str:
        """Message and hint on one line, for a terminal."""
        return together(self.message, self.hint)


class UsageError(KeepsakeError):
    """The caller asked for something impossible: wrong option, not a folder, unknown model. Exit status 2."""

    exit_status = 2


class SettingsError(KeepsakeError):
    """A settings file cannot be read or holds a wrong value."""


class StorageError(KeepsakeError):
    """Reading or writing a stored file failed; nothing was acknowledged."""


class ConflictError(StorageError):
    """The file changed since it was read; the write was not done."""


class NotFoundError(KeepsakeError):
    """A named session, memory, model or file does not exist."""


class RefusedError(KeepsakeError):
    """A gate or rule refused the operation; `message` says why and `hint` gives the right way."""


class ToolError(KeepsakeError):
    """A tool could not do its work. The text goes back to the model as an error result."""


class ProviderError(KeepsakeError):
    """A model request failed.

    Attributes:
        kind: what happened; `rate_limit`, `overloaded`, `network` and `cut` may be retried.
        retry_after_s: the server's own wait time in seconds, or None.
    """

    def __init__(
        self,
        kind: ProviderErrorKind,
        message: str,
        *,
        retry_after_s: float | None = None,
        hint: str = "",
        detail: str = "",
    ) -> None:
        super().__init__(message, hint=hint, detail=detail)
        self.kind = kind
        self.retry_after_s = retry_after_s

    @property
    def retryable(self) -> bool:
        return self.kind in ("rate_limit", "overloaded", "network", "cut")


def kind_of(error: KeepsakeError) -> str:
    """A stable word for what happened: the kind of a provider error, else the name of the class without “Error”, in small letters."""
    return error.kind if isinstance(error, ProviderError) else type(error).__name__.removesuffix("Error").lower()
