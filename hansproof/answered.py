"""Model answers from any files, joined to items from anywhere: the grid that every analysis of answers starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.answers.asking import Asking
    from audit.answers.joining import Joined
    from audit.answers.judging.judged import Judged
    from audit.answers.reading import Replies, ReplyColumns
    from audit.answers.reply import Reply
    from generators.item import Item

__all__ = ["given_asking", "given_columns", "given_families", "join_answers"]


def join_answers(
    answers: Replies,
    items: str | PathLike[str] | Iterable[Item] | None = None,
    *,
    asking: Asking | None = None,
    judged: Judged = "reply",
    skip_missing: bool = False,
    keep: bool = False,
) -> Joined:
    """The answers of some files, joined to their items and scored.

    Args:
        answers: As `audit.answers.reading.read_replies` reads them.
        items: A release folder, a file of items, a benchmark of any format, or items; by default those that the logs
            themselves hold.
        asking: Which columns of a benchmark are which, and which items count together (`given_asking`).
        judged: `reply` has our scorers read the replies, `harness` takes the verdicts of the logs.
        skip_missing: Leave out items to which a model has no reply; otherwise they are wrong.
        keep: Whether to keep every reply that was read and scored (`Joined.kept`), not only what became of it.

    Raises:
        InputError: For files that cannot be read, with the place of each fault, and as `audit.answers.joining.join`.
        UsageError: For names that are none.
    """
    from audit.answers.asking import Asking, items_of_logs
    from audit.answers.joining import join
    from hansproof.release.given import items_from

    replies: Iterable[Reply] = answers
    if items is None:
        replies = list(answers)
        rows: Sequence[Item] = items_of_logs(replies, asking or Asking())
        source = "the logs"
    else:
        rows = items_from(items, asking)
        source = fspath(items) if isinstance(items, str | PathLike) else "the items"
    return join(replies, rows, judged=judged, skip_missing=skip_missing, keep=keep, source=source, about=answers.notes)


def given_asking(item_columns: Mapping[str, str] | None, groups: str, original: str | None = None) -> Asking:
    """How the items of a benchmark are read and grouped, and which condition is the `original` one.

    Raises UsageError for an unknown role or way to group, and for an original condition without a column of conditions.
    """
    from audit.answers.asking import Asking

    return Asking.of(item_columns or {}, groups, original)


def given_columns(columns: Mapping[str, str] | None, reply_columns: Sequence[str]) -> ReplyColumns:
    """The columns of tables that somebody names. Raises UsageError for an unknown role."""
    from audit.answers.reading import ReplyColumns

    return ReplyColumns.of(columns or {}, tuple(reply_columns))


def given_families(families: str | PathLike[str] | Mapping[str, str] | None) -> Mapping[str, str]:
    """Model -> family, as it is or from a file. Raises InputError as `read_families` does."""
    from audit.answers.files.sources import read_families

    return read_families(families) if isinstance(families, str | PathLike) else families or {}
