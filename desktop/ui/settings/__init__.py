"""The settings page, with the models page and the list of all memory in it. Draws only; controllers read and write."""
