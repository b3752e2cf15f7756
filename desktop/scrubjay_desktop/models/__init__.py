"""The dialog of models, and its parts."""
