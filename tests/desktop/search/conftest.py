"""What tests of the search share."""

from __future__ import annotations

import pytest

from scrubjay.records.search_records import SearchAnswer
from scrubjay_desktop.search.live_search import LiveSearch


@pytest.fixture
def answers(search: LiveSearch) -> list[SearchAnswer]:
    """Every answer that was shown, in order."""
    shown: list[SearchAnswer] = []
    search.answered.connect(shown.append)
    return shown
