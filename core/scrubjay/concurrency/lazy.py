"""Attributes that are made on first use, by any thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")

_LOCK = threading.RLock()
"""Lock for all attributes, re-entrant because making a part makes its dependencies."""
_IS_CLOSED = "_lazy_parts_are_closed"
"""Name of the attribute that says that parts are to be closed as soon as they are made."""


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
                # Its owner was closed while it was made, and nobody else would close it.
                if attributes.get(_IS_CLOSED):
                    close = getattr(part, "close", None)
                    if close:
                        close()
                attributes[self._name] = part
            attribute: T = attributes[self._name]
            return attribute


class LazyParts:
    """Base class for classes with lazy attributes. It closes the attributes that were created."""

    def is_made(self, name: str) -> bool:
        """Whether an attribute was used already; asking does not make it."""
        return name in vars(self)

    def close_made(self, *names: str) -> None:
        """Close the parts that were made, in this order. One made later is closed at once."""
        with _LOCK:
            vars(self)[_IS_CLOSED] = True
        for name in names:
            if self.is_made(name):
                vars(self)[name].close()
