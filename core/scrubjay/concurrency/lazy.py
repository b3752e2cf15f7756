"""Attributes that are made on first use, by any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")

_LOCK = threading.RLock()
"""One for all and re-entrant, because making a part makes its dependencies."""
_IS_CLOSED = "_lazy_parts_are_closed"


class lazy(Generic[T]):
    """Decorator of a method that makes an attribute: `functools.cached_property` for threads.

    Imports inside the method happen on first use of the attribute.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, whole: None, owner: type) -> Self: ...
    @overload
    def __get__(self, whole: object, owner: type) -> T: ...
    def __get__(self, whole: object | None, owner: type) -> T | Self:
        """The attribute, made now. Python does not call this again for the same object."""
        if whole is None:
            return self
        with _LOCK:
            attributes = vars(whole)
            if self._name not in attributes:
                part = self._make(whole)
                if attributes.get(_IS_CLOSED) and (close := getattr(part, "close", None)):
                    close()
                attributes[self._name] = part
            attribute: T = attributes[self._name]
            return attribute

    def made(self, whole: object) -> T | None:
        """The attribute, or None while nothing has used it."""
        part: T | None = vars(whole).get(self._name)
        return part


def close_made(whole: object, *parts: lazy[Any]) -> None:
    """Close those parts that were made, in this order. Any part made later is closed at once."""
    with _LOCK:
        vars(whole)[_IS_CLOSED] = True
    for part in parts:
        if attribute := part.made(whole):
            attribute.close()
