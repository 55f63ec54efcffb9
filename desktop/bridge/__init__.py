"""Between the Qt-free core and the window: threads, queued results, watchers. QtCore only; makes no widgets."""
