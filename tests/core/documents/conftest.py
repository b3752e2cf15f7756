"""One child process for the tests of a file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from scrubjay.documents.document_converter import Converter


@pytest.fixture(scope="module")
def converter() -> Iterator[Converter]:
    with contextlib.closing(Converter()) as made:
        yield made
