"""The `memorySearch` block, key by key, with defaults and ranges.

The texts under the fields are the documentation: `scripts/settings_reference.py` prints them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from scrubjay.config.schema.search_query import Query, QueryExpansion
from scrubjay.config.schema.section import (
    Before,
    Field,
    Limits,
    Section,
    Texts,
    Whole,
    key_reference,
    labels,
    lowered,
    provider_named,
    unless_auto,
    whole,
)
from scrubjay.messages import msg
from scrubjay.platform.paths import expanded_path

OVERLAP_SHARE = 5
"""One token in five is repeated when only the chunk size is given, as in 80 of 400."""


Citations: TypeAlias = Annotated[
    Literal["auto", "on", "off"],
    Before(lowered),
    labels(auto=msg("Automatic"), on=msg("Always"), off=msg("Never")),
]
RemoteProvider: TypeAlias = Literal["openai", "gemini", "voyage", "mistral", "ollama"]
_PROVIDER_LABELS = {
    "local": msg("The language helper on this computer"),
    "none": msg("Nobody: search by words only"),
    **{name: name.capitalize() for name in get_args(RemoteProvider)},
    "openai": "OpenAI",
}
Provider: TypeAlias = Annotated[
    Literal["auto", "local", RemoteProvider, "none"],
    Before(provider_named),
    labels(auto=msg("The best that is available"), **_PROVIDER_LABELS),
]
Fallback: TypeAlias = Annotated[
    Literal["none", "local", RemoteProvider], Before(provider_named), labels(**_PROVIDER_LABELS)
]


class Batch(Section):
    """The providers' cheaper batch interfaces."""

    enabled: bool = Field(
        default=False,
        title=msg("Send many notes at half the price"),
        description=msg("OpenAI, Gemini and Voyage take hours for it instead of minutes."),
    )
    """Send large backfills through the batch interface of OpenAI, Gemini or Voyage: half the price,
    but it may take hours. Search by words goes on meanwhile."""
    wait: bool = True
    """Stay until the batches are done; otherwise they are looked at once a minute."""
    concurrency: Whole = Field(default=2, low=1, high=32)
    """Batches under way at once."""
    poll_interval_ms: Whole = Field(default=2000, low=100, high=600_000)
    """Pause between two questions whether a batch is done."""
    timeout_minutes: Whole = Field(default=60, low=1, high=10_080)
    """When to give a batch up."""


class RemoteSettings(Section):
    """Where a remote embedding provider is, and how to talk to it."""

    not_used = frozenset({"nonBatchConcurrency"})

    base_url: str = Field(
        default="",
        title=msg("Address of another service"),
        description=msg("For services that work like OpenAI. Empty for OpenAI itself."),
    )
    """Address of an OpenAI-compatible endpoint; empty for the provider's own."""
    api_key: Annotated[str, Before(key_reference)] = Field(default="", is_secret=True)
    """`{ source: "keyring", id: "NAME" }` for a key in the system keychain, `${NAME}` for an
    environment variable, or the key itself, which `scrubjay keys move` puts into the keychain."""
    headers: Mapping[str, str] = Field(default={}, is_secret=True)
    """Extra HTTP headers."""
    batch: Batch = Batch()


class ProviderBlock(RemoteSettings):
    """A service in OpenClaw's `models.providers`, as far as it serves search by meaning."""

    not_used = frozenset({"api", "auth", "authHeader", "injectNumCtxForOpenAICompat", "models"})


class ModelsBlock(Section):
    """OpenClaw's `models`."""

    not_used = frozenset({"mode", "bedrockDiscovery"})

    providers: Mapping[str, ProviderBlock] = Field(default={})
    """Address, key and headers of services, by their names; `remote` counts before them."""

    def of_service(self, service_id: str) -> RemoteSettings:
        """The block of a service, which may have two names."""
        named = (
            block for name, block in self.providers.items() if provider_named(name) == service_id
        )
        return next(named, RemoteSettings())


class Local(Section):
    """The embedding model on this computer."""

    model_path: str = Field(
        default="",
        title=msg("File of the language helper"),
        description=msg("A .gguf file or an hf: address. Empty for the best that is here."),
    )
    """GGUF file, `hf:owner/repository/file.gguf` or address; empty for the best that is here."""
    model_cache_dir: str = Field(
        default="",
        title=msg("Folder of the language helpers"),
        description=msg("Empty for Scrubjay's own."),
    )
    """Folder of downloaded models; empty for Scrubjay's own."""
    context_size: Annotated[Whole | None, Before(unless_auto)] = Field(
        default=4096,
        low=128,
        high=131_072,
        title=msg("How much text the language helper looks at"),
        description=msg("4,096 is about 3,000 words. Never more than it was made for."),
    )
    """Tokens the model looks at, never more than it was trained for. `"auto"`: as many as that."""
    gpu_layers: Annotated[Whole | None, Before(unless_auto)] = Field(default=None, low=0, high=1000)
    """Layers that a graphics card computes, where llama.cpp was built for one. `"auto"`: all of
    them; 0 keeps the card out of it."""


class Multimodal(Section):
    """Images and audio among the extra paths."""

    enabled: bool = Field(
        default=False,
        title=msg("Search images and recordings in the extra folders"),
        description=msg(
            "Needs Gemini with its helper gemini-embedding-2-preview, and nobody who stands in."
        ),
    )
    """Search the images and recordings in the extra paths too. Needs provider `gemini`, model
    `gemini-embedding-2-preview` and no fallback."""
    modalities: tuple[Literal["image", "audio", "all"], ...] = ()
    """What to search; empty for both."""
    max_file_bytes: Whole = Field(default=10_000_000, low=1, high=1_000_000_000)
    """Larger files are skipped."""


class Store(Section):
    """Where the index is kept, and whether it is shared."""

    not_used = frozenset({"fts", "vector"})

    path: str = Field(
        default="",
        title=msg("Search file"),
        description=msg(
            "Empty for Scrubjay's own folder. {agentId} stands for the folder of notes."
        ),
    )
    """Index file; `{agentId}` stands for the workspace's id. Empty for the state folder."""
    driver: Literal["sqlite", "lancedb"] = "sqlite"
    """`sqlite` keeps the index on this computer. `lancedb` publishes it in the shared memory at
    `uri`, too; set for all workspaces, that memory is also searched."""
    uri: str = ""
    """Where the shared memory is: a folder, `s3://…`, `gs://…`, `az://…`, or `db://…` for LanceDB's
    service. Only with `driver: "lancedb"`."""
    name: str = ""
    """What the workspace is called there; empty for its own name. Computers that have the same
    folder publish it under one name."""
    options: Mapping[str, str] = Field(default={})
    """Of the storage, such as `{ aws_region: "eu-central-1" }`. Keys are kept in the keychain or in
    the environment, never here."""

    @property
    def is_shared(self) -> bool:
        """Whether the index is published in a shared memory."""
        return self.driver == "lancedb" and bool(self.uri.strip())

    def index_file(self, agent_id: str, folder: Path) -> Path:
        """The index of one workspace; folder holds those that are not put elsewhere."""
        if not self.path.strip():
            return folder / f"{agent_id}.sqlite"
        path = Path(self.path.strip().replace("{agentId}", agent_id))
        return Path.home() / expanded_path(path)


class Chunking(Section):
    """How notes are cut."""

    tokens: Annotated[Whole, Limits(1, 8192)] = Field(
        default=400,
        title=msg("Size of a passage"),
        description=msg("Notes are read in passages of about this size; 400 is 300 words."),
    )
    """Size of a chunk. A model's own limit is kept in any case."""
    overlap: Annotated[Whole, Limits(0, 8191)] = Field(
        default=80,
        title=msg("What two passages have in common"),
        description=msg("80 is about 60 words. Less than the size of a passage."),
    )
    """Tokens repeated at the start of the next chunk; always below `tokens`.
    When only `tokens` is given: a fifth of it, at most 80."""

    @classmethod
    def before_check(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values with an overlap below the size."""
        tokens = whole(values.get("tokens", 400))
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 1:
            return values
        overlap = whole(values.get("overlap", min(80, tokens // OVERLAP_SHARE)))
        if isinstance(overlap, int) and not isinstance(overlap, bool):
            overlap = min(overlap, tokens - 1)
        return {**values, "overlap": overlap}


class SessionSync(Section):
    """When a growing transcript is read again."""

    delta_bytes: Whole = Field(default=100_000, low=0, high=2**40)
    """New bytes; 0 for any change."""
    delta_messages: Whole = Field(default=50, low=0, high=2**31)
    """New messages; 0 for any change."""


class Sync(Section):
    """When the index follows the notes."""

    not_used = frozenset({"embeddingBatchTimeoutSeconds"})

    on_session_start: bool = Field(
        default=True,
        title=msg("Look for changes at the start"),
        description=msg("Finds what changed while Scrubjay was not running."),
    )
    """Look for changes at the start."""
    on_search: bool = Field(
        default=True,
        title=msg("Look for changes when I search"),
        description=msg("A note that was just saved is found even before it was noticed."),
    )
    """Look for changes when a search finds the index out of date."""
    watch: bool = Field(
        default=True,
        title=msg("Notice changes at once"),
        description=msg("Watches your folders. Off: changes are found at the next check."),
    )
    """Watch the folders."""
    watch_debounce_ms: Annotated[Whole, Limits(0, 600_000)] = Field(
        default=1500,
        title=msg("Milliseconds to wait after a change"),
        description=msg("So that a note is not read while it is still being written."),
    )
    """Quiet time after a change before it is read."""
    interval_minutes: Annotated[Whole, Limits(0, 525_600)] = Field(
        default=0,
        title=msg("Minutes between two looks for changes"),
        description=msg("For folders that cannot be watched. With 0 Scrubjay does not look."),
    )
    """Look for changes this often as well; 0 for never."""
    sessions: SessionSync = SessionSync()


class Sessions(Section):
    """Transcripts of an agent's conversations."""

    paths: Texts = ("sessions", "~/.openclaw/agents/{agentId}/sessions")
    """Folders of `.jsonl` transcripts, absolute or relative to the workspace; `{agentId}` stands
    for the workspace's id. Unless others are named, those of the agents that work in the workspace
    by the settings of OpenClaw, Moltbot, Clawdbot and CoderClaw are read as well. Read only when
    `"sessions"` is among the sources."""


class Cache(Section):
    """Vectors of texts seen before."""

    enabled: bool = True
    """Never compute the same vector twice."""
    max_entries: Annotated[Whole, Limits(1, 100_000_000)] = Field(
        default=50_000,
        title=msg("Passages whose meaning is remembered"),
        description=msg("So that a text that comes back need not be learned again."),
    )
    """The oldest are dropped beyond this."""


class HistorySettings(Section):
    """What notes held before they changed."""

    days: Annotated[Whole, Limits(0, 3650)] = Field(
        default=14,
        title=msg("Days for which Scrubjay remembers how a note was before"),
        description=msg("So that it can show what you changed. With 0 it remembers nothing."),
    )
    """How long former texts are kept beside the index, to show what changed; 0 keeps none."""
    max_bytes: Whole = Field(default=20_000_000, low=0, high=2**40)
    """Room for former texts; beyond it the oldest are dropped."""


class Experimental(Section):
    """Switches for what is not on by default."""

    session_memory: bool = Field(
        default=False,
        title=msg("Conversations of agents may be searched"),
        description=msg(
            "Passwords and keys in them are left out. Name them under “What is searched” too."
        ),
    )
    """Allow `"sessions"` among the sources."""


class MemorySearch(Section):
    """Memory search for one agent or workspace."""

    not_used = frozenset({"qmd", "inputType", "queryInputType", "documentInputType"})

    enabled: bool = Field(
        default=True,
        title=msg("Search in my notes"),
        description=msg("Off: nothing is read and nothing is searched."),
    )
    """Off: the workspace is neither indexed nor searched."""
    sources: tuple[Literal["memory", "sessions"], ...] = Field(
        default=("memory",),
        title=msg("What is searched"),
        description=msg(
            "One in each line: “memory” for notes, “sessions” for conversations with agents."
        ),
    )
    """`"sessions"` also needs `experimental.sessionMemory`."""
    extra_paths: Texts = Field(
        default=(),
        title=msg("More folders and files"),
        description=msg("One in each line. They are searched together with each of your folders."),
    )
    """More folders or Markdown files, absolute or relative to the workspace. Shared and per-agent
    lists add up."""
    provider: Provider = Field(
        default="auto",
        title=msg("Who compares meanings"),
        description=msg(
            "A service on the internet gets the text of your notes, but only after you said yes."
        ),
    )
    """Who computes vectors. `auto` takes the model on this computer, else the first remote
    provider with a key; `none` searches by words only."""
    model: str = Field(
        default="",
        title=msg("Which helper of the service"),
        description=msg("Empty for the one that the service recommends."),
    )
    """Name of the embedding model; empty for the provider's default."""
    fallback: Fallback = Field(
        default="none",
        title=msg("Who stands in"),
        description=msg("When the one above does not answer."),
    )
    """Provider that takes over when the first one fails."""
    output_dimensionality: Whole | None = Field(
        default=None,
        low=1,
        high=65_536,
        title=msg("Exactness of the meaning, in numbers for each passage"),
        description=msg("0 for what the helper gives. Fewer numbers take less room."),
    )
    """Length of the vectors, where the model lets one choose; unset for its own."""
    citations: Citations = Field(
        default="auto",
        title=msg("Name the source below each result"),
        description=msg("For agents. Automatic does it in direct chats only."),
    )
    """Append `Source: path#L5-L7` to snippets; `auto` does it where a session key tells that a chat
    is direct."""
    query: Query = Query()
    query_expansion: QueryExpansion = QueryExpansion()
    chunking: Chunking = Chunking()
    sync: Sync = Sync()
    local: Local = Local()
    remote: RemoteSettings = RemoteSettings()
    sessions: Sessions = Sessions()
    store: Store = Store()
    cache: Cache = Cache()
    history: HistorySettings = HistorySettings()
    experimental: Experimental = Experimental()
    multimodal: Multimodal = Multimodal()

    @cached_property
    def active_sources(self) -> tuple[Literal["memory", "sessions"], ...]:
        """The sources that are really searched; memory when nothing else is left."""
        active = [
            source
            for source in dict.fromkeys(self.sources)
            if source == "memory" or self.experimental.session_memory
        ]
        return tuple(active) or ("memory",)
