"""S15 and W-32: credentials of every kind never come to rest in memory or in anything that memory keeps, and no answer echoes one."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import KeepsakeError
from desktop.base.redact import find_secrets, redact
from desktop.memory.archive import export_memory
from desktop.memory.bracket import RootBracket
from desktop.memory.gate import GateRequest, check
from desktop.memory.store import ChangeOrigin
from desktop.tools.bash import BashTool
from desktop.tools.edit import EditTool
from desktop.tools.write import WriteTool
from tests.helpers.data import shared_data
from tests.security.canaries import CONTEXTS, KEYED, SHAPED, Maker
from tests.unit.memory.conftest import ON, note_text
from tests.unit.tools.conftest import Bench

AGENTS = ("main", "extractor", "dream")


def canaries(seed: int, count: int) -> dict[str, tuple[str, str]]:
    """That many values of different kinds, each with the piece that gives it away."""
    makers = SHAPED | KEYED
    found = {}
    for number, kind in enumerate(sorted(makers)[:: max(1, len(makers) // count)]):
        maker = Maker(seed * 1_000 + number)
        text = makers[kind](maker)
        found[kind] = (text, maker.telling(text))
    return found


# the detector


def test_the_detector_finds_95_of_100_values_of_100_kinds() -> None:
    assert len(SHAPED) >= 90
    assert len(KEYED) >= 30
    missed, tried = [], 0
    for number, (kind, make) in enumerate(sorted(SHAPED.items())):
        for seed in range(3):
            value = make(Maker(number * 100 + seed))
            for context in CONTEXTS:
                tried += 1
                missed += [] if find_secrets(context.format(value)) else [f"{kind}: {context}"]
    for kind, make in sorted(KEYED.items()):
        for seed in range(12):
            tried += 1
            missed += [] if find_secrets(make(Maker(seed))) else [kind]
    print(f"{tried} values, {len(missed)} missed")
    assert len(missed) <= tried * 0.01, sorted(set(missed))


def test_every_kind_is_masked_whole() -> None:
    for number, (kind, make) in enumerate(sorted(SHAPED.items())):
        maker = Maker(number)
        value = make(maker)
        if kind in (
            "gcp account",
            "docker config",
            "kubeconfig",
            "azure storage",
            "azure bus",
            "azure sas",
            "postgres",
            "mongo",
            "sentry dsn",
        ):
            continue  # the value stands in a larger text, which may stay
        assert maker.telling(value) not in redact(f"see {value} ok"), kind


@pytest.mark.parametrize(
    "kind", ["github", "anthropic", "openai old", "slack", "stripe", "npm", "jwt", "gitlab", "aws id", "google", "databricks"]
)
def test_a_value_that_is_cut_or_hidden_is_found(kind: str) -> None:
    value = SHAPED[kind](Maker(7))
    middle = len(value) // 2
    for gap in ("\n", "\r\n", "\n  ", "\\\n", "\n> ", '"\n"', "\u200b", "\u00ad", "\u2060", "\ufeff", "\u200d"):
        text = f"key {value[:middle]}{gap}{value[middle:]} end"
        assert find_secrets(text), repr(gap)
        assert value[middle:] not in redact(text), repr(gap)
    scattered = "\u200b".join(value)
    assert find_secrets(scattered)
    assert redact(scattered).replace("\u200b", "") == "[secret]"


HARD_NEGATIVES = [
    "commit 3f2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b fixes it",
    "uuid 123e4567-e89b-12d3-a456-426614174000",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==)",
    'resolved "https://registry.example.org/lodash/-/lodash-4.17.21.tgz#679591c564c3bffaae8454cf0b3df370c3d6911c"',
    "background: #a1b2c3; color: rgba(10,20,30,.5)",
    "src/components/settings/ApiKeyFormSection2.test.tsx",
    "/usr/lib/python3.11/site-packages/google/auth/_default_async.py",
    "Upgrade to v2.10.3-rc.1+build.20240101",
    "token = get_token()",
    "token: str",
    "password: str | None = None",
    "password = request.form['password']",
    "self.token = token",
    "const token = await getAccessToken(user.id)",
    "api_key = os.environ['API_KEY']",
    "api_key=settings.openai_api_key",
    "password: ${DB_PASSWORD}",
    "password: {{ vault_db_password }}",
    "secret: <your-secret-here>",
    "API_KEY=your-api-key-here",
    "API_KEY=xxxxxxxxxxxxxxxx",
    "export TOKEN=$(cat ~/.token)",
    "The password is in 1Password.",
    "The secret is patience.",
    "The token is base64url-encoded.",
    "The token budget is 8,000 tokens per request.",
    "Password rules: at least 12 characters, 2 digits.",
    "Passwords are hashed with argon2id.",
    "Token type: Bearer",
    "The API key is stored in the keychain under keepsake-prod.",
    "secretName: prod-tls-2024",
    "access_token_expiry: 3600s",
    "password_min_length: 12",
    "key: value",
    "primary key is user_id",
    "The private key is in ~/.ssh/id_ed25519.",
    "Use basic authentication-and-authorization-flow for it",
    "Bearer tokens are refreshed every 15 minutes.",
    "See https://example.org/docs/password-reset?lang=en",
    "postgres://user:password@localhost/app",
    "redis://localhost:6379/0",
    "git@github.com:org/repo.git",
    "密码放在钥匙串里",
    "密码在 1Password 里",
    "密码至少 12 位，包含数字",
    "令牌: 见 .env.local",
    "令牌有效期是 3600s",
    "密钥由运维保管，每 90 天更换",
    "口令规则见 docs/security.md",
    "验证码 6 位数字",
    "凭证存放在 vault 里",
    "order number 4111-2222",
    "call +86 138 0013 8000",
    "sk-learn is scikit-learn; sk-loading-indicator-wrapper is a class",
    "npm_config_registry and npm_lifecycle_event are set",
    "hf_hub_download fetches the file",
    "The AKIA prefix marks an access key id.",
    "| token | string | required |",
    "| password | sha256 |",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 is the public half",
    "2024-01-02T03:04:05Z sess_01J8Z3Q4X5Y6Z7A8B9C0D1E2F3",
    "originSessionId: sess_01J8Z3Q4X5Y6Z7A8B9C0D1E2F3",
    "chg_01J8Z3Q4X5Y6Z7A8B9C0D1E2F3",
    "port 5433, database postgres, user app",
]


@pytest.mark.parametrize("line", HARD_NEGATIVES)
def test_what_only_looks_like_a_secret_is_left_alone(line: str) -> None:
    assert redact(line) == line


def _lines(folder: Path, suffixes: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in suffixes:
            found += [line for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return found


def test_false_alarms_are_at_most_1_in_100_of_ordinary_lines() -> None:
    lines = _lines(Path(sys.prefix) / "lib", (".md", ".rst", ".txt"))
    lines = lines[:: max(1, len(lines) // 5_000)]
    alarms = [line for line in lines if find_secrets(line)]
    print(f"{len(lines)} lines, {len(alarms)} alarms")
    assert len(lines) > 1_000
    assert len(alarms) <= len(lines) * 0.01


def test_real_memories_hold_no_false_alarm() -> None:
    lines = _lines(shared_data("real/memories"), (".md",))
    alarms = [line for line in lines if find_secrets(line)]
    print(f"{len(lines)} lines, {len(alarms)} alarms")
    assert len(alarms) <= len(lines) * 0.01


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "0",
        "-",
        "=",
        "a:",
        "a\n",
        "0a",
        "key-",
        "sk-",
        "eyJ",
        "://",
        "://a:",
        "token: ",
        "password=",
        "密码",
        "密码：",
        "a1B2c3D4\n",
        "\u200b",
    ],
)
def test_a_megabyte_of_one_piece_takes_linear_time(piece: str) -> None:
    """The runner's time limit is the guard: work that grows with the square takes minutes here."""
    find_secrets(piece * (1_000_000 // len(piece)))


# the gate and the ways into memory


def test_50_canaries_are_refused_for_agents_warned_of_for_persons_and_never_echoed() -> None:
    found = canaries(1, 50)
    assert len(found) >= 50
    for kind, (value, piece) in found.items():
        text = note_text("n", f"see {value} ok")
        for actor in AGENTS:
            verdict = check(GateRequest(actor, "write", "a.md", text, ON))  # type: ignore[arg-type]
            assert verdict.rule == "memory.secret", kind
            assert piece not in f"{verdict}", kind
        person = check(GateRequest("person", "write", "a.md", text, ON))
        assert person.allowed
        assert person.warnings
        assert piece not in f"{person}", kind
        assert piece not in repr(GateRequest("main", "write", "a.md", text, ON)), "a request is not logged in clear"


def _at_rest(base: Path, parts: list[str]) -> list[str]:
    """Where a part of a value lies: in names, in files, in zips, in any encoding of JSON."""
    found = []
    for path in base.rglob("*"):
        texts = [str(path.relative_to(base))]
        if path.is_file():
            data = path.read_bytes()
            texts.append(data.decode("utf-8", "replace"))
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    texts += [archive.read(name).decode("utf-8", "replace") for name in archive.namelist()]
        for part in parts:
            if any(part in text or json.dumps(part)[1:-1] in text for text in texts):
                found.append(f"{path.relative_to(base)}: {part}")
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
def test_canaries_on_every_way_of_an_agent_come_to_rest_nowhere(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="desktop")
    store, answers = bench.store, []
    store.write("known.md", note_text("known", "a plain fact"), base_digest=None, origin=ChangeOrigin("main"))
    bracket = RootBracket([store])
    found = canaries(2, 50)
    events: list[object] = []
    store.changed.subscribe(events.append)
    bash = []
    for number, value in enumerate(value for value, _ in found.values()):
        text = note_text(f"n{number}", f"see {value} ok")
        for tool, arguments in (
            (WriteTool(), {"file_path": str(store.root / f"n{number}.md"), "content": text}),
            (EditTool(), {"file_path": str(store.root / "known.md"), "old_string": "a plain fact", "new_string": value}),
        ):
            try:
                answers.append(repr(bench.run(tool, **arguments)))
            except KeepsakeError as error:
                answers.append(f"{error.message} {error.hint} {error.detail}")
        try:
            store.write(f"x{number}.md", text, base_digest=None, origin=ChangeOrigin("extractor", reason=f"said: {value}"))
        except KeepsakeError as error:
            answers.append(error.text())
        store.write(
            f"r{number}.md",
            note_text(f"r{number}", f"fact {number}"),
            base_digest=None,
            origin=ChangeOrigin("main", reason=f"said: {value}"),
        )
        (bench.workspace / f"value{number}").write_text(text)
        bash.append(f"cp value{number} '{store.root}/b{number}.md'; cat value{number} >> '{store.root}/known.md'")
    context = replace(bench.context, bracket=bracket)

    async def shell() -> str:
        return repr(await (await BashTool().prepare({"command": "; ".join(bash)}, context)).run())

    answers.append(asyncio.run(shell()))
    store.observe()
    export_memory(store, bench.paths.data / "export.zip")
    parts = [piece for _, piece in found.values()]
    assert _at_rest(bench.paths.data, parts) == []
    said = "\n".join([*answers, caplog.text, *map(repr, events)])
    assert [part for part in parts if part in said] == []
    assert "quarantine" in said


def test_what_a_person_typed_stays_theirs_with_a_warning(bench: Bench) -> None:
    value = SHAPED["github"](Maker(3))
    change = bench.store.write("mine.md", f"token {value}\n", base_digest=None, origin=ChangeOrigin("person", reason=f"pasted {value}"))
    assert change.warnings
    assert value not in repr(change)
    assert value not in (bench.paths.journal / f"{bench.store.memory_root.key}.jsonl").read_text()
    assert value in bench.store.read("mine.md").text
