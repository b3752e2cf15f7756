"""The interface for agents: tools, resources and prompts over the Model Context Protocol (MCP).

Only `server` and `http` import the protocol's library, which takes most of a second.
"""
