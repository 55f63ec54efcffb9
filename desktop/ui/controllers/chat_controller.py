"""The conversation of the window: opens and closes sessions, sends, stops, answers, keeps drafts, switches mode and model.

Between the widgets of the chat and `bridge.agent_runner`; blocking calls go through `bridge.operations`. GUI thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.bridge.agent_runner import AgentRunner
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure, Operations
from desktop.messages.events import ApprovalAnswer, BranchMoved, JobChanged, MemorySaved, TurnEnded, TurnEvent, TurnStarted, UsageUpdated
from desktop.messages.parts import Message
from desktop.permissions.access import Mode
from desktop.providers.base import Model, ModelInfo
from desktop.sessions.importers.convert import is_foreign
from desktop.ui.controllers.chat_branches import ChatBranches
from desktop.ui.controllers.chat_context import ChatContext
from desktop.ui.controllers.chat_drafts import ChatDrafts, new_key
from desktop.ui.controllers.chat_full import ChatFull
from desktop.ui.controllers.chat_leaving import Leaving
from desktop.ui.controllers.chat_memory import MemoryNote, read_memory_note
from desktop.ui.controllers.chat_models import Warming, ready_models
from desktop.ui.controllers.chat_opened import Opened
from desktop.ui.controllers.chat_saves import ChatSaves
from desktop.ui.controllers.chat_title import ChatTitle

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.compose import Services, Workspace

log = logging.getLogger(__name__)


class ChatController(QObject):
    """One for the window; `set_workspace` moves it to another folder.

    Signals:
        reading(): a stored conversation is being read; its messages follow.
        leaving(): give the draft now; the open conversation may be about to go.
        switching(): the draft was given away; what is typed from now on belongs to the conversation that comes.
        opened(Opened): show this conversation.
        closed(): there is none (no folder).
        opening_failed(Failure): no conversation could be opened; what was typed stays where it is.
        events_arrived(tuple[TurnEvent, ...]), running_changed(bool), turn_ended(TurnEnded)
        sent(): the text was taken over, the composer can be emptied.
        text_returned(str): a text that was taken over did not reach the transcript.
        draft_loaded(str): to be put before what is typed; draft_returned(str): right before it.
        title_changed(str), mode_changed(str), models_changed(list[tuple[id, label]], current id)
        usage_changed(tokens, window)
        job_changed(JobChanged), memory_saved(tuple[str, ...])
        memory_note_changed(MemoryNote)
        failed(Failure): an intent could not be carried out; for a toast.
        models_requested(): the person wants the model page.
        session_shown(str): the id in the chat pane, once it is stored; empty for a new one.
        workspace_requested(folder, session id): the session belongs to another folder; open that, then resume.
        leave_incognito_requested(Callable[[], None]): what was said in the open conversation would be gone; call it to go on.
    """

    reading = Signal()
    switching = Signal()
    leaving = Signal()
    opened = Signal(object)
    closed = Signal()
    opening_failed = Signal(object)
    events_arrived = Signal(object)
    running_changed = Signal(bool)
    turn_ended = Signal(object)
    sent = Signal()
    text_returned = Signal(str)
    draft_loaded = Signal(str)
    draft_returned = Signal(str)
    title_changed = Signal(str)
    mode_changed = Signal(str)
    models_changed = Signal(object, str)
    usage_changed = Signal(int, int)
    job_changed = Signal(object)
    memory_saved = Signal(object)
    memory_note_changed = Signal(object)
    failed = Signal(object)
    models_requested = Signal()
    session_shown = Signal(str)
    workspace_requested = Signal(str, str)
    leave_incognito_requested = Signal(object)

    def __init__(
        self, services: Services, workspace: Workspace | None, loop: LoopThread, operations: Operations, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._workspace = workspace
        self._loop = loop
        self._operations = operations
        self._drafts = ChatDrafts(services.paths.state / "drafts", operations, self._draft_key, self)
        self._drafts.asked.connect(self.leaving)
        self._drafts.emptied.connect(self.switching)
        self._drafts.loaded.connect(self.draft_loaded)
        self._drafts.returned.connect(self.draft_returned)
        self._drafts.failed.connect(self.failed)
        self._runner: AgentRunner | None = None
        self._session: AgentSession | None = None
        self._generation = 0
        self._opening = False
        self._waiting_text = ""
        self._unconfirmed = ""
        self._model_id: str | None = None
        self._mode: Mode | None = None
        self._left = Leaving(loop)
        self.warming = Warming(loop, operations)
        self._title = ChatTitle(services.sessions, lambda: self._session, self)
        self._title.changed.connect(self.title_changed)
        self.saves = ChatSaves(lambda: self._session, operations, services.clock, self)
        self.context = ChatContext(lambda: self._session, loop, self)
        self.context.failed.connect(self.failed)
        self.branches = ChatBranches(lambda: self._session, lambda: self._runner, self)
        self.branches.failed.connect(self.failed)
        self.branches.forked.connect(self.resume)
        self.full = ChatFull(self, self._drafts, self._window)

    # --- what is open ------------------------------------------------------------------------------------------------

    @property
    def session_id(self) -> str:
        return self._session.id if self._session is not None else ""

    @property
    def incognito(self) -> bool:
        """Nothing of the open conversation is kept."""
        return self._session is not None and self._session.incognito

    @property
    def workspace(self) -> Workspace | None:
        return self._workspace

    @property
    def runner(self) -> AgentRunner | None:
        """Runs the open conversation; None when there is none."""
        return self._runner

    @property
    def opening(self) -> bool:
        """A conversation is being opened."""
        return self._opening

    @property
    def running(self) -> bool:
        return self._runner is not None and self._runner.running

    @property
    def messages(self) -> tuple[Message, ...]:
        """The transcript's live branch as it stands now."""
        return tuple(self._session.messages) if self._session is not None else ()

    def set_workspace(self, workspace: Workspace | None, session_id: str = "") -> None:
        """Move to another folder and show this session of it, else a new one. A running turn of the old folder is stopped."""
        self._drafts.left()
        self._leave()
        self._workspace = workspace
        self._mode = None
        if workspace is None:
            self.closed.emit()
        elif session_id:
            self._open(lambda: self._services.resume(session_id, model_id=self._model_id), session_id)
        else:
            self.new_session()

    def new_session(self) -> None:
        """A new conversation in this folder."""
        workspace = self._workspace
        if workspace is not None and self._may_switch():
            self.sure_to_leave(lambda: self._open(lambda: self._services.new_session(workspace, model_id=self._model_id, mode=self._mode)))

    def new_incognito(self, *, reads_memory: bool = True) -> None:
        """A new conversation of which nothing is ever kept."""
        workspace = self._workspace
        if workspace is None or not self._may_switch():
            return

        def made() -> AgentSession:
            return self._services.new_session(
                workspace, model_id=self._model_id, mode=self._mode, incognito=True, reads_memory=reads_memory
            )

        self.sure_to_leave(lambda: self._open(made, incognito=True))

    def sure_to_leave(self, go_on: Callable[[], object]) -> None:
        """What was said in an incognito conversation is gone once it is left: the person is asked first."""
        if self.incognito and self.messages:
            self.leave_incognito_requested.emit(go_on)
        else:
            go_on()

    def resume(self, session_id: str) -> None:
        """Go on with a stored session."""
        if session_id != self.session_id and self._may_switch():
            self._find(session_id)

    def _find(self, session_id: str) -> None:
        self._operations.read(lambda: self._services.all_sessions.find(session_id), self._found, self.failed.emit)

    def _found(self, summary: object) -> None:
        folder, session_id = str(getattr(summary, "workspace", "")), str(getattr(summary, "id", ""))
        here = str(self._workspace.folder) if self._workspace is not None else ""
        if folder and folder != here and not (is_foreign(session_id) and self._workspace is not None):
            self.workspace_requested.emit(folder, session_id)  # who opens that asks before it leaves
        else:
            self.sure_to_leave(lambda: self._open(lambda: self._resume(session_id), session_id))

    def _resume(self, session_id: str) -> AgentSession:
        """In a worker. A session that is still being left has to let go of its transcript first."""
        self._left.wait_for(session_id)
        return self._services.resume(session_id, workspace=self._workspace)

    def _may_switch(self) -> bool:
        if self.running:
            self.failed.emit(Failure(self.tr("A turn is running."), self.tr("Stop it or wait for its end, then try again.")))
        return not self.running

    def _open(self, work: Callable[[], AgentSession], session_id: str = "", *, incognito: bool = False) -> None:
        """Open the session `session_id`, or a new one."""
        self._generation += 1
        generation = self._generation
        if session_id:
            self.reading.emit()
        new = new_key(self._workspace.project.key) if self._workspace is not None else ""
        self._drafts.opening("" if incognito else session_id or new)
        self._opening = True

        def done(session: AgentSession) -> None:
            self._opened(session, generation)

        def failed(failure: Failure) -> None:
            self._open_failed(failure, generation)

        self._operations.read(work, done, failed)

    def _opened(self, session: AgentSession, generation: int) -> None:
        if generation != self._generation:
            self._left.close(session)
            return
        self._leave()
        self._opening = False
        self._session = session
        self._drafts.opened()
        self._mode = session.mode
        runner = AgentRunner(self._loop, session, self)
        runner.events_arrived.connect(self._events)
        runner.turn_ended.connect(self._turn_ended)
        runner.running_changed.connect(self.running_changed)
        runner.context_read.connect(self._context_read)
        runner.context_failed.connect(self.failed)
        self._runner = runner
        handle = session.handle
        messages = tuple(session.messages)
        reads, damage = handle.header.memory_enabled, len(handle.damage)
        self.opened.emit(Opened(session.id, self._title.now(), messages, not messages, damage, session.incognito, reads, handle.crashed))
        self.mode_changed.emit(session.mode)
        self.usage_changed.emit(0, session.model.info.context_window)
        self.refresh_models()
        self.refresh_memory_note()
        self.session_shown.emit(session.id if session.messages and not session.incognito else "")
        self.warming.model(session.model)
        waiting, self._waiting_text = self._waiting_text, ""
        if waiting:
            self._start(waiting)
        elif session.continues:
            self.read_into(session.continues, self.tr("Where that work stands, to go on with it here."), "handoff", 6_000)
        else:
            runner.catch_up()
            self._drafts.load()

    def _open_failed(self, failure: Failure, generation: int) -> None:
        if generation != self._generation:
            return
        self._opening = False
        self._drafts.not_opened()
        self._waiting_text = ""
        self.opening_failed.emit(failure)
        self.refresh_models()
        self._drafts.load()

    def _leave(self, *, patient: bool = True) -> None:
        """Let go of the open session; what it still has to remember it does in the background."""
        self.warming.stop()
        session, runner, self._runner, self._session = self._session, self._runner, None, None
        if runner is not None:
            if runner.running:
                self.running_changed.emit(False)
            self._left.leave(session, runner, patient=patient)
            runner.deleteLater()

    def close(self) -> list[Future[None]]:
        """Stop everything. The futures end when the sessions are closed."""
        self._generation += 1
        self._title.close()
        self.leaving.emit()
        self._leave(patient=False)
        return self._left.hurry()

    # --- intents -----------------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send a message; without an open session one is opened first, and one that is being opened gets it."""
        if not text.strip() or not self._may_switch():
            return
        if self._runner is not None and not self._opening:
            self._start(text)
        elif self._workspace is None:
            self.failed.emit(Failure(self.tr("No folder is open."), self.tr("Open a folder first: a chat belongs to one.")))
        else:
            self._waiting_text = text
            if not self._opening:
                self.new_session()

    def _start(self, text: str) -> None:
        assert self._runner is not None
        self._unconfirmed = text
        if self._runner.start(text):
            self._taken()

    def _taken(self) -> None:
        self._drafts.sent()
        self.sent.emit()

    def edit(self, message_id: str, text: str) -> None:
        """Send another version of a message that was sent before, on a branch beside it."""
        if text.strip() and self._may_switch() and self._runner is not None and not self._opening:
            self._unconfirmed = text
            if self.branches.edit(message_id, text):
                self._taken()

    def stop(self) -> None:
        if self._runner is not None:
            self._runner.cancel()

    def retry(self) -> None:
        """Let the person's last message be answered once more; one that did not reach the transcript is sent again."""
        if self._unconfirmed:
            self.send(self._unconfirmed)
        else:
            self.branches.retry()

    def answer(self, request_id: str, answer: ApprovalAnswer) -> None:
        if self._runner is not None:
            self._runner.answer(request_id, answer)

    def set_mode(self, mode: Mode) -> None:
        """Holds from the next call on, in this conversation and in new ones of this folder."""
        self._mode = mode
        if self._session is not None:
            self._session.mode = mode
        self.mode_changed.emit(mode)

    def read_into(self, session_id: str, query: str, strategy: str, max_tokens: int) -> None:
        """Read another session into this conversation."""
        if self._runner is None:
            self.failed.emit(Failure(self.tr("There is no open chat to read into.")))
        elif session_id == self.session_id:
            self.failed.emit(Failure(self.tr("This is the open chat itself.")))
        else:
            self._runner.read_into(session_id, query, strategy, max_tokens)

    def _context_read(self, result: object) -> None:
        status = getattr(result, "status", "")
        if self.messages:  # with what was read the conversation is on disk: it is listed, and comes back after a restart
            self.session_shown.emit("" if self.incognito else self.session_id)
        if status == "not_found":
            self.failed.emit(Failure(self.tr("The session was not found.")))
        elif status != "success":
            self.failed.emit(Failure(self.tr("Nothing in that session could be read.")))

    def rename(self, title: str) -> None:
        """Give the open conversation a title; an empty one brings the first message's back."""
        session = self._session
        if session is not None:
            self._operations.write(lambda: session.handle.set_meta("title", title.strip()), self._renamed, self.failed.emit)

    def _renamed(self, _value: object) -> None:
        self.title_changed.emit(self._title.now())

    # --- models ------------------------------------------------------------------------------------------------------

    def refresh_models(self) -> None:
        """Read which models there are."""
        self._operations.read(lambda: ready_models(self._services), self._models_read, self.failed.emit)

    def _models_read(self, read: tuple[list[ModelInfo], str]) -> None:
        models, default = read
        current = self._session.model.info.id if self._session is not None else self._model_id or default
        self.models_changed.emit([(info.id, info.label) for info in models], current)

    def set_model(self, model_id: str) -> None:
        """Use another model from the next turn on; an empty id asks for the model page."""
        if not model_id:
            self.models_requested.emit()
            return
        session = self._session
        if session is None:
            self._model_id = model_id
            if self._workspace is None:
                self.refresh_models()
            elif not self._opening:
                self.new_session()
        elif model_id != session.model.info.id and self._may_switch():
            self._operations.read(
                lambda: self._services.make_model(model_id, private=session.incognito),
                lambda model: self._use_model(session, model),
                self.failed.emit,
            )

    def _use_model(self, session: AgentSession, model: Model) -> None:
        if session is not self._session or self.running:
            self._left.close(model)
            return
        old, session.model = session.model, model
        self.warming.model(model)
        self._model_id = model.info.id
        self._left.close(old)
        if session.messages:
            self._operations.write(lambda: session.handle.set_meta("model", model.info.id), None, self.failed.emit)
        self.usage_changed.emit(0, model.info.context_window)
        self.refresh_models()

    # --- memory ------------------------------------------------------------------------------------------------------

    def refresh_memory_note(self) -> None:
        """Look again whether the switches of the folder and of this conversation differ."""
        session, workspace = self._session, self._workspace
        if session is not None and workspace is not None:
            self._operations.read(lambda: read_memory_note(session, workspace), self.memory_note_changed.emit)

    def apply_memory_switch(self) -> None:
        """Let the folder's memory switch hold in this conversation too, from the next turn on."""
        session = self._session
        if session is not None and self._may_switch():
            self._operations.write(session.apply_memory_switch, self._switched, self.failed.emit)

    def _switched(self, _state: object) -> None:
        self.refresh_memory_note()

    # --- drafts ------------------------------------------------------------------------------------------------------

    def _draft_key(self) -> str:
        if self.incognito:
            return ""  # what is typed there is kept nowhere
        if self._session is not None and self._session.messages:
            return self._session.id
        return new_key(self._workspace.project.key) if self._workspace is not None else ""

    def save_draft(self, text: str) -> None:
        """Keep what is typed; the first of it also makes memory's search index ready (an open chat nobody types in costs nothing)."""
        if text and self._session is not None:
            self.warming.memory(self._session)
        self._drafts.save(text)

    # --- facts -------------------------------------------------------------------------------------------------------

    def _events(self, events: tuple[TurnEvent, ...]) -> None:
        self.events_arrived.emit(events)
        for event in events:
            match event:
                case BranchMoved():
                    self.usage_changed.emit(0, self._window())
                case TurnStarted():
                    self._confirmed()
                    self.title_changed.emit(self._title.now())
                    self.session_shown.emit("" if self.incognito else self.session_id)
                case UsageUpdated():
                    self.usage_changed.emit(event.context_tokens, event.context_window)
                case JobChanged():
                    self.job_changed.emit(event)
                case MemorySaved():
                    self.memory_saved.emit(event.paths)

    def _window(self) -> int:
        return self._session.model.info.context_window if self._session is not None else 0

    def _confirmed(self) -> None:
        """The message is on disk: its draft may go. An answer that is retried confirms none."""
        sent, self._unconfirmed = self._unconfirmed, ""
        if sent and not self.incognito:
            self._drafts.confirmed(self.session_id, self._workspace.project.key if self._workspace is not None else "")

    def _turn_ended(self, ended: TurnEnded) -> None:
        if self._unconfirmed:
            text, self._unconfirmed = self._unconfirmed, ""
            QTimer.singleShot(0, self, lambda: self.text_returned.emit(text))
        self.turn_ended.emit(ended)
        self.refresh_memory_note()


__all__ = ["ChatController", "MemoryNote", "Opened"]
