"""API keys in the system keychain: one item holds them all, so that the user is asked once.

Importing keyring and finding its backend takes 200 ms, so it happens at the first use. On a Mac,
keyring calls the functions of "Keychain services" in Apple's documentation.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, InvalidStateError
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import KeychainUnavailable
from scrubjay.messages import msg
from scrubjay.platform.keychain_entry import KeychainEntry
from scrubjay.platform.state_file import StateFile

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

Keys: TypeAlias = dict[str, str]
"""Keys by their ids."""

SERVICE = "scrubjay"
"""Name of the entry in the keychain, as people see it there."""
ITEM = "API keys"
"""Account of the entry."""
PATIENCE_S = 5.0
"""Seconds that a search or a pass waits for a keychain that shows a dialog."""
PERSON_S = 120.0
"""Seconds that a command waits while the user answers that dialog."""

_SHOWN = 4
"""Last characters of a key that are shown."""
_SHORT = 12
"""Length below which no character of a key is shown: four would give too much away."""
_NO_STORE = msg(
    "In the Scrubjay window, you can enter a key that is kept only until you quit Scrubjay."
)
"""Hint where the keychain cannot be used."""
_PLAINTEXT = "keyrings.alt"
"""Package of keychains that are files which others can read."""
_NOTHING = ("keyring.backends.fail", "keyring.backends.null")
"""Modules of keychains that keep nothing."""


class StoredKey(Struct, frozen=True):
    """One key, as it may be shown."""

    id: str
    """Id of the provider, or host of an OpenAI-compatible endpoint."""
    tail: str
    """Its last four characters, empty for a short key."""
    is_session_only: bool
    """Whether it is gone when the program ends."""
    is_used: bool = False
    """Whether the settings choose it for searching by meaning."""


class Keychain:
    """All keys of the user. Not for the GUI thread, because a locked keychain asks and waits.

    Every method raises KeychainUnavailable, with a hint, when the system's keychain cannot be used.
    Keys of this session are in memory and come first.
    """

    def __init__(self, pool: Executor | None = None, record: StateFile | None = None) -> None:
        """The pool must have a thread to spare for a dialog that is never answered.

        The record holds ids and last characters of the stored keys, never keys: with it, the
        keychain is opened for no key that is not there.
        """
        self._pool = pool or DaemonThreadPool("keychain")
        self._record = record
        self._lock = threading.Lock()
        self._session: Keys = {}
        self._last: Future[Keys] | None = None
        """The latest call to the system's keychain."""
        self._refusal: KeychainUnavailable | None = None
        """The error since a person did not unlock the keychain; another dialog waits for them."""

    def get(self, key_id: str, *, patience_s: float = PATIENCE_S) -> str:
        """The key, empty when there is none; a person who refused it is not asked again."""
        key = self._session.get(key_id)
        if key:
            return key
        if self._refusal:
            raise self._refusal
        return self._ask(patience_s).get(key_id, "")

    def may_hold(self, key_id: str) -> bool:
        """False for a key that is neither of this session nor stored, without asking."""
        return self._record is None or any(key.id == key_id for key in self.known())

    def known(self) -> tuple[StoredKey, ...]:
        """All keys that the record and this session know, without asking."""
        if self._record is None:
            return self._described({})
        return self._described(self._record.read())

    def names(self, *, patience_s: float = PERSON_S) -> tuple[StoredKey, ...]:
        """All keys in the order of their ids, without the keys themselves."""
        return self._described(_tails(self._ask(patience_s)))

    def set(self, key_id: str, key: str, *, session_only: bool = False) -> None:
        """Store or replace a key."""
        # A key for this session goes nowhere near the disk.
        if session_only:
            self._session[key_id] = key
            return
        self._ask(PERSON_S, lambda keys: keys | {key_id: key})
        self._session.pop(key_id, None)

    def delete(self, key_id: str) -> bool:
        """Forget a key; False if there was none."""
        was_in_session = self._session.pop(key_id, None) is not None
        # The keychain may show a dialog, so it is not opened for a key that it does not hold.
        if was_in_session and not self.may_hold(key_id):
            return True
        keys = self._ask(
            PERSON_S, lambda keys: {name: key for name, key in keys.items() if name != key_id}
        )
        return key_id in keys or was_in_session

    def clear(self) -> None:
        """Forget all keys; the keychain is not opened where none is stored."""
        self._session.clear()
        if self._record is None or self._record.read():
            self._ask(PERSON_S, lambda _: {})

    def ask_again(self) -> None:
        """Let the next key be asked for although it was refused: a person wants it now."""
        self._refusal = None

    def close(self) -> None:
        """Raise KeychainUnavailable in the thread that waits for an answer."""
        with self._lock, contextlib.suppress(InvalidStateError):
            if self._last:
                self._last.set_exception(_waiting())

    def _ask(self, patience_s: float, change: Callable[[Keys], Keys] = dict) -> Keys:
        """The keys in the system's keychain before the change."""
        with self._lock:
            if self._last and not self._last.done():
                raise _waiting()  # its dialog is still on the screen; a second one would not help
            answer = Future[Keys]()
            self._last = answer
            self._pool.submit(self._settle, answer, change)
        try:
            return answer.result(patience_s)
        except TimeoutError as error:
            raise _waiting() from error

    def _settle(self, answer: Future[Keys], change: Callable[[Keys], Keys]) -> None:
        # The answer has an error already when the program was closed meanwhile.
        with contextlib.suppress(InvalidStateError):
            try:
                stored = _call(change)
                self._refusal = None
                self._keep_record(_tails(stored.after))
                answer.set_result(stored.before)
            except Exception as error:  # the caller finds it in the answer
                if isinstance(error, _Refused):
                    self._refusal = error
                answer.set_exception(error)

    def _keep_record(self, tails: Keys) -> None:
        """Write which keys there are, by their last characters, if that has changed."""
        if self._record and self._record.read() != tails:
            with self._record.changed() as state:
                state.clear()
                state.update(tails)

    def _described(self, stored: Keys) -> tuple[StoredKey, ...]:
        """Stored keys and those of this session, which come first, in the order of their ids."""
        keys = {name: StoredKey(name, tail, is_session_only=False) for name, tail in stored.items()}
        own = _tails(self._session.copy())
        keys |= {name: StoredKey(name, tail, is_session_only=True) for name, tail in own.items()}
        return tuple(key for _, key in sorted(keys.items()))


class _Refused(KeychainUnavailable):
    """The keychain stayed locked, because nobody unlocked it."""


class _Change(Struct, frozen=True):
    """The keys in the keychain before and after a change."""

    before: Keys
    after: Keys


def _call(change: Callable[[Keys], Keys]) -> _Change:
    """The change as it was made in the system's keychain. Raises KeychainUnavailable."""
    try:
        entry = KeychainEntry(_backend(), SERVICE, ITEM)
        before = _read(entry)
        after = change(before)
        # Writing may show another dialog; an entry without keys would stay for nothing.
        if after and after != before:
            entry.write(json.dumps(after))
        elif before and not after:
            entry.delete()
        return _Change(before, after)
    except KeychainUnavailable:
        raise
    except Exception as error:  # backends are plugins and may raise anything
        from keyring.errors import KeyringLocked

        if isinstance(error, KeyringLocked):
            hint = msg(
                "Scrubjay will not ask you again by itself to unlock the keychain. "
                "To unlock it, check for changes or start Scrubjay again. "
                "{no_store}",
                no_store=_NO_STORE,
            )
            raise _Refused("The keychain is locked", str(error), hint=hint) from error
        # Some end with one full stop, some with two.
        reason = str(error).rstrip(".") or type(error).__name__
        hint = msg("Try again. {no_store}", no_store=_NO_STORE)
        raise KeychainUnavailable("The keychain did not respond", reason, hint=hint) from error


def _waiting() -> KeychainUnavailable:
    return KeychainUnavailable(
        "The keychain is locked",
        "The keychain is waiting for its password.",
        hint="Unlock the keychain, then try again.",
    )


def _backend() -> KeyringBackend:
    """The first backend that really keeps secrets. Raises KeychainUnavailable."""
    import keyring

    # Where several are installed, keyring gives a chain of them.
    chosen = keyring.get_keyring()
    candidates: list[KeyringBackend] = list(getattr(chosen, "backends", None) or [chosen])
    refusals = [_refusal(backend) for backend in candidates]
    for backend, refusal in zip(candidates, refusals, strict=True):
        if not refusal:
            return backend
    raise KeychainUnavailable("Keys cannot be stored on this computer", refusals[0], hint=_NO_STORE)


def _refusal(backend: KeyringBackend) -> str:
    """Why a backend is not used, empty for one that is."""
    # By module, since the classes of plugins have no common mark.
    home = type(backend).__module__
    if home.startswith(_NOTHING):
        return msg("This computer has no keychain, or the keychain is turned off.")
    if home.startswith(_PLAINTEXT) or "plaintext" in type(backend).__name__.lower():
        return msg(
            "The only keychain on this computer is {name}, which stores keys "
            "in a file that others can read.",
            name=type(backend).__name__,
        )
    return ""


def _read(entry: KeychainEntry) -> Keys:
    """The keys in the entry of a keychain. Raises KeychainUnavailable for a damaged one."""
    try:
        text = entry.read()
        if not text:
            return {}
        keys = json.loads(text)
    except ValueError:
        keys = None
    if not isinstance(keys, dict):
        raise KeychainUnavailable(
            "Scrubjay's entry in the keychain is damaged",
            "Another program may have changed the entry.",
            hint=msg(
                'Delete the entry "{service}" in the keychain, then enter the keys again.',
                service=SERVICE,
            ),
        )
    return {str(name): str(key) for name, key in keys.items()}


def _tails(keys: Keys) -> Keys:
    """The parts of each key that may be shown."""
    shown = dict.fromkeys(keys, "")
    return shown | {name: key[-_SHOWN:] for name, key in keys.items() if len(key) >= _SHORT}
