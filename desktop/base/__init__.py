"""The ground layer: errors, paths, clock, ids, text and file I/O, locks, events, logs, word counts. Knows nothing of the domain."""
