"""Settings: the schema (one field, one line of documentation), the layered store, and the person's secrets. Knows nothing of Qt."""
