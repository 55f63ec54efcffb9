"""The reliability figures of the stores: kill, crash and fault at every call, power loss, two instances. Run in a rig of its own."""
