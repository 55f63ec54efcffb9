"""The terminal: `keepsake -p` and the subcommands, on the same core as the window. Importing it never imports Qt."""
