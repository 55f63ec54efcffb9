"""The chat in the window: pane, status items, mode and model choice, and what a session of another folder needs. GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import sentences, spoken
from desktop.commands.registry import Command
from desktop.messages.events import JobChanged
from desktop.messages.usage import Usage
from desktop.ui.chat.images import ImageSource
from desktop.ui.chat.message_actions import COPY, EDIT, FORK, REFERENCE, RETRY, REWIND
from desktop.ui.chat.pane import ChatPane
from desktop.ui.controllers.chat_controller import ChatController
from desktop.ui.palette import Entry, QuickPick
from desktop.ui.sessions.model import RUNNING, WAITING
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

MODEL_LENGTH = 36
"""Characters of a model's name in the status bar."""
MODES = ("default", "accept-edits", "plan")


class ChatPart(QObject):
    """See the module's text.

    Attributes:
        stored_session: id of the session in the pane once it is on disk, else empty.
        kept_session: the same; while the one of before is being opened that one, so that a window killed meanwhile finds it again.

    Signals:
        session_shown(str): as in `ChatController`.
        activity_changed(str): what the session does now: `RUNNING`, `WAITING` (`ui.sessions.model`) or nothing.
    """

    session_shown = Signal(str)
    activity_changed = Signal(str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations, loop: LoopThread) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._restoring = False
        self._wish: Callable[[], None] | None = None
        self._models: Sequence[tuple[str, str]] = ()
        self.stored_session = self._expected = ""
        self.controller = ChatController(services, None, loop, operations, self)
        self.pane = ChatPane(self.controller)
        self.pane.setFocusProxy(self.pane.composer)
        self.pane.messages.images = ImageSource(operations, lambda digest: self._side_file(services, digest))
        self._pick = QuickPick(workbench)
        workbench.set_chat(self.pane)
        workbench.notifications.keep_clear(workbench.chat_pane, self.pane.composer)
        self._register()
        self._connect()

    def _side_file(self, services: Services, digest: str) -> bytes | None:
        """A picture or an output of the open conversation that stands beside its transcript; in a reading thread."""
        from desktop.ui.sessions.pages import side_file_of

        return side_file_of(services.sessions, self.stored_session)(digest)

    def _register(self) -> None:
        category = self.tr("Chat")
        opened, soon = "folderOpen", "folderOpen || folderOpening"
        without = partial(self.new_incognito, reads_memory=False)
        self._workbench.registry.register(
            Command("session.new", self.tr("New Chat"), self.new_session, "ctrl+n", soon, category),
            Command("session.newIncognito", self.tr("New Incognito Chat"), self.new_incognito, "ctrl+shift+n", soon, category),
            Command("session.newIncognitoWithoutMemory", self.tr("New Incognito Chat Without Memory"), without, "", soon, category),
            Command("chat.focus", self.tr("Focus the Composer"), self.focus, "ctrl+l", opened, category),
            Command("chat.stop", self.tr("Stop"), self.controller.stop, "", "turnRunning", category),
            Command("chat.rename", self.tr("Rename Chat…"), self.pane.ask_rename, "", opened, category),
            Command("chat.mode", self.tr("Choose Mode…"), self.choose_mode, "", opened, category),
            Command("chat.remember", self.tr("Remember This Message…"), self.remember, "ctrl+alt+m", opened, category),
            Command("chat.slots", self.tr("Show Context Breakdown"), self.show_context, "", opened, category),
            Command("chat.model", self.tr("Choose Model…"), self.choose_model, "", category=category),
        )
        self._register_tree(category)

    def _register_tree(self, category: str) -> None:
        """Acts on the message with the focus, else on the newest one."""
        commands = (
            ("edit", self.tr("Edit and Resend a Message…"), "ctrl+alt+e", partial(self.act, EDIT)),
            ("retry", self.tr("Retry the Answer"), "ctrl+alt+r", partial(self.act, RETRY)),
            ("fork", self.tr("Fork the Chat Here"), "ctrl+alt+f", partial(self.act, FORK)),
            ("rewind", self.tr("Rewind the Chat to Here"), "ctrl+alt+backspace", partial(self.act, REWIND)),
            ("copyMessage", self.tr("Copy the Message as Markdown"), "ctrl+alt+c", partial(self.act, COPY)),
            ("copyReference", self.tr("Copy Reference to the Message"), "", partial(self.act, REFERENCE)),
            ("previousVersion", self.tr("Show the Previous Version of a Message"), "ctrl+alt+pageup", partial(self.step, -1)),
            ("nextVersion", self.tr("Show the Next Version of a Message"), "ctrl+alt+pagedown", partial(self.step, 1)),
        )
        for name, title, key, run in commands:
            self._workbench.registry.register(Command(f"chat.{name}", title, run, key, "folderOpen", category))

    def _connect(self) -> None:
        controller = self.controller
        controller.opened.connect(self._on_opened)
        controller.opening_failed.connect(self._on_opening_failed)
        controller.session_shown.connect(self._on_session)
        controller.running_changed.connect(self._on_running)
        controller.mode_changed.connect(self._on_mode)
        controller.models_changed.connect(self._on_models)
        controller.usage_changed.connect(self._on_usage)
        controller.job_changed.connect(self._on_job)
        controller.failed.connect(self._on_failed)
        controller.saves.notice_requested.connect(self._on_notice)
        self.pane.branches.told.connect(lambda text: self._workbench.notify("info", text, tag="chat-tree"))
        self.pane.head.new_requested.connect(self._wish_new)
        self.pane.attention_requested.connect(self._on_attention)
        self.pane.questions_changed.connect(self._on_questions)
        self._pick.chosen.connect(self._on_chosen)

    # --- folder ------------------------------------------------------------------------------------------------------

    @property
    def kept_session(self) -> str:
        return self.stored_session or self._expected

    def set_workspace(self, workspace: Workspace | None, session_id: str = "", *, restoring: bool = False) -> None:
        """`restoring`: the session is the one of before; if it cannot be opened now, a new chat stands in for it."""
        wish, self._wish = self._wish, None
        if wish is not None and workspace is not None:
            session_id = ""
        self._restoring = restoring and bool(session_id)
        self.stored_session, self._expected = "", session_id
        self.pane.flush_draft()
        self.controller.set_workspace(workspace, session_id)
        if workspace is None:
            for item in ("mode", "context", "job"):
                self._workbench.status.remove_item(item)
        elif wish is not None and wish != self.new_session:
            wish()

    def forget_wish(self) -> None:
        """The folder that a new conversation was wanted in is not opened after all."""
        self._wish = None

    def close(self) -> list[Future[None]]:
        self.pane.flush_draft()
        return self.controller.close()

    # --- commands ----------------------------------------------------------------------------------------------------

    def new_session(self) -> None:
        """While the folder is still being opened, its first conversation is a new one: what is typed next never goes to that of before."""
        self._workbench.set_region("chat", True)
        if self.controller.workspace is None:
            self._wish = self.new_session
        self.controller.new_session()
        self.pane.focus_composer()

    def _wish_new(self) -> None:
        """The button of the pane, while the folder is still being opened."""
        if self.controller.workspace is None and self._workbench.registry.facts.get("folderOpening"):
            self._wish = self.new_session

    def new_incognito(self, *, reads_memory: bool = True) -> None:
        """A conversation of which nothing is ever kept."""
        self._workbench.set_region("chat", True)
        if self.controller.workspace is None:
            self._wish = partial(self.new_incognito, reads_memory=reads_memory)
        self.controller.new_incognito(reads_memory=reads_memory)
        self.pane.focus_composer()

    def focus(self) -> None:
        self._workbench.set_region("chat", True)
        self.pane.focus_composer()

    def ask(self, text: str) -> None:
        """Put text into the composer, where the person sees it."""
        self._workbench.set_region("chat", True)
        self.pane.put_text(text)

    def remember(self) -> None:
        """Remember the message that has the focus, or text selected in one, or the newest answer."""
        self._workbench.set_region("chat", True)
        if not self.pane.memory.remember_current():
            self._workbench.notify("info", self.tr("There is no message here that can be remembered."), tag="chat-remember")

    def act(self, act: str) -> None:
        """An act of `message_actions` on the message with the focus, else on the newest that it is for."""
        self._workbench.set_region("chat", True)
        if not self.pane.branches.act_on_current(act):
            self._workbench.notify("info", self.tr("There is no message here for that."), tag="chat-tree")

    def step(self, by: int) -> None:
        """Another version of the message with the focus, else of the newest that has several."""
        self._workbench.set_region("chat", True)
        if not self.pane.branches.step(by):
            self._workbench.notify("info", self.tr("No message here has another version in that direction."), tag="chat-tree")

    def show_context(self) -> None:
        """What fills the context window, slot by slot."""
        self._workbench.set_region("chat", True)
        self.pane.memory.show_context()

    def choose_mode(self) -> None:
        names, notes = self._mode_names(), self._mode_notes()
        entries = [Entry(f"mode:{mode}", names[mode], notes[mode]) for mode in MODES]
        self._pick.popup(entries, placeholder=self.tr("What may be done without asking"), name=self.tr("Choose Mode"))

    def choose_model(self) -> None:
        entries = [Entry(f"model:{model_id}", label, model_id if model_id != label else "") for model_id, label in self._models]
        entries.append(Entry("models.open", self.tr("Models and Keys…"), icon="settings-gear"))
        self._pick.popup(entries, placeholder=self.tr("The model of this chat"), name=self.tr("Choose Model"))

    def _on_chosen(self, chosen: str) -> None:
        kind, _, name = chosen.partition(":")
        if kind == "mode":
            self.controller.set_mode(name)  # type: ignore[arg-type]
        elif kind == "model":
            self.controller.set_model(name)
        else:
            self._workbench.run(chosen)

    def _mode_names(self) -> dict[str, str]:
        return {"default": self.tr("Ask first"), "accept-edits": self.tr("Accept edits"), "plan": self.tr("Plan")}

    def _mode_notes(self) -> dict[str, str]:
        return {
            "default": self.tr("Reading never asks; writing and commands do."),
            "accept-edits": self.tr("Edits inside the folder are done; commands ask."),
            "plan": self.tr("Reads and remembers, changes nothing else."),
        }

    # --- facts -------------------------------------------------------------------------------------------------------

    def _on_opened(self, _opened: object) -> None:
        """The person can type at once, unless they are in an editor."""
        self._restoring, self._expected = False, ""
        focus = QApplication.focusWidget()
        if focus is None or not self._workbench.editors.isAncestorOf(focus):
            self.pane.focus_composer()

    def _on_opening_failed(self, failure: Failure) -> None:
        self._expected = ""
        if self._restoring:
            self._restoring = False
            text = self.tr("The last chat of this folder cannot be opened now, so this is a new one. {reason}")
            self._workbench.notify("warning", text.format(reason=failure.message), detail=failure.hint)
            self.controller.new_session()

    def _on_session(self, session_id: str) -> None:
        changed = session_id != self.stored_session
        self.stored_session = session_id
        if changed:
            self._workbench.status.remove_item("job")
            self.session_shown.emit(session_id)

    def _on_running(self, running: bool) -> None:
        self._workbench.registry.set_fact("turnRunning", running)
        self.activity_changed.emit(RUNNING if running else "")

    def _on_questions(self, waiting: bool) -> None:
        self.activity_changed.emit(WAITING if waiting else RUNNING if self.controller.running else "")

    def _on_mode(self, mode: str) -> None:
        icon = {"plan": "list-ordered", "accept-edits": "edit"}.get(mode, "shield")
        self._workbench.status.set_item("mode", self._mode_names().get(mode, mode), self._mode_notes().get(mode, ""), icon, "chat.mode")

    def _on_models(self, models: Sequence[tuple[str, str]], current: str) -> None:
        self._models = [(model_id, spoken(label)) for model_id, label in models]
        label = next((label for model_id, label in self._models if model_id == current), current)
        text = label or self.tr("No model")
        shown = text if len(text) <= MODEL_LENGTH else f"{text[: MODEL_LENGTH // 2]}…{text[-MODEL_LENGTH // 2 :]}"
        tooltip = self.tr("The model of this chat: {model}").format(model=text)
        self._workbench.status.set_item("model", shown, tooltip, "hubot", "chat.model")

    def _on_usage(self, tokens: int, window: int) -> None:
        if tokens <= 0 or window <= 0:
            self._workbench.status.remove_item("context")
            return
        percent = min(100, round(100 * tokens / window))
        tooltip = self.tr("The context window is filled with {tokens} of {window} tokens.")
        shown = tooltip.format(tokens=f"{tokens:,}", window=f"{window:,}")
        self._workbench.status.set_item("context", self.tr("Context {n} %").format(n=percent), shown, "pie-chart", "chat.slots")

    def _on_job(self, job: JobChanged) -> None:
        """What runs in the background, while it runs; a failure, and what a run cost, stay until the next one."""
        status, note = self._workbench.status, sentences(spoken(job.detail), self._cost_text(job.usage))
        if job.state == "running":
            status.set_item("job", self.tr("Looking for what to remember…"), note, "sync", None)
        elif job.state == "failed":
            status.set_item("job", self.tr("Nothing was extracted"), note, "warning", None, token="warning")
        elif job.state == "done" and job.usage is not None and job.usage.total_tokens:
            status.set_item("job", "", sentences(self.tr("Looked for what to remember."), note), "check", None)
        else:
            status.remove_item("job")

    def _cost_text(self, usage: Usage | None) -> str:
        """What a run cost: tokens, and money where the price is known."""
        if usage is None or not usage.total_tokens:
            return ""
        tokens = f"{usage.total_tokens:,}"
        if usage.cost_usd is None:
            return self.tr("It took {tokens} tokens; the price is not known.").format(tokens=tokens)
        if not usage.cost_usd:
            return self.tr("It took {tokens} tokens and cost nothing.").format(tokens=tokens)
        return self.tr("It took {tokens} tokens and cost {money} US dollars.").format(tokens=tokens, money=f"{usage.cost_usd:.4f}")

    def _on_notice(self, kind: str, text: str, actions: object, tag: str) -> None:
        self._workbench.notify(kind, text, actions, tag=tag)  # type: ignore[arg-type]

    def _on_failed(self, failure: Failure) -> None:
        self._workbench.notify("warning", failure.text(), detail=failure.detail)

    def _on_attention(self) -> None:
        """A question must be seen, also when the pane was hidden."""
        self._workbench.set_region("chat", True)
