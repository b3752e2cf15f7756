"""Which agent may read or write what, and the log of what each one did."""
