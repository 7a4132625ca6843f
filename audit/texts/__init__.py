"""Texts as numbers: n-grams, tokens, readability, format, similarity, and groups of texts."""
