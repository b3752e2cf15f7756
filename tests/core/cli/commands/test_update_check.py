"""`scrubjay update-check`."""

from __future__ import annotations


def test_a_checkout_says_that_it_knows_no_releases(cli) -> None:
    done = cli("update-check")
    assert done.code == 1
    assert "where to check for newer versions" in done.err
