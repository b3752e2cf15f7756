"""Failures in words."""

from __future__ import annotations

import pytest

from scrubjay import errors
from scrubjay.errors import Cancelled, PicturesRest, ScrubjayError


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ScrubjayError("It failed"), "It failed"),
        (ScrubjayError("It failed", "No disk."), "It failed. No disk."),
        (ScrubjayError("It failed", "no disk"), "It failed: no disk"),
        (ScrubjayError("It failed", "/mnt."), "It failed: /mnt."),
        (ScrubjayError("It failed", r"Z:\mnt."), r"It failed: Z:\mnt."),
        (ScrubjayError("It failed", "C:/mnt."), "It failed: C:/mnt."),
        (ScrubjayError("It failed", hint="Try again."), "It failed. Try again."),
        (ScrubjayError("It failed", "No disk", hint="Buy one."), "It failed. No disk. Buy one."),
        (ScrubjayError("It failed", "No disk!", hint="Buy one."), "It failed. No disk! Buy one."),
    ],
)
def test_an_error_is_one_line(error: ScrubjayError, line: str) -> None:
    assert str(error) == line


def test_every_expected_error_is_of_the_family() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    own = {kind for kind in kinds if kind.__module__ == errors.__name__}
    # Nobody is shown these two.
    own -= {Cancelled, PicturesRest}
    assert len(own) > 5
    assert all(issubclass(kind, ScrubjayError) for kind in own)
    assert not issubclass(Cancelled, ScrubjayError)
