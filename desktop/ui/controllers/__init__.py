"""Controllers: turn intents of widgets into calls of services and facts into what widgets show. GUI thread; no I/O of their own."""
