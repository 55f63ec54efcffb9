"""Keepsake: a desktop app in which a person chats with a coding agent that remembers.

This package imports nothing heavy; the two composition roots are `desktop.app` (window) and `desktop.cli` (terminal).
"""

__version__ = "0.1.0"
