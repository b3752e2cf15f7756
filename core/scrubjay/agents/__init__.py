"""Services for agents: access, connections, recall, and promotion to MEMORY.md."""
