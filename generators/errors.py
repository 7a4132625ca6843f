"""Every error that a user can cause: one base class, one clear line each (what, where, what to do)."""

from __future__ import annotations

__all__ = ["HansproofError", "InputError", "NotAssessedError", "UsageError"]


class HansproofError(Exception):
    """Base of all errors a user can cause; the command line prints it as one line and leaves with 2."""


class InputError(HansproofError):
    """A file, a row or a column is not what it must be; the message names the place."""


class UsageError(HansproofError):
    """Options that contradict each other, or a name that does not exist; the message lists what does."""


class NotAssessedError(HansproofError):
    """The input is a benchmark, but not of a kind that this audit can judge; never counted as a pass."""
