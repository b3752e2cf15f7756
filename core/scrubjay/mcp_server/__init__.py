"""The face of Scrubjay that agents see: tools, resources and prompts over their own protocol (MCP).

Only `server` and `http` import the protocol's library, which takes most of a second.
"""
