"""What an agent is reminded of, what of its talks is worth keeping, and when to write it down."""
