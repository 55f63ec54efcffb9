"""Background jobs that follow a turn. They never hold a turn open and never write without the gate."""
