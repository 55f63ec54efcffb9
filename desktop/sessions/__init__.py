"""Sessions: the transcript store, its list, and the local part of ReadSessionContext. Knows neither the agent nor the model nor Qt."""
