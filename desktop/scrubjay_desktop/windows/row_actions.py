"""What is done with the chosen rows: they are opened, shown in their folder, copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from scrubjay.concurrency.cancel import CancelToken
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener, installed_editors
from scrubjay_desktop.results import row_texts
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.search.result_view import ResultView
from scrubjay_desktop.settings.preferences import Preferences

if TYPE_CHECKING:
    from scrubjay_desktop.platform.programs import Program
    from scrubjay_desktop.preview.preview import Preview

Reader = Callable[[], "Preview | None"]
"""Function that gives the preview beside a list; None while there is none."""


class RowActions(QObject):
    """Actions on several chosen rows, or otherwise on the note that is shown."""

    def __init__(
        self,
        rows: ResultView,
        reader: Reader,
        opener: Opener,
        tasks: Tasks,
        preferences: Preferences,
    ) -> None:
        super().__init__(rows)
        self._tasks = tasks
        self._preferences = preferences
        self._list = rows
        self.reader = reader
        self._opener = opener
        # What is copied differs only in the text that is made of the rows.
        self.copy = rows.copy
        self.copy_quotation = partial(self._copy, row_texts.quotations_text)
        self.copy_path = partial(self._copy, row_texts.paths_text, of_files=True)
        addresses = partial(row_texts.addresses_text, vault_of=opener.find_vault)
        self.copy_address = partial(self._copy, addresses, of_files=True)
        wikilinks = partial(row_texts.wikilinks_text, vault_of=opener.find_vault)
        self.copy_wikilink = partial(self._copy, wikilinks, of_files=True)

    @property
    def rows(self) -> Sequence[Row]:
        """Several chosen rows, or the one that is shown: a link may have led to it."""
        chosen = self._list.rows()
        preview = self.reader()
        # A link in the preview may have led away from the chosen row.
        shown = self._list.row()
        if preview is not None:
            shown = preview.row
        if len(chosen) > 1 or shown is None:
            return chosen
        return [shown]

    @property
    def is_here(self) -> bool:
        """Whether this computer has the file of the first note."""
        return not any(row.is_elsewhere for row in self.rows[:1])

    @property
    def is_in_obsidian(self) -> bool:
        """Whether Obsidian opens the first note."""
        rows = self.rows[:1] if self.is_here else ()
        return any(self._opener.opens_in_obsidian(row.file) for row in rows)

    @property
    def is_in_vault(self) -> bool:
        """Whether other notes of a vault can link to the first note."""
        rows = self.rows[:1] if self.is_here else ()
        return any(self._opener.find_vault(row.file) for row in rows)

    def open(self) -> None:
        """Open the notes in the programs of the user."""
        for row in self._list.not_too_many(self.rows):
            self._opener.open_row(row, self._page_of(row))

    def open_at_line(self) -> None:
        """Open the first note in the user's editor, at the match."""
        for row in filter(self._opener.is_here, self.rows[:1]):
            self._opener.open_at_line(row.file, row.line, self._page_of(row))

    def _page_of(self, row: Row) -> int:
        """The page of a PDF that the user has turned to, otherwise the one that was found."""
        preview = self.reader()
        if preview is not None and preview.row is row:
            return preview.pages.page
        return row.page

    def reveal(self) -> None:
        """Show the first note in its folder."""
        for row in filter(self._opener.is_here, self.rows[:1]):
            self._opener.reveal(row.file)

    def open_in_obsidian(self) -> None:
        """Open the notes of its vaults in Obsidian."""
        for row in filter(self._opener.is_here, self._list.not_too_many(self.rows)):
            self._opener.open_in_obsidian(row.file)

    def choose_program(self) -> None:
        """Ask which program opens notes of this kind from now on, and open them with it."""
        from scrubjay_desktop.platform.programs import installed_programs

        rows = [*filter(self._opener.is_here, self.rows[:1])]
        if rows:
            kind = rows[0].file.suffix.lower()
            self._tasks.run(installed_programs, CancelToken(), done=partial(self._offer, kind))

    def _offer(self, kind: str, programs: Sequence[Program]) -> None:
        from scrubjay_desktop.platform.programs import Program
        from scrubjay_desktop.windows.program_dialog import ProgramDialog

        def choose() -> None:
            # The default program has no command of its own.
            programs = {**self._opener.programs, kind: dialog.command}
            programs = {each: command for each, command in programs.items() if command}
            self._preferences.programs = programs
            self._opener.programs = programs
            self.open()

        # Editors that open at a line come before the programs that the system knows.
        chosen = self._opener.programs.get(kind, "")
        editors = [Program(editor.name, editor.command) for editor in installed_editors()]
        names = {editor.name for editor in editors}
        others = [program for program in programs if program.name not in names]
        dialog = ProgramDialog(
            kind,
            [*editors, *others],
            chosen=chosen,
            stored=self._preferences.stored,
            parent=self._list.window(),
        )
        dialog.accepted.connect(choose)
        dialog.open()

    def _copy(self, text_of: Callable[[Sequence[Row]], str], *, of_files: bool = False) -> None:
        rows = self.rows
        if of_files:
            rows = [*filter(self._opener.is_here, rows)]
        text = text_of(rows) if rows else ""
        if text:
            self._list.put_on_clipboard(text)
