"""Secret shapes and unsafe characters: finds values that look like credentials, masks them, and makes control characters visible.

Value-shaped rules (vendor prefixes, PEM, JWT, bearer, connection strings) plus entropy only beside a key word. Pure, linear time.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

from desktop.base.phrases import say

MASK = "[secret]"

_RULES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        say("private key"),
        re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----)[\s\S]){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"),
    ),
    (say("Anthropic key"), re.compile(r"\bsk-ant-[A-Za-z0-9_-]{16,}")),
    (say("OpenAI key"), re.compile(r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}")),
    (say("GitHub token"), re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})")),
    (say("GitLab token"), re.compile(r"\bgl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_-]{18,}")),
    (say("AWS key id"), re.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b")),
    (say("Google API key"), re.compile(r"\bAIza[A-Za-z0-9_-]{35}\b")),
    (say("Google OAuth token"), re.compile(r"\bya29\.[A-Za-z0-9_-]{20,}")),
    (say("Slack token"), re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}")),
    (say("Slack webhook"), re.compile(r"hooks\.slack\.com/services/[A-Za-z0-9/_+-]{20,}")),
    (say("Discord token"), re.compile(r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}")),
    (say("Stripe key"), re.compile(r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}")),
    (say("npm token"), re.compile(r"\bnpm_[A-Za-z0-9]{30,}")),
    (say("PyPI token"), re.compile(r"\bpypi-[A-Za-z0-9_-]{30,}")),
    (say("Hugging Face token"), re.compile(r"\bhf_[A-Za-z0-9]{30,}")),
    (say("SendGrid key"), re.compile(r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}")),
    (say("Twilio key"), re.compile(r"\bSK[0-9a-f]{32}\b")),
    (say("DigitalOcean token"), re.compile(r"\bdo[opr]_v1_[a-f0-9]{64}\b")),
    (say("Telegram token"), re.compile(r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,}")),
    (say("JSON web token"), re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}")),
    (say("bearer token"), re.compile(r"(?i)\b(?:bearer|basic)\s+[A-Za-z0-9+/_.~-]{20,}=*")),
    (say("password in an address"), re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>]{0,80}:[^\s/@'\"<>]{3,200}@[^\s'\"<>]+", re.I)),
)
_KEYED = re.compile(
    r"(?i)(?:api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|access[_-]?key|token|passw(?:or)?d|passwd|pwd|credential|private[_-]?key"
    r"|密码|口令|密钥|令牌)"
    r"[\"']?\s*(?:=>|[:=：＝]|is|是|为)\s*[\"'`]?([^\s\"'`,;，。；]{8,200})"
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:<.*>|\$\{?.*|\{\{.*|x{4,}|\*{3,}|\.{3,}|your[_-].*|example.*|changeme|placeholder|redacted.*"
    r"|none|null|true|false|os\.environ.*|process\.env.*|env\..*)$"
)


@dataclass(frozen=True, slots=True)
class SecretHit:
    """One value that looks like a secret: what kind, and where in the text."""

    kind: str
    start: int
    end: int


def entropy(text: str) -> float:
    """Shannon entropy in bits a character."""
    if not text:
        return 0.0
    counts = {c: text.count(c) for c in set(text)}
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values())


def _keyed_value_is_secret(value: str) -> bool:
    if _PLACEHOLDER.match(value) or value.startswith(("http://", "https://", "/", "./", "~/")):
        return False
    value = value.rstrip(".!?…:)]*")  # the end of a sentence is no part of a password
    mixed = sum((any(c.isdigit() for c in value), any(c.isalpha() for c in value), any(not c.isalnum() for c in value)))
    return mixed >= 2 and entropy(value) >= 2.75


def find_secrets(text: str) -> list[SecretHit]:
    """Every value in `text` that looks like a secret, in order, not overlapping."""
    hits = [SecretHit(kind, m.start(), m.end()) for kind, rule in _RULES for m in rule.finditer(text)]
    hits += [SecretHit(say("password or key"), m.start(1), m.end(1)) for m in _KEYED.finditer(text) if _keyed_value_is_secret(m.group(1))]
    hits.sort(key=lambda hit: (hit.start, -hit.end))
    kept: list[SecretHit] = []
    for hit in hits:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def redact(text: str) -> str:
    """`text` with every secret value masked."""
    result, position = [], 0
    for hit in find_secrets(text):
        result += [text[position : hit.start], MASK]
        position = hit.end
    return "".join(result) + text[position:]


def visible(text: str, keep: str = "") -> str:
    """`text` with control, format (bidi, zero-width) and unassigned characters written as `\\u{…}`, except those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c in keep or c == "\u200d" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") else f"\\u{{{ord(c):x}}}"
        for c in text
    )
