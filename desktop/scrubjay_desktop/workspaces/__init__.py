"""Pages and dialogs about folders."""
