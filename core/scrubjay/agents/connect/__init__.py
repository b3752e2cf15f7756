"""Scrubjay's entry in the settings of agents."""
