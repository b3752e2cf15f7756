"""What is said of the sandbox, and the parts of it that belong to other systems."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from scrubjay.documents.sandbox_status import sandbox_status
from scrubjay.platform.sandbox import macos, windows


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has all parts of it")
def test_on_linux_it_is_said_what_is_in_force() -> None:
    assert sandbox_status().startswith("Document sandbox: ")
    assert sandbox_status().values["measures"].endswith("seccomp")


def test_a_process_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(Path("no such program").absolute()))
    said = "Scrubjay cannot read documents because the program that reads them does not start."
    assert sandbox_status() == said


@pytest.mark.skipif(sys.platform == "win32", reason="paths of macOS")
def test_the_profile_of_macos_allows_reading_only() -> None:
    words = re.findall(r'"(?:\\.|[^"\\])*"|[()]|[^\s()"]+', macos.sandbox_profile(['/odd"\\name']))
    assert words[:8] == ["(", "version", "1", ")", "(", "deny", "default", ")"]
    assert words.count("(") == words.count(")")
    assert '"/odd\\"\\\\name"' in words
    # What is allowed by default is denied before parts of it are allowed.
    by_default = {"file-map-executable", "iokit-get-properties", "nvram*", "process-info*"}
    denied = words[10 : words.index(")", 10)]
    assert (words[8:10], set(denied)) == (["(", "deny"], by_default)
    allowed = {
        operation
        for rule in re.findall(r"\( allow ([^(]*)", " ".join(words))
        for operation in rule.split(" ")
        if operation not in ("", ")")
    }
    reading = {"file-read-metadata", "file-read*", "file-map-executable", "sysctl-read"}
    assert allowed == {*reading, "mach-lookup", "process-info*", "signal"}


@pytest.mark.skipif(sys.platform == "darwin", reason="there it has it")
def test_where_macos_has_no_sandbox_that_is_told() -> None:
    measures, gaps = macos.enter()
    assert measures == []
    assert [gap.split(" (")[0] for gap in gaps] == ["macOS did not start the sandbox"]


@pytest.mark.skipif(sys.platform == "win32", reason="there it has them")
def test_where_windows_refuses_everything_all_is_told() -> None:
    measures, gaps = windows.enter()
    assert (measures, len(gaps)) == ([], 3)
