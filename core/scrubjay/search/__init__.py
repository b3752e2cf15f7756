"""Search: from a typed query to ranked, explained hits."""
