"""Commands as data: what can be done, under which key, when. Menus, palette and key bindings come from here. No widgets, no Qt."""
