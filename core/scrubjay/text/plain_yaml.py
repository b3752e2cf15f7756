"""Untrusted YAML, read without the constructs that can take unlimited time."""

from __future__ import annotations

from typing import Any

import yaml

_MOST_DEPTH = 20
"""Levels of lists and mappings; PyYAML takes the square of their number."""


class _PlainLoader(yaml.SafeLoader):  # type: ignore[misc]
    """Loader that knows no references: merged into each other, 30 of them take hours."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """The next value. Raises YAMLError where it is a reference, or too deep."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("a reference")
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise yaml.YAMLError("nested too deep")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def parse_plain_yaml(text: str) -> Any:
    """The value of a text in YAML. Raises ValueError for what is none, or has references."""
    try:
        return yaml.load(text, _PlainLoader)
    # What PyYAML raises for a moment, number or truth that is declared and is none.
    except (yaml.YAMLError, LookupError, AttributeError, ArithmeticError, TypeError) as error:
        raise ValueError("no plain YAML") from error
