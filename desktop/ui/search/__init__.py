"""The Search view: what is searched, what was found as a tree, and how it is drawn."""
