"""What is known of the languages that notes and questions are in."""
