"""Commands on models: download, import, check, remove, choose."""
