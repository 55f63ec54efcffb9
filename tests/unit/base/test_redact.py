"""Secret shapes are found and masked, prose is not, and unsafe characters become visible. Values are built at run time."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.redact import MASK, entropy, find_secrets, redact, redact_all, redact_many, visible


def values() -> dict[str, str]:
    return {
        "anthropic": "sk-" + "ant-" + "a1B2c3D4" * 3,
        "openai": "sk-" + "proj-" + "a1B2c3D4e5" * 3,
        "github": "ghp_" + "a1B2c3D4" * 5,
        "github fine": "github_" + "pat_" + "a1B2c3D4" * 5,
        "gitlab": "glpat" + "-" + "a1B2c3D4e5F6g7H8i9J0",
        "aws": "AKIA" + "IOSFODNN7EXAMPLE",
        "google": "AIza" + "a1B2c" * 7,
        "slack": "xoxb" + "-1234567890-" + "abcdefghij",
        "stripe": "sk_" + "live_" + "a1B2c3D4e5F6g7H8",
        "npm": "npm_" + "a1B2c3D4" * 5,
        "pypi": "pypi-" + "a1B2c3D4" * 5,
        "hugging face": "hf_" + "a1B2c3D4" * 5,
        "sendgrid": "SG." + "a1B2c3D4e5F6g7H8" + "." + "a1B2c3D4e5F6g7H8",
        "jwt": "eyJ" + "hbGciOiJIUzI1" + ".eyJ" + "zdWIiOiIxMjM0" + "." + "SflKxwRJSMeKKF2QT4",
        "pem": "-----BEGIN EC " + "PRIVATE KEY-----\nMHcCAQ\n-----END EC " + "PRIVATE KEY-----",
        "telegram": "123456789:" + "AA" + "a1B2c3D4" * 5,
    }


@pytest.mark.parametrize("kind", sorted(values()))
def test_values_of_every_shape_are_masked_wherever_they_stand(kind: str) -> None:
    value = values()[kind]
    for text in (value, f"token: {value}\n", f"看 {value} 。", f"({value})", f'"{value}",', f"https://x.example/?k={value}&y=1"):
        assert value not in redact(text), text
        assert MASK in redact(text)


@pytest.mark.parametrize(
    "line",
    [
        "Authorization: Bearer " + "a1B2c3D4e5F6g7H8i9J0",
        "postgres://me:" + "hunter2x@db.example.org/app",
        "API_KEY=" + "9f8e7d6c5b4a3210ffee",
        "password: " + "Tr0ub4dor&3x",
        "密码：" + "Tr0ub4dor&3x",
        'secret_access_key = "' + "wJalrXUtnFEMI/K7MDENG" + '"',
    ],
)
def test_values_beside_a_key_word_are_masked(line: str) -> None:
    secret = line.split(" ")[-1].split("=")[-1].split("：")[-1].strip('"')
    assert find_secrets(line)
    assert secret not in redact(line)


@pytest.mark.parametrize(
    ("before", "secret"),
    [
        ("邮箱密码是：", "mail2023" + "pass"),
        ("口令改成了: ", "Tr0ub4dor" + "&3x"),
        ("默认密码为 ", "Tr0ub4dor" + "&3x"),
        ("初始密码", "Xq7zP" + "4kLm9"),
        ("GitHub token 是 ", "9f8e7d6c5b4a" + "3210ffee"),
        ("API key（生产）：", "9f8e7d6c5b4a" + "3210ffee"),
        ("password（测试环境）是 ", "Tr0ub4dor" + "&3x"),
        ("password (staging): ", "Tr0ub4dor" + "&3x"),
        ("PIN 码是 ", "48" + "21"),
        ("pass：", "Tr0ub4dor" + "&3x"),
        ("ｐａｓｓｗｏｒｄ：", "Tr0ub4dor" + "&3x"),
        ("password: ", "s3cr" + "et99"),
        ("password: ", "v3ryS" + "ecret1!"),
        ("password: ", "tls4" + "Ever!x"),
        ("授权码：", "abcdqrst" + "uvwxmnop"),
        ("The app password is ", "abcd efgh" + " ijkl mnop"),
        ("Cookie: sessionid=", "9f8e7d6c5b4a" + "3210ffee77"),
    ],
)
def test_values_beside_a_word_are_found_in_the_forms_that_people_use(before: str, secret: str) -> None:
    assert secret not in redact(f"前面 {before}{secret}\n")
    assert redact(f"{before}{secret}。后面").endswith("。后面")


@pytest.mark.parametrize(
    "line",
    [
        "token 是按量计费的",
        "token 为 JWT 格式，用 RS256 签名",
        "密码 bcrypt 加密；密码SHA256加盐；密码OAuth2.0登录",
        "密码8-20位，密码长度：8-20位",
        "授权码模式：authorization code flow",
        "PIN码长度为6",
        "app password: create it under Account > Security",
        "Cookie: theme=dark; sameSite=strict",
        "password（见 1Password）",
        "密码：v2版本；密码：tls1.3 之后",
    ],
)
def test_ordinary_mixed_lines_are_left_alone(line: str) -> None:
    assert redact(line) == line


@pytest.mark.parametrize(
    "line",
    [
        "The token budget is 8,000 tokens per request.",
        "Password rules: at least twelve characters.",
        "api_key = os.environ['API_KEY']",
        "password: ${DB_PASSWORD}",
        "secret: <your-secret-here>",
        "The secret is patience.",
        "See https://example.org/docs/password-reset",
        "commit 3f2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b",
        "密码放在钥匙串里",
        "sk-learn is a library",
        "uuid 123e4567-e89b-12d3-a456-426614174000",
        "令牌: 见 .env.local",
    ],
)
def test_ordinary_lines_are_left_alone(line: str) -> None:
    assert redact(line) == line


def test_hits_do_not_overlap_and_keep_their_order() -> None:
    first, second = values()["github"], values()["aws"]
    hits = find_secrets(f"token={first} {second}")
    assert [hit.start for hit in hits] == sorted(hit.start for hit in hits)
    assert all(a.end <= b.start for a, b in pairwise(hits))
    assert redact(f"a {first} b {second} c") == f"a {MASK} b {MASK} c"


def test_entropy_in_bits() -> None:
    assert entropy("") == entropy("aaaa") == 0
    assert entropy("ab") == 1
    assert entropy("abcd") == 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 中文 é 😀", "plain 中文 é 😀"),
        ("a\x1b[31m", "a\\u{1b}[31m"),
        ("a\u202eb", "a\\u{202e}b"),
        ("a\u200bb", "a\\u{200b}b"),
        ("a\nb", "a\\u{a}b"),
        ("\ud800", "\\u{d800}"),
        ("👩‍💻", "👩‍💻"),
        ("a\u2028b", "a\\u{2028}b"),
    ],
)
def test_unsafe_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_named_characters_are_kept() -> None:
    assert visible("a\tb\nc\x07", keep="\n\t") == "a\tb\nc\\u{7}"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_nothing_raises_and_masking_is_stable(text: str) -> None:
    assert isinstance(visible(text), str)
    once = redact(text)
    assert MASK in once or once == text


@pytest.mark.parametrize("piece", ["a", "-", "sk-", "eyJ", "a:", "://", "token: ", "password=", "-----BEGIN PRIVATE KEY-----", "密码"])
def test_a_megabyte_of_one_piece_is_searched_in_linear_time(piece: str) -> None:
    """The runner's time limit is the guard: work that grows with the square takes minutes here."""
    find_secrets(piece * (1_000_000 // len(piece)))


def test_many_texts_come_out_as_each_would_alone() -> None:
    secret = "ghp_" + "a1B2" * 9
    texts = [f"title {n}" if n % 37 else f"{n} has {secret}" for n in range(300)] + ["password: hunter" + "2Xy!9", ""]
    assert redact_many(texts) == [redact(text) for text in texts]
    assert secret not in "".join(redact_many(texts)) and redact_many([]) == []


def test_a_value_is_known_by_the_key_beside_it() -> None:
    value = {"password": "hunter" + "2Xy!9", "path": "/srv/app", "more": [{"api_key": "s3cr3t" + "V4lue99xx"}], "id": "msg_1", "n": 3}
    shown = redact_all(value)
    assert shown["path"] == "/srv/app" and shown["id"] == "msg_1" and shown["n"] == 3
    assert shown["password"] == MASK and shown["more"][0]["api_key"] == MASK


def test_a_whole_value_comes_out_as_its_texts_would_alone() -> None:
    secret = "ghp_" + "a1B2" * 9
    plain = [{"id": f"msg_{n:026}", "text": f"token number {n}", "long": f"{n} " + "word " * 100} for n in range(200)]
    value: list[dict[str, str]] = [*plain, {secret: f"in a key, and {secret} in a text\nof two lines", "long": "word " * 60 + secret}]
    shown = redact_all(value)
    assert shown[:-1] == plain
    assert shown[-1] == {redact(key): redact(text) for key, text in value[-1].items()} and secret not in str(shown)
