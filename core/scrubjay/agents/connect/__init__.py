"""Our entry in the settings of agents."""
