"""Text of a question turned into a query, without I/O."""
