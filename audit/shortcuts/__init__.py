"""Simpler ways to the answer: the ladder, parts of the prompt, single n-grams, the share of format."""
