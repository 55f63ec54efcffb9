"""Clock, errors, events, ids, locks, paths, words."""

from __future__ import annotations

import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.base import errors
from desktop.base.clock import SystemClock, iso, parse_iso
from desktop.base.errors import ConflictError, KeepsakeError, ProviderError, StorageError, UsageError
from desktop.base.events import Emitter
from desktop.base.ids import SESSION_ID, SESSION_REFERENCE, new_call_id, new_message_id, new_session_id, ulid
from desktop.base.locks import held
from desktop.base.paths import default_paths, ensure_private_dir, resolve_paths
from desktop.base.words import cjk_characters, estimate_tokens, word_equivalents

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678_900, tzinfo=UTC)


# clock


def test_times_are_written_in_utc_to_the_millisecond_and_read_back() -> None:
    assert iso(MOMENT) == "2026-01-02T03:04:05.678Z"
    east = MOMENT.astimezone(timezone(timedelta(hours=8)))
    assert iso(east) == iso(MOMENT)
    assert parse_iso("2026-01-02T11:04:05+08:00") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert parse_iso("2026-01-02 03:04:05") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert parse_iso(" 2026-01-02T03:04:05Z\n") == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "99999-01-01", "Z", "２０２６"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert parse_iso(text) is None


def test_the_system_clock_is_aware_and_monotonic() -> None:
    clock = SystemClock()
    assert clock.now().tzinfo is UTC
    assert clock.monotonic() <= clock.monotonic()


# errors


def test_every_error_is_of_one_tree_and_reads_on_one_line() -> None:
    kinds = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert all(issubclass(kind, KeepsakeError) for kind in kinds)
    error = StorageError("x could not be saved.", hint="Free space.", detail="ENOSPC")
    assert error.text() == "x could not be saved. Free space."
    assert str(error) == error.message
    assert (UsageError("u").exit_status, error.exit_status) == (2, 1)
    assert isinstance(ConflictError("c"), StorageError)


def test_only_passing_faults_of_a_provider_are_retried() -> None:
    assert ProviderError("rate_limit", "slow", retry_after_s=3).retryable
    assert not ProviderError("auth", "key").retryable


# events


def test_listeners_hear_in_order_until_they_leave_and_a_failing_one_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    emitter: Emitter[int] = Emitter()
    heard: list[str] = []

    def fail(fact: int) -> None:
        raise ValueError(f"fact {fact}")

    leave = emitter.subscribe(lambda fact: heard.append(f"a{fact}"))
    emitter.subscribe(fail)
    emitter.subscribe(lambda fact: heard.append(f"b{fact}"))
    emitter.emit(1)
    leave()
    leave()
    emitter.emit(2)
    assert heard == ["a1", "b1", "b2"]
    assert "fact 1" in caplog.text


def test_a_listener_may_leave_while_it_is_called() -> None:
    emitter: Emitter[int] = Emitter()
    heard: list[int] = []

    def once(fact: int) -> None:
        heard.append(fact)
        leave()

    leave = emitter.subscribe(once)
    emitter.emit(1)
    emitter.emit(2)
    assert heard == [1]


# ids


def test_ids_have_their_form_and_sort_by_time() -> None:
    early, late = ulid(MOMENT, lambda _: 0), ulid(MOMENT + timedelta(milliseconds=1), lambda _: 0)
    assert len(early) == 26
    assert early < late
    assert SESSION_ID.match(new_session_id(MOMENT))
    assert new_message_id(MOMENT).startswith("msg_")
    assert new_call_id(MOMENT).startswith("call_")
    assert len({new_session_id(MOMENT) for _ in range(1_000)}) == 1_000


def test_references_are_found_in_text() -> None:
    session = new_session_id(MOMENT)
    assert SESSION_REFERENCE.findall(f"see #{session}, and #sess_a.b-c_d. Not sess_x, not #ses_y") == [session, "sess_a.b-c_d"]


# locks


def test_a_lock_excludes_threads_and_names_the_place(tmp_path: Path) -> None:
    path = tmp_path / "locks" / "x.lock"
    inside, free = threading.Event(), threading.Event()

    def hold() -> None:
        with held(path):
            inside.set()
            free.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert inside.wait(60)
    with pytest.raises(StorageError, match="in use"), held(path, timeout_s=0.05):
        pass
    free.set()
    thread.join()
    with held(path, timeout_s=1):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_r9_a_killed_holder_leaves_no_lock_behind(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    code = (
        "import sys; from pathlib import Path; from desktop.base.locks import held\n"
        "with held(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()\n"
    )
    repository = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(StorageError), held(path, timeout_s=0.05):
            pass
        child.kill()
        child.wait()
    with held(path, timeout_s=2):
        pass


# paths


def test_the_option_wins_over_the_environment_and_both_must_be_whole(tmp_path: Path) -> None:
    paths = resolve_paths(str(tmp_path), {"KEEPSAKE_HOME": "/elsewhere"})
    assert (paths.data, paths.config, paths.cache) == (tmp_path / "data", tmp_path / "config", tmp_path / "cache")
    assert resolve_paths(None, {"KEEPSAKE_HOME": str(tmp_path)}) == paths
    assert resolve_paths(None, {}) == default_paths()
    for option, environ in (("relative", {}), (None, {"KEEPSAKE_HOME": "x"})):
        with pytest.raises(UsageError, match="absolute"):
            resolve_paths(option, environ)


def test_everything_lies_below_the_profile(tmp_path: Path) -> None:
    paths = resolve_paths(str(tmp_path), {})
    names = [name for name in dir(type(paths)) if isinstance(getattr(type(paths), name), property)]
    assert len(names) >= 12
    assert all(tmp_path in getattr(paths, name).parents for name in names)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="mode bits")
def test_s7_private_folders_are_private_with_all_their_parents(tmp_path: Path) -> None:
    import os

    old = os.umask(0)
    try:
        ensure_private_dir(tmp_path / "a" / "b" / "c")
        ensure_private_dir(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(old)
    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StorageError, match="file") as caught:
            ensure_private_dir(path)
        assert "--profile-dir" in caught.value.hint


# words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("ok", 1),
        ("use bun here", 3),
        ("don't re-run it", 3),
        ("以后提交信息都用中文写", 5),
        ("好的", 1),
        ("用bun", 1),
        ("한국어로", 2),
        ("!!! ??? ...", 0),
    ],
)
def test_words_are_counted_by_script(text: str, words: int) -> None:
    assert word_equivalents(text) == words


def test_tokens_of_chinese_are_not_a_quarter_of_its_characters() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1
    assert estimate_tokens("a" * 400) == 100
    assert estimate_tokens("中" * 400) == 400
    assert cjk_characters("中文 ab かな") == 4


@given(st.text(), st.text())
def test_token_estimates_are_positive_and_nearly_additive(first: str, second: str) -> None:
    assert (estimate_tokens(first) > 0) == bool(first)
    assert estimate_tokens(first + second) <= estimate_tokens(first) + estimate_tokens(second) + 1
