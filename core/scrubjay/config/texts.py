"""What settings are called in front of people. The keys are documented in the schema."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.translated import translate

_SEARCH = "memorySearch"

GROUPS: Mapping[str, tuple[str, ...]] = {
    translate("Settings", "Privacy"): (
        "localOnly",
        "access.read",
        "access.write",
        "access.guestBookDays",
        "updates.check",
    ),
    translate("Settings", "Search"): (
        f"{_SEARCH}.query.maxResults",
        f"{_SEARCH}.query.minScore",
        f"{_SEARCH}.query.hybrid.enabled",
        f"{_SEARCH}.query.hybrid.temporalDecay.enabled",
        f"{_SEARCH}.query.hybrid.temporalDecay.halfLifeDays",
        f"{_SEARCH}.query.hybrid.mmr.enabled",
        f"{_SEARCH}.query.hybrid.mmr.lambda",
        f"{_SEARCH}.query.deadlineMs",
        f"{_SEARCH}.citations",
    ),
    translate("Settings", "Notes"): (
        f"{_SEARCH}.enabled",
        f"{_SEARCH}.extraPaths",
        f"{_SEARCH}.experimental.sessionMemory",
        f"{_SEARCH}.sources",
        f"{_SEARCH}.sync.watch",
        f"{_SEARCH}.sync.watchDebounceMs",
        f"{_SEARCH}.sync.onSessionStart",
        f"{_SEARCH}.sync.onSearch",
        f"{_SEARCH}.sync.intervalMinutes",
        f"{_SEARCH}.history.days",
    ),
    translate("Settings", "Meaning"): (
        f"{_SEARCH}.provider",
        f"{_SEARCH}.model",
        f"{_SEARCH}.fallback",
        f"{_SEARCH}.remote.baseUrl",
        f"{_SEARCH}.remote.batch.enabled",
        f"{_SEARCH}.multimodal.enabled",
        f"{_SEARCH}.outputDimensionality",
        "model.idleMinutes",
    ),
    translate("Settings", "Agents"): (
        "recall.capture",
        "flush.enabled",
        "dreaming.enabled",
        "dreaming.automatic",
        "dreaming.at",
        "dreaming.memoryBudget",
    ),
    translate("Settings", "For experts"): (
        f"{_SEARCH}.local.modelPath",
        f"{_SEARCH}.local.modelCacheDir",
        f"{_SEARCH}.local.contextSize",
        f"{_SEARCH}.chunking.tokens",
        f"{_SEARCH}.chunking.overlap",
        f"{_SEARCH}.query.hybrid.fusion",
        f"{_SEARCH}.query.hybrid.vectorWeight",
        f"{_SEARCH}.query.hybrid.textWeight",
        f"{_SEARCH}.cache.maxEntries",
        f"{_SEARCH}.store.path",
    ),
}
"""Titles of the groups, and which settings stand in each."""

TEXTS: Mapping[str, tuple[str, str]] = {
    "localOnly": (
        translate("Settings", "Nothing leaves this computer"),
        translate("Settings", "Remote providers are never called, whatever else is chosen below."),
    ),
    "access.read": (
        translate("Settings", "Agents may search my notes"),
        translate("Settings", "Holds where no rule for an agent or a workspace says otherwise."),
    ),
    "access.write": (
        translate("Settings", "Agents may add to today's note"),
        translate("Settings", "They can only add to the end of today's file, never change others."),
    ),
    "access.guestBookDays": (
        translate("Settings", "Keep the guest book for so many days"),
        translate("Settings", "Who asked what, and which notes were shown. 0 keeps nothing."),
    ),
    "updates.check": (
        translate("Settings", "Tell me about newer versions"),
        translate("Settings", "Asks once a day. Nothing is ever installed by itself."),
    ),
    f"{_SEARCH}.query.maxResults": (
        translate("Settings", "Results in an answer"),
        translate("Settings", "For agents and the command line. The window shows more."),
    ),
    f"{_SEARCH}.query.minScore": (
        translate("Settings", "Leave out what is less certain than"),
        translate("Settings", "From 0 to 1. Notes with the very words are shown all the same."),
    ),
    f"{_SEARCH}.query.hybrid.enabled": (
        translate("Settings", "Search by words and by meaning together"),
        translate("Settings", "Off: by meaning alone where there is a model."),
    ),
    f"{_SEARCH}.query.hybrid.temporalDecay.enabled": (
        translate("Settings", "Prefer recent daily notes"),
        translate("Settings", "Notes with a date lose weight as they age; all others never do."),
    ),
    f"{_SEARCH}.query.hybrid.temporalDecay.halfLifeDays": (
        translate("Settings", "A daily note counts half after so many days"),
        translate("Settings", "Only where recent notes are preferred."),
    ),
    f"{_SEARCH}.query.hybrid.mmr.enabled": (
        translate("Settings", "Prefer different results"),
        translate("Settings", "What repeats a better result moves down."),
    ),
    f"{_SEARCH}.query.hybrid.mmr.lambda": (
        translate("Settings", "Relevance against difference"),
        translate("Settings", "1 looks at relevance alone, 0 at difference alone."),
    ),
    f"{_SEARCH}.query.deadlineMs": (
        translate("Settings", "Answer within so many milliseconds"),
        translate("Settings", "What was found by then is shown, words first."),
    ),
    f"{_SEARCH}.citations": (
        translate("Settings", "Name the source below each result"),
        translate("Settings", "For agents. Automatic does it in direct chats only."),
    ),
    f"{_SEARCH}.enabled": (
        translate("Settings", "Search in my notes"),
        translate("Settings", "Off: nothing is indexed and nothing is searched."),
    ),
    f"{_SEARCH}.extraPaths": (
        translate("Settings", "More folders and files"),
        translate("Settings", "One in each line. They are searched in every workspace."),
    ),
    f"{_SEARCH}.experimental.sessionMemory": (
        translate("Settings", "Conversations of agents may be searched"),
        translate("Settings", "Secrets in them are left out. Choose them as a source too."),
    ),
    f"{_SEARCH}.sources": (
        translate("Settings", "What is searched"),
        translate("Settings", "One in each line: memory for notes, sessions for conversations."),
    ),
    f"{_SEARCH}.sync.watch": (
        translate("Settings", "Notice changes at once"),
        translate("Settings", "Watches your folders. Off: changes are found at the next check."),
    ),
    f"{_SEARCH}.sync.watchDebounceMs": (
        translate("Settings", "Wait so many milliseconds after a change"),
        translate("Settings", "So that a note is not read while it is still being written."),
    ),
    f"{_SEARCH}.sync.onSessionStart": (
        translate("Settings", "Look for changes at the start"),
        translate("Settings", "Finds what changed while Scrubjay was not running."),
    ),
    f"{_SEARCH}.sync.onSearch": (
        translate("Settings", "Look for changes when I search"),
        translate("Settings", "A note that was just saved is found even before it was noticed."),
    ),
    f"{_SEARCH}.sync.intervalMinutes": (
        translate("Settings", "Look for changes every so many minutes"),
        translate("Settings", "For folders that cannot be watched. 0 does not."),
    ),
    f"{_SEARCH}.history.days": (
        translate("Settings", "Remember former texts for so many days"),
        translate("Settings", "Shows what changed in a note. 0 keeps nothing."),
    ),
    f"{_SEARCH}.provider": (
        translate("Settings", "Who compares meanings"),
        translate("Settings", "A remote provider gets the text of your notes, after you said yes."),
    ),
    f"{_SEARCH}.model": (
        translate("Settings", "Model of the provider"),
        translate("Settings", "Empty for the one that the provider recommends."),
    ),
    f"{_SEARCH}.fallback": (
        translate("Settings", "Who stands in"),
        translate("Settings", "When the one above does not answer."),
    ),
    f"{_SEARCH}.remote.baseUrl": (
        translate("Settings", "Address of another endpoint"),
        translate("Settings", "For services that speak like OpenAI. Empty for OpenAI itself."),
    ),
    f"{_SEARCH}.remote.batch.enabled": (
        translate("Settings", "Send many notes at half the price"),
        translate("Settings", "OpenAI, Gemini and Voyage take hours for it instead of minutes."),
    ),
    f"{_SEARCH}.multimodal.enabled": (
        translate("Settings", "Search images and recordings in the extra folders"),
        translate(
            "Settings",
            "Needs Gemini, its model gemini-embedding-2-preview, and no stand-in.",
        ),
    ),
    f"{_SEARCH}.outputDimensionality": (
        translate("Settings", "Length of the vectors"),
        translate("Settings", "0 for the model's own. Shorter ones take less room."),
    ),
    "model.idleMinutes": (
        translate("Settings", "Unload the model after so many idle minutes"),
        translate("Settings", "Gives its memory back; it is loaded again when it is needed."),
    ),
    "recall.capture": (
        translate("Settings", "Keep what I tell agents"),
        translate("Settings", "Such as decisions and preferences, from what you write to them."),
    ),
    "flush.enabled": (
        translate("Settings", "Let agents write down what matters before they forget"),
        translate("Settings", "When a long conversation is about to be shortened."),
    ),
    "dreaming.enabled": (
        translate("Settings", "Look for what belongs into MEMORY.md"),
        translate("Settings", "Notes what agents look up again and again, and proposes it to you."),
    ),
    "dreaming.automatic": (
        translate("Settings", "Add it without asking me"),
        translate("Settings", "The last time can be undone."),
    ),
    "dreaming.at": (
        translate("Settings", "Look through it at"),
        translate("Settings", "Hours and minutes, such as 03:00."),
    ),
    "dreaming.memoryBudget": (
        translate("Settings", "Longest MEMORY.md, in characters"),
        translate("Settings", "Nothing is added beyond it."),
    ),
    f"{_SEARCH}.local.modelPath": (
        translate("Settings", "Model file"),
        translate("Settings", "A GGUF file or an hf: address. Empty for the best that is here."),
    ),
    f"{_SEARCH}.local.modelCacheDir": (
        translate("Settings", "Folder of model files"),
        translate("Settings", "Empty for Scrubjay's own."),
    ),
    f"{_SEARCH}.local.contextSize": (
        translate("Settings", "How much text the model looks at"),
        translate("Settings", "In tokens, never more than it was trained for."),
    ),
    f"{_SEARCH}.chunking.tokens": (
        translate("Settings", "Size of a piece of text"),
        translate("Settings", "In tokens. Notes are cut into pieces of about this size."),
    ),
    f"{_SEARCH}.chunking.overlap": (
        translate("Settings", "Overlap of two pieces"),
        translate("Settings", "In tokens, below the size of a piece."),
    ),
    f"{_SEARCH}.query.hybrid.fusion": (
        translate("Settings", "How words and meaning are combined"),
        translate("Settings", "The two weights below count only for fixed weights."),
    ),
    f"{_SEARCH}.query.hybrid.vectorWeight": (
        translate("Settings", "Weight of meaning"),
        translate("Settings", "From 0 to 1."),
    ),
    f"{_SEARCH}.query.hybrid.textWeight": (
        translate("Settings", "Weight of words"),
        translate("Settings", "From 0 to 1."),
    ),
    f"{_SEARCH}.cache.maxEntries": (
        translate("Settings", "Vectors of former texts that are kept"),
        translate("Settings", "So that a text that comes back is not computed again."),
    ),
    f"{_SEARCH}.store.path": (
        translate("Settings", "Index file"),
        translate("Settings", "Empty for Scrubjay's own folder. {agentId} stands for a workspace."),
    ),
}
"""Title and explanation of each setting."""

OPTIONS: Mapping[tuple[str, str], str] = {
    ("access.read", "allow"): translate("Settings", "Yes"),
    ("access.read", "ask"): translate("Settings", "Ask me"),
    ("access.read", "deny"): translate("Settings", "No"),
    ("access.write", "allow"): translate("Settings", "Yes"),
    ("access.write", "ask"): translate("Settings", "Ask me"),
    ("access.write", "deny"): translate("Settings", "No"),
    (f"{_SEARCH}.citations", "auto"): translate("Settings", "Automatic"),
    (f"{_SEARCH}.citations", "on"): translate("Settings", "Always"),
    (f"{_SEARCH}.citations", "off"): translate("Settings", "Never"),
    (f"{_SEARCH}.provider", "auto"): translate("Settings", "The best that is available"),
    (f"{_SEARCH}.provider", "local"): translate("Settings", "The model on this computer"),
    (f"{_SEARCH}.provider", "none"): translate("Settings", "Nobody: search by words only"),
    (f"{_SEARCH}.provider", "openai"): "OpenAI",
    (f"{_SEARCH}.provider", "gemini"): "Gemini",
    (f"{_SEARCH}.provider", "voyage"): "Voyage",
    (f"{_SEARCH}.provider", "mistral"): "Mistral",
    (f"{_SEARCH}.provider", "ollama"): "Ollama",
    (f"{_SEARCH}.fallback", "none"): translate("Settings", "Nobody: search by words only"),
    (f"{_SEARCH}.fallback", "local"): translate("Settings", "The model on this computer"),
    (f"{_SEARCH}.fallback", "openai"): "OpenAI",
    (f"{_SEARCH}.fallback", "gemini"): "Gemini",
    (f"{_SEARCH}.fallback", "voyage"): "Voyage",
    (f"{_SEARCH}.fallback", "mistral"): "Mistral",
    (f"{_SEARCH}.fallback", "ollama"): "Ollama",
    ("recall.capture", "off"): translate("Settings", "No"),
    ("recall.capture", "review"): translate("Settings", "Put it on a list for me"),
    ("recall.capture", "automatic"): translate("Settings", "Write it into today's note"),
    (f"{_SEARCH}.query.hybrid.fusion", "adaptive"): translate("Settings", "Judged for each search"),
    (f"{_SEARCH}.query.hybrid.fusion", "weighted"): translate("Settings", "With fixed weights"),
    (f"{_SEARCH}.query.hybrid.fusion", "rrf"): translate("Settings", "By rank alone"),
}
"""What the values of a setting are called."""
