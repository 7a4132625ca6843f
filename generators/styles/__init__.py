"""Prompt styles: what is said around the prompt of an item."""
