"""Comparisons across models, each from one table: mixed-effects regression on features, and principal components."""
