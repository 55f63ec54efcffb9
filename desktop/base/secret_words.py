"""Secrets that have no shape of their own: a value that stands beside a word such as “password”, “api key”, 密码 or 令牌.

Owns the words, what may stand between word and value, and what makes a value look like one instead of prose, code or a placeholder.
Pure, linear time: one pass a word, over a text in small letters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache

_SUFFIX = r"(?:[_-](?!name|id\b|arn|path|file|ref\b|type|count|url|uri|len|expir|ttl|version|alg|policy|manager|polic)[a-z0-9_-]{1,30}+)?+"
_FOR = r"(?:[ \t]{1,3}(?:for|of|to|on|in|at)[ \t]{1,3}[^\s:=,.;]{1,40}(?:[ \t]{1,3}[^\s:=,.;]{1,20}){0,3}?|[ \t]?\([^()\n]{1,30}\))?"
_SEPARATOR = (
    r"(?:[ \t]{0,3}[\"'`)\]*]{0,4}[ \t]{0,3}(?:=>|->|:=|==?|[:：＝|]|→)"
    r"|[ \t]{1,3}(?:is|are|was|as|set[ \t]to|changed[ \t]to|reset[ \t]to|equals)[ \t]{0,3}:?|[ \t]{1,3}(?=[\"'`]))"
)
_CHINESE_LEAD = (
    r"(?:[（(][^（）()\n]{1,20}[）)])?(?:已经|已|现在|目前|暂时|仍|还|都|应该|一直|默认|統一|统一|暂定)?[\"'`”」）)*]{0,3}[ \t]{0,3}"
)
_CHINESE_VERB = r"(?:就是|也是|是|為|为|设为|设置为|设成|改成了?|改为了?|换成了?|叫|用的?是?)[ \t]{0,2}[:：=]?"
_CHINESE_SEPARATOR = rf"{_CHINESE_LEAD}(?:[:：=＝→|]|{_CHINESE_VERB}|(?=[ \t\"'`“「]))"
_QUOTES = r"[ \t]{0,8}(?:[>|][+-]?[ \t]{0,4}\n[ \t]{1,20})?(?:\r?\n[ \t]{1,20})?[\"'`“「*(\[<]{0,4}[ \t]{0,1}"
_VALUE = r"(?=[!-~]{0,60}[0-9!@#$%^&*+=?~]|[a-z]+-[a-z]+-[a-z]+-[a-z])([!-~]{4,400})"
"""A run without blanks, with a digit or a mark in it or of several words: what else there is, is prose."""


_KEY_OF = (
    "api",
    "app",
    "access",
    "private",
    "encryption",
    "signing",
    "account",
    "master",
    "auth",
    "service",
    "license",
    "deploy",
    "shared",
)
_BEFORE_KEY = "|".join(rf"(?<={word}key)|(?<={word}[ _-]key)" for word in (*_KEY_OF, "webhook", "recovery"))
"""“Key” alone says nothing: what key it is does."""

_ENGLISH = {
    "passw": r"passw(?:or)?d",
    "passphrase": r"passphrase",
    "passcode": r"passcode",
    "pwd": r"(?<![a-z])pwd",
    "_pass": r"_pass(?![a-z])",
    "pass:": r"(?<![a-z])pass(?=:)",
    "pass：": r"(?<![a-z])pass(?=：)",
    "pass=": r"(?<![a-z])pass(?==)",
    "secret": r"secrets?(?:[ _-]?(?:access[ _-]?)?key)?",
    "token": r"token",
    "key": rf"key(?:{_BEFORE_KEY})",
    "client-key-data": r"client-key-data",
    "credential": r"credentials?",
    "recovery code": r"recovery codes?",
    "backup code": r"backup codes?",
    "otp": r"(?<![a-z])t?otp(?:[ _-](?:secret|seed|key))?",
    "pin": r"(?<![a-z])pin(?:[ _-]code|[ ]?[码碼])?(?![a-z])",
}
_CHINESE_PASSWORDS = ("密码", "密碼", "口令", "授权码", "验证码", "通行码", "访问码")
_CHINESE = (*_CHINESE_PASSWORDS, "密钥", "密鑰", "秘钥", "金鑰", "令牌", "權杖", "私钥", "凭证", "凭据")
_PASSWORDS = ("passw", "passphrase", "passcode", "pwd", "_pass", "pass:", "pass：", "pass=", "otp", "pin", *_CHINESE_PASSWORDS)
"""Words whose value a person may have chosen: also a short or a plain one counts."""

_OPTIONS = {
    "--passw": r"--passw(?:or)?d[= ][\"']?",
    "--token": r"--(?:[a-z]{1,20}-)?token[= ][\"']?",
    "--api-key": r"--api-key[= ][\"']?",
    "--secret": r"--(?:[a-z]{1,20}-)?secret[= ][\"']?",
    "sshpass": r"sshpass[ ]-p[ ]?[\"']?",
    "-u ": r"(?<=[ ])-u[ ][\"']?[^\s:\"']{1,60}:",
    "--user": r"(?<=[ ])--user[ =][\"']?[^\s:\"']{1,60}:",
    "mysql": r"mysql(?:dump|admin)?[ ][^\n|;&]{0,60}?[ ]?-p(?=[^\s\"'-])",
    "machine ": r"machine[ \t][^\s]{1,100}\s{1,4}login[ \t][^\s]{1,100}\s{1,4}password[ \t]{1,4}",
}
"""Command lines and `.netrc`, where nothing but a blank stands between word and value."""

_PLACEHOLDER = re.compile(
    r"(?i)(?:<.*|.*>|\$[({]?.*|%\w+%?|\{\{.*|\{[a-z_.]*\}?|x{3,}|\*{3,}|\.{3,}|-{3,}|_{3,}|your.*|my[_-].*|example.*|sample.*|dummy.*|fake.*|test[_-].*|changeme.*|"
    r"change[_-].*|placeholder.*|redacted.*|\[.*|insert.*|replace.*|todo.*|none|null|nil|true|false|undefined|required|optional|os\.environ.*|os\.getenv.*|"
    r"process\.env.*|env[.(\[:].*|import\.meta.*|secrets?\.[a-z_.]*|vars\..*|settings\..*|config\..*|self\..*|this\..*|params\..*|vault:.*|op://.*|keyring.*|"
    r"ssm:.*|arn:.*|sm://.*|data\..*|module\..*|var\..*|local\..*|https?://.*|file:.*|\.{0,2}/.*|~/.*|[a-z]:\\.*|sha\d+:.*|@.*|\\.*|#.*)"
)
_CODE = re.compile(r"[A-Za-z_][\w.]*[(\[{<|].*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+.*|.*[({]\).*|.*=>.*|[A-Za-z_]+\|.*|.*::.*|!!\w+|&\w+;?")
_TERM = re.compile(
    r"(?i)(?:sha-?\d+|md5|utf-?\d+|base-?(?:16|32|58|62|64)(?:url)?|oauth-?\d(?:\.\d)?|argon2\w*|pbkdf2\w*|bcrypt\w*|scrypt|x-?509|x25519|ed25519|secp\w+|p-?256|"
    r"aes-?\d+\S*|rsa-?\d+|hs\d+|rs\d+|es\d+|hmac-?\S*|http/?\d\S*|v?\d+(?:\.\d+)+\S*|v\d+(?:(?:alpha|beta|rc|[.-])\S{0,12})?|int\d+|uint\d+|float\d+|str\d*|gpt-?\S+|pkcs\S*|fido2|web3|"
    r"tls(?:v?\d[.\d]*|[-_]\S*)?|k8s(?:[-_./]\S*)?|s3(?:[-_.:/]\S*)?|ipv?\d(?:[-_./]\S*)?|i18n|l10n|\d+(?:-?(?:bits?|bytes?|chars?|characters?|digits?|words?|tokens?|days?|hours?|hrs?|h|minutes?|min|seconds?|secs?|s|ms|k|m|"
    r"kb|mb|x|st|nd|rd|th|%))+|1password\S*|\d{4}-\d\d-\d\dt?\S*|[\d.,:/+-]*)"
)
_PLAIN_NAME = re.compile(
    r"[a-z]{2,}\d{0,2}[a-z]*(?:[_.-][a-z]*\d{0,2})+|[a-z]+\d?|[A-Z]{2,}(?:_[A-Z0-9]+)*|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?"
)
_MARKS = frozenset("!@#$%^&*+=?~")
_FILLER = frozenset(
    (
        *("must", "be", "set", "in", "the", "your", "see", "not", "required", "from", "use", "using", "for", "to", "and", "or", "of", "is"),
        *("are", "on", "by", "when", "never", "no", "with", "env", "stored", "kept"),
    )
)
"""Words that make several words with hyphens a sentence instead of a password."""


def entropy(text: str) -> float:
    """Shannon entropy in bits a character."""
    if not text:
        return 0.0
    counts = {c: text.count(c) for c in set(text)}
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def small(text: str) -> str:
    """`text` in small letters, every letter at its old position."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c if len(c.lower()) != 1 else c.lower() for c in text)


@cache
def _english(stem: str) -> re.Pattern[str]:
    chinese = rf"{_CHINESE_LEAD}(?:[:：]|{_CHINESE_VERB})"
    return re.compile(rf"{_ENGLISH[stem]}(?![a-z]){_SUFFIX}{_FOR}(?:{_SEPARATOR}|{chinese}){_QUOTES}{_VALUE}")


@cache
def _chinese(stem: str) -> re.Pattern[str]:
    return re.compile(rf"{stem}{_CHINESE_SEPARATOR}{_QUOTES}{_VALUE}")


@cache
def _right_behind(stem: str) -> re.Pattern[str]:
    """A value that follows a Chinese word with nothing between them."""
    return re.compile(rf"{stem}(?=[a-z0-9]){_VALUE}")


@cache
def _option(stem: str) -> re.Pattern[str]:
    return re.compile(rf"{_OPTIONS[stem]}{_VALUE}")


def keyed_values(text: str) -> Iterator[tuple[int, int]]:
    """Where values beside a word stand in `text`: start and end, in no order, possibly overlapping."""
    low = small(text)
    for stems, pattern_of in ((_ENGLISH, _english), (_CHINESE, _chinese), (_OPTIONS, _option)):
        for stem in stems:
            if stem not in low:
                continue
            chosen = stem in _PASSWORDS or stem in _OPTIONS
            for found in pattern_of(stem).finditer(low):
                start, end = found.span(1)
                length = _length(text[start:end], chosen, pin=stem in ("pin", "验证码"))
                if length:
                    yield start, start + length
    for stem in _CHINESE_PASSWORDS:
        for found in _right_behind(stem).finditer(low) if stem in low else ():
            start, end = found.span(1)
            length = _length(text[start:end], chosen=True)
            digit, letter, _ = _kinds_of(text[start : start + length])
            if length >= 8 and digit and letter and not _PLAIN_NAME.fullmatch(text[start : start + length]):
                yield start, start + length


def _length(raw: str, chosen: bool, *, pin: bool = False) -> int:
    """How much of `raw` is a secret value; 0 = it is none."""
    value = _cut(raw)
    if not value or _PLACEHOLDER.fullmatch(value) or len(set(value)) < (3 if value.isdigit() else 4):
        return 0
    if value.isdigit():
        return len(value) if chosen and (4 if pin else 6) <= len(value) <= 20 else 0
    if _TERM.fullmatch(value) or _CODE.fullmatch(value):
        return 0
    return len(value) if (_chosen_password(value) if chosen else _random(value)) else 0


def _cut(raw: str) -> str:
    """The value without quote, bracket and the end of a sentence that stand behind it."""
    for quote in "\"'`<":
        raw = raw.split(quote, 1)[0]
    for end in (",", ";", "\\n", "|", "&amp"):
        head, found, _tail = raw.partition(end)
        if found and len(head) >= 6:
            raw = head
    return raw.rstrip(".,:;!?)]}>*\"'`|\\")


def _kinds_of(value: str) -> tuple[bool, bool, bool]:
    return any(c.isdigit() for c in value), any(c.isalpha() for c in value), any(c in _MARKS for c in value)


def _chosen_password(value: str) -> bool:
    """What a person may have chosen: letters with digits or marks, or several words with hyphens."""
    if len(value) < 6:
        return False
    digit, letter, mark = _kinds_of(value)
    if letter and (digit or mark):
        return True
    if digit and not letter:
        return len(value) >= 8 and mark
    words = value.lower().split("-")
    return len(words) >= 4 and all(len(word) >= 3 and word.isalpha() for word in words) and not _FILLER & set(words)


def _random(value: str) -> bool:
    """What a machine made: long, of letters and digits, and no name."""
    digit, letter, _ = _kinds_of(value)
    if len(value) < 8 or not (digit and letter) or _PLAIN_NAME.fullmatch(value):
        return False
    return entropy(value) >= 2.75
