"""Settings files as people have them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scrubjay.config.loading import LoadedSettings, load_settings

DOCUMENTED: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "OpenClaw: hybrid, diversity and recency": (
        """
        {
          agents: {
            defaults: {
              memorySearch: {
                query: {
                  hybrid: {
                    vectorWeight: 0.7,
                    textWeight: 0.3,
                    mmr: { enabled: true, lambda: 0.7 },
                    temporalDecay: { enabled: true, halfLifeDays: 30 },
                  },
                },
              },
            },
          },
        }
        """,
        {
            "query.hybrid.mmr.enabled": True,
            "query.hybrid.temporalDecay.enabled": True,
            "query.hybrid.temporalDecay.halfLifeDays": 30,
        },
    ),
    "OpenClaw: a compatible endpoint": (
        """
        {
          agents: {
            defaults: {
              memorySearch: {
                provider: "openai-compatible",
                remote: {
                  baseUrl: "https://embeddings.example/v1",
                  apiKey: "${EMBEDDINGS_API_KEY}",
                },
                model: "asymmetric-embedder",
                queryInputType: "query",
                documentInputType: "passage",
              },
            },
          },
        }
        """,
        {
            "provider": "openai",
            "model": "asymmetric-embedder",
            "remote.baseUrl": "https://embeddings.example/v1",
            "remote.apiKey": "${EMBEDDINGS_API_KEY}",
        },
    ),
    "OpenClaw: extra paths": (
        """
        {
          agents: {
            defaults: {
              memorySearch: {
                extraPaths: ["../team-docs", "/srv/shared-notes"],
              },
            },
          },
        }
        """,
        {"extraPaths": ("../team-docs", "/srv/shared-notes")},
    ),
    "OpenClaw: everything": (
        """
        {
          agents: {
            defaults: {
              workspace: "~/.openclaw/workspace",
              memorySearch: {
                enabled: true,
                sources: ["memory", "sessions"],
                provider: "gemini",
                model: "gemini-embedding-2-preview",
                outputDimensionality: 1536,
                fallback: "none",
                remote: {
                  apiKey: { source: "env", provider: "default", id: "GEMINI_API_KEY" },
                  nonBatchConcurrency: 4,
                  batch: { enabled: true, wait: true, concurrency: 2 },
                },
                local: { modelPath: "hf:org/repo/model.gguf", contextSize: "auto" },
                multimodal: { enabled: true, modalities: ["image"], maxFileBytes: 10000000 },
                store: { path: "~/m/{agentId}.sqlite", vector: { enabled: true }, fts: {} },
                sync: { watch: true, watchDebounceMs: 1500, sessions: { deltaBytes: 100000 } },
                cache: { enabled: true, maxEntries: 50000 },
                experimental: { sessionMemory: true },
              },
            },
            list: [{ id: "main", default: true }],
          },
          channels: { telegram: { botToken: "x" } },
        }
        """,
        {
            "sources": ("memory", "sessions"),
            "provider": "gemini",
            "outputDimensionality": 1536,
            "remote.apiKey": "${GEMINI_API_KEY}",
            "remote.batch.enabled": True,
            "local.contextSize": None,
            "multimodal.modalities": ("image",),
            "experimental.sessionMemory": True,
        },
    ),
    "OpenClaw: QMD": (
        """
        {
          memory: {
            backend: "qmd",
            citations: "off",
            qmd: {
              includeDefaultMemory: true,
              update: { interval: "5m", debounceMs: 15000 },
              scope: {
                default: "deny",
                rules: [{ action: "allow", match: { chatType: "direct" } }],
              },
              paths: [{ name: "docs", path: "~/notes", pattern: "**/*.md" }],
            },
          },
        }
        """,
        {"citations": "off"},
    ),
    "ClawCode: agent-config.json": (
        json.dumps(
            {
                "heartbeat": {"schedule": "*/30 * * * *"},
                "memory": {
                    "backend": "builtin",
                    "citations": "on",
                    "extraPaths": ["~/.claude/channels/whatsapp/logs/conversations"],
                    "builtin": {
                        "temporalDecay": True,
                        "halfLifeDays": 90,
                        "mmr": True,
                        "mmrLambda": 0.6,
                    },
                },
            }
        ),
        {
            "citations": "on",
            "extraPaths": ("~/.claude/channels/whatsapp/logs/conversations",),
            "query.hybrid.temporalDecay.enabled": True,
            "query.hybrid.temporalDecay.halfLifeDays": 90,
            "query.hybrid.mmr.enabled": True,
            "query.hybrid.mmr.lambda": 0.6,
        },
    ),
}
"""Blocks as the documentations show them, and what they set."""


def written(folder: Path, content: str | Mapping[str, Any]) -> LoadedSettings:
    """What loading gives for a file with this content."""
    path = folder / "config.json5"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return load_settings(path)
