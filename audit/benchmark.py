"""The one thing the audit sees: texts, gold answers, and what is known about how they hang together.

Made by `audit.loading` from a file, the Hub or a frame; read by features, groups and probes. Rows that could
not be used are not here but listed in `left_out`, so that nothing disappears silently.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Benchmark", "LeftOut", "Mapping"]


@dataclass(frozen=True)
class Mapping:
    """Which part of the source plays which role; always printed."""

    prompt: str
    """A column name, or the template that composed the prompt."""
    answer: str
    """The column of the gold answer."""
    group: str | None = None
    """The column of items that belong together, where one was named or recognised."""
    split: str | None = None
    """The column of the published split."""
    id: str | None = None
    """The column of the item's own name."""
    guessed: tuple[str, ...] = ()
    """Roles (`prompt`, `answer`, ...) whose column was guessed rather than named by the user."""
    format: str = ""
    """The format as recognised, in words: `JSONL`, `OpenAI evals samples (chat)`, ..."""


@dataclass(frozen=True)
class LeftOut:
    """One row that was not audited, and why."""

    place: str
    """`line 812` or `row 812`: counted from 1, as an editor counts."""
    reason: str
    """Why, in a few words: `empty prompt`."""


@dataclass(frozen=True)
class Benchmark:
    """N items with a gold answer each; every list has N entries, in the order of the source."""

    name: str
    """Short name for tables: the file's stem or the Hub's `org/name`."""
    source: str
    """What the user named, as they named it."""
    sha256: str
    """Digest of the bytes read, or of the canonical rows where there is no file."""
    prompts: list[str]
    """What a model would be shown; chat messages are joined by a newline, roles left out."""
    answers: list[str]
    """The gold answers, stripped."""
    ids: list[str]
    """The item's own id, or its place (`line 812`)."""
    mapping: Mapping
    groups: list[str] | None = None
    """The author's own groups; None where no column was named or recognised."""
    splits: list[str] | None = None
    """The published split of each item; None where there is no such column."""
    choices: list[list[str]] | None = None
    """The options of each item where the source has them in a field of their own."""
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    """Things a reader should know: `12 texts occur twice with different golds`."""
