"""The request inspector: what was sent to a model, as it was sent. Read only."""
