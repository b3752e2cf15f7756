"""Readers of exports, one module for each way in which programs write them."""
