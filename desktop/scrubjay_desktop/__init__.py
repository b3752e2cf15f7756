"""The Scrubjay desktop app. It imports only the public API of `scrubjay`."""
