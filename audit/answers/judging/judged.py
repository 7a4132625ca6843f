"""Whose verdict on a reply counts."""

from __future__ import annotations

from typing import Literal, get_args

from generators.errors import UsageError

__all__ = ["Judged", "refuse_unknown_judge"]

Judged = Literal["reply", "harness"]
"""Our reading of the reply, or the verdict of the harness that wrote the log."""


def refuse_unknown_judge(judged: str) -> None:
    """Raise UsageError for a `judged` that is none; the command line lets none through."""
    known = get_args(Judged)
    if judged not in known:
        raise UsageError(f"judged must be {' or '.join(map(repr, known))}, not {judged!r}")
