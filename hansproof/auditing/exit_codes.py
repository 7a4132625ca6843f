"""Which verdicts fail: the exit code of an audit, and the words that --fail-on may name."""

from __future__ import annotations

from collections.abc import Sequence

from generators.errors import UsageError, unknown

__all__ = ["DEFAULT_FAIL", "INTERRUPTED", "VERDICTS", "exit_code", "failing_verdicts"]

VERDICTS = ("leaks", "template-bound", "imbalanced", "traces", "clean", "inconclusive")
"""What --fail-on may name, beside `none`."""
INTERRUPTED = 130
"""Ctrl-C, as shells have it: 128 + SIGINT."""
DEFAULT_FAIL = ("leaks", "template-bound", "imbalanced")


def exit_code(verdict: str, failing: Sequence[str] | None) -> int:
    """The exit code of one verdict. `failing` are the lower-case verdicts of --fail-on, None for the default.

    Whoever fails TRACES does not let pass what may be more than that: INCONCLUSIVE then stays 3.
    """
    word = verdict.lower()
    if verdict == "NOT ASSESSED":
        return 2
    if word in (DEFAULT_FAIL if failing is None else failing):
        return 1
    return 3 if verdict == "INCONCLUSIVE" and (failing is None or "traces" in failing) else 0


def failing_verdicts(fail_on: str | None) -> list[str] | None:
    """The lower-case verdicts that --fail-on names; None if it was not given.

    Raises UsageError for an empty list and for a verdict that does not exist.
    """
    if fail_on is None:
        return None
    known = (*VERDICTS, "none")
    words = [word.strip().lower() for word in fail_on.split(",") if word.strip()]
    if not words:
        raise UsageError(f"--fail-on is empty, which would let everything pass; name some of {', '.join(known)}")
    for word in words:
        if word not in known:
            raise unknown("verdict", word, known, within="--fail-on")
    return words
