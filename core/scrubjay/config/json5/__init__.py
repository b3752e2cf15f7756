"""JSON5: a parser that keeps places and an editor that keeps the layout."""
