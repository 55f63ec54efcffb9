"""Phrases are plain text everywhere, and keep what a translation needs through copies, composition and a transcript."""

from __future__ import annotations

import copy
import errno
import json
import os
import pickle
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.base.phrases import Phrase, listed, os_reason, phrase_from_json, phrase_to_json, say, together


def test_a_phrase_is_its_english_text() -> None:
    phrase = say("{path} has {size:,} bytes.", path=Path("/a"), size=12_000)
    assert phrase == "/a has 12,000 bytes."
    assert (phrase.template, phrase.values) == ("{path} has {size:,} bytes.", {"path": "/a", "size": 12_000})
    assert json.dumps({"text": phrase}) == '{"text": "/a has 12,000 bytes."}'


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda text: pickle.loads(pickle.dumps(text))])
def test_copies_keep_it(copied: object) -> None:
    phrase = say("It holds {kind}.", kind=say("a private key"))
    again = copied(phrase)  # type: ignore[operator]
    assert isinstance(again, Phrase)
    assert (again, again.template, again.values) == (phrase, phrase.template, phrase.values)
    assert isinstance(again.values["kind"], Phrase)


def test_braces_without_values_stay() -> None:
    assert say("the file must hold one object: { … }") == "the file must hold one object: { … }"


def test_sentences_and_lists_keep_their_parts() -> None:
    whole = together(say("One."), "", say("Two."))
    assert whole == "One. Two."
    assert list(whole.values.values()) == ["One.", "Two."]
    assert listed(["a", say("b")]) == "a, b"
    assert StorageError(say("Not saved."), hint=say("Free some space.")).text() == "Not saved. Free some space."


def test_an_error_as_a_value_brings_its_phrase() -> None:
    phrase = say("Entry {number}: {error}", number=2, error=ValueError(say("“when” must be text.")))
    assert phrase == "Entry 2: “when” must be text."
    assert isinstance(phrase.values["error"], Phrase)


def test_the_systems_reasons() -> None:
    known = os_reason(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert isinstance(known, Phrase) and known == os.strerror(errno.ENOSPC)
    assert os_reason(OSError(say("it is not a plain file"))) == "it is not a plain file"
    assert os_reason(OSError(errno.ENOTDIR, "a reason of ours")) == "a reason of ours"
    assert os_reason(OSError("odd")) == "odd"


def test_a_transcript_keeps_it() -> None:
    phrase = together(say("{path} exists already.", path="a.md"), say("Choose another name."))
    again = phrase_from_json(json.loads(json.dumps(phrase_to_json(phrase))))
    assert isinstance(again, Phrase) and again == phrase
    assert again.values["part0"].values == {"path": "a.md"}
    assert phrase_to_json("plain") is None


@pytest.mark.parametrize(
    "value",
    [None, 3, "text", {}, {"template": 1, "values": {}}, {"template": "{a}", "values": {}}, {"template": "{a.b}", "values": {"a": "x"}},
     {"template": "{a:zz}", "values": {"a": 1}}, {"template": "{0}", "values": {"a": 1}}],
)  # fmt: skip
def test_anything_else_in_a_transcript_is_none(value: object) -> None:
    assert phrase_from_json(value) in (None, "{a}")
