"""What holds for all tests."""

from __future__ import annotations

import datetime as dt
import gc
import os
import time
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from scrubjay.records.engine_limits import EngineLimits
from support import platforms
from support.clocks import zone_without_midnight

# No test but those of the whole desktop has a screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# All of a run happens on one day.
zone = zone_without_midnight(dt.datetime.now().astimezone())
if zone and hasattr(time, "tzset"):
    os.environ["TZ"] = zone
    time.tzset()

# Rare inputs are looked for on Linux; Wine shows what Windows does otherwise with any input.
EXAMPLES = 10 if platforms.IS_WINE else 60
# An example that a busy machine slows down is not a failure.
settings.register_profile(
    "short", deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("soak", settings.get_profile("short"), max_examples=2_000)
settings.load_profile("soak" if os.environ.get("SCRUBJAY_SOAK") else "short")

ONE_AT_A_TIME = ("tests/e2e/", "tests/quality/")
"""Each of them a worker by itself would have its model compute beside that of another."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    platforms.skip_without_needs(item)


@pytest.fixture
def engine_limits(request: pytest.FixtureRequest) -> EngineLimits:
    """Times and limits of engines, with those that the marks `limits` of the test change."""
    changes: dict[str, Any] = {}
    # The last mark counts: that of the test itself, then the last one of its module.
    for node in request.node.listchain():
        for mark in node.own_markers:
            if mark.name == "limits":
                changes |= mark.kwargs
    return EngineLimits(**changes)


class Shares(LoadScopeScheduling):
    """What goes to one worker: a file, as what its tests start is theirs, or what is above."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return ONE_AT_A_TIME[0] if file.startswith(ONE_AT_A_TIME) else file

    def _assign_work_unit(self, node: Any) -> None:
        # The longest share of all would else begin late, and end long after the others.
        if ONE_AT_A_TIME[0] in self.workqueue:
            self.workqueue.move_to_end(ONE_AT_A_TIME[0], last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log) -> Shares:
    return Shares(config, log)


class Ends:
    """Whether every worker came to its end; heard by the process that leads them."""

    def __init__(self) -> None:
        self.has_crashed = False

    def pytest_testnodedown(self, error: object) -> None:
        self.has_crashed |= error is not None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.has_crashed:
            # Tests that nobody ran are missing from the number of failures.
            session.exitstatus = pytest.ExitCode.INTERNAL_ERROR


def sayable(value: Any) -> Any:
    """The same without halves of letters, as in names of files, which no worker can send."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {key: sayable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(sayable, value))
    return value


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    return sayable((yield))


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(Ends())


def pytest_collection_finish() -> None:
    """What was collected stays; to look through it for waste took a tenth of the time."""
    gc.collect()
    gc.freeze()
