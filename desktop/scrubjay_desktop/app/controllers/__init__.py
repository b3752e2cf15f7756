"""Actions and policies of the app, without widgets."""
