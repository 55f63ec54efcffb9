"""ReadSessionContext over real transcripts of other tools: every one is read, within its budget, with citations that name messages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from desktop.base.redact import find_secrets
from desktop.base.words import estimate_tokens
from desktop.sessions.context import LoadedMaterial, Strategy, folded, read_context, terms_of
from desktop.sessions.context_foreign import ForeignMaterial
from desktop.sessions.importers import list_transcripts, open_transcript
from desktop.sessions.importers.convert import as_transcript
from desktop.sessions.readable import readable_text
from desktop.sessions.transcript import LoadedTranscript
from desktop.tools.distil import CHUNK, WHOLE, chunks_for
from tests.helpers.data import shared_data

LARGEST = 12 << 20
NONCE = "0123456789abcdef"


@cache
def transcripts() -> list[tuple[Path, LoadedTranscript]]:
    found = []
    for folder in sorted(shared_data("real/transcripts").iterdir()):
        for entry in list_transcripts(folder)[:4]:
            if entry.path.stat().st_size <= LARGEST:
                found.append((entry.path, as_transcript(open_transcript(entry.path, entry.session), "sess_" + "0" * 26, "k")))
    return found


def question_of(loaded: LoadedTranscript) -> str:
    """A few words out of the middle of the conversation."""
    texts = [text for message in loaded.live if (text := readable_text(message))]
    words = re.findall(r"\w{4,}", texts[len(texts) // 2]) if texts else []
    return " ".join(words[:4]) or "what"


def test_every_imported_session_is_read_within_its_budget() -> None:
    read = 0
    for path, loaded in transcripts():
        query = question_of(loaded)
        for strategy in get_args(Strategy):
            result = read_context(loaded, query, strategy=strategy, max_tokens=1_500)
            if not loaded.messages:
                continue
            read += strategy == "relevant"
            assert result.status == "success", path
            assert result.tokens == estimate_tokens(result.text) <= 1_500, path
            assert [one.message for one in result.citations] == sorted({one.message for one in result.citations}), path
            assert all(1 <= one.message <= len(loaded.live) for one in result.citations), path
            assert all(loaded.live[one.message - 1].role == one.role for one in result.citations), path
            assert all(loaded.live[one.message - 1].origin != "app" for one in result.citations), path
            assert not find_secrets(result.text), path
        if result.citations and query != "what":
            best = read_context(loaded, query, max_tokens=1_500).citations
            terms = terms_of(query)
            assert any(any(term in folded(readable_text(loaded.live[one.message - 1])) for term in terms) for one in best), path
    print(f"{read} imported sessions read")
    assert read > 20


def test_turned_message_by_message_a_session_reads_as_the_one_that_is_held() -> None:
    """Also for another question than the one it was turned for, and for sessions whose messages are split and moved."""
    read = 0
    for folder in sorted(shared_data("real/transcripts").iterdir()):
        for entry in list_transcripts(folder)[:2]:
            if entry.path.stat().st_size > LARGEST >> 2:
                continue
            found = open_transcript(entry.path, entry.session)
            loaded = as_transcript(found, "sess_" + "0" * 26, "k")
            query = question_of(loaded)
            material = ForeignMaterial(found, "sess_" + "0" * 26, query)
            assert (material.count, material.title) == (len(loaded.live), LoadedMaterial(loaded).title), entry.path
            for asked in (query, "another question", ""):
                for strategy in get_args(Strategy):
                    ours = read_context(material, asked, strategy=strategy, nonce=lambda: NONCE)
                    assert ours == read_context(loaded, asked, strategy=strategy, nonce=lambda: NONCE), entry.path
            assert chunks_for(material, query) == chunks_for(LoadedMaterial(loaded), query), entry.path
            read += 1
    print(f"{read} imported sessions compared")
    assert read > 15


def test_what_a_model_is_given_of_imported_sessions_keeps_its_sizes() -> None:
    for path, loaded in transcripts():
        chunks = chunks_for(LoadedMaterial(loaded), question_of(loaded))
        assert len(chunks) <= 5, path
        assert all(len(chunk.text) <= (WHOLE if len(chunks) == 1 else CHUNK) for chunk in chunks), path


@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_a_session_without_messages_is_said_to_have_none(strategy: Strategy) -> None:
    empty = as_transcript(open_transcript(Path(__file__)), "sess_" + "0" * 26, "k")
    result = read_context(empty, "x", strategy=strategy)
    assert result.status in ("failed", "success") and not result.citations
