"""The memory panel: a live tree of what the agent remembers. Draws only; controllers bring the values and carry out the intents."""
