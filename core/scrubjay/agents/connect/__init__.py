"""Our entry in the settings of agents, written and taken out again."""
