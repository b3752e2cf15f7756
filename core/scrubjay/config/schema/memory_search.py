"""The `memorySearch` block, key by key, with defaults and ranges.

The texts under the fields are the documentation: `scripts/settings_reference.py` prints them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta
from msgspec.structs import force_setattr

from scrubjay.config.schema.search_query import QueryExpansionSettings, QuerySettings
from scrubjay.config.schema.section import (
    BeforeValidator,
    OnPage,
    Section,
    Texts,
    canonical_provider,
    choice_labels,
    key_reference,
    lower_word,
    none_if_auto,
)
from scrubjay.messages import msg
from scrubjay.platform.paths import expanded_path

OVERLAP_SHARE = 5
"""One token in five is repeated when only the chunk size is given, as in 80 of 400."""
_MAX_OVERLAP_BY_SIZE = 80
_BY_SIZE = -1
"""Default of the overlap, which the size of a passage decides."""


Citations: TypeAlias = Annotated[
    Literal["auto", "on", "off"],
    BeforeValidator(lower_word),
    choice_labels(auto=msg("Automatic"), on=msg("Always"), off=msg("Never")),
]
RemoteProvider: TypeAlias = Literal["openai", "gemini", "voyage", "mistral", "ollama"]
_PROVIDER_LABELS = {
    "local": msg("The language helper on this computer"),
    "none": msg("None (search by words only)"),
    **{name: name.capitalize() for name in get_args(RemoteProvider)},
    "openai": "OpenAI",
}
Provider: TypeAlias = Annotated[
    Literal["auto", "local", RemoteProvider, "none"],
    BeforeValidator(canonical_provider),
    choice_labels(auto=msg("Best available"), **_PROVIDER_LABELS),
]
Fallback: TypeAlias = Annotated[
    Literal["none", "local", RemoteProvider],
    BeforeValidator(canonical_provider),
    choice_labels(**_PROVIDER_LABELS),
]


class BatchSettings(Section, frozen=True):
    """The providers' cheaper batch interfaces."""

    enabled: Annotated[
        bool,
        OnPage(
            msg("Send many notes at half the price"),
            msg(
                "Applies to OpenAI, Gemini and Voyage. When this is on, reading "
                "many notes takes hours instead of minutes."
            ),
        ),
    ] = False
    """Send large backfills through the batch interface of OpenAI, Gemini or Voyage: half the price,
    but it may take hours. Search by words continues meanwhile."""
    # How to follow batches, which the provider works off when it likes.
    wait: bool = True
    """Stay until the batches are done; otherwise they are looked at once a minute."""
    concurrency: Annotated[int, Meta(ge=1, le=32)] = 2
    """Batches under way at once."""
    poll_interval_ms: Annotated[int, Meta(ge=100, le=600_000)] = 2000
    """Pause between two questions whether a batch is done."""
    timeout_minutes: Annotated[int, Meta(ge=1, le=10_080)] = 60
    """When to give a batch up."""


class RemoteSettings(Section, frozen=True):
    """Where a remote embedding provider is, and how to talk to it."""

    not_used = frozenset({"nonBatchConcurrency"})

    base_url: Annotated[
        str,
        OnPage(
            msg("Address of another service"),
            msg(
                "Enter the address of a service that works like OpenAI. Leave this empty to "
                "use OpenAI."
            ),
        ),
    ] = ""
    """Address of an OpenAI-compatible endpoint; empty for the provider's own."""
    # The key is only named here, so that the file can be shown to anybody.
    api_key: Annotated[str, BeforeValidator(key_reference)] = ""
    """`{ source: "keyring", id: "NAME" }` for a key in the system keychain, `${NAME}` for an
    environment variable, or the key itself, which `scrubjay keys move` puts into the keychain."""
    headers: Mapping[str, str] = {}
    """Extra HTTP headers."""
    batch: BatchSettings = BatchSettings()


class ProviderBlock(RemoteSettings, frozen=True):
    """A service in OpenClaw's `models.providers`, as far as it serves search by meaning."""

    not_used = frozenset({"api", "auth", "authHeader", "injectNumCtxForOpenAICompat", "models"})


class ModelsBlock(Section, frozen=True):
    """OpenClaw's `models`."""

    not_used = frozenset({"mode", "bedrockDiscovery"})

    providers: Mapping[str, ProviderBlock] = {}
    """Address, key and headers of services, by their names; `remote` counts before them."""

    def of_service(self, service_id: str) -> RemoteSettings:
        """The block of a service, which may have two names."""
        # Files of OpenClaw may call a service by either of its names.
        named = (
            block
            for name, block in self.providers.items()
            if canonical_provider(name) == service_id
        )
        return next(named, RemoteSettings())


class LocalModelSettings(Section, frozen=True):
    """The embedding model on this computer."""

    model_path: Annotated[
        str,
        OnPage(
            msg("Language helper file"),
            msg(
                "Enter the path of a .gguf file or an hf: address. Leave this "
                "empty to use the best language helper on this computer."
            ),
        ),
    ] = ""
    """GGUF file, `hf:owner/repository/file.gguf` or address; empty for the best that is here."""
    model_cache_dir: Annotated[
        str,
        OnPage(
            msg("Folder for the language helpers"),
            msg("Leave this empty to use Scrubjay's own folder."),
        ),
    ] = ""
    """Folder of downloaded models; empty for Scrubjay's own."""
    # How much the model may ask of the computer.
    context_size: Annotated[
        Annotated[int, Meta(ge=128, le=131_072)] | None,
        BeforeValidator(none_if_auto),
        OnPage(
            msg("Amount of text the language helper reads at once"),
            msg(
                "A value of 4,096 is about 3,000 words. The language helper's own "
                "limit still applies."
            ),
        ),
    ] = 4096
    """Tokens the model looks at, never more than it was trained for. `"auto"`: as many as that."""
    gpu_layers: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None, BeforeValidator(none_if_auto)
    ] = None
    """Layers that a graphics card computes, where llama.cpp was built for one. `"auto"`: all of
    them; 0 keeps the card out of it."""


class MultimodalSettings(Section, frozen=True):
    """Images and audio among the extra paths."""

    enabled: Annotated[
        bool,
        OnPage(
            msg("Search images and recordings in additional folders"),
            msg(
                "Requires Gemini with its language helper gemini-embedding-2-preview, and "
                "“Fallback” set to “None”."
            ),
        ),
    ] = False
    """Search the images and recordings in the extra paths too. Needs provider `gemini`, model
    `gemini-embedding-2-preview` and no fallback."""
    # Limits of what is sent to the provider.
    modalities: tuple[Literal["image", "audio", "all"], ...] = ()
    """What to search; empty for both."""
    max_file_bytes: Annotated[int, Meta(ge=1, le=1_000_000_000)] = 10_000_000
    """Larger files are skipped."""


class StoreSettings(Section, frozen=True):
    """Where the index is kept, and whether it is shared."""

    not_used = frozenset({"fts", "vector"})

    path: Annotated[
        str,
        OnPage(
            msg("Search index"),
            msg(
                "Leave this empty to use Scrubjay's own folder. {agentId} stands for the ID of "
                "the notes folder."
            ),
        ),
    ] = ""
    """Index file; `{agentId}` stands for the workspace's id. Empty for the state folder."""
    # The same block says whether the folder is shared with a team, as OpenClaw has it.
    driver: Literal["sqlite", "lancedb"] = "sqlite"
    """`sqlite` keeps the index on this computer. `lancedb` publishes it in the shared memory at
    `uri`, too; set for all workspaces, that memory is also searched."""
    uri: str = ""
    """Where the shared memory is: a folder, `s3://…`, `gs://…`, `az://…`, or `db://…` for LanceDB's
    service. Only with `driver: "lancedb"`."""
    name: str = ""
    """What the workspace is called there; empty for its own name. Computers that have the same
    folder publish it under one name."""
    options: Mapping[str, str] = {}
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
        # A relative path starts at the home folder, wherever the program was started.
        path = Path(self.path.strip().replace("{agentId}", agent_id))
        return Path.home() / expanded_path(path)


class ChunkingSettings(Section, frozen=True):
    """How notes are cut."""

    tokens: Annotated[
        int,
        Meta(ge=1, le=8192),
        OnPage(
            msg("Size of a passage"),
            msg(
                "Scrubjay reads notes in passages of about this size. A value of "
                "400 is about 300 words."
            ),
        ),
    ] = 400
    """Size of a chunk. A model's own limit is kept in any case."""
    overlap: Annotated[
        int,
        Meta(ge=0, le=8191),
        OnPage(
            msg("Overlap between passages"),
            msg(
                "A value of 80 is about 60 words. The overlap must be smaller than "
                "the size of a passage."
            ),
        ),
    ] = _BY_SIZE
    """Tokens repeated at the start of the next chunk; always below `tokens`.
    When only `tokens` is given: a fifth of it, at most 80."""

    def __post_init__(self) -> None:
        """Keep the overlap below the size, and a fifth of it where only the size is given."""
        # A chunk that repeated all of the one before would never come to an end.
        overlap = self.overlap
        if overlap == _BY_SIZE:
            overlap = min(_MAX_OVERLAP_BY_SIZE, self.tokens // OVERLAP_SHARE)
        force_setattr(self, "overlap", min(overlap, self.tokens - 1))


class SessionSyncSettings(Section, frozen=True):
    """When a growing transcript is read again."""

    delta_bytes: Annotated[int, Meta(ge=0, le=2**40)] = 100_000
    """New bytes; 0 for any change."""
    delta_messages: Annotated[int, Meta(ge=0, le=2**31)] = 50
    """New messages; 0 for any change."""


class SyncSettings(Section, frozen=True):
    """When the index follows the notes."""

    not_used = frozenset({"embeddingBatchTimeoutSeconds"})

    # Moments at which changes are looked for, besides those that a watch reports.
    on_session_start: Annotated[
        bool,
        OnPage(
            msg("Check for changes when Scrubjay starts"),
            msg("Finds changes made while Scrubjay was not running."),
        ),
    ] = True
    """Look for changes when Scrubjay starts."""
    on_search: Annotated[
        bool,
        OnPage(
            msg("Check for changes when I search"),
            msg(
                "Finds notes that were just saved, even if Scrubjay has not noticed the "
                "changes yet."
            ),
        ),
    ] = True
    """Look for changes when a search finds the index out of date."""
    # Changes as they happen, and how long they are gathered.
    watch: Annotated[
        bool,
        OnPage(
            msg("Notice changes immediately"),
            msg(
                "Scrubjay watches your folders. When this is off, Scrubjay finds changes at "
                "the next check."
            ),
        ),
    ] = True
    """Watch the folders."""
    watch_debounce_ms: Annotated[
        int,
        Meta(ge=0, le=600_000),
        OnPage(
            msg("Milliseconds to wait after a change"),
            msg("Prevents Scrubjay from reading a note while it is still being written."),
        ),
    ] = 1500
    """Quiet time after a change before it is read."""
    interval_minutes: Annotated[
        int,
        Meta(ge=0, le=525_600),
        OnPage(
            msg("Minutes between checks for changes"),
            msg("Use this for folders that cannot be watched. Enter 0 to turn off these checks."),
        ),
    ] = 0
    """Look for changes this often as well; 0 for never."""
    pictures_on_battery: Annotated[
        bool,
        OnPage(
            msg("Read pictures on battery power"),
            msg(
                "Reading pictures uses a lot of power. When this is off, Scrubjay waits until the "
                "computer is plugged in."
            ),
        ),
    ] = False
    """Read pictures while the computer is on battery power, too."""
    sessions: SessionSyncSettings = SessionSyncSettings()


class SessionSettings(Section, frozen=True):
    """Transcripts of an agent's conversations."""

    paths: Texts = ("sessions", "~/.openclaw/agents/{agentId}/sessions")
    """Folders of `.jsonl` transcripts, absolute or relative to the workspace; `{agentId}` stands
    for the workspace's id. Unless others are named, those of the agents that work in the workspace
    by the settings of OpenClaw, Moltbot, Clawdbot and CoderClaw are read as well. Read only when
    `"sessions"` is among the sources."""


class CacheSettings(Section, frozen=True):
    """Vectors of texts seen before."""

    enabled: bool = True
    """Never compute the same vector twice."""
    max_entries: Annotated[
        int,
        Meta(ge=1, le=100_000_000),
        OnPage(
            msg("Maximum number of remembered passages"),
            msg(
                "If Scrubjay finds the same text later, it does not have to "
                "prepare the text for search by meaning again."
            ),
        ),
    ] = 50_000
    """The oldest are dropped beyond this."""


class HistorySettings(Section, frozen=True):
    """What notes held before they changed."""

    days: Annotated[
        int,
        Meta(ge=0, le=3650),
        OnPage(
            msg("Days to keep earlier versions of notes"),
            msg("Lets Scrubjay show what changed in a note. Enter 0 to keep no earlier versions."),
        ),
    ] = 14
    """How long former texts are kept beside the index, to show what changed; 0 keeps none."""
    max_bytes: Annotated[int, Meta(ge=0, le=2**40)] = 20_000_000
    """Room for former texts; beyond it the oldest are dropped."""


class ExperimentalSettings(Section, frozen=True):
    """Switches for what is not on by default."""

    session_memory: Annotated[
        bool,
        OnPage(
            msg("Search conversations with agents"),
            msg(
                "Scrubjay leaves out passwords and keys from conversations. Also "
                "add “sessions” to “Sources to search”."
            ),
        ),
    ] = False
    """Allow `"sessions"` among the sources."""


class MemorySearch(Section, frozen=True, dict=True):
    """Memory search for one agent or workspace."""

    not_used = frozenset({"qmd", "inputType", "queryInputType", "documentInputType"})

    enabled: Annotated[
        bool,
        OnPage(
            msg("Search my notes"),
            msg("When this is off, Scrubjay does not read or search any notes."),
        ),
    ] = True
    """Off: the workspace is neither indexed nor searched."""
    # What is searched.
    sources: Annotated[
        tuple[Literal["memory", "sessions"], ...],
        OnPage(
            msg("Sources to search"),
            msg(
                "Enter one source per line: “memory” for notes or “sessions” for conversations "
                "with agents."
            ),
        ),
    ] = ("memory",)
    """`"sessions"` also needs `experimental.sessionMemory`."""
    extra_paths: Annotated[
        Texts,
        OnPage(
            msg("Additional folders and files"),
            msg(
                "Enter one path per line. Scrubjay searches these folders and files together "
                "with each of your folders."
            ),
        ),
    ] = ()
    """More folders or Markdown files, absolute or relative to the workspace. Shared and per-agent
    lists add up."""
    # Who computes vectors, here or elsewhere.
    provider: Annotated[
        Provider,
        OnPage(
            msg("Service for search by meaning"),
            msg("An online service receives the text of your notes, but only after you agree."),
        ),
    ] = "auto"
    """Who computes vectors. `auto` takes the model on this computer, otherwise the first remote
    provider with a key; `none` searches by words only."""
    model: Annotated[
        str,
        OnPage(
            msg("Language helper provided by the service"),
            msg("Leave this empty to use the service's default language helper."),
        ),
    ] = ""
    """Name of the embedding model; empty for the provider's default."""
    fallback: Annotated[
        Fallback,
        OnPage(
            msg("Fallback"), msg("Used when the service for search by meaning does not respond.")
        ),
    ] = "none"
    """Provider that takes over when the first one fails."""
    output_dimensionality: Annotated[
        Annotated[int, Meta(ge=1, le=65_536)] | None,
        OnPage(
            msg("Number of values that describe each passage"),
            msg(
                "Enter 0 to use the language helper's default. Fewer values take "
                "up less disk space."
            ),
        ),
    ] = None
    """Length of the vectors, where the model lets one choose; unset for its own."""
    # How answers look to agents.
    citations: Annotated[
        Citations,
        OnPage(
            msg("Show the source below each result"),
            msg("Applies to agents. “Automatic” shows the source in direct chats only."),
        ),
    ] = "auto"
    """Append `Source: path#L5-L7` to snippets; `auto` does it where a session key tells that a chat
    is direct."""
    # Sections of their own.
    query: QuerySettings = QuerySettings()
    query_expansion: QueryExpansionSettings = QueryExpansionSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    sync: SyncSettings = SyncSettings()
    local: LocalModelSettings = LocalModelSettings()
    remote: RemoteSettings = RemoteSettings()
    sessions: SessionSettings = SessionSettings()
    store: StoreSettings = StoreSettings()
    cache: CacheSettings = CacheSettings()
    history: HistorySettings = HistorySettings()
    experimental: ExperimentalSettings = ExperimentalSettings()
    multimodal: MultimodalSettings = MultimodalSettings()

    @functools.cached_property
    def active_sources(self) -> tuple[Literal["memory", "sessions"], ...]:
        """The sources that are really searched; memory when nothing else is left."""
        active = [
            source
            for source in dict.fromkeys(self.sources)
            if source == "memory" or self.experimental.session_memory
        ]
        return tuple(active) or ("memory",)
