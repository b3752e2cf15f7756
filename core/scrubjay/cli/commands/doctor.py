"""`scrubjay doctor`, `diagnostics` and `update-check`: the state of notes and program."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import to_builtins
from msgspec.structs import asdict

from scrubjay.cli import output
from scrubjay.cli.answer_lines import pluralize
from scrubjay.cli.arguments import Option
from scrubjay.cli.console import console
from scrubjay.cli.harmless_output import print_line, print_text
from scrubjay.cli.options import AsJson
from scrubjay.cli.session import open_engine
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.health.findings import Finding, Fix, HealthReport, Severity, finding_words
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.version import current_version

_SAFE_FIXES = frozenset({Fix.REBUILD, Fix.REFRESH, Fix.CLEAN})
"""Repairs that change no note. Secrets are redacted in the app only, which shows them first."""
_MARKS = {Severity.TROUBLE: "!!", Severity.ATTENTION: "! ", Severity.NOTICE: "  "}
_EXIT_FINDINGS = 1


def run_doctor(
    fix: Annotated[
        bool, Option("--fix", help="Fix the problems that can be fixed safely.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the notes, the indexes, the settings and the model for problems.

    Exits with 1 when something needs your attention. Your notes are never changed.
    """
    with open_engine() as engine:
        report = _checked(engine)
        sandbox = engine.health.document_sandbox().result()
        mended: list[Finding] = []
        if fix:
            mended = _mend(engine, report)
        # What was fixed is no longer found.
        if mended:
            report = _checked(engine)
        if as_json:
            reply = {
                "healthy": not report.attention,
                "checkedAt": report.checked_at,
                "notes": report.notes,
                "findings": [_finding(finding) for finding in report.findings],
                "library": report.library,
                "documentSandbox": sandbox,
                "mended": [_finding(finding) for finding in mended],
                "memory": [asdict(size) for size in report.memory],
            }
            output.print_json(reply)
        else:
            names = {workspace.id: workspace.name for workspace in engine.workspaces()}
            _print(report, mended, names)
            print_line(sandbox)
    # Scripts learn by the code whether somebody is needed.
    if report.attention:
        raise SystemExit(_EXIT_FINDINGS)


def _checked(engine: Engine) -> HealthReport:
    """The result of a checkup. On a terminal a line moves meanwhile."""
    if not sys.stderr.isatty():
        return engine.health.check().result()
    with console(to_errors=True).status("Checking your notes"):
        return engine.health.check().result()


def _mend(engine: Engine, report: HealthReport) -> list[Finding]:
    """The findings that were fixed; an error is printed, and the next one tried."""
    mended = []
    for finding in report.findings:
        # Whatever changes notes or reveals something needs a person.
        if finding.fix not in _SAFE_FIXES:
            continue
        try:
            engine.health.fix(finding).result()
            # All fixes but one leave work for the next index pass.
            if finding.fix is not Fix.CLEAN:
                engine.refresh(engine.workspace(finding.workspace)).result()
        except ScrubjayError as error:
            print_line(f"scrubjay: {error}", to_errors=True)
            continue
        mended.append(finding)
    return mended


def _finding(finding: Finding) -> dict[str, Any]:
    """A finding for JSON, without the fields that are empty."""
    words = finding_words(finding)
    # Names of kinds are stable, sentences may change.
    fields = {
        "kind": finding.kind.name.lower().replace("_", "-"),
        "severity": finding.severity.name.lower(),
        "title": words.title,
        "detail": words.detail,
        "advice": words.advice,
        "workspace": finding.workspace,
        "path": finding.path,
        "line": finding.first_line or None,
        "fix": finding.fix.value if finding.fix else None,
    }
    return {key: value for key, value in fields.items() if value not in (None, "")}


def _print(report: HealthReport, mended: list[Finding], names: Mapping[WorkspaceId, str]) -> None:
    for finding in mended:
        print_line(f"Fixed: {finding_words(finding, names).detail}")
    # Findings of one kind stand below one title.
    title = ""
    for finding in report.findings:
        words = finding_words(finding, names)
        if words.title != title:
            title = words.title
            print_line()
            print_line(f"{_MARKS[finding.severity]} {title}. {words.advice}")
        print_line(f"     {words.detail}")
    # How much was looked at, and how much of it needs someone.
    notes = f"Checked {pluralize(report.notes, 'note')}."
    count = sum(finding.severity > Severity.NOTICE for finding in report.findings)
    if report.findings:
        print_line()
        print_line(
            f"{notes} {count or 'Nothing'} {'need' if count > 1 else 'needs'} your attention."
        )
    else:
        print_line(f"{notes} No problems were found.")
    if report.library:
        print_line(f"Build of llama.cpp for the local model: {report.library}.")


def print_diagnostics() -> None:
    """Print versions, sizes, settings and logs, but no text of notes and no keys."""
    with open_engine() as engine:
        sandbox = engine.health.document_sandbox().result()
        print_text(engine.diagnostics(sandbox).result().rstrip())


def check_for_update(as_json: AsJson = False) -> None:
    """Check whether a newer version of Scrubjay is available, without downloading it."""
    with open_engine() as engine:
        newer = engine.updates.check().result()
    current = current_version()
    # Programs compare versions themselves, people read what is new.
    if as_json:
        release = to_builtins(newer)
        checked_at = dt.datetime.now(dt.UTC).isoformat()
        output.print_json({"current": current, "newer": release, "checkedAt": checked_at})
    elif newer is None:
        print_line(f"Scrubjay {current} is up to date.")
    else:
        print_line(f"Scrubjay {newer.version} is available. You have {current}.")
        for line in newer.summary.splitlines():
            print_line(f"  {line}")
        print_line(f"Download the new version at {newer.page}")
