"""Accuracy, effects, hypotheses, comparisons, plans, and whether models rely on a shortcut."""
