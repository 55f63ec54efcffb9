"""The session picker, its side-bar view and the Read into chat dialog. Draws; does no I/O."""
