"""An attribute that is made when somebody first wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class Late:
    """Has attributes that are made late. For any thread."""

    def __init__(self) -> None:
        """Nothing is made yet."""
        # Whoever makes a part makes what that part is made of, too.
        self._making = threading.RLock()
        self._is_closing = False

    def wanted(self, name: str, make: Callable[[Any], T]) -> T:
        """The attribute of this name, made if nobody wanted it before."""
        with self._making:
            if name not in self.__dict__:
                part = make(self)
                if self._is_closing and (close := getattr(part, "close", None)):
                    close()
                self.__dict__[name] = part
            made: T = self.__dict__[name]
            return made

    def _made(self, name: str) -> Any:
        """A late attribute, or None while nobody has wanted it."""
        return self.__dict__.get(name)

    def _close_made(self, *names: str) -> None:
        """Close what was made, in this order; what is made from now on is closed at once."""
        with self._making:
            self._is_closing = True
        for name in names:
            if part := self._made(name):
                part.close()


class late(Generic[T]):
    """Decorates a method of a Late that makes an attribute; it is called once, by any thread.

    What the method imports is imported then, so that nobody waits for what he does not use.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        """Called by the decorator."""
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, whole: None, owner: type) -> Self: ...
    @overload
    def __get__(self, whole: Late, owner: type) -> T: ...
    def __get__(self, whole: Late | None, owner: type) -> T | Self:
        """Part of Python; not called any more once the attribute is there."""
        if whole is None:
            return self
        return whole.wanted(self._name, self._make)
