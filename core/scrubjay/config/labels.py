"""What settings are called in front of people. The keys are documented in the schema."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.messages import say

_SEARCH = "memorySearch"

GROUPS: Mapping[str, tuple[str, ...]] = {
    say("Privacy"): (
        "localOnly",
        "access.read",
        "access.write",
        "access.guestBookDays",
        "updates.check",
    ),
    say("Search"): (
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
    say("Notes"): (
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
    say("Meaning"): (
        f"{_SEARCH}.provider",
        f"{_SEARCH}.model",
        f"{_SEARCH}.fallback",
        f"{_SEARCH}.remote.baseUrl",
        f"{_SEARCH}.remote.batch.enabled",
        f"{_SEARCH}.multimodal.enabled",
        f"{_SEARCH}.outputDimensionality",
        "model.idleMinutes",
    ),
    say("Agents"): (
        "recall.capture",
        "flush.enabled",
        "dreaming.enabled",
        "dreaming.automatic",
        "dreaming.at",
        "dreaming.memoryBudget",
    ),
    say("For experts"): (
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
        say("Nothing leaves this computer"),
        say("Remote providers are never called, whatever else is chosen below."),
    ),
    "access.read": (
        say("Agents may search my notes"),
        say("Holds where no rule for an agent or a workspace says otherwise."),
    ),
    "access.write": (
        say("Agents may add to today's note"),
        say("They can only add to the end of today's file, never change others."),
    ),
    "access.guestBookDays": (
        say("Keep the guest book for so many days"),
        say("Who asked what, and which notes were shown. 0 keeps nothing."),
    ),
    "updates.check": (
        say("Tell me about newer versions"),
        say("Asks once a day. Nothing is ever installed by itself."),
    ),
    f"{_SEARCH}.query.maxResults": (
        say("Results in an answer"),
        say("For agents and the command line. The window shows more."),
    ),
    f"{_SEARCH}.query.minScore": (
        say("Leave out what is less certain than"),
        say("From 0 to 1. Notes with the very words are shown all the same."),
    ),
    f"{_SEARCH}.query.hybrid.enabled": (
        say("Search by words and by meaning together"),
        say("Off: by meaning alone where there is a model."),
    ),
    f"{_SEARCH}.query.hybrid.temporalDecay.enabled": (
        say("Prefer recent daily notes"),
        say("Notes with a date lose weight as they age; all others never do."),
    ),
    f"{_SEARCH}.query.hybrid.temporalDecay.halfLifeDays": (
        say("A daily note counts half after so many days"),
        say("Only where recent notes are preferred."),
    ),
    f"{_SEARCH}.query.hybrid.mmr.enabled": (
        say("Prefer different results"),
        say("What repeats a better result moves down."),
    ),
    f"{_SEARCH}.query.hybrid.mmr.lambda": (
        say("Relevance against difference"),
        say("1 looks at relevance alone, 0 at difference alone."),
    ),
    f"{_SEARCH}.query.deadlineMs": (
        say("Answer within so many milliseconds"),
        say("What was found by then is shown, words first."),
    ),
    f"{_SEARCH}.citations": (
        say("Name the source below each result"),
        say("For agents. Automatic does it in direct chats only."),
    ),
    f"{_SEARCH}.enabled": (
        say("Search in my notes"),
        say("Off: nothing is indexed and nothing is searched."),
    ),
    f"{_SEARCH}.extraPaths": (
        say("More folders and files"),
        say("One in each line. They are searched in every workspace."),
    ),
    f"{_SEARCH}.experimental.sessionMemory": (
        say("Conversations of agents may be searched"),
        say("Secrets in them are left out. Choose them as a source too."),
    ),
    f"{_SEARCH}.sources": (
        say("What is searched"),
        say("One in each line: memory for notes, sessions for conversations."),
    ),
    f"{_SEARCH}.sync.watch": (
        say("Notice changes at once"),
        say("Watches your folders. Off: changes are found at the next check."),
    ),
    f"{_SEARCH}.sync.watchDebounceMs": (
        say("Wait so many milliseconds after a change"),
        say("So that a note is not read while it is still being written."),
    ),
    f"{_SEARCH}.sync.onSessionStart": (
        say("Look for changes at the start"),
        say("Finds what changed while Scrubjay was not running."),
    ),
    f"{_SEARCH}.sync.onSearch": (
        say("Look for changes when I search"),
        say("A note that was just saved is found even before it was noticed."),
    ),
    f"{_SEARCH}.sync.intervalMinutes": (
        say("Look for changes every so many minutes"),
        say("For folders that cannot be watched. 0 does not."),
    ),
    f"{_SEARCH}.history.days": (
        say("Remember former texts for so many days"),
        say("Shows what changed in a note. 0 keeps nothing."),
    ),
    f"{_SEARCH}.provider": (
        say("Who compares meanings"),
        say("A remote provider gets the text of your notes, after you said yes."),
    ),
    f"{_SEARCH}.model": (
        say("Model of the provider"),
        say("Empty for the one that the provider recommends."),
    ),
    f"{_SEARCH}.fallback": (
        say("Who stands in"),
        say("When the one above does not answer."),
    ),
    f"{_SEARCH}.remote.baseUrl": (
        say("Address of another endpoint"),
        say("For services that speak like OpenAI. Empty for OpenAI itself."),
    ),
    f"{_SEARCH}.remote.batch.enabled": (
        say("Send many notes at half the price"),
        say("OpenAI, Gemini and Voyage take hours for it instead of minutes."),
    ),
    f"{_SEARCH}.multimodal.enabled": (
        say("Search images and recordings in the extra folders"),
        say(
            "Needs Gemini, its model gemini-embedding-2-preview, and no stand-in.",
        ),
    ),
    f"{_SEARCH}.outputDimensionality": (
        say("Length of the vectors"),
        say("0 for the model's own. Shorter ones take less room."),
    ),
    "model.idleMinutes": (
        say("Unload the model after so many idle minutes"),
        say("Gives its memory back; it is loaded again when it is needed."),
    ),
    "recall.capture": (
        say("Keep what I tell agents"),
        say("Such as decisions and preferences, from what you write to them."),
    ),
    "flush.enabled": (
        say("Let agents write down what matters before they forget"),
        say("When a long conversation is about to be shortened."),
    ),
    "dreaming.enabled": (
        say("Look for what belongs into MEMORY.md"),
        say("Notes what agents look up again and again, and proposes it to you."),
    ),
    "dreaming.automatic": (
        say("Add it without asking me"),
        say("The last time can be undone."),
    ),
    "dreaming.at": (
        say("Look through it at"),
        say("Hours and minutes, such as 03:00."),
    ),
    "dreaming.memoryBudget": (
        say("Longest MEMORY.md, in characters"),
        say("Nothing is added beyond it."),
    ),
    f"{_SEARCH}.local.modelPath": (
        say("Model file"),
        say("A GGUF file or an hf: address. Empty for the best that is here."),
    ),
    f"{_SEARCH}.local.modelCacheDir": (
        say("Folder of model files"),
        say("Empty for Scrubjay's own."),
    ),
    f"{_SEARCH}.local.contextSize": (
        say("How much text the model looks at"),
        say("In tokens, never more than it was trained for."),
    ),
    f"{_SEARCH}.chunking.tokens": (
        say("Size of a piece of text"),
        say("In tokens. Notes are cut into pieces of about this size."),
    ),
    f"{_SEARCH}.chunking.overlap": (
        say("Overlap of two pieces"),
        say("In tokens, below the size of a piece."),
    ),
    f"{_SEARCH}.query.hybrid.fusion": (
        say("How words and meaning are combined"),
        say("The two weights below count only for fixed weights."),
    ),
    f"{_SEARCH}.query.hybrid.vectorWeight": (
        say("Weight of meaning"),
        say("From 0 to 1."),
    ),
    f"{_SEARCH}.query.hybrid.textWeight": (
        say("Weight of words"),
        say("From 0 to 1."),
    ),
    f"{_SEARCH}.cache.maxEntries": (
        say("Vectors of former texts that are kept"),
        say("So that a text that comes back is not computed again."),
    ),
    f"{_SEARCH}.store.path": (
        say("Index file"),
        say("Empty for Scrubjay's own folder. {agentId} stands for a workspace."),
    ),
}
"""Title and explanation of each setting."""

OPTIONS: Mapping[tuple[str, str], str] = {
    ("access.read", "allow"): say("Yes"),
    ("access.read", "ask"): say("Ask me"),
    ("access.read", "deny"): say("No"),
    ("access.write", "allow"): say("Yes"),
    ("access.write", "ask"): say("Ask me"),
    ("access.write", "deny"): say("No"),
    (f"{_SEARCH}.citations", "auto"): say("Automatic"),
    (f"{_SEARCH}.citations", "on"): say("Always"),
    (f"{_SEARCH}.citations", "off"): say("Never"),
    (f"{_SEARCH}.provider", "auto"): say("The best that is available"),
    (f"{_SEARCH}.provider", "local"): say("The model on this computer"),
    (f"{_SEARCH}.provider", "none"): say("Nobody: search by words only"),
    (f"{_SEARCH}.provider", "openai"): "OpenAI",
    (f"{_SEARCH}.provider", "gemini"): "Gemini",
    (f"{_SEARCH}.provider", "voyage"): "Voyage",
    (f"{_SEARCH}.provider", "mistral"): "Mistral",
    (f"{_SEARCH}.provider", "ollama"): "Ollama",
    (f"{_SEARCH}.fallback", "none"): say("Nobody: search by words only"),
    (f"{_SEARCH}.fallback", "local"): say("The model on this computer"),
    (f"{_SEARCH}.fallback", "openai"): "OpenAI",
    (f"{_SEARCH}.fallback", "gemini"): "Gemini",
    (f"{_SEARCH}.fallback", "voyage"): "Voyage",
    (f"{_SEARCH}.fallback", "mistral"): "Mistral",
    (f"{_SEARCH}.fallback", "ollama"): "Ollama",
    ("recall.capture", "off"): say("No"),
    ("recall.capture", "review"): say("Put it on a list for me"),
    ("recall.capture", "automatic"): say("Write it into today's note"),
    (f"{_SEARCH}.query.hybrid.fusion", "adaptive"): say("Judged for each search"),
    (f"{_SEARCH}.query.hybrid.fusion", "weighted"): say("With fixed weights"),
    (f"{_SEARCH}.query.hybrid.fusion", "rrf"): say("By rank alone"),
}
"""What the values of a setting are called."""
