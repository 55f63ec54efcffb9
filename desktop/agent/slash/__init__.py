"""Commands that begin with a slash: what they are called, how a typed line is read, what each of them does. Never calls a model."""

from __future__ import annotations

from desktop.agent.slash.commands import COMMANDS, SlashCommand, near, parse, run
from desktop.agent.slash.result import CommandAction, CommandResult

__all__ = ["COMMANDS", "CommandAction", "CommandResult", "SlashCommand", "near", "parse", "run"]
