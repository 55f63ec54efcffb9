"""The constants of extraction as the settings have them (memory design, 6.7), read anew for each run. Pure but for reading the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from desktop.settings.store import SettingsStore

ExtractorBash = Literal["rm", "read-only", "none"]
ExtractorReads = Literal["workspace", "anywhere"]


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """Attributes:
    turns: requests of one run at most.
    output_tokens: of one answer at most.
    seconds: of one run at most.
    pending: so many messages of the person run an extraction, however short they are.
    words: word equivalents of a message below which it waits for more.
    cost_usd: of one session's runs at most; 0 sets no limit.
    runs: of one session at most, over all the times that it is opened; 0: none by themselves, which the scheduler sees to.
    after_write: whether the rest is looked at when the agent wrote memory itself, or such turns are passed over (S0).
    short: whether messages with too little prose wait for the next run, or are passed over (S0).
    single: one file is all the memory there is (`memory.layout`); the keeper's own folder is then read by nobody.
    bash, reads: rights of the memory keeper, see `jobs.whitelist`.
    """

    turns: int = 5
    output_tokens: int = 5_000
    seconds: float = 120.0
    pending: int = 5
    words: int = 3
    cost_usd: float = 0.0
    runs: int = 0
    after_write: Literal["rest", "skip"] = "rest"
    short: Literal["pending", "advance"] = "pending"
    bash: ExtractorBash = "rm"
    reads: ExtractorReads = "workspace"
    single: bool = False

    @classmethod
    def from_settings(cls, settings: SettingsStore) -> ExtractionOptions:
        def value(name: str) -> object:
            return settings.value(f"memory.{name}")

        return cls(
            turns=int(str(value("extraction_turns"))),
            output_tokens=int(str(value("extraction_output_tokens"))),
            seconds=float(str(value("extraction_seconds"))),
            pending=int(str(value("extraction_pending"))),
            words=int(str(value("extraction_words"))),
            cost_usd=float(str(value("extraction_cost_usd"))),
            runs=int(str(value("extraction_runs"))),
            after_write="skip" if value("extraction_after_write") == "skip" else "rest",
            short="advance" if value("extraction_short") == "advance" else "pending",
            bash=cast(ExtractorBash, value("extractor_bash")),
            reads=cast(ExtractorReads, value("extractor_reads")),
            single=value("layout") == "single",
        )
