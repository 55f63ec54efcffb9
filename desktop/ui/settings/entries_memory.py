"""The rows of the settings page about memory in use: recall, refresh, channel, and how the background job works. Words only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.ui.settings.entry import ADVANCED, MEMORY, Entry

translate = QCoreApplication.translate


def memory_in_use() -> list[Entry]:
    """Rows in the order of the page."""
    return [*_recall(), *_loading(), *_job()]


def _recall() -> list[Entry]:
    return [
        Entry(
            "memory.recall", MEMORY, translate("Settings", "Recall"),
            translate(
                "Settings",
                "Memories that fit a message are added to it by themselves. A model chooses beside the turn, with one small extra call "
                "that may cost money; by words alone costs nothing.",
            ),
            choices=(
                ("off", translate("Settings", "Off")), ("lexical", translate("Settings", "By words alone")),
                ("model", translate("Settings", "By words, and a model")),
            ),
        ),
        Entry(
            "memory.recall_files", MEMORY, translate("Settings", "Recall: memories a model may choose"),
            translate("Settings", "For one message at most."),
        ),
        Entry(
            "memory.recall_first", MEMORY, translate("Settings", "Recall: memories found by words"),
            translate("Settings", "For one message at most."),
        ),
        Entry(
            "memory.recall_session_bytes", MEMORY, translate("Settings", "Recall: bytes in one chat at most"),
            translate("Settings", "When a chat has used them up, nothing more is recalled in it."),
        ),
    ]  # fmt: skip


def _loading() -> list[Entry]:
    return [
        Entry(
            "memory.refresh", MEMORY, translate("Settings", "How an open chat learns of changes"),
            translate("Settings", "Reading memory again makes the model's cache useless, so that the next request costs more."),
            choices=(
                ("delta", translate("Settings", "A short note with each message")),
                ("session", translate("Settings", "Not before the next chat")),
                ("turn", translate("Settings", "Memory is read again for each message")),
                ("compaction", translate("Settings", "When the chat is compacted")),
            ),
        ),
        Entry(
            "memory.index_channel", MEMORY, translate("Settings", "Where memory stands in a request"),
            translate("Settings", "Models follow the system prompt like instructions, and read what stands before the chat as material."),
            choices=(("user", translate("Settings", "Before the chat")), ("system", translate("Settings", "In the system prompt"))),
        ),
        Entry(
            "memory.layout", MEMORY, translate("Settings", "Which memory chats load"),
            translate("Settings", "Everything: the project's, what holds in all projects, and the folder's own file."),
            choices=(
                ("all", translate("Settings", "Everything")), ("project", translate("Settings", "Only this project's")),
                ("single", translate("Settings", "Only the folder's own file")),
            ),
        ),
    ]  # fmt: skip


def _job() -> list[Entry]:
    return [
        Entry(
            "memory.extractor_bash", MEMORY, translate("Settings", "Commands of the background job"),
            translate("Settings", "It never changes anything but memory, whatever is chosen here."),
            choices=(
                ("rm", translate("Settings", "Removing one memory")), ("read-only", translate("Settings", "Commands that only read, too")),
                ("none", translate("Settings", "None")),
            ),
        ),
        Entry(
            "memory.extraction_cost_usd", MEMORY, translate("Settings", "Cost of learning in one chat at most"),
            translate("Settings", "In US dollars, by the list prices of the models."), suffix=" $", zero=translate("Settings", "no limit"),
        ),
    ]  # fmt: skip


def memory_advanced() -> list[Entry]:
    """What presets change and limits that hardly anybody changes, in the order of the page."""
    return [*_shapes(), *_recall_limits(), *_job_limits()]


def _shapes() -> list[Entry]:
    return [
        Entry(
            "memory.tools", ADVANCED, translate("Settings", "Memory tools in chats"),
            translate("Settings", "Chats can search memory and keep its index in order by themselves."),
        ),
        Entry(
            "memory.index_cut", ADVANCED, translate("Settings", "What of an index over its limits is loaded"),
            translate("Settings", "What is left out is said in the chat."),
            choices=(
                ("newest", translate("Settings", "Pinned and newest lines")), ("head", translate("Settings", "Its beginning")),
            ),
        ),
        Entry(
            "memory.index_step", ADVANCED, translate("Settings", "Who writes the index line of a new memory"),
            translate("Settings", "This is what the agent is told. A line that is missing is put in by the app in any case."),
            choices=(
                ("app", translate("Settings", "The app")), ("two-steps", translate("Settings", "The agent, in a second step")),
            ),
        ),
        Entry(
            "memory.extractor_reads", ADVANCED, translate("Settings", "Where the background job may read"),
            translate("Settings", "Files with secrets are never read."),
            choices=(
                ("workspace", translate("Settings", "In the workspace and its memory")), ("anywhere", translate("Settings", "Anywhere")),
            ),
        ),
        Entry(
            "memory.extraction_after_write", ADVANCED, translate("Settings", "When the agent wrote memory in the turn itself"),
            translate("Settings", "What the background job does with such a turn."),
            choices=(
                ("rest", translate("Settings", "It looks at the rest")), ("skip", translate("Settings", "It skips the turn")),
            ),
        ),
        Entry(
            "memory.extraction_short", ADVANCED, translate("Settings", "Messages too short to learn from"),
            translate("Settings", "What becomes of messages that are too short."),
            choices=(
                ("pending", translate("Settings", "They wait for the next one")),
                ("advance", translate("Settings", "They are passed over")),
            ),
        ),
    ]  # fmt: skip


def _recall_limits() -> list[Entry]:
    ms, seconds = translate("Settings", " ms"), translate("Settings", " s")
    return [
        Entry(
            "memory.recall_wait_ms", ADVANCED, translate("Settings", "Recall: how long a message waits"),
            translate("Settings", "For memories that are found by words; what comes later is added to the next step."), suffix=ms,
        ),
        Entry(
            "memory.recall_lines", ADVANCED, translate("Settings", "Recall: lines of one memory at most"),
            translate("Settings", "The rest of a longer memory is left out, and that is said."),
        ),
        Entry(
            "memory.recall_bytes", ADVANCED, translate("Settings", "Recall: bytes of one memory at most"),
            translate("Settings", "The rest of a longer memory is left out, and that is said."),
        ),
        Entry(
            "memory.recall_seconds", ADVANCED, translate("Settings", "Recall: time of the model's choice at most"),
            translate("Settings", "The turn goes on meanwhile."), suffix=seconds,
        ),
        Entry(
            "memory.recall_tokens", ADVANCED, translate("Settings", "Recall: tokens of the model's choice at most"),
            translate("Settings", "It answers with a few names."),
        ),
        Entry(
            "memory.recall_manifest_bytes", ADVANCED, translate("Settings", "Recall: bytes of the list it chooses from"),
            translate("Settings", "The newest memories come first."),
        ),
        Entry(
            "memory.fresh_days", ADVANCED, translate("Settings", "Days after which a memory is to be checked"),
            translate("Settings", "An older one is recalled with the remark that it may be out of date."),
        ),
    ]  # fmt: skip


def _job_limits() -> list[Entry]:
    return [
        Entry(
            "memory.extraction_turns", ADVANCED, translate("Settings", "Learning: requests of one look at most"),
            translate("Settings", "An upper bound for its extra model calls."),
        ),
        Entry(
            "memory.extraction_output_tokens", ADVANCED, translate("Settings", "Learning: tokens of one answer at most"),
            translate("Settings", "An upper bound for what one request writes."),
        ),
        Entry(
            "memory.extraction_seconds", ADVANCED, translate("Settings", "Learning: time of one look at most"),
            translate("Settings", "What is not done by then is looked at again next time."), suffix=translate("Settings", " s"),
        ),
        Entry(
            "memory.extraction_pending", ADVANCED, translate("Settings", "Learning: short messages that are looked at together"),
            translate("Settings", "So many of them are looked at, however short they are."),
        ),
        Entry(
            "memory.extraction_words", ADVANCED, translate("Settings", "Learning: words of a message at least"),
            translate("Settings", "A shorter one waits for more, unless it asks to remember or to forget."),
        ),
    ]  # fmt: skip
