"""A registry of Windows for tests on any system."""

from __future__ import annotations


class KeptRegistry:
    """A registry that is gone after the test."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str | bytes | int] = {}

    def read(self, key: str, name: str) -> str | bytes | int | None:
        return self.values.get((key, name))

    def keys(self, key: str) -> tuple[str, ...]:
        inside = [name[len(key) + 1 :] for name, _ in self.values if name.startswith(f"{key}\\")]
        return tuple(dict.fromkeys(name.partition("\\")[0] for name in inside))

    def names(self, key: str) -> tuple[str, ...]:
        return tuple(name for at, name in self.values if at == key)

    def write(self, key: str, name: str, text: str) -> None:
        self.values[key, name] = text

    def delete(self, key: str, name: str) -> None:
        self.values.pop((key, name), None)
