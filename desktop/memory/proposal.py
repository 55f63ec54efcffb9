"""One proposed change of memory that waits for the person, as a value and as the JSON file it is kept in (memory design, 6.4 and 6.8).

Owns the shape of a proposal, its file format (schema 1) and what counts as the same proposal. Knows no folder and no store. Pure, any
thread. Text that is damaged or of a newer schema is no proposal: it is left to whoever can read it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from desktop.base.clock import iso, parse_iso
from desktop.base.phrases import phrase_from_json, phrase_to_json
from desktop.base.textio import digest
from desktop.memory.change import ChangeOrigin
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import parse
from desktop.memory.merge import without_stamp
from desktop.memory.roots import Actor

SCHEMA = 1
Op = Literal["write", "delete"]
Rule = Literal["review", "unsupported", "untrusted", "injection"]
RULES: tuple[Rule, ...] = ("review", "unsupported", "untrusted", "injection")
PROPOSAL_ID = re.compile(r"prop_[0-9a-z]{26}")
_ACTORS: dict[str, Actor] = {a: a for a in ("main", "extractor", "person", "outside", "dream")}
_OPS: dict[str, Op] = {"write": "write", "delete": "delete"}


class NewerSchemaError(ValueError):
    """The file was written by a newer program."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One change that somebody else than the person wants to make.

    Attributes:
        id: `prop_` and 26 characters; sorts by time.
        time: when it was proposed.
        root: id of the root that it would change.
        op: write a whole file, or delete one.
        path: posix path below the root.
        text: the whole new text; "" for a deletion.
        base: digest of the file that it was made against; None: there was none.
        base_text: that file's text.
        origin: who wants it, out of which session and message, and whether text of tools or pages was in the window.
        reason: a phrase: why it waits.
        rule: `review` (everything waits), `unsupported` (no sentence of the person behind it), `untrusted` (orders or addresses out of a
            turn with text of others), `injection` (the gate found orders to future agents).
        quote: the person's sentence that it came from, or the first line of the outside text; secrets are masked.
        group: the group of the journal under which it was, or was about to be, accepted; "" before that.
        replaces: ids of older ones for the same path, which wait no more since this one does.
    """

    id: str
    time: datetime
    root: str
    op: Op
    path: str
    text: str = field(repr=False)
    base: str | None
    base_text: str = field(repr=False)
    origin: ChangeOrigin
    reason: str
    rule: str
    quote: str = ""
    group: str = ""
    replaces: tuple[str, ...] = ()

    @property
    def untrusted(self) -> bool:
        """Whether text of tools, pages or files was in the window."""
        return self.origin.untrusted

    @property
    def new(self) -> bool:
        """Whether it would make a file that was not there."""
        return self.op == "write" and self.base is None

    def accepting(self, group: str) -> Proposal:
        """The same, about to be accepted under `group`."""
        return replace(self, group=group)

    def says(self, other: Proposal) -> bool:
        """Whether both would do the same; the stamp that the store writes itself is no difference."""
        if (self.op, self.path, self.base is None) != (other.op, other.path, other.base is None):
            return self.new and other.new and self.key == other.key
        return without_stamp(self.text) == without_stamp(other.text)

    @property
    def key(self) -> str:
        """Digest of what it says: what was rejected once is known again by it, also under another new name."""
        if self.op == "delete":
            said = f"delete\n{self.path}\n{self.base or ''}"
        elif self.base is None:
            document = parse(self.text.encode("utf-8", "surrogatepass"))
            said = f"write\n{folded(document.body) or folded(document.description or '')}"
        else:
            said = f"change\n{self.path}\n{folded(without_stamp(self.text))}"
        return digest(said.encode("utf-8", "surrogatepass"))


def proposal_to_json(proposal: Proposal) -> bytes:
    """The file of a proposal: one JSON object, ASCII."""
    origin = proposal.origin
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "id": proposal.id,
        "time": iso(proposal.time),
        "root": proposal.root,
        "op": proposal.op,
        "path": proposal.path,
        "text": proposal.text,
        "base": proposal.base,
        "base_text": proposal.base_text,
        "actor": origin.actor,
        "session": origin.session_id,
        "message": origin.message_id,
        "origin_reason": origin.reason,
        "untrusted": origin.untrusted,
        "reason": proposal.reason,
        "phrase": phrase_to_json(proposal.reason),
        "rule": proposal.rule,
        "quote": proposal.quote,
        "group": proposal.group,
        "replaces": list(proposal.replaces),
    }
    return json.dumps(record, ensure_ascii=True, indent=1).encode() + b"\n"


def proposal_from_json(data: bytes) -> Proposal:
    """The proposal that `proposal_to_json` wrote.

    Raises:
        NewerSchemaError: a newer program wrote it.
        ValueError: it is damaged.
    """
    try:
        record = json.loads(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(record, dict):
        raise ValueError("no object")
    schema = record.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        raise NewerSchemaError(str(schema))
    if schema != SCHEMA:
        raise ValueError("no schema")
    text = {name: _text(record, name) for name in ("id", "time", "root", "path", "text", "base_text", "reason", "rule")}
    moment, op, actor = parse_iso(text["time"]), _OPS.get(_text(record, "op")), _ACTORS.get(_text(record, "actor"))
    base = record.get("base")
    if moment is None or op is None or actor is None or not (base is None or isinstance(base, str)):
        raise ValueError("a field holds something else")
    if not PROPOSAL_ID.fullmatch(text["id"]) or not text["path"] or not text["root"] or text["rule"] not in RULES:
        raise ValueError("a field holds something else")
    origin = ChangeOrigin(
        actor,
        _optional(record, "session"),
        _optional(record, "message"),
        _optional(record, "origin_reason"),
        record.get("untrusted") is True,
    )
    reason = phrase_from_json(record.get("phrase")) or text["reason"]
    return Proposal(
        text["id"], moment, text["root"], op, text["path"], text["text"], base, text["base_text"], origin, reason, text["rule"],
        _optional(record, "quote"), _optional(record, "group"), _names(record.get("replaces")),
    )  # fmt: skip


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value


def _names(value: object) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else ()


def _optional(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
