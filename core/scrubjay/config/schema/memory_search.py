"""The `memorySearch` block, key by key, with defaults and ranges.

The texts under the fields are the documentation: `scripts/settings_reference.py` prints them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from scrubjay.config.schema.coercion import (
    key_reference,
    listed,
    lowered,
    provider_named,
    trimmed,
    unless_auto,
    whole,
)

OVERLAP_SHARE = 5
"""One token in five is repeated when only the chunk size is given, as in 80 of 400."""


def expanded(written: str) -> Path:
    """The path that was meant: `~` is the home folder, which relative paths start from too."""
    try:
        return Path.home() / Path(written).expanduser()
    except RuntimeError:  # there is no such user
        return Path(written).absolute()


Whole: TypeAlias = Annotated[int, BeforeValidator(whole)]
Texts: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(trimmed), Field(strict=False)]
Words: TypeAlias = Annotated[tuple[str, ...], Field(strict=False)]
RemoteProvider: TypeAlias = Literal["openai", "gemini", "voyage", "mistral", "ollama"]
Provider: TypeAlias = Literal["auto", "local", RemoteProvider, "none"]
Fallback: TypeAlias = Literal["none", "local", RemoteProvider]
PermissionName: TypeAlias = Annotated[Literal["allow", "ask", "deny"], BeforeValidator(lowered)]
Citations: TypeAlias = Annotated[Literal["auto", "on", "off"], BeforeValidator(lowered)]


class Section(BaseModel):
    """Base of all sections: camelCase outside, snake_case inside, read-only.

    Sections that a file lacks are `model_construct`ed: making a validator outlasts a search.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="ignore",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        defer_build=True,
    )
    not_used: ClassVar[frozenset[str]] = frozenset()
    """Keys that other programs read from the same block."""


class Batch(Section):
    """The providers' cheaper batch interfaces."""

    enabled: bool = False
    """Send large backfills through the batch interface of OpenAI, Gemini or Voyage: half the price,
    but it may take hours. Search by words goes on meanwhile."""
    wait: bool = True
    """Stay until the batches are done; otherwise they are looked at once a minute."""
    concurrency: Whole = Field(default=2, ge=1, le=32)
    """Batches under way at once."""
    poll_interval_ms: Whole = Field(default=2000, ge=100, le=600_000)
    """Pause between two questions whether a batch is done."""
    timeout_minutes: Whole = Field(default=60, ge=1, le=10_080)
    """When to give a batch up."""


class RemoteSettings(Section):
    """Where a remote embedding provider is, and how to talk to it."""

    not_used = frozenset({"nonBatchConcurrency"})

    base_url: str = ""
    """Address of an OpenAI-compatible endpoint; empty for the provider's own."""
    api_key: Annotated[str, BeforeValidator(key_reference)] = Field(default="", repr=False)
    """`{ source: "keyring", id: "NAME" }` for a key in the system keychain, `${NAME}` for an
    environment variable, or the key itself, which `scrubjay keys move` puts into the keychain."""
    headers: Mapping[str, str] = Field(default_factory=dict, repr=False)
    """Extra HTTP headers."""
    batch: Batch = Field(default_factory=Batch.model_construct)
    """The providers' cheaper batch interfaces."""


class Local(Section):
    """The embedding model on this computer."""

    model_path: str = ""
    """GGUF file, `hf:owner/repository/file.gguf` or address; empty for the best that is here."""
    model_cache_dir: str = ""
    """Folder of downloaded models; empty for Scrubjay's own."""
    context_size: Annotated[Whole | None, BeforeValidator(unless_auto)] = Field(
        default=4096, ge=128, le=131_072
    )
    """Tokens the model looks at, never more than it was trained for. `"auto"`: as many as that."""
    gpu_layers: Annotated[Whole | None, BeforeValidator(unless_auto)] = Field(
        default=None, ge=0, le=1000
    )
    """Layers that a graphics card computes, where llama.cpp was built for one. `"auto"`: all of
    them; 0 keeps the card out of it."""


class Multimodal(Section):
    """Images and audio among the extra paths."""

    enabled: bool = False
    """Search the images and recordings in the extra paths too. Needs provider `gemini`, model
    `gemini-embedding-2-preview` and no fallback."""
    modalities: Annotated[tuple[Literal["image", "audio", "all"], ...], Field(strict=False)] = ()
    """What to search; empty for both."""
    max_file_bytes: Whole = Field(default=10_000_000, ge=1, le=1_000_000_000)
    """Larger files are skipped."""


class VectorStore(Section):
    """The sqlite-vec extension."""

    enabled: bool = True
    """Search vectors with sqlite-vec; without it the same results come from numpy."""
    extension_path: str = ""
    """Another build of the extension; empty for the one that comes with Scrubjay."""


class Store(Section):
    """Where the index is kept."""

    not_used = frozenset({"fts"})

    path: str = ""
    """Index file; `{agentId}` stands for the workspace's id. Empty for the state folder."""
    driver: Literal["sqlite"] = "sqlite"
    """There is one."""
    vector: VectorStore = Field(default_factory=VectorStore.model_construct)
    """The sqlite-vec extension."""

    def index_file(self, agent_id: str, folder: Path) -> Path:
        """The index of one workspace; folder holds those that are not put elsewhere."""
        if not self.path.strip():
            return folder / f"{agent_id}.sqlite"
        return expanded(self.path.strip().replace("{agentId}", agent_id))


class Chunking(Section):
    """How notes are cut."""

    tokens: Whole = Field(default=400, ge=1, le=8192)
    """Size of a chunk. A model's own limit is kept in any case."""
    overlap: Whole = Field(default=80, ge=0, le=8191)
    """Tokens repeated at the start of the next chunk; always below `tokens`.
    When only `tokens` is given: a fifth of it, at most 80."""

    @model_validator(mode="before")
    @classmethod
    def _below_tokens(cls, data: Any) -> Any:
        tokens = whole(data.get("tokens", 400)) if isinstance(data, Mapping) else None
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
            return data
        overlap = whole(data.get("overlap", min(80, tokens // OVERLAP_SHARE)))
        if isinstance(overlap, int) and not isinstance(overlap, bool):
            overlap = min(overlap, tokens - 1)
        return {**data, "overlap": overlap}


class SessionSync(Section):
    """When a growing transcript is read again."""

    delta_bytes: Whole = Field(default=100_000, ge=0, le=2**40)
    """New bytes; 0 for any change."""
    delta_messages: Whole = Field(default=50, ge=0, le=2**31)
    """New messages; 0 for any change."""


class Sync(Section):
    """When the index follows the notes."""

    not_used = frozenset({"embeddingBatchTimeoutSeconds"})

    on_session_start: bool = True
    """Look for changes at the start."""
    on_search: bool = True
    """Look for changes when a search finds the index out of date."""
    watch: bool = True
    """Watch the folders."""
    watch_debounce_ms: Whole = Field(default=1500, ge=0, le=600_000)
    """Quiet time after a change before it is read."""
    interval_minutes: Whole = Field(default=0, ge=0, le=525_600)
    """Look for changes this often as well; 0 for never."""
    sessions: SessionSync = Field(default_factory=SessionSync.model_construct)
    """When a growing transcript is read again."""


class Mmr(Section):
    """Diversity: hits that repeat a better one move down."""

    enabled: bool = False
    """Reorder hits for diversity."""
    lambda_: float = Field(default=0.7, ge=0, le=1, alias="lambda")
    """1 keeps the order by relevance, 0 looks at diversity alone."""


class TemporalDecay(Section):
    """Recency: dated notes lose weight with age, the others never do."""

    enabled: bool = False
    """Let dated notes fade."""
    half_life_days: float = Field(default=30.0, ge=1, le=36_500)
    """Age at which a note counts half."""


class Hybrid(Section):
    """How the ranking by words and the ranking by meaning become one."""

    enabled: bool = True
    """Search by words and by meaning together."""
    fusion: Annotated[Literal["adaptive", "weighted", "rrf"], BeforeValidator(lowered)] = "adaptive"
    """`adaptive` judges for each query how far words can be trusted, `weighted` takes the two
    weights as they are, `rrf` looks at ranks alone."""
    vector_weight: float = Field(default=0.7, ge=0, le=1)
    """Share of meaning. The two weights are scaled to add up to 1; both 0 stand for 0.7 and 0.3."""
    text_weight: float = Field(default=0.3, ge=0, le=1)
    """Share of words."""
    candidate_multiplier: Whole = Field(default=4, ge=1, le=20)
    """How many candidates are looked at for each place in the answer."""
    mmr: Mmr = Field(default_factory=Mmr.model_construct)
    """Diversity."""
    temporal_decay: TemporalDecay = Field(default_factory=TemporalDecay.model_construct)
    """Recency."""

    @property
    def weights(self) -> tuple[float, float]:
        """Shares of meaning and words; they add up to 1."""
        total = self.vector_weight + self.text_weight
        if total <= 0:
            return 0.7, 0.3
        return self.vector_weight / total, self.text_weight / total


class Query(Section):
    """What a search returns."""

    max_results: Whole = Field(default=6, ge=1, le=1000)
    """Hits in an answer."""
    min_score: float = Field(default=0.35, ge=0, le=1)
    """Weaker hits are left out, unless their words match and there is room."""
    deadline_ms: Whole = Field(default=30_000, ge=100, le=3_600_000)
    """A search answers by then with what it has, words first."""
    hybrid: Hybrid = Field(default_factory=Hybrid.model_construct)
    """How the ranking by words and the ranking by meaning become one."""


class QueryExpansion(Section):
    """Words that stand for each other."""

    synonyms: Annotated[Mapping[str, Words], BeforeValidator(listed)] = Field(default_factory=dict)
    """Pairs beyond the built-in English and Spanish ones: `{ bird: ["ave", "pájaro"] }`."""


class Sessions(Section):
    """Transcripts of an agent's conversations."""

    paths: Texts = ("sessions", "~/.openclaw/agents/{agentId}/sessions")
    """Folders of `.jsonl` transcripts, absolute or relative to the workspace; `{agentId}` stands
    for the workspace's id. Read only when `"sessions"` is among the sources."""


class Cache(Section):
    """Vectors of texts seen before."""

    enabled: bool = True
    """Never compute the same vector twice."""
    max_entries: Whole = Field(default=50_000, ge=1, le=100_000_000)
    """The oldest are dropped beyond this."""


class HistorySettings(Section):
    """What notes held before they changed."""

    days: Whole = Field(default=14, ge=0, le=3650)
    """How long former texts are kept beside the index, to show what changed; 0 keeps none."""
    max_bytes: Whole = Field(default=20_000_000, ge=0, le=2**40)
    """Room for former texts; beyond it the oldest are dropped."""


class Experimental(Section):
    """Switches for what is not on by default."""

    session_memory: bool = False
    """Allow `"sessions"` among the sources."""


class MemorySearch(Section):
    """Memory search for one agent or workspace."""

    not_used = frozenset({"qmd", "inputType", "queryInputType", "documentInputType"})

    enabled: bool = True
    """Off: the workspace is neither indexed nor searched."""
    sources: Annotated[tuple[Literal["memory", "sessions"], ...], Field(strict=False)] = ("memory",)
    """`"sessions"` also needs `experimental.sessionMemory`."""
    extra_paths: Texts = ()
    """More folders or Markdown files, absolute or relative to the workspace. Shared and per-agent
    lists add up."""
    provider: Annotated[Provider, BeforeValidator(provider_named)] = "auto"
    """Who computes vectors. `auto` takes the model on this computer, else the first remote
    provider with a key; `none` searches by words only."""
    model: str = ""
    """Name of the embedding model; empty for the provider's default."""
    fallback: Annotated[Fallback, BeforeValidator(provider_named)] = "none"
    """Provider that takes over when the first one fails."""
    output_dimensionality: Whole | None = Field(default=None, ge=1, le=65_536)
    """Length of the vectors, where the model lets one choose; unset for its own."""
    citations: Citations = "auto"
    """Append `Source: path#L5-L7` to snippets; `auto` does it in direct chats."""
    query: Query = Field(default_factory=Query.model_construct)
    """What a search returns."""
    query_expansion: QueryExpansion = Field(default_factory=QueryExpansion.model_construct)
    """Words that stand for each other."""
    chunking: Chunking = Field(default_factory=Chunking.model_construct)
    """How notes are cut."""
    sync: Sync = Field(default_factory=Sync.model_construct)
    """When the index follows the notes."""
    local: Local = Field(default_factory=Local.model_construct)
    """The embedding model on this computer."""
    remote: RemoteSettings = Field(default_factory=RemoteSettings.model_construct)
    """Where a remote embedding provider is."""
    sessions: Sessions = Field(default_factory=Sessions.model_construct)
    """Transcripts of an agent's conversations."""
    store: Store = Field(default_factory=Store.model_construct)
    """Where the index is kept."""
    cache: Cache = Field(default_factory=Cache.model_construct)
    """Vectors of texts seen before."""
    history: HistorySettings = Field(default_factory=HistorySettings.model_construct)
    """What notes held before they changed."""
    experimental: Experimental = Field(default_factory=Experimental.model_construct)
    """Switches for what is not on by default."""
    multimodal: Multimodal = Field(default_factory=Multimodal.model_construct)
    """Images and audio among the extra paths."""

    @property
    def active_sources(self) -> tuple[Literal["memory", "sessions"], ...]:
        """The sources that are really searched; memory when nothing else is left."""
        active = [
            source
            for source in dict.fromkeys(self.sources)
            if source == "memory" or self.experimental.session_memory
        ]
        return tuple(active) or ("memory",)
