"""Memories that a team shares, in LanceDB: in a folder, in object storage or in its service."""
