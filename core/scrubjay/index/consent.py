"""The user's consent to sending notes to a remote provider, and the cost of sending them."""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.documents.media_types import media_tokens
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.index.media_backfill import refused_media
from scrubjay.index.passes import PassContext
from scrubjay.messages import msg
from scrubjay.notes.chunker import estimate_tokens
from scrubjay.records.chunks import CHARACTERS_PER_TOKEN
from scrubjay.records.status_records import BackfillCost
from scrubjay.store.writer import Writer

_TEXTS = 256
"""Texts that are read at once."""


def check_consent(
    context: PassContext, provider: EmbeddingProvider, rechunked: Sequence[int], *, may_send: bool
) -> None:
    """Note the user's consent; where it is missing, report the cost and raise ProviderUnavailable.

    Rechunked are the sizes in bytes of files whose chunks are about to be replaced. Consent holds
    for this index and identity until all is sent; an interrupted pass does not ask again.
    """
    # A model on this computer sends nothing.
    if not provider.host:
        return
    writer = context.writer
    identity = provider.identity()
    cost = _cost(writer, provider, identity=identity, rechunked=rechunked)
    allowed = writer.metadata.allowance(identity)
    # Consent covers what was asked for, and each day's notes after it.
    unasked = context.limits.unasked_tokens
    is_covered = allowed is not None and cost.tokens <= max(allowed, unasked)
    if not cost.tokens or (is_covered and not may_send):
        return
    if not may_send:
        context.report.backfill = cost
        raise ProviderUnavailable(
            msg("Search by meaning needs your permission"),
            msg(
                "If you agree, {what} will be sent to {host}.",
                what=describe_cost(cost),
                host=cost.host,
            ),
            hint=msg(
                "Agree in Scrubjay, or run `scrubjay index --yes`. You can also choose a "
                "language helper on this computer."
            ),
        )
    with writer.transaction():
        writer.allow(identity, cost.tokens)


def backfill_question(cost: BackfillCost) -> str:
    """The question to the user before notes are sent."""
    return f"{describe_cost(cost)} go to {cost.host} ({cost.model}). Send them?"


def describe_cost(cost: BackfillCost) -> str:
    """The size of a pass in words, as in "3,214 notes, about 1.1 M words,"."""
    notes = msg("{n} {n:note|notes}", n=cost.notes)
    if cost.files:
        notes = msg(
            "{notes} and {n} {n:image or recording|images or recordings}", notes=notes, n=cost.files
        )
    # Rounded, since tokens are only estimated.
    words = str(cost.words)
    if cost.words >= 1_000_000:
        words = f"{cost.words / 1_000_000:.1f} M"
    elif cost.words >= 1_000:
        words = f"{cost.words / 1_000:.0f} k"
    return msg("{notes}, about {words} words,", notes=notes, words=words)


def _cost(
    writer: Writer, provider: EmbeddingProvider, identity: str, rechunked: Sequence[int]
) -> BackfillCost:
    missing = writer.vectors.missing_for(identity)
    # Media that the provider refused before are not sent again.
    refused = refused_media(writer, identity)
    media = {key: media_tokens(path, size) for key, path, size in writer.media_chunks(missing)}
    sent = [tokens for key, tokens in media.items() if key not in refused]
    tokens = sum(rechunked) // CHARACTERS_PER_TOKEN + sum(sent)
    # Texts are read in groups, so that a large index is never in memory as a whole.
    for at in range(0, len(missing), _TEXTS):
        for key, _, text in writer.texts(missing[at : at + _TEXTS]):
            if key not in media:
                tokens += estimate_tokens(text)
    # Notes that are about to be cut again lack vectors later, and count already.
    notes = writer.count_documents(missing) - len(media) + len(rechunked)
    return BackfillCost(
        notes,
        tokens,
        provider=provider.name,
        model=provider.model,
        host=provider.host,
        files=len(sent),
    )
