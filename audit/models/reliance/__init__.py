"""Accuracy where the probe is right and where it is wrong, and the errors that model and probe share."""
