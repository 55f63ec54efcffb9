"""The agent: one turn after another, prompt assembly, background jobs. Knows nothing of Qt; runs on the asyncio thread."""
