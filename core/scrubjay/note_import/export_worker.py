"""The child process that reads exports: bytes of strangers in, notes out, and nothing else.

Started as `python -m scrubjay.note_import.export_worker` for one export, in the sandbox of the
process that reads documents. It does not open files. If it needs bytes of a file, or a temporary
file, it asks the parent between a request and its answer.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from scrubjay.documents.request_loop import restrict_process
from scrubjay.messages import deserialize_sentence, msg, serialize_sentence
from scrubjay.note_import.export_limits import MOST_MEMORY, NEEDS_MORE_MEMORY
from scrubjay.note_import.export_source import ExportSource
from scrubjay.note_import.formats import open_export_reader
from scrubjay.note_import.imported_note import ExportRefused, ImportedNote, Obstacle
from scrubjay.platform import pipe_protocol

PART = 2**20
"""Bytes of one message with the content of a file."""
_BUFFER = 2**17
"""Bytes that are asked for at once, however few a reader wants."""


def main() -> None:
    """Read the export that the parent names, until it stops sending requests."""
    # Output of native code must not get into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    restrict_process(MOST_MEMORY)
    parent = _Parent(os.fdopen(0, "rb"), answers)
    request = parent.next_request()
    if request:
        _Export(parent, request).serve()
    # Files that are open are the parent's, which has gone.
    os._exit(0)


class _Parent:
    """The pipes to the process that asks for notes, and hands files over."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._listens = False
        """Whether the parent waits for an answer."""
        self.closed: list[int] = []
        """Numbers of files that are no longer needed, to be told with the next message. Python may
        close a file at any moment, also where the parent does not listen."""

    def next_request(self) -> dict[str, Any] | None:
        """The request of the parent; None if it has gone."""
        message = pipe_protocol.receive_message(self._requests)
        if message is None:
            return None
        # Where the parent is gone, nobody else ends what never ends.
        if hasattr(signal, "alarm"):
            signal.alarm(int(message[0]["seconds"]) + 1)
        self._listens = True
        return message[0]

    def answer(self, header: dict[str, Any], payload: bytes = b"") -> None:
        """Answer a request."""
        self._listens = False
        self._send(header, payload)

    def call(self, name: str, payload: bytes = b"", **values: int) -> tuple[int, bytes]:
        """A number and bytes from the parent. Raises ExportRefused where it has none for this."""
        # Python may read from a file that nobody wants any longer.
        if not self._listens:
            raise OSError("the parent does not listen")
        self._send({"call": name, **values}, payload)
        message = pipe_protocol.receive_message(self._requests)
        if message is None:
            os._exit(0)
        header, data = message
        failed = header.get("failed")
        if failed:
            raise ExportRefused(*map(deserialize_sentence, failed))
        return header.get("number", 0), data

    def _send(self, header: dict[str, Any], payload: bytes) -> None:
        closed = self.closed
        self.closed = []
        pipe_protocol.send_message(self._answers, {**header, "closed": closed}, payload)


class _ServedFile(io.RawIOBase):
    """A file that the parent has open."""

    def __init__(self, parent: _Parent, number: int, size: int) -> None:
        self._parent = parent
        self._number = number
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        if start + offset < 0:
            # The same error as that of a file of the system.
            raise OSError(errno.EINVAL, "before the beginning")
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        most = min(len(buffer), PART)
        _, data = self._parent.call("read", file=self._number, at=self._at, size=most)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def write(self, data: Any) -> int:
        """Add bytes at the end, which is the only place to write to."""
        part = bytes(data[:PART])
        self._parent.call("add", part, file=self._number)
        self._size += len(part)
        self._at = self._size
        return len(part)

    def close(self) -> None:
        if not self.closed:
            self._parent.closed.append(self._number)
        super().close()


class _Export:
    """An export that is open, and its notes."""

    def __init__(self, parent: _Parent, request: dict[str, Any]) -> None:
        self._parent = parent
        self._request = request
        self._stack = contextlib.ExitStack()
        self._notes: Iterator[ImportedNote | Obstacle] = iter(())
        self._note: ImportedNote | None = None
        self._stream: BinaryIO | None = None
        """Stream of the attachment that is being handed over."""

    def serve(self) -> None:
        """Answer until the parent asks nothing any longer."""
        request: dict[str, Any] | None = self._request
        while request is not None:
            # An error of the export is an answer; one of the program ends it.
            try:
                self._parent.answer(*self._answer(request))
            except ExportRefused as error:
                self._refuse(error)
            except MemoryError:
                self._refuse(ExportRefused(NEEDS_MORE_MEMORY))
            except ImportError:
                # A part of the program is missing or may not be read: no fault of the export.
                raise
            except Exception:  # whatever a reader trips over is damage of the export
                name = self._request["name"]
                self._refuse(ExportRefused(msg("{name} is damaged", name=name)))
            request = self._parent.next_request()

    def _answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """The header and bytes of the answer to a request."""
        # An attachment comes in parts: the first with its request, the others one by one.
        match request["ask"]:
            case "open":
                reader, skipped = self._stack.enter_context(open_export_reader(self._source()))
                self._notes = reader.notes()
                return {"program": reader.program, "skipped": skipped}, b""
            case "note":
                return self._next_note()
            case "attachment":
                assert self._note is not None
                self._stream = self._note.attachments[request["number"]].open()
        return self._next_part()

    def _next_note(self) -> tuple[dict[str, Any], bytes]:
        """The next note with its text, or an obstacle; an empty header after the last one."""
        # The memory of one note is free before the next one takes its own.
        self._stream = None
        self._note = None
        note = next(self._notes, None)
        if note is None:
            return {}, b""
        if isinstance(note, Obstacle):
            return {
                "obstacle": [serialize_sentence(note.what), serialize_sentence(note.reason)]
            }, b""
        self._note = note
        # The text goes as bytes after the header, since it may be long.
        header = {
            "key": note.key,
            "title": note.title,
            "folder": note.folder,
            "created": note.created and note.created.isoformat(),
            "modified": note.modified and note.modified.isoformat(),
            "tags": note.tags,
            "attachments": [(each.key, each.name) for each in note.attachments],
            "fields": dict(note.fields),
        }
        return {"note": header}, note.body.encode("utf-8", "replace")

    def _next_part(self) -> tuple[dict[str, Any], bytes]:
        """The next bytes of the attachment; none at its end."""
        assert self._stream is not None
        part = self._stream.read(PART)
        if not part:
            self._stream.close()
        return {}, part

    def _refuse(self, error: ExportRefused) -> None:
        words = [
            serialize_sentence(error.title),
            serialize_sentence(error.message),
            serialize_sentence(error.hint),
        ]
        self._parent.answer({"refused": words})

    def _source(self) -> ExportSource:
        """The files of the export, whose bytes the parent reads."""
        sizes: dict[str, int] = dict(self._request["sizes"])
        numbers = {label: number for number, label in enumerate(sizes)}

        # A buffer in between, as readers of archives ask for a few bytes at a time.
        def opened(label: str) -> BinaryIO:
            file = _ServedFile(self._parent, numbers[label], sizes[label])
            return cast("BinaryIO", io.BufferedReader(file, _BUFFER))

        def new_file() -> BinaryIO:
            number, _ = self._parent.call("make")
            return cast(
                "BinaryIO", io.BufferedRandom(_ServedFile(self._parent, number, 0), _BUFFER)
            )

        return ExportSource(
            name=self._request["name"],
            is_folder=self._request["isFolder"],
            sizes=sizes,
            open=opened,
            new_file=new_file,
            has_attachments=self._request["hasAttachments"],
        )


if __name__ == "__main__":
    main()
