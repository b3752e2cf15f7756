"""Turns the failures of remote providers into words for people."""

from __future__ import annotations

from scrubjay.embedding.remote.api import UNREADABLE, RequestFailed
from scrubjay.embedding.remote.services import RemoteService
from scrubjay.errors import ProviderUnavailable, RemoteRefused
from scrubjay.messages import Sentence, msg, sentence

_SHOWN = 200
_BROKE = ("quota", "billing", "credit", "payment")


def in_words(
    failure: RequestFailed, service: RemoteService, *, model: str, host: str, key: str, key_id: str
) -> ProviderUnavailable:
    """What happened and what to do about it. The key never stands in it."""
    name = service.name
    said = _shown(failure.message, key)
    if failure.status == 0:
        return ProviderUnavailable(
            msg("{name} did not answer", name=name),
            msg("{host}: {said}", host=host, said=said),
            hint=service.unreachable_hint,
        )
    if failure.status == UNREADABLE:
        return ProviderUnavailable(
            msg("{name} sent something that is no answer", name=name),
            said,
            hint="Try again in a while.",
        )
    if failure.status in (401, 403):
        return _key_refused(name, key_id) if key else _key_wanted(name, key_id)
    if failure.status == 404:
        return RemoteRefused(
            msg("{name} does not know the model {model}", name=name, model=model),
            said,
            hint=service.unknown_model_hint,
        )
    if failure.status == 402 or (
        failure.status == 429 and any(word in said.lower() for word in _BROKE)
    ):
        return RemoteRefused(
            msg("The account at {name} has nothing left", name=name),
            said,
            hint="Look at its billing page.",
        )
    if failure.status == 429:
        return RemoteRefused(
            msg("{name} is asked too often", name=name), said, hint="Try again in a while."
        )
    if failure.status >= 500:
        return ProviderUnavailable(
            msg("{name} has trouble (error {status})", name=name, status=str(failure.status)),
            said,
            hint="Try again in a while.",
        )
    return RemoteRefused(
        msg("{name} refused the request (error {status})", name=name, status=str(failure.status)),
        said,
    )


def _shown(message: str, key: str) -> Sentence:
    if key and key in message:
        message = message.replace(key, "...")
    return sentence(message if len(message) <= _SHOWN else f"{message[:_SHOWN]}...")


def _key_refused(name: str, key_id: str) -> RemoteRefused:
    hint = msg("Replace it with `scrubjay keys set {id}`.", id=key_id)
    return RemoteRefused(msg("{name} refused the key", name=name), hint=hint)


def _key_wanted(name: str, key_id: str) -> RemoteRefused:
    hint = msg("Enter one with `scrubjay keys set {id}`.", id=key_id)
    return RemoteRefused(msg("{name} wants a key", name=name), hint=hint)
