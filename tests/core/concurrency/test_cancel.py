"""The token that cancels work."""

from __future__ import annotations

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled


def test_a_token_is_checked() -> None:
    token = CancelToken()
    token.check()
    assert not token.cancelled
    token.cancel()
    assert token.cancelled
    with pytest.raises(Cancelled):
        token.check()


def test_a_token_calls_back_inside_and_never_after() -> None:
    token, calls = CancelToken(), []
    with token.calling(lambda: calls.append("inside")):
        token.cancel()
    token.cancel()
    assert calls == ["inside"]
    with pytest.raises(Cancelled), token.calling(lambda: calls.append("late")):
        calls.append("never")
    assert calls == ["inside"]
