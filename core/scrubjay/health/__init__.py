"""Health check of notes and indexes: findings for the user, and fixes that can be undone."""
