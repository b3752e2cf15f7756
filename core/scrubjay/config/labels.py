"""What settings are called in front of people. The keys are documented in the schema."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.messages import msg

_SEARCH = "memorySearch"

GROUPS: Mapping[str, tuple[str, ...]] = {
    msg("Privacy"): (
        "localOnly",
        "access.read",
        "access.write",
        "access.guestBookDays",
        "updates.check",
    ),
    msg("Search"): (
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
    msg("Notes"): (
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
    msg("Meaning"): (
        f"{_SEARCH}.provider",
        f"{_SEARCH}.model",
        f"{_SEARCH}.fallback",
        f"{_SEARCH}.remote.baseUrl",
        f"{_SEARCH}.remote.batch.enabled",
        f"{_SEARCH}.multimodal.enabled",
        f"{_SEARCH}.outputDimensionality",
        "model.idleMinutes",
    ),
    msg("Agents"): (
        "recall.capture",
        "flush.enabled",
        "dreaming.enabled",
        "dreaming.automatic",
        "dreaming.at",
        "dreaming.memoryBudget",
    ),
    msg("For experts"): (
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
        msg("Nothing leaves this computer"),
        msg("Remote providers are never called, whatever else is chosen below."),
    ),
    "access.read": (
        msg("Agents may search my notes"),
        msg("Holds where no rule for an agent or a workspace says otherwise."),
    ),
    "access.write": (
        msg("Agents may add to today's note"),
        msg("They can only add to the end of today's file, never change others."),
    ),
    "access.guestBookDays": (
        msg("Keep the guest book for so many days"),
        msg("Who asked what, and which notes were shown. 0 keeps nothing."),
    ),
    "updates.check": (
        msg("Tell me about newer versions"),
        msg("Asks once a day. Nothing is ever installed by itself."),
    ),
    f"{_SEARCH}.query.maxResults": (
        msg("Results in an answer"),
        msg("For agents and the command line. The window shows more."),
    ),
    f"{_SEARCH}.query.minScore": (
        msg("Leave out what is less certain than"),
        msg("From 0 to 1. Notes with the very words are shown all the same."),
    ),
    f"{_SEARCH}.query.hybrid.enabled": (
        msg("Search by words and by meaning together"),
        msg("Off: by meaning alone where there is a model."),
    ),
    f"{_SEARCH}.query.hybrid.temporalDecay.enabled": (
        msg("Prefer recent daily notes"),
        msg("Notes with a date lose weight as they age; all others never do."),
    ),
    f"{_SEARCH}.query.hybrid.temporalDecay.halfLifeDays": (
        msg("A daily note counts half after so many days"),
        msg("Only where recent notes are preferred."),
    ),
    f"{_SEARCH}.query.hybrid.mmr.enabled": (
        msg("Prefer different results"),
        msg("What repeats a better result moves down."),
    ),
    f"{_SEARCH}.query.hybrid.mmr.lambda": (
        msg("Relevance against difference"),
        msg("1 looks at relevance alone, 0 at difference alone."),
    ),
    f"{_SEARCH}.query.deadlineMs": (
        msg("Answer within so many milliseconds"),
        msg("What was found by then is shown, words first."),
    ),
    f"{_SEARCH}.citations": (
        msg("Name the source below each result"),
        msg("For agents. Automatic does it in direct chats only."),
    ),
    f"{_SEARCH}.enabled": (
        msg("Search in my notes"),
        msg("Off: nothing is indexed and nothing is searched."),
    ),
    f"{_SEARCH}.extraPaths": (
        msg("More folders and files"),
        msg("One in each line. They are searched in every workspace."),
    ),
    f"{_SEARCH}.experimental.sessionMemory": (
        msg("Conversations of agents may be searched"),
        msg("Secrets in them are left out. Choose them as a source too."),
    ),
    f"{_SEARCH}.sources": (
        msg("What is searched"),
        msg("One in each line: memory for notes, sessions for conversations."),
    ),
    f"{_SEARCH}.sync.watch": (
        msg("Notice changes at once"),
        msg("Watches your folders. Off: changes are found at the next check."),
    ),
    f"{_SEARCH}.sync.watchDebounceMs": (
        msg("Wait so many milliseconds after a change"),
        msg("So that a note is not read while it is still being written."),
    ),
    f"{_SEARCH}.sync.onSessionStart": (
        msg("Look for changes at the start"),
        msg("Finds what changed while Scrubjay was not running."),
    ),
    f"{_SEARCH}.sync.onSearch": (
        msg("Look for changes when I search"),
        msg("A note that was just saved is found even before it was noticed."),
    ),
    f"{_SEARCH}.sync.intervalMinutes": (
        msg("Look for changes every so many minutes"),
        msg("For folders that cannot be watched. 0 does not."),
    ),
    f"{_SEARCH}.history.days": (
        msg("Remember former texts for so many days"),
        msg("Shows what changed in a note. 0 keeps nothing."),
    ),
    f"{_SEARCH}.provider": (
        msg("Who compares meanings"),
        msg("A remote provider gets the text of your notes, after you said yes."),
    ),
    f"{_SEARCH}.model": (
        msg("Model of the provider"),
        msg("Empty for the one that the provider recommends."),
    ),
    f"{_SEARCH}.fallback": (
        msg("Who stands in"),
        msg("When the one above does not answer."),
    ),
    f"{_SEARCH}.remote.baseUrl": (
        msg("Address of another endpoint"),
        msg("For services that speak like OpenAI. Empty for OpenAI itself."),
    ),
    f"{_SEARCH}.remote.batch.enabled": (
        msg("Send many notes at half the price"),
        msg("OpenAI, Gemini and Voyage take hours for it instead of minutes."),
    ),
    f"{_SEARCH}.multimodal.enabled": (
        msg("Search images and recordings in the extra folders"),
        msg(
            "Needs Gemini, its model gemini-embedding-2-preview, and no stand-in.",
        ),
    ),
    f"{_SEARCH}.outputDimensionality": (
        msg("Length of the vectors"),
        msg("0 for the model's own. Shorter ones take less room."),
    ),
    "model.idleMinutes": (
        msg("Unload the model after so many idle minutes"),
        msg("Gives its memory back; it is loaded again when it is needed."),
    ),
    "recall.capture": (
        msg("Keep what I tell agents"),
        msg("Such as decisions and preferences, from what you write to them."),
    ),
    "flush.enabled": (
        msg("Let agents write down what matters before they forget"),
        msg("When a long conversation is about to be shortened."),
    ),
    "dreaming.enabled": (
        msg("Look for what belongs into MEMORY.md"),
        msg("Notes what agents look up again and again, and proposes it to you."),
    ),
    "dreaming.automatic": (
        msg("Add it without asking me"),
        msg("The last time can be undone."),
    ),
    "dreaming.at": (
        msg("Look through it at"),
        msg("Hours and minutes, such as 03:00."),
    ),
    "dreaming.memoryBudget": (
        msg("Longest MEMORY.md, in characters"),
        msg("Nothing is added beyond it."),
    ),
    f"{_SEARCH}.local.modelPath": (
        msg("Model file"),
        msg("A GGUF file or an hf: address. Empty for the best that is here."),
    ),
    f"{_SEARCH}.local.modelCacheDir": (
        msg("Folder of model files"),
        msg("Empty for Scrubjay's own."),
    ),
    f"{_SEARCH}.local.contextSize": (
        msg("How much text the model looks at"),
        msg("In tokens, never more than it was trained for."),
    ),
    f"{_SEARCH}.chunking.tokens": (
        msg("Size of a piece of text"),
        msg("In tokens. Notes are cut into pieces of about this size."),
    ),
    f"{_SEARCH}.chunking.overlap": (
        msg("Overlap of two pieces"),
        msg("In tokens, below the size of a piece."),
    ),
    f"{_SEARCH}.query.hybrid.fusion": (
        msg("How words and meaning are combined"),
        msg("The two weights below count only for fixed weights."),
    ),
    f"{_SEARCH}.query.hybrid.vectorWeight": (
        msg("Weight of meaning"),
        msg("From 0 to 1."),
    ),
    f"{_SEARCH}.query.hybrid.textWeight": (
        msg("Weight of words"),
        msg("From 0 to 1."),
    ),
    f"{_SEARCH}.cache.maxEntries": (
        msg("Vectors of former texts that are kept"),
        msg("So that a text that comes back is not computed again."),
    ),
    f"{_SEARCH}.store.path": (
        msg("Index file"),
        msg("Empty for Scrubjay's own folder. {agentId} stands for a workspace."),
    ),
}
"""Title and explanation of each setting."""

OPTIONS: Mapping[tuple[str, str], str] = {
    ("access.read", "allow"): msg("Yes"),
    ("access.read", "ask"): msg("Ask me"),
    ("access.read", "deny"): msg("No"),
    ("access.write", "allow"): msg("Yes"),
    ("access.write", "ask"): msg("Ask me"),
    ("access.write", "deny"): msg("No"),
    (f"{_SEARCH}.citations", "auto"): msg("Automatic"),
    (f"{_SEARCH}.citations", "on"): msg("Always"),
    (f"{_SEARCH}.citations", "off"): msg("Never"),
    (f"{_SEARCH}.provider", "auto"): msg("The best that is available"),
    (f"{_SEARCH}.provider", "local"): msg("The model on this computer"),
    (f"{_SEARCH}.provider", "none"): msg("Nobody: search by words only"),
    (f"{_SEARCH}.provider", "openai"): "OpenAI",
    (f"{_SEARCH}.provider", "gemini"): "Gemini",
    (f"{_SEARCH}.provider", "voyage"): "Voyage",
    (f"{_SEARCH}.provider", "mistral"): "Mistral",
    (f"{_SEARCH}.provider", "ollama"): "Ollama",
    (f"{_SEARCH}.fallback", "none"): msg("Nobody: search by words only"),
    (f"{_SEARCH}.fallback", "local"): msg("The model on this computer"),
    (f"{_SEARCH}.fallback", "openai"): "OpenAI",
    (f"{_SEARCH}.fallback", "gemini"): "Gemini",
    (f"{_SEARCH}.fallback", "voyage"): "Voyage",
    (f"{_SEARCH}.fallback", "mistral"): "Mistral",
    (f"{_SEARCH}.fallback", "ollama"): "Ollama",
    ("recall.capture", "off"): msg("No"),
    ("recall.capture", "review"): msg("Put it on a list for me"),
    ("recall.capture", "automatic"): msg("Write it into today's note"),
    (f"{_SEARCH}.query.hybrid.fusion", "adaptive"): msg("Judged for each search"),
    (f"{_SEARCH}.query.hybrid.fusion", "weighted"): msg("With fixed weights"),
    (f"{_SEARCH}.query.hybrid.fusion", "rrf"): msg("By rank alone"),
}
"""What the values of a setting are called."""
