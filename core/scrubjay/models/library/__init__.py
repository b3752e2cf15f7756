"""What a person does with models."""
