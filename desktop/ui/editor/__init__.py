"""The editor area: tabs, and what opens in them. Widgets only; files are read and written by controllers."""
