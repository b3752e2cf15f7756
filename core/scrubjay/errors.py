"""Expected failures, with sentences for the user."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterable
from pathlib import Path, PureWindowsPath

from scrubjay.messages import Sentence, join_sentences, msg, safe_line


class ScrubjayError(Exception):
    """An anticipated failure: title, reason, and a hint for a remedy.

    Literal texts are found by translators as they stand; texts with values are made by `msg`.
    Choices are names from notes, such as headings: an agent must not take one for a sentence.
    """

    def __init__(
        self, title: str, message: str = "", *, hint: str = "", choices: Iterable[str] = ()
    ) -> None:
        super().__init__(title, message)
        self.title = _said(title)
        self.message = _said(message)
        self.hint = _said(hint)
        self.choices = tuple(choices)

    def __str__(self) -> Sentence:
        """One line: title, reason and hint, as the terminal prints it."""
        line = self.title
        for part in filter(None, (self.message, self.hint)):
            # A sentence begins after a full stop; a path or a fragment continues after a colon.
            end = ""
            if not line.endswith((".", "!", "?")):
                is_sentence = part[0].isupper() and not PureWindowsPath(part).drive
                end = "." if is_sentence else ":"
            line = join_sentences(f"{end} ", (line, part))
        return line


def _said(text: str) -> Sentence:
    """The text as a sentence on one line."""
    return text if isinstance(text, Sentence) else Sentence(safe_line(text))


class ConfigError(ScrubjayError):
    """The settings file could not be read or written."""


class QueryError(ScrubjayError):
    """A request makes no sense, such as one with an unknown mode."""


class WorkspaceMissing(ScrubjayError):
    """The workspace is not in the list, or its folder is not there."""


class NoteRefused(ScrubjayError):
    """A path that memory_get must not read."""


class AccessRefused(ScrubjayError):
    """The user does not allow an agent to do this."""


class ConnectFailed(ScrubjayError):
    """The settings of an agent could not be read or changed. They are as they were."""


class NotWritable(ScrubjayError):
    """A note cannot be written to right now, or must not be."""


class DriveSilent(ScrubjayError):
    """A file or folder whose drive, or the server behind it, gave no answer in time."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            msg("{place} is not responding", place=path),
            msg("The drive may be disconnected."),
            hint=msg("Connect the drive, then try again."),
        )


class IndexUnavailable(ScrubjayError):
    """The index cannot be read or written right now."""


class IndexLocked(IndexUnavailable):
    """Another process is writing to this index."""


class IndexCorrupt(IndexUnavailable):
    """The index file is damaged or is not ours."""

    file: Path | None = None
    """The damaged file, for its repair."""


class IndexTooNew(IndexUnavailable):
    """A newer Scrubjay wrote this index."""


class SharedUnavailable(IndexUnavailable):
    """A shared memory cannot be reached, or not be read or written with this program."""

    is_of_workspace = False
    """Whether it concerns one workspace of the memory, and not the others."""


class StillShared(ScrubjayError):
    """A folder cannot be forgotten while others find what it publishes."""


ONLY_WHEN_NAMED = msg("It is searched only when a search names it.")
"""Reason why a search over everything does not search a workspace."""


class SearchOff(IndexUnavailable):
    """The settings turn off a workspace: nothing is read, found or written there."""

    def __init__(self, key: str = "memorySearch.enabled") -> None:
        """Key is the setting that turns it off."""
        if key == "memorySearch.enabled":
            message = msg("“Search my notes” is turned off in the settings.")
            hint = msg("Turn on “Search my notes” in the settings, under “For experts”.")
        else:
            message = msg("The setting {key} turns off note search.", key=key)
            hint = msg("Change {key} in the settings file.", key=key)
        super().__init__(msg("Search is turned off"), message, hint=hint)


class ProviderUnavailable(ScrubjayError):
    """The embedding provider cannot embed right now."""


class ModelMissing(ProviderUnavailable):
    """The local model file is not on disk."""


class SecretMissing(ProviderUnavailable):
    """There is no API key for the provider."""


class DimensionsChanged(ProviderUnavailable):
    """The remote model answers with longer or shorter vectors than before: a new generation."""


class LocalOnly(ProviderUnavailable):
    """The request would leave this computer, which the settings forbid."""


class KeychainUnavailable(ScrubjayError):
    """The system keychain is missing, locked, or not safe to use."""


class DownloadFailed(ScrubjayError):
    """A model could not be fetched. Its part is kept where that helps."""


class ModelRefused(ScrubjayError):
    """A file is not a usable embedding model, or must not be removed."""


class UpdateRefused(ScrubjayError):
    """The list of releases could not be fetched or read."""


class AppRunning(ScrubjayError):
    """The app runs and uses what a command wants to remove."""


class QmdFailed(ScrubjayError):
    """The program QMD gave no answer that can be used."""

    def __init__(self, reason: str, *, is_exit: bool = False) -> None:
        """With is_exit it ran, and refused the request."""
        super().__init__("QMD did not respond", reason)
        self.is_exit = is_exit


class PicturesRest(Exception):
    """Pictures cannot be read now. The message says why in one sentence."""


class Cancelled(Exception):
    """The caller no longer wants the result. Never shown."""


def system_reason(error: OSError, system: str = sys.platform) -> Sentence:
    """Why the system refused something, in a few words."""
    number = error.errno
    # Permissions of the file itself give EACCES there.
    if system == "darwin" and number == errno.EPERM:
        return _MAC_REFUSAL
    if is_sharing_violation(error):
        number = errno.EBUSY
    # In the words of the list, or otherwise in those of the system.
    for reason, *numbers in _SYSTEM_REASONS:
        if number in numbers:
            return reason
    return Sentence(safe_line(error.strerror or type(error).__name__))


def is_sharing_violation(error: OSError) -> bool:
    """Whether Windows refused a file because another program has it open."""
    return getattr(error, "winerror", None) in _SHARING


_SHARING = (32, 33)
"""ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION of Windows."""

_MAC_REFUSAL = msg(
    "macOS does not allow this; check Privacy & Security in System Settings, and whether the file "
    "is locked"
)
"""Reason of EPERM on a Mac (https://developer.apple.com/forums/thread/678819, chflags(2))."""

# One line for each reason, with all numbers that mean it.
_SYSTEM_REASONS: tuple[tuple[Sentence, *tuple[int, ...]], ...] = (
    (msg("Permission denied"), errno.EACCES),
    (msg("The system does not allow this operation"), errno.EPERM),
    (msg("The file or folder does not exist"), errno.ENOENT),
    (msg("The file already exists"), errno.EEXIST),
    (msg("This is not a folder"), errno.ENOTDIR),
    (msg("This is a folder, not a file"), errno.EISDIR),
    (msg("The folder is not empty"), errno.ENOTEMPTY),
    (msg("There is no space left on the disk"), errno.ENOSPC),
    (msg("The disk is read-only"), errno.EROFS),
    (msg("The disk reported a read or write error"), errno.EIO),
    (msg("Another program is using the file"), errno.EBUSY, errno.ETXTBSY, errno.EAGAIN),
    (msg("The link points to itself"), errno.ELOOP),
    (msg("The file name is too long"), errno.ENAMETOOLONG),
    (msg("Too many files are open"), errno.EMFILE, errno.ENFILE),
    (msg("There is not enough memory"), errno.ENOMEM),
    (msg("You have used up your quota on this disk"), errno.EDQUOT),
    (msg("The file is too large for this disk"), errno.EFBIG),
    (msg("The file is on another disk"), errno.EXDEV),
    (msg("The system does not accept this name or file"), errno.EINVAL, errno.EILSEQ),
    (msg("This disk or folder does not support this operation"), errno.EOPNOTSUPP, errno.ENOSYS),
    (msg("The drive is no longer connected"), errno.ENODEV, errno.ENXIO),
    (msg("The drive is no longer connected"), errno.ESTALE, errno.ENOTCONN),
    (msg("No server is responding at this address"), errno.ECONNREFUSED),
    (msg("The other computer closed the connection"), errno.ECONNRESET, errno.ECONNABORTED),
    (msg("The other computer closed the connection"), errno.EPIPE, errno.ESHUTDOWN),
    (msg("No response was received in time"), errno.ETIMEDOUT),
    (msg("There is no network connection"), errno.ENETUNREACH, errno.ENETDOWN),
    (msg("There is no network connection"), errno.EADDRNOTAVAIL),
    (msg("The other computer cannot be reached"), errno.EHOSTUNREACH, errno.EHOSTDOWN),
    (msg("Another program is using this address"), errno.EADDRINUSE),
)
"""Reasons in words of ours: those of the system may be in another language than the app."""
