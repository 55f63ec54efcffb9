"""Closed unions of message parts, stream events, turn events, usage and tool specifications. Does no I/O."""
