"""From a typed query to ranked, explained hits."""
