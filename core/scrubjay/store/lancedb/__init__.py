"""Shared memories in LanceDB: in a folder, in object storage or in LanceDB's service."""
