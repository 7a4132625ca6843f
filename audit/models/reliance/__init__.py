"""Accuracy where the probe is right and where it is wrong: do models lean on the shortcut?"""
