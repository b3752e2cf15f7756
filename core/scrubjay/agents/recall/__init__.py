"""Hooks of agents: recall into a prompt, capture, flush before compaction."""
