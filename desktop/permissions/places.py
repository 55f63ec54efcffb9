"""Which places need more care than others: files that hold secrets, and names that make other programs run things or loosen rules.

Owns the two lists and the test of a path against them; decides nothing by itself and touches no file. Names are compared the way file
systems and careless spellings see them: compatibility forms folded, case folded, invisible characters, `:` streams, trailing dots and
spaces removed. Pure, any thread.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from desktop.base.confine import normalise
from desktop.base.phrases import say

PROTECTED_NAMES = frozenset(
    {
        ".git", ".husky", ".githooks", ".vscode", ".idea", ".zed", ".claude", ".zcode", ".keepsake", ".codex", ".gemini", ".qwen",
        ".cursor", ".opencode", ".windsurf", ".cargo", ".devcontainer", ".yarn", ".mvn", "node_modules", ".ssh", ".gnupg", ".aws", ".kube",
        ".docker", ".config",
    }
)  # fmt: skip
"""Folders in which a file can start a program, change an agent's rights or hold credentials: accept-edits never covers them."""

PROTECTED_FILES = frozenset(
    {
        ".gitmodules", ".gitconfig", ".gitattributes", ".mcp.json", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".netrc",
        ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
        ".pre-commit-config.yaml", ".inputrc", ".vimrc", ".tmux.conf", "sitecustomize.py", "usercustomize.py",
    }
)  # fmt: skip
"""Files that a shell, an editor, a package manager or git runs or obeys on its own."""

_GIT_HOOK = re.compile(
    r"(?:applypatch-msg|pre-applypatch|post-applypatch|pre-commit|pre-merge-commit|prepare-commit-msg|commit-msg|post-commit|pre-rebase"
    r"|post-checkout|post-merge|pre-push|pre-receive|update|proc-receive|post-receive|post-update|reference-transaction|push-to-checkout"
    r"|pre-auto-gc|post-rewrite|sendemail-validate|fsmonitor-watchman|post-index-change|hooks)(?:\.\w+)?"
)
"""Names that mean a hook inside a folder `hooks`; any other file there is ordinary source (`hooks/useTheme.ts`)."""

_SECRET_FOLDERS = {
    ".ssh": say("a file of the SSH folder"),
    ".gnupg": say("a file of the GnuPG folder"),
    ".aws": say("cloud credentials"),
    ".azure": say("cloud credentials"),
    ".gcloud": say("cloud credentials"),
    ".kube": say("cluster credentials"),
    ".password-store": say("a stored password"),
    "keyrings": say("a key ring"),
}
_SECRET_FILES = {
    ".env": say("environment secrets"),
    ".envrc": say("environment secrets"),
    ".netrc": say("stored passwords"),
    "_netrc": say("stored passwords"),
    ".git-credentials": say("stored passwords"),
    ".pgpass": say("stored passwords"),
    ".my.cnf": say("stored passwords"),
    ".pypirc": say("package registry credentials"),
    ".npmrc": say("package registry credentials"),
    ".htpasswd": say("stored passwords"),
    ".vault-token": say("an access token"),
    "credentials": say("credentials"),
    "credentials.json": say("credentials"),
    "keys.json": say("API keys"),
    "shadow": say("password hashes"),
    "gshadow": say("password hashes"),
    "environ": say("environment secrets"),
}
_SECRET_SUFFIXES = {
    ".pem": say("a key or certificate"),
    ".key": say("a private key"),
    ".p12": say("a key store"),
    ".pfx": say("a key store"),
    ".jks": say("a key store"),
    ".keystore": say("a key store"),
    ".kdbx": say("a password database"),
    ".ppk": say("a private key"),
}
_PRIVATE_KEY = re.compile(r"^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_[a-z0-9_]+_key)$")
_SHORT_GIT = re.compile(r"(?:git|gi[0-9a-f]{4})~\d+")
"""8.3 short names that Windows gives to `.git`."""

_ENV_FILE = re.compile(r"^\.env(?:\.[\w.-]+)?$")
_ENV_SAMPLE = re.compile(r"\.(?:example|sample|template|dist|defaults?|schema)$")


def folded(name: str) -> str:
    """One path component as a careless file system would take it."""
    return normalise(name) or name


def protected_part(path: PurePath, below: PurePath) -> str | None:
    """The first component of `path` below the folder `below` that is a protected name, or None. `path` must lie in `below`."""
    parts = path.relative_to(below).parts
    names = [folded(part) for part in parts]
    for part, name in zip(parts, names, strict=True):
        if name in PROTECTED_NAMES or _SHORT_GIT.fullmatch(name):
            return part
    if not names:
        return None
    hook = "hooks" in names[:-1] and _GIT_HOOK.fullmatch(names[-1])
    return parts[-1] if hook or names[-1] in PROTECTED_FILES else None


def sensitive_kind(path: PurePath) -> str | None:
    """What secret the file at the resolved `path` probably holds, in words, or None. The name decides, never the content."""
    names = [folded(part) for part in path.parts]
    if not names:
        return None
    name = names[-1]
    if name.endswith(".pub") or _ENV_SAMPLE.search(name):
        return None
    for folder in names[:-1]:
        if folder in _SECRET_FOLDERS:
            return _SECRET_FOLDERS[folder]
    if name in _SECRET_FOLDERS:
        return _SECRET_FOLDERS[name]
    if name in ("config.json", "config") and len(names) > 1 and names[-2] == ".docker":
        return say("package registry credentials")
    if name == "environ" and "proc" not in names:
        return None
    if name in _SECRET_FILES:
        return _SECRET_FILES[name]
    if _ENV_FILE.match(name):
        return _SECRET_FILES[".env"]
    if _PRIVATE_KEY.match(name):
        return say("a private key")
    return next((kind for suffix, kind in _SECRET_SUFFIXES.items() if name.endswith(suffix)), None)
