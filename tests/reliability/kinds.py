"""All kinds of stores that the rig knows, by the names that its command line takes."""

from __future__ import annotations

from tests.reliability.review_writer import ReviewWriter
from tests.reliability.search_writer import SearchWriter
from tests.reliability.session_writer import SessionWriter
from tests.reliability.writers import IndexWriter, JournalWriter, MemoryWriter, SettingsWriter, TranscriptWriter, Writer

WRITERS: dict[str, type[Writer]] = {
    "memory": MemoryWriter,
    "index": IndexWriter,
    "journal": JournalWriter,
    "settings": SettingsWriter,
    "transcript": TranscriptWriter,
    "search": SearchWriter,
    "review": ReviewWriter,
    "session": SessionWriter,
}
