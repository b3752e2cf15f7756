"""Changes to notes that agents make or propose: the queue for review, and undo for two weeks."""
