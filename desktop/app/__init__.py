"""The composition root of the window: makes the application, builds the services, wires widgets and controllers. No behaviour."""
