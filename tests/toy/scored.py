"""Scores of replies that a test holds."""

import hansproof


def score_models(rows, models, progress=None, **more):
    """One report per model (name -> replies by item id)."""
    return hansproof.score(models, rows, progress=progress, **more)
