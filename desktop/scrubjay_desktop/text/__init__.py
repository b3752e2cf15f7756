"""Words, numbers and languages in front of people."""
