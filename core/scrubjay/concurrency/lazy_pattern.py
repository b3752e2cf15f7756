"""Regular expressions that are compiled on first use, by any thread.

Compiling the patterns of a search takes a sixth of the time of a command, and about half of them
are for texts that a person rarely types.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _LazyPattern:
    """A pattern that takes over the methods of the compiled one when it is first used."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        # Python finds them here from now on, at no further cost.
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern, which has the attributes of a compiled one, and is not accepted by `re.sub`."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(source, flags))
