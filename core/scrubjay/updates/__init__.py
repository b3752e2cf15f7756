"""The check for a newer version, which never installs anything."""
