"""Keys of the settings with their defaults and ranges."""
