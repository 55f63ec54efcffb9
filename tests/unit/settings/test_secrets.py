"""Where keys come from, where they are kept, and that they never leak."""

from __future__ import annotations

import json
import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from desktop.base.errors import RefusedError, StorageError, UsageError
from desktop.base.paths import AppPaths
from desktop.settings.secrets import SecretStore, environment_names, system_keyring
from desktop.settings.store import SettingsStore

KEY = "-".join(["sk", "test", "1" * 24])
OTHER = "-".join(["sk", "test", "2" * 24])


class MemoryKeyring(KeyringBackend):
    """A real backend of the keyring library that keeps its entries in memory; `locked` makes every call fail."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.entries: dict[tuple[str, str], str] = {}
        self.locked = False

    def _check(self) -> None:
        if self.locked:
            raise KeyringLocked("locked")

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        if (service, username) not in self.entries:
            raise PasswordDeleteError("absent")
        del self.entries[service, username]


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return AppPaths(tmp_path / "data", tmp_path / "config", tmp_path / "cache")


def store(
    paths: AppPaths, environ: dict[str, str] | None = None, ring: MemoryKeyring | None = None, place: str | None = None
) -> SecretStore:
    settings = SettingsStore(paths)
    settings.load()
    if place is not None:
        settings.set("keys.store", place)
    return SecretStore(paths, settings, environ or {}, find_keyring=lambda: ring)


def test_the_environment_comes_first(paths: AppPaths) -> None:
    ring = MemoryKeyring()
    secrets = store(paths, {"OPENAI_API_KEY": f" {OTHER}\n"}, ring)
    secrets.set("openai", KEY, "keyring")
    assert (secrets.get("openai"), secrets.source("openai")) == (OTHER, "environment")


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("openai", "OPENAI_API_KEY"),
        ("google", "GOOGLE_API_KEY"),
        ("google", "GEMINI_API_KEY"),
        ("my-server.home", "KEEPSAKE_KEY_MY_SERVER_HOME"),
    ],
)
def test_names_in_the_environment(paths: AppPaths, name: str, variable: str) -> None:
    assert variable in environment_names(name)
    assert store(paths, {variable: KEY}).get(name) == KEY
    assert store(paths, {variable: "  "}).source(name) is None


def test_the_keyring_keeps_and_forgets(paths: AppPaths) -> None:
    ring = MemoryKeyring()
    secrets = store(paths, ring=ring)
    assert secrets.keyring_available()
    secrets.set("anthropic", f"{KEY}\n", "keyring")
    assert (secrets.get("anthropic"), secrets.source("anthropic")) == (KEY, "keyring")
    assert not secrets.file.exists()
    secrets.delete("anthropic")
    secrets.delete("anthropic")
    assert secrets.get("anthropic") is None and ring.entries == {}


def test_another_profile_has_its_own_keys(paths: AppPaths, tmp_path: Path) -> None:
    ring = MemoryKeyring()
    store(paths, ring=ring).set("openai", KEY, "keyring")
    other = AppPaths(tmp_path / "b" / "data", tmp_path / "b" / "config", tmp_path / "b" / "cache")
    assert store(other, ring=ring).get("openai") is None


def test_the_file_is_made_only_on_request_and_is_private(paths: AppPaths) -> None:
    secrets = store(paths)
    assert secrets.get("openai") is None and not secrets.file.exists()
    secrets.set("openai", KEY, "file")
    secrets.set("home", OTHER, "file")
    assert (secrets.get("openai"), secrets.source("openai")) == (KEY, "file")
    assert json.loads(secrets.file.read_text())["keys"] == {"home": OTHER, "openai": KEY}
    if os.name == "posix":
        assert stat.S_IMODE(secrets.file.stat().st_mode) == 0o600
    secrets.delete("openai")
    assert secrets.get("openai") is None and secrets.get("home") == OTHER


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_a_file_that_others_may_read_is_closed(paths: AppPaths) -> None:
    secrets = store(paths)
    secrets.set("openai", KEY, "file")
    secrets.file.chmod(0o644)
    assert secrets.get("openai") == KEY
    assert stat.S_IMODE(secrets.file.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["{", "[]", '{"keys": 7}', '{"keys": {"openai": 7}}', "\ufeff{}", "[" * 100_000])
def test_a_broken_file_is_no_crash_and_is_kept(paths: AppPaths, content: str) -> None:
    secrets = store(paths)
    paths.config.mkdir(parents=True, exist_ok=True)
    secrets.file.write_text(content, "utf-8")
    assert secrets.get("openai") is None
    secrets.set("openai", KEY, "file")
    assert secrets.get("openai") == KEY
    assert secrets.file.with_name("keys.json.broken").read_text("utf-8") == content


@pytest.mark.parametrize("place", ["environment", "keyring"])
def test_the_setting_forbids_the_file(paths: AppPaths, place: str) -> None:
    store(paths).set("openai", KEY, "file")
    secrets = store(paths, place=place)
    assert secrets.get("openai") is None
    with pytest.raises(RefusedError, match="file"):
        secrets.set("openai", KEY, "file")


def test_the_environment_alone(paths: AppPaths) -> None:
    ring = MemoryKeyring()
    store(paths, ring=ring).set("openai", KEY, "keyring")
    secrets = store(paths, ring=ring, place="environment")
    assert secrets.get("openai") is None
    with pytest.raises(RefusedError):
        secrets.set("openai", KEY, "keyring")


def test_no_keyring_is_said(paths: AppPaths) -> None:
    secrets = store(paths)
    assert not secrets.keyring_available()
    with pytest.raises(UsageError, match="no keyring"):
        secrets.set("openai", KEY, "keyring")


def test_a_locked_keyring_is_passed_over_and_said_on_writing(paths: AppPaths) -> None:
    ring = MemoryKeyring()
    secrets = store(paths, ring=ring)
    secrets.set("openai", KEY, "file")
    ring.locked = True
    assert secrets.get("openai") == KEY
    with pytest.raises(StorageError):
        secrets.set("openai", KEY, "keyring")


def sought(paths: AppPaths, ring: MemoryKeyring | None) -> tuple[SecretStore, list[int]]:
    """A store, and a list that grows when the keyring's libraries would be loaded."""
    loads: list[int] = []

    def find() -> MemoryKeyring | None:
        loads.append(1)
        return ring

    settings = SettingsStore(paths)
    settings.load()
    return SecretStore(paths, settings, {}, find_keyring=find), loads


def test_a_keyring_that_holds_nothing_of_ours_is_not_loaded_to_list_keys(paths: AppPaths) -> None:
    secrets, loads = sought(paths, MemoryKeyring())
    assert secrets.source("openai") is None and loads == []
    secrets.set("openai", KEY, "file")
    assert (secrets.source("openai"), secrets.get("openai"), loads) == ("file", KEY, [])


def test_a_key_in_the_keyring_is_found_by_the_next_process_until_it_is_deleted(paths: AppPaths) -> None:
    ring = MemoryKeyring()
    sought(paths, ring)[0].set("openai", KEY, "keyring")
    secrets, loads = sought(paths, ring)
    assert secrets.source("anthropic") is None and loads == []
    assert (secrets.source("openai"), loads) == ("keyring", [1])
    secrets.delete("openai")
    secrets, loads = sought(paths, ring)
    assert secrets.source("openai") is None and loads == []


@pytest.mark.parametrize("content", [None, "{", "[]", '{"names": 7}', '{"names": [7]}', "[" * 100_000])
def test_a_lost_note_costs_a_question_and_no_key(paths: AppPaths, content: str | None) -> None:
    ring = MemoryKeyring()
    sought(paths, ring)[0].set("openai", KEY, "keyring")
    note = paths.config / "keyring.json"
    if content is None:
        note.unlink()
    else:
        note.write_text(content, "utf-8")
    assert sought(paths, ring)[0].get("openai") == KEY
    assert sought(paths, ring)[0].source("openai") == "keyring", "what was found is noted again"


def test_the_models_page_sees_a_key_that_is_not_noted(paths: AppPaths) -> None:
    ring = MemoryKeyring()
    sought(paths, ring)[0].set("openai", KEY, "keyring")
    (paths.config / "keyring.json").unlink()
    secrets, _ = sought(paths, ring)
    assert secrets.keyring_available() and secrets.source("openai") == "keyring"


def test_the_note_holds_names_only_and_is_private(paths: AppPaths) -> None:
    sought(paths, MemoryKeyring())[0].set("openai", KEY, "keyring")
    note = paths.config / "keyring.json"
    assert json.loads(note.read_text("utf-8"))["names"] == ["openai"] and KEY not in note.read_text("utf-8")
    if os.name == "posix":
        assert stat.S_IMODE(note.stat().st_mode) == 0o600


def broken() -> None:
    raise RuntimeError("no bus")


def test_a_keyring_that_cannot_start_is_none(paths: AppPaths) -> None:
    settings = SettingsStore(paths)
    find: Callable[[], None] = broken
    assert not SecretStore(paths, settings, {}, find_keyring=find).keyring_available()


@pytest.mark.parametrize("kind", [fail.Keyring, null.Keyring, chainer.ChainerBackend])
def test_backends_that_hold_nothing(kind: type[KeyringBackend], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.get_keyring", lambda: kind())
    monkeypatch.setattr(chainer.ChainerBackend, "backends", [])
    assert system_keyring() is None


@pytest.mark.parametrize("value", ["", "   ", "two words", "line\nbreak", "schlüssel", "\x00abc"])
def test_what_is_no_key_is_refused(paths: AppPaths, value: str) -> None:
    secrets = store(paths)
    with pytest.raises(UsageError):
        secrets.set("openai", value, "file")
    assert not secrets.file.exists()


def test_nothing_is_logged_and_no_error_repeats_a_key(paths: AppPaths, caplog: pytest.LogCaptureFixture) -> None:
    ring = MemoryKeyring()
    secrets = store(paths, ring=ring)
    with caplog.at_level(logging.DEBUG):
        secrets.set("openai", KEY, "file")
        secrets.get("openai")
        ring.locked = True
        with pytest.raises(StorageError) as caught:
            secrets.set("openai", OTHER, "keyring")
        secrets.get("openai")
        secrets.file.write_text(KEY)
        secrets.get("openai")
    said = caplog.text + str(caught.value) + caught.value.hint + caught.value.detail
    assert KEY not in said and OTHER not in said
