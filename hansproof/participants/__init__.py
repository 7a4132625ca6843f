"""Participants: from files of finished runs to the records of each model, and to its phenotype."""
