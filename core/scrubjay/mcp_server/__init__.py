"""The interface for agents: tools, resources and prompts over the Model Context Protocol (MCP)."""
