"""Full-text and dense search over documents that are passed in: segmenting, one SQLite schema, ranking, fusion."""
