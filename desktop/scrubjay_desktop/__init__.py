"""The Scrubjay desktop app. It imports only the public API of `scrubjay`."""

__version__ = "0.1.0"
