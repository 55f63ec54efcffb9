"""The registry of commands. Owns their order, the facts that `when` clauses ask for, what was used last, and which key runs what.

Knows no widgets: the window registers commands with a `run`, and the palette, the menus and the key bindings are made from this.
GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from desktop.base.events import Emitter
from desktop.commands.context import holds
from desktop.commands.keymap import Binding, merge, normal_key

RECENT = 20


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be done.

    Attributes:
        id: stable, `area.verbObject`; key bindings name it.
        title: for people, translated.
        run: does it.
        key: default key or keys, separated by `|` (`f1|ctrl+shift+p`); empty for none.
        when: where the key and the menu entry are active (see `commands.context`).
        category: for the palette, translated: “View: Toggle Side Bar”.
        icon: name of a Codicon, or empty.
        palette: False for commands that only make sense from a key.
    """

    id: str
    title: str
    run: Callable[[], object]
    key: str = ""
    when: str = ""
    category: str = ""
    icon: str = ""
    palette: bool = True

    @property
    def label(self) -> str:
        return f"{self.category}: {self.title}" if self.category else self.title


class CommandRegistry:
    """All commands by id, in the order of registration."""

    def __init__(self) -> None:
        self._commands: dict[str, Command] = {}
        self._own: tuple[Binding, ...] = ()
        self._bindings: tuple[Binding, ...] | None = None
        self._recent: list[str] = []
        self.facts: dict[str, object] = {}
        self.changed: Emitter[str] = Emitter()
        """Commands or keys are others now; the value is an id or empty."""
        self.facts_changed: Emitter[str] = Emitter()

    def register(self, *commands: Command) -> None:
        """Add commands; an id that is there is replaced."""
        for command in commands:
            for key in _keys(command.key):
                normal_key(key)
            self._commands[command.id] = command
            self._bindings = None
            self.changed.emit(command.id)

    def unregister(self, *ids: str) -> None:
        for command_id in ids:
            if self._commands.pop(command_id, None) is not None:
                self._bindings = None
                self.changed.emit(command_id)

    def get(self, command_id: str) -> Command | None:
        return self._commands.get(command_id)

    def all(self) -> tuple[Command, ...]:
        return tuple(self._commands.values())

    def run(self, command_id: str) -> bool:
        """Do it if it exists and is active; True if it was done."""
        command = self._commands.get(command_id)
        if command is None or not self.active(command):
            return False
        if command.palette:
            self._recent = [command_id, *(one for one in self._recent if one != command_id)][:RECENT]
        command.run()
        return True

    def active(self, command: Command) -> bool:
        return holds(command.when, self.facts)

    def set_fact(self, name: str, value: object) -> None:
        """Set what `when` clauses ask for; listeners hear of it only when it is another value."""
        if self.facts.get(name) != value or name not in self.facts:
            self.facts[name] = value
            self.facts_changed.emit(name)

    # --- recently used -----------------------------------------------------------------------------------------------

    @property
    def recent(self) -> tuple[str, ...]:
        return tuple(self._recent)

    def set_recent(self, ids: Iterable[str]) -> None:
        self._recent = list(ids)[:RECENT]

    def for_palette(self) -> list[Command]:
        """What the palette lists: active commands, recently used first, then by label."""
        rank = {command_id: place for place, command_id in enumerate(self._recent)}
        shown = [command for command in self._commands.values() if command.palette and self.active(command)]
        return sorted(shown, key=lambda one: (rank.get(one.id, len(rank)), one.label.casefold()))

    # --- keys --------------------------------------------------------------------------------------------------------

    def set_own_bindings(self, bindings: Iterable[Binding]) -> None:
        """The person's bindings, over the defaults."""
        self._own = tuple(bindings)
        self._bindings = None
        self.changed.emit("")

    def bindings(self) -> tuple[Binding, ...]:
        """Every binding in force, strongest first."""
        if self._bindings is None:  # asked for hundreds of times while a window is built
            commands = self._commands.values()
            defaults = [Binding(normal_key(key), command.id, command.when) for command in commands for key in _keys(command.key)]
            self._bindings = merge(defaults, self._own)
        return self._bindings

    def key_of(self, command_id: str) -> str:
        """The first key that runs a command, or empty."""
        return next((one.key for one in self.bindings() if one.command == command_id), "")

    def command_for(self, key: str) -> Command | None:
        """What a normal key runs now."""
        for binding in self.bindings():
            command = self._commands.get(binding.command)
            if binding.key == key and command is not None and holds(binding.when, self.facts) and self.active(command):
                return command
        return None


def _keys(text: str) -> tuple[str, ...]:
    return tuple(key for key in text.split("|") if key)
