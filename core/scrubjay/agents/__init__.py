"""What serves the agents of a person: rules, connections, recall and promotion to MEMORY.md."""
