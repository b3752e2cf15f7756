"""Groups of consecutive items, small enough to be handled at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def group_by_size(
    items: Iterable[T], size_of: Callable[[T], int], max_size: int, max_items: int = sys.maxsize
) -> Iterator[list[T]]:
    """All items in order; one that is larger than max_size comes alone."""
    group: list[T] = []
    total = 0
    for item in items:
        size = size_of(item)
        if group and (len(group) >= max_items or total + size > max_size):
            yield group
            group = []
            total = 0
        group.append(item)
        total += size
    if group:
        yield group
