"""Every dialog of the app, and how it comes to be."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QDialog

from scrubjay.agents.connect.connection_records import ConnectionChange, ConnectionPart, FileChange
from scrubjay.agents.edits.edit_records import ProposedEdit
from scrubjay.engine.uninstallation import Inventory, Part, StoredPart
from scrubjay.events import BackfillAsked
from scrubjay.messages import msg
from scrubjay.note_import.imported_note import Obstacle
from scrubjay.note_import.plan import NotePlan
from scrubjay.notes.text_edits import EditKind, TextEdit
from scrubjay.onboarding.foreign_setups import Setup
from scrubjay.onboarding.setup_import import ImportKind, Plan, PlanItem
from scrubjay.platform.installation import removal_advice
from scrubjay.records.access_records import AccessRequest, Action
from scrubjay.records.journal_records import DiffLine, LineKind
from scrubjay.records.model_records import ModelInfo, ModelState
from scrubjay.records.note_records import MovedFolder, NoteCounts
from scrubjay.records.status_records import BackfillCost
from scrubjay_desktop.agents.audit_log_pane import emptying_question
from scrubjay_desktop.agents.changes_pane import EditTextDialog
from scrubjay_desktop.agents.connect_pane import ChangeDialog
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.controllers.access_prompt import access_question
from scrubjay_desktop.app.controllers.bug_report import bug_box, gone_box
from scrubjay_desktop.app.controllers.help_actions import show_licences
from scrubjay_desktop.app.controllers.remote_consent import sending_question
from scrubjay_desktop.app.controllers.window_closing import close_question
from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog, HelpDialog, SearchTipsDialog
from scrubjay_desktop.health.uninstall_dialog import UninstallDialog
from scrubjay_desktop.models.model_questions import (
    import_question,
    removal_question,
    terms_question,
)
from scrubjay_desktop.platform.programs import Program
from scrubjay_desktop.search.days_dialog import DaysDialog
from scrubjay_desktop.settings.api_keys_panel import KeyDialog, deletion_question
from scrubjay_desktop.windows.program_dialog import ProgramDialog
from scrubjay_desktop.workspaces.descriptions_dialog import DescriptionsDialog
from scrubjay_desktop.workspaces.folder_dialogs import (
    ReadNotesDialog,
    forget_question,
    moved_question,
)
from scrubjay_desktop.workspaces.note_import_dialog import NoteImportDialog, file_or_folder_question
from scrubjay_desktop.workspaces.setup_import_dialog import SetupImportDialog
from scrubjay_desktop.workspaces.sharing_dialogs import PlaceDialog, drop_question, unshare_question

Make = Callable[[], QDialog]


def dialogs_of(desktop: Desktop) -> dict[str, Make]:
    """By the name of what makes each; the app has at least one workspace."""
    return {**_of_the_app(desktop), **_questions(desktop), **_dialogs(desktop)}


INVENTORY = Inventory(
    parts=(
        StoredPart(
            Part.SETTINGS,
            msg("Settings, pinned searches and other app data"),
            places=("/home/mo/.config/scrubjay/config.json5",),
            size_bytes=12_000,
        ),
        StoredPart(
            Part.AGENTS,
            msg("Connections in the settings of agents"),
            places=("Cursor: /home/mo/.cursor/mcp.json",),
            size_bytes=None,
        ),
    ),
    remaining=(msg("Your notes, including imported notes, stay where they are."),),
    program=removal_advice(Path("/usr/lib/scrubjay/scrubjay")),
)


def help_of(desktop: Desktop) -> HelpDialog:
    keys = desktop.window.window_actions.keys()
    return HelpDialog(desktop.paths, keys, desktop.window)


def _of_the_app(desktop: Desktop) -> dict[str, Make]:
    def remember_box() -> QDialog:
        desktop.late.quick_note.present()
        assert desktop.late.quick_note.box is not None
        return desktop.late.quick_note.box

    return {
        "QuickNoteBox": remember_box,
        "ModelsDialog": desktop.show_models,
        "SkippedFilesDialog": desktop.window.show_problems,
        "LicencesDialog": lambda: show_licences(desktop.ui),
        "HelpDialog": lambda: help_of(desktop),
        "SearchTipsDialog": lambda: SearchTipsDialog(desktop.window),
        "UninstallDialog": lambda: UninstallDialog(INVENTORY, desktop.window),
    }


def _questions(desktop: Desktop) -> dict[str, Make]:
    window, paths = desktop.window, desktop.paths
    status = desktop.feed.status.workspaces[0]
    now = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
    asked = AccessRequest(1, "Claude Code", "notes", Action.READ, "memory_search", "roof", now)
    cost = BackfillCost(22, 18_000, "openai", "text-embedding-3-small", "api.openai.com")
    model = ModelInfo(
        "gemma", "EmbeddingGemma", "", ModelState.ABSENT, is_used=False,
        terms_name="Gemma Terms", terms_url="https://ai.google.dev/gemma/terms",
    )  # fmt: skip
    return {
        "close_question": lambda: close_question(window, has_tray=True),
        "terms_question": lambda: terms_question(window, model, model.name),
        "removal_question": lambda: removal_question(window, model, "A model"),
        "import_question": lambda: import_question(window, "A model"),
        "file_or_folder_question": lambda: file_or_folder_question(window),
        "bug_box": lambda: bug_box(window, "Traceback", Path("crashes/1.txt")),
        "gone_box": lambda: gone_box(window),
        "access_question": lambda: access_question(window, asked, "Claude Code wants to search"),
        "emptying_question": lambda: emptying_question(window),
        "sending_question": lambda: sending_question(window, BackfillAsked("notes", cost), "Notes"),
        "deletion_question": lambda: deletion_question(window, "openai"),
        "forget_question": lambda: forget_question(status, window),
        "moved_question": lambda: moved_question(
            status.workspace, MovedFolder(paths.config, 41, 57), lambda: None, window
        ),
        "unshare_question": lambda: unshare_question(status.workspace, str(paths.config), window),
        "drop_question": lambda: drop_question("s3://team-notes/memory", ["Notes"], window),
    }


def _dialogs(desktop: Desktop) -> dict[str, Make]:
    window, config = desktop.window, desktop.paths.config
    items = (
        PlanItem(ImportKind.WORKSPACE, str(config)),
        PlanItem(ImportKind.SETTING, "query.maxResults: 3", "It is set here already."),
    )
    plan = Plan(Setup("OpenClaw", config / "openclaw.json", ()), items)
    line = DiffLine(LineKind.ADDED, '"scrubjay": {}', 1)
    file = FileChange(config / "mcp.json", before=None, after="{}", lines=(line,))
    parts = (ConnectionPart.SERVER, ConnectionPart.HOOKS)
    change = ConnectionChange("cursor", "Cursor", parts, files=(file,), available=parts)
    workspace = desktop.feed.status.workspaces[0].workspace
    edit = TextEdit(EditKind.APPEND, "The gutter leaks on the north side.")
    proposed = ProposedEdit(
        "1", "cursor", workspace.id, path="plan.md", edit=edit, at=dt.datetime.now().astimezone()
    )
    folders = {"Recipes": 12, "School": 31, "School/Archive": 14, "Templates": 3}
    notes = NotePlan(
        config / "Evernote.enex", "Evernote", config / "Notes of Evernote",
        labels={"a": "Router.md"}, known={}, titles={"router": "a"}, attachments=3, tags=2,
        obstacles=(Obstacle("A drawing", "It is a drawing of a program."),),
    )  # fmt: skip

    def place_dialog() -> PlaceDialog:
        """With all of its fields, and what is told while a folder is published."""
        dialog = PlaceDialog(desktop.preferences.stored, window, workspace)
        dialog.place.setText("s3://team-notes/memory")
        dialog.show_progress(None)
        return dialog

    counts = NoteCounts(57, 2, folders, {".pdf": 12, ".docx": 3})
    return {
        "ReadNotesDialog": lambda: ReadNotesDialog(workspace, counts, window),
        "DescriptionsDialog": lambda: DescriptionsDialog(workspace, counts.subfolders, window),
        "ProgramDialog": lambda: ProgramDialog(
            ".md",
            [Program("Kate", "kate {file}"), Program("A program with a long name", "long {file}")],
            "mine --at {line} {file}",
            desktop.preferences.stored,
            window,
        ),
        "SetupImportDialog": lambda: SetupImportDialog((plan,), (), window),
        "NoteImportDialog": lambda: NoteImportDialog(notes, window),
        "DiagnosticsDialog": lambda: DiagnosticsDialog(
            "Scrubjay, and what is known", desktop.preferences.stored, window
        ),
        "EditTextDialog": lambda: EditTextDialog(proposed, window),
        "ChangeDialog": lambda: ChangeDialog(change, window),
        "KeyDialog": lambda: KeyDialog("openai", window),
        "PlaceDialog": place_dialog,
        "DaysDialog": lambda: DaysDialog(dt.date(2026, 3, 8), dt.date(2026, 3, 14), window),
    }
