"""The tools that read notes and list them, without a search."""

from __future__ import annotations

import contextlib
import datetime as dt
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path

from msgspec.structs import asdict, replace

from scrubjay.answers import answer_json
from scrubjay.answers.answer_json import (
    FolderJson,
    LinksJson,
    ListedNoteJson,
    ListJson,
    NotePageJson,
    NotePagesJson,
    NotSearched,
    RelatedNoteJson,
    UnreadNoteJson,
)
from scrubjay.answers.note_lookup import NoteReference, parse_references
from scrubjay.config.loading import memory_search_for
from scrubjay.documents.document_parts import split_part
from scrubjay.engine.engine import Engine
from scrubjay.errors import (
    IndexUnavailable,
    NoteRefused,
    QueryError,
    ScrubjayError,
    WorkspaceMissing,
)
from scrubjay.mcp_server.authorization import Authorization, ToolCall, authorize
from scrubjay.mcp_server.resource_addresses import SCHEME, parse_resource_uri
from scrubjay.mcp_server.tool_arguments import GetArguments, LinksArguments, ListArguments
from scrubjay.messages import msg
from scrubjay.notes.note_links import anchor_line, anchor_section, other_anchor_lines
from scrubjay.notes.note_pages import PAGE_CHARACTERS
from scrubjay.notes.scan import Exclusions
from scrubjay.records.access_records import Action, AuditedHit
from scrubjay.records.journal_records import JournalPosition
from scrubjay.records.note_records import (
    DocumentInfo,
    NoteAddress,
    NoteFacts,
    NotePage,
    PageRequest,
    Relation,
    Source,
    Workspace,
)
from scrubjay.records.status_records import IndexReport
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.index_records import Filters
from scrubjay.text.age import age_in_words
from scrubjay.text.file_kinds import is_curated_memory
from scrubjay.text.markdown import all_headings, split_lines
from scrubjay.text.tags import tag_key

_MISSING = (
    "No note was found here. Call memory_search with words from it, or memory_list to see which "
    "notes there are."
)
"""Notice of memory_get in place of a text."""
_PAST_END = "The note ends before this line."
"""Notice of memory_get in place of a text after the last line."""
_MOST_LINES = 20
"""Lines of equal headings that a notice names."""
_MOST_NEAREST = 5
"""Notes with similar names that an answer proposes."""
_ONLY_SEARCHED = (
    "Another computer shares this folder. You can search its notes and read them by path, but "
    "not list, relate or find them by title."
)
"""Reason why a list has no notes of such a folder."""
_ONLY_NAMED = (
    "Notes of this folder are listed only for a call that names it. Pass its name as the workspace "
    "argument."
)
"""Reason why a list has no notes of a folder that is searched only when a search names it."""
_LISTED = frozenset({Source.MEMORY, Source.NOTES, Source.EXTRA})
"""Origins of the notes that are listed; a conversation is found by a search alone."""
_DEFAULT_NOTES = 20
"""Notes of a list unless an agent wants another number."""
_LARGEST_NUMBER = 2**63 - 1
"""Number that SQLite can hold."""
_MOST_FOLDERS = 50
"""Folders in a list."""
_FIRST_LINE = PageRequest(1, 1)
"""Request that tells whether a note is there."""
_RELATIONS = {
    Relation.LINKS: "links to this note",
    Relation.LINKED: "linked from this note",
    Relation.SIMILAR: "about the same",
    Relation.SAME_DAY: "of the same day",
}
"""Relations as agents read them."""


class NoteTools:
    """Answers calls that read or list notes. For any thread; blocks until the answer is there."""

    def __init__(self, engine: Engine, answer_s: float) -> None:
        self._engine = engine
        self._answer_s = answer_s

    # -- reading ------------------------------------------------------------------------------

    def get(self, call: ToolCall, arguments: GetArguments) -> NotePageJson | NotePagesJson:
        """The part of one note, or the beginnings of several."""
        authorized = authorize(self._engine, call, arguments.workspace, action=Action.READ)
        wanted = arguments.page
        if isinstance(arguments.path, str):
            return self._note(call, authorized, written=arguments.path, wanted=wanted)
        # Several notes share the room of one, and one that cannot be read does not hide the others.
        room = PAGE_CHARACTERS // len(arguments.path)
        wanted = replace(wanted, most_characters=room)
        notes: list[NotePageJson] = []
        unread: list[UnreadNoteJson] = []
        for path in arguments.path:
            try:
                note = self._note(call, authorized, written=path, wanted=wanted)
            except ScrubjayError as error:
                choices = answer_json.quoted_names(error.choices)
                note = NotePageJson(path=path, text="", from_=1, lines=0, choices=choices)
                reason = answer_json.error_reason(error)
                unread.append(UnreadNoteJson(path=path, error=reason, action=error.hint or ""))
            notes.append(note)
        # What is not there is said once, outside of the list of notes.
        shared = (_MISSING, _PAST_END)
        notice = next((note.notice for note in notes if note.notice in shared), "")
        notes = [replace(note, notice="") if note.notice in shared else note for note in notes]
        return NotePagesJson(notice=notice, notes=notes, unread=unread)

    def page(self, call: ToolCall, note: NoteAddress, wanted: PageRequest) -> NotePage:
        """A part of a note. Raises NoteRefused, IndexUnavailable or Cancelled."""
        # A page has a limit of its own, so that a long note never fills the agent's context.
        page = self._engine.notes.page(note, wanted, call.conversation)
        return call.result(page, self._answer_s)

    def _note(
        self, call: ToolCall, authorized: Authorization, *, written: str, wanted: PageRequest
    ) -> NotePageJson:
        """A part of the note that an agent named in any way."""
        address, request = self._place(call, authorized.workspaces, written=written, wanted=wanted)
        page = self.page(call, address, replace(request, has_facts=True))
        # The audit log has the lines of each note that an agent got.
        if page.line_count:
            first = page.first_line
            last = first + page.line_count - 1
            hit = AuditedHit(address.workspace, page.path, first_line=first, last_line=last)
            call.hits = (*call.hits, hit)
        if not page.is_missing:
            day = self._day(call, NoteAddress(address.workspace, page.path), page.facts)
            reply = answer_json.note_page_json(page, day)
            if not page.line_count and request.first_line > 1:
                reply = replace(reply, notice=_PAST_END)
            elif request.other_lines:
                reply = replace(reply, notice=_equal_headings(request.other_lines))
            return replace(reply, workspace=address.workspace)
        # An agent would take the note for an empty one of the first workspace.
        is_only_place = len(authorized.workspaces) == 1
        return replace(
            answer_json.note_page_json(page),
            notice=_MISSING,
            similar=self._similar(call, authorized.listed, written),
            workspace=address.workspace if is_only_place else "",
            not_searched=[*authorized.not_searched, *_unlisted(authorized)],
        )

    def _day(self, call: ToolCall, note: NoteAddress, facts: NoteFacts) -> dt.date | None:
        """The day that a note has of its own, else that of its last change; None if unknown."""
        day = facts.date
        if day is None and facts.modified:
            day = facts.modified.date()
        # The index knows the day of a document, or of a note of another computer.
        if facts.date is None and not facts.digest:
            path = split_part(note.path)[0]
            info: DocumentInfo | None = None
            # A late answer of the index leaves the rest of the answer as it is.
            with contextlib.suppress(IndexUnavailable):
                future = self._engine.notes.info(NoteAddress(note.workspace, path))
                info = call.result(future, self._answer_s)
            if info and (info.date or day is None):
                day = info.day
        return day

    def _similar(self, call: ToolCall, workspaces: Sequence[Workspace], written: str) -> list[str]:
        """The paths of notes that are called nearly as one that is not there."""
        # The nearest names in each workspace, if the agent may read those notes.
        references = parse_references(written)
        paths: list[str] = []
        open_notes = _OpenNotes(self._engine, workspaces, call)
        # The whole text may be a name with a mistake, or only what comes before a place.
        for name in dict.fromkeys((references[0].name, references[-1].name)):
            for workspace in workspaces:
                # Without proposals in time, the answer comes without them.
                with contextlib.suppress(IndexUnavailable):
                    future = self._engine.notes.nearest(workspace, name)
                    near = call.result(future, self._answer_s)
                    places = (NoteAddress(workspace.id, path) for path in near)
                    paths += [place.path for place in places if open_notes.has(place)]
        return answer_json.quoted_names([*dict.fromkeys(paths)][:_MOST_NEAREST])

    def _place(
        self, call: ToolCall, workspaces: Sequence[Workspace], *, written: str, wanted: PageRequest
    ) -> tuple[NoteAddress, PageRequest]:
        """The address of the note that an agent named, and the part that it wants of it.

        Raises NoteRefused, QueryError for a name of several notes, WorkspaceMissing for a path in
        several workspaces, or Cancelled.
        """
        workspaces, name = _of_resource(workspaces, written)
        references = parse_references(name)
        refusal: NoteRefused | None = None
        missing: NoteAddress | None = None
        # A path needs no index, and counts before any name. What comes after it may be a place.
        for reference in references:
            try:
                workspace = self._workspace_with(call, workspaces, reference.name)
                place = NoteAddress(workspace.id, reference.name)
                if not self.page(call, place, _FIRST_LINE).is_missing:
                    return place, self._part(call, place, reference=reference, wanted=wanted)
                missing = missing or place
            except NoteRefused as error:
                refusal = refusal or error
        # What is not a path may be a title, an alias or a permalink. The note that has it is read
        # by its path, with all checks of one.
        named = self._named_by(call, workspaces, references)
        if named is None:
            # It may be the name of a note that was written a moment ago.
            self._catch_up(call, workspaces)
            named = self._named_by(call, workspaces, references)
        if named:
            place, reference = named
            return place, self._part(call, place, reference=reference, wanted=wanted)
        # A path that may not be read is told as such; nobody has to hear that of a title.
        title = references[-1].name
        if missing is None and refusal and not _is_title(title):
            raise refusal
        return missing or NoteAddress(workspaces[0].id, f"{title}.md"), wanted

    def _named_by(
        self, call: ToolCall, workspaces: Sequence[Workspace], references: Iterable[NoteReference]
    ) -> tuple[NoteAddress, NoteReference] | None:
        """The note that the first of some references names, with that reference; None for none."""
        for reference in references:
            named = self._named(call, workspaces, reference.name)
            if named:
                return named, reference
        return None

    def _workspace_with(
        self, call: ToolCall, workspaces: Sequence[Workspace], path: str
    ) -> Workspace:
        """The workspace that has a note; the first one if none has it."""
        if len(workspaces) == 1:
            return workspaces[0]
        # One line of each is read, to see who has the note.
        holders: list[Workspace] = []
        refusal: NoteRefused | None = None
        for workspace in workspaces:
            try:
                if not self.page(call, NoteAddress(workspace.id, path), _FIRST_LINE).is_missing:
                    holders.append(workspace)
            except NoteRefused as error:
                refusal = error
        if len(holders) > 1:
            names = ", ".join(workspace.name for workspace in holders)
            raise WorkspaceMissing(
                "Specify a workspace",
                msg("{path} exists in more than one workspace: {names}.", path=path, names=names),
                hint="Pass the workspace argument.",
            )
        if not holders and refusal:
            raise refusal
        return (holders or workspaces)[0]

    def _named(
        self, call: ToolCall, workspaces: Sequence[Workspace], name: str
    ) -> NoteAddress | None:
        """The one indexed note with a name; None without any. Raises QueryError for several."""
        found: list[NoteAddress] = []
        open_notes = _OpenNotes(self._engine, workspaces, call)
        for workspace in workspaces:
            # An index that cannot be read has no names, and says so in a search.
            with contextlib.suppress(IndexUnavailable):
                future = self._engine.notes.named(workspace, name)
                notes = call.result(future, self._answer_s)
                addresses = (NoteAddress(workspace.id, note.path) for note in notes)
                found += filter(open_notes.has, addresses)
        if len(found) > 1:
            raise QueryError(
                msg("{name} is the name of several notes", name=repr(name)),
                hint="Pass one of the choices, and its workspace as the workspace argument.",
                choices=[f"{note.path} ({note.workspace})" for note in found],
            )
        return next(iter(found), None)

    def _part(
        self, call: ToolCall, note: NoteAddress, *, reference: NoteReference, wanted: PageRequest
    ) -> PageRequest:
        """The part of a note from a line on, or below a heading. Raises QueryError."""
        if reference.line and wanted.first_line == 1:
            wanted = replace(wanted, first_line=reference.line)
            if reference.last_line and not wanted.line_count:
                count = max(1, reference.last_line - reference.line + 1)
                wanted = replace(wanted, line_count=count)
        if not reference.anchor:
            return wanted
        # A section ends with the next heading, so the whole note is looked at.
        text = self.page(call, note, PageRequest(is_whole=True)).text
        section = anchor_section(text, reference.anchor)
        if not section:
            headings = all_headings(split_lines(text))
            hint = msg("Pass only the path to read the note.")
            if headings:
                hint = msg(
                    "Pass one of the choices after #, or pass only the path to read the note."
                )
            raise QueryError(
                "The note has no heading or block with this name",
                hint=hint,
                choices=[heading.text for heading in headings],
            )
        # From a line of the section on, where an agent reads on.
        first = anchor_line(text, reference.anchor)
        end = first + len(split_lines(section))
        start = max(first, min(wanted.first_line, end - 1))
        others = other_anchor_lines(text, reference.anchor)
        return replace(wanted, first_line=start, last_line=end - 1, other_lines=tuple(others))

    # -- lists --------------------------------------------------------------------------------

    def _catch_up(self, call: ToolCall, workspaces: Sequence[Workspace]) -> None:
        """Read the words of changed notes for a while, unless the app reads them."""
        # A call waits once, however many names in it are wrong.
        if call.has_caught_up or self._engine.agents.is_user_present():
            return
        call.has_caught_up = True
        own = [workspace for workspace in workspaces if not workspace.memory_uri]
        passes: list[Future[tuple[IndexReport, ...]]] = []
        for workspace in own:
            with contextlib.suppress(ScrubjayError):
                passes.append(self._engine.refresh(workspace, words_only=True))
        # However many there are, the answer waits once.
        until = call.elapsed_s + min(self._answer_s / 4, call.left_s(self._answer_s))
        for future in passes:
            with contextlib.suppress(TimeoutError, ScrubjayError):
                call.wait(future, max(0.0, until - call.elapsed_s))

    def list(self, call: ToolCall, arguments: ListArguments) -> ListJson:
        """Notes, the last change first, and on the first page the folders that they are in."""
        authorized = authorize(self._engine, call, arguments.workspace, action=Action.READ)
        listed = authorized.listed
        # The same conditions as those of a search, without any words.
        folder = (arguments.folder or "").strip("/")
        day = arguments.day
        filters = Filters(
            sources=_LISTED,
            path_parts=(f"/{folder}/",) if folder else (),
            tags=tuple(map(tag_key, filter(None, [(arguments.tag or "").lstrip("#")]))),
            kinds=tuple(filter(None, [arguments.kind])),
            after=day,
            before=day,
            is_private=call.conversation.is_private,
        )
        after = parse_cursor(arguments.cursor)
        if after is None:
            self._catch_up(call, listed)
        # One list over all workspaces, which continues after the last note of the page before.
        future = self._engine.journal.newest(
            filters,
            {each.id for each in listed},
            after=after,
            limit=arguments.limit or _DEFAULT_NOTES,
        )
        page = call.result(future, self._answer_s)
        open_notes = _OpenNotes(self._engine, listed, call)
        # Folders help to choose where to look, so they come with a first look only.
        folders: list[FolderJson] = []
        if after is None and not (arguments.tag or arguments.kind or day):
            for workspace in listed:
                folders += self._folders(call, workspace, inside=folder, open_notes=open_notes)
        return ListJson(
            notes=[listed_note(note) for note in open_notes.among(page.notes)],
            folders=folders[:_MOST_FOLDERS],
            next_cursor=write_cursor(page.next),
            not_searched=[*authorized.not_searched, *_unlisted(authorized)],
        )

    def _folders(
        self, call: ToolCall, workspace: Workspace, *, inside: str, open_notes: _OpenNotes
    ) -> Iterator[FolderJson]:
        """The folders directly inside another one, with the number of notes in each."""
        future = self._engine.notes.folders(workspace.id)
        for path, count in call.result(future, self._answer_s):
            place = NoteAddress(workspace.id, path)
            if posixpath.dirname(path) == inside and open_notes.has(place, is_folder=True):
                described = workspace.description_of(path)
                text = ""
                # The description of a parent folder would be repeated for each folder in it.
                if described and described.folder == path:
                    text = answer_json.description_text(described)
                yield FolderJson(path=path, notes=count, workspace=workspace.id, description=text)

    def links(self, call: ToolCall, arguments: LinksArguments) -> LinksJson:
        """The notes that belong to a note, and why."""
        authorized = authorize(self._engine, call, arguments.workspace, action=Action.READ)
        address, _ = self._place(
            call, authorized.workspaces, written=arguments.path, wanted=_FIRST_LINE
        )
        # Whether the note itself may be read is decided before any of its neighbours is named.
        page = self.page(call, address, _FIRST_LINE)
        address = NoteAddress(address.workspace, page.path)
        if page.is_missing:
            return LinksJson(
                path=page.path,
                missing=True,
                notice=_MISSING,
                similar=self._similar(call, authorized.listed, arguments.path),
                related=[],
                not_searched=[*authorized.not_searched, *_unlisted(authorized)],
            )
        # Those that an agent may read, as it may read this one.
        future = self._engine.relations.of(address, call.cancel)
        related = call.result(future, self._answer_s)
        workspace = next(each for each in authorized.workspaces if each.id == address.workspace)
        neighbours = _OpenNotes(self._engine, [workspace], call).among(
            each.note for each in related
        )
        shown = {note.path: note for note in neighbours}
        return LinksJson(
            path=page.path,
            workspace=workspace.id,
            not_searched=_only_searched([workspace]),
            related=[
                RelatedNoteJson(
                    **asdict(listed_note(shown[each.note.path])),
                    relation=_RELATIONS[each.relation],
                    why=each.why,
                    line=each.line,
                    score=round(each.score, 4),
                )
                for each in related
                if each.note.path in shown
            ],
        )


def _equal_headings(lines: Sequence[int]) -> str:
    """The notice of a section that has the same name as others in its note."""
    listed = ", ".join(map(str, lines[:_MOST_LINES]))
    return (
        "The note has this heading more than once. This is the first one. Others are on these "
        f"lines: {listed}. To read another one, add its line number to the name, as in :12."
    )


def _unlisted(authorized: Authorization) -> list[NotSearched]:
    """The workspaces whose notes are not listed, with the reasons."""
    listed = authorized.listed
    unnamed = [
        NotSearched(workspace=workspace.id, reason=_ONLY_NAMED)
        for workspace in authorized.workspaces
        if workspace not in listed
    ]
    return [*unnamed, *_only_searched(listed)]


def _only_searched(workspaces: Sequence[Workspace]) -> list[NotSearched]:
    """The workspaces of other computers, whose notes are not listed."""
    return [
        NotSearched(workspace=workspace.id, reason=_ONLY_SEARCHED)
        for workspace in workspaces
        if workspace.memory_uri
    ]


def listed_note(note: DocumentInfo) -> ListedNoteJson:
    """A note as lists for agents show it."""
    title = note.title
    # The name of the file says the same.
    if title == posixpath.splitext(posixpath.basename(note.path))[0]:
        title = ""
    return ListedNoteJson(
        path=note.path,
        title=title,
        date=note.day.isoformat(),
        age=age_in_words(note.day, dt.date.today()),
        workspace=note.workspace,
        conflict_copies=list(note.conflict_copies),
    )


def write_cursor(position: JournalPosition | None) -> str:
    """A position in a list as agents pass it; empty at the end."""
    if position is None:
        return ""
    return f"{position.moment}.{position.row}.{position.workspace}"


def parse_cursor(cursor: str | None) -> JournalPosition | None:
    """The position that a cursor stands for; None without one. Raises QueryError."""
    if cursor is None:
        return None
    # The id of a workspace may have dots as well, so it stands last.
    moment, _, rest = cursor.partition(".")
    row, _, workspace = rest.partition(".")
    numbers = (moment, row)
    is_number = all(each.isascii() and each.isdigit() and len(each) < 20 for each in numbers)
    if not is_number or not workspace or max(map(int, numbers)) > _LARGEST_NUMBER:
        raise QueryError(
            "This cursor is not valid",
            hint="Pass the nextCursor of an earlier answer, or omit the cursor to begin again.",
        )
    return JournalPosition(int(moment), WorkspaceId(workspace), int(row))


def _exclusions_of(engine: Engine, workspace: Workspace) -> Exclusions:
    """What is excluded from a workspace and from its additional folders."""
    settings = memory_search_for(engine.settings, workspace.id)[0]
    return Exclusions(workspace.root, workspace.left_out, settings.extra_paths)


class _OpenNotes:
    """Tells which notes and folders of an index an agent may see in a call.

    What a person excluded stays in an index until the next pass.
    """

    def __init__(self, engine: Engine, workspaces: Iterable[Workspace], call: ToolCall) -> None:
        self._is_private = call.conversation.is_private
        # Made once for a call, since folders are looked up on the disk.
        self._exclusions = {each.id: _exclusions_of(engine, each) for each in workspaces}

    def has(self, note: NoteAddress, *, is_folder: bool = False) -> bool:
        """Whether a note or folder may be seen."""
        if not self._is_private and is_curated_memory(Path(note.path)):
            return False
        return not self._exclusions[note.workspace].holds_note(note.path, is_folder=is_folder)

    def among(self, notes: Iterable[DocumentInfo]) -> Iterator[DocumentInfo]:
        """Those of some notes that may be seen, each with the conflict copies that may be."""
        for note in notes:
            at = NoteAddress(note.workspace, note.path)
            copies = (path for path in note.conflict_copies if self.has(replace(at, path=path)))
            if self.has(at):
                yield replace(note, conflict_copies=tuple(copies))


def _of_resource(workspaces: Sequence[Workspace], written: str) -> tuple[Sequence[Workspace], str]:
    """The workspaces and the name that are meant, also by the address of a resource."""
    if written.startswith(SCHEME):
        with contextlib.suppress(NoteRefused):
            note = parse_resource_uri(written)
            of_note = [each for each in workspaces if each.id == note.workspace]
            if of_note:
                return of_note, note.path
    return workspaces, written


def _is_title(name: str) -> bool:
    """Whether a name is one of a note and not a path to a file."""
    # A dot inside of a title, as in `Version 2. Notes`, begins no ending.
    ending = posixpath.splitext(name)[1]
    leads_out = name.startswith(("/", "~", ".")) or any(sign in name for sign in ("\\", "\0", ".."))
    return bool(name) and not leads_out and (not ending or " " in ending)
