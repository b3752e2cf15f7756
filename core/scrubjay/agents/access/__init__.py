"""Access of agents to workspaces, and the log of their requests."""
