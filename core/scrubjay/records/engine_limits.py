"""Times and limits of an engine. The engine passes this record to its parts."""

from __future__ import annotations

from msgspec import Struct


class EngineLimits(Struct, frozen=True):
    """The waiting times of an engine's parts, and the sizes at which they behave differently."""

    # -- drives -------------------------------------------------------------------------------

    index_io_seconds: float = 20.0
    """Seconds that work in the background waits for a drive: 64 MB take 13 s where a network gives
    5 MB/s."""
    search_io_seconds: float = 2.0
    """Seconds that a call to a drive may take while a person waits for an answer."""

    # -- searches -----------------------------------------------------------------------------

    folder_look_seconds: float = 0.2
    """Seconds for the list of a folder; one that takes longer is not looked through."""
    quick_look_seconds: float = 0.02
    """Seconds for a list that is made anew for each search, but not while typing."""
    catch_up_seconds: float = 1.0
    """Seconds that an answer waits for the words of changed notes on a busy computer."""
    shared_search_seconds: float = 3.0
    """Seconds that the storage of a shared memory may take for one search or note: less than an
    agent's search by words, so that own notes are there in time."""
    takeover_seconds: float = 2.0
    """Seconds from a question to its answer when a fallback takes over; few notes are learned then.
    """
    reader_rest_seconds: float = 60.0
    """Length of the pause after a result reader stopped, in which none is started."""
    rest_seconds: float = 30.0
    """Seconds without a search after which a thread gives its caches back."""

    most_postings: int = 12_000
    """Chunks that FTS5 may score, 0.4 microseconds each (measured); below it all terms are used."""
    qmd_pause_seconds: float = 60.0
    """Length of the pause after a failure of QMD, in which the built-in search answers."""

    # -- remote providers ---------------------------------------------------------------------

    request_attempts: int = 4
    """Number of times that a request is sent, where its failure may pass."""
    request_pause_seconds: float = 0.5
    """Length of the first pause between two attempts; the others double."""

    # -- passes -------------------------------------------------------------------------------

    prepared_seconds: float = 0.15
    """Seconds for which files are read and cut, then written in one transaction."""
    buffer_seconds: float = 0.25
    """Seconds after which vectors are stored, so that searches find by them."""
    many_notes: int = 1_000
    """Notes that take about a second to read. Other folders do not wait longer for theirs."""
    documents_seconds: float = 10.0
    """Seconds of a pass for documents such as PDF: what notes mean is learned after it."""
    pictures_seconds: float = 60.0
    """Seconds of a pass for pictures, unless something else is to be done."""
    lease_seconds: float = 3.0
    """Seconds to wait for another process: a search that indexes a few words holds the lease for
    milliseconds, an MCP server that computes vectors releases it within a second."""
    later_seconds: float = 60.0
    """Seconds until batches under way are asked for again, or another process may have finished."""
    again_seconds: float = 15.0
    """Length of the first pause before something that failed is tried again; the others double."""
    again_most_seconds: float = 900.0
    """Length of the longest of these pauses."""
    unasked_tokens: int = 100_000
    """Tokens that go to an allowed provider without another question: a busy day of notes."""

    # -- shared memories ----------------------------------------------------------------------

    publish_quiet_seconds: float = 0.5
    """Seconds within which changes that follow each other are published together."""
    storage_opening_seconds: float = 20.0
    """Seconds that opening a storage may take, the first time with the import of the library."""
    memory_open_seconds: float = 8.0
    """Seconds that a first search waits until the library is loaded and the storage answers."""
    memory_again_seconds: float = 15.0
    """Seconds after which a memory that could not be reached is tried again, beside searches."""
    memory_list_seconds: float = 30.0
    """Age at which the list of a memory's workspaces is read again, at a search."""
    memory_view_seconds: float = 2.0
    """Age up to which a view of a workspace's tables serves the beginning of a search."""

    answer_bytes: int = 256 * 1024 * 1024
    """Bytes of the rows of one answer: eight times as many as the longest note has."""

    # -- folders ------------------------------------------------------------------------------

    many_documents: int = 500
    """Number of documents in a folder from which on nobody may have meant them."""

    def pause_before(self, attempt: int) -> float:
        """Seconds before something that failed is tried again for the attempt-th time, from 1."""
        # A pause that has reached its length does not double any further.
        doublings = min(attempt - 1, 30)
        return min(self.again_seconds * (1 << doublings), self.again_most_seconds)


DEFAULT_LIMITS = EngineLimits()
"""Limits of every engine outside of tests, except those of commands."""
COMMAND_LIMITS = EngineLimits(memory_open_seconds=DEFAULT_LIMITS.storage_opening_seconds)
"""Limits of a command in the terminal, which has no second search: on a busy computer the library
for shared memories loads too slowly for the first one."""
