"""The chat pane: messages, tool and approval cards, composer. Draws; does no I/O."""
