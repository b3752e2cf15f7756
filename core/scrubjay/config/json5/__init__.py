"""JSON5: a parser that keeps positions and an editor that keeps the layout."""
