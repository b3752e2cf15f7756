"""The global hotkey, one module for each platform."""
