"""Test hypotheses on model replies from a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from os import PathLike
from typing import TYPE_CHECKING, Any

from audit.responses.hypotheses.tested import HypothesisReport

if TYPE_CHECKING:
    from audit.answers.joining import Joined
    from generators.item import Item
    from generators.progress import Progress

__all__ = ["TestedAnswers", "hypotheses"]


@dataclass(frozen=True)
class TestedAnswers(HypothesisReport):
    """The tests, with the answers that they were made on."""

    joined: Joined
    files: tuple[str, ...]
    """That were read."""

    def record(self) -> dict[str, Any]:
        """The tests as a JSON object, without the answers; undefined numbers are still NaN."""
        return asdict(HypothesisReport(**{field.name: vars(self)[field.name] for field in fields(HypothesisReport)}))

    def page(self) -> str:
        """The tests as one HTML page that works from disk and runs nothing."""
        from audit.study.answered import answered
        from audit.study.findings import Findings
        from audit.study.page import render

        return render(Findings("hypotheses", self.files, [answered(self.joined, tested=self)]))


def hypotheses(
    answers: str | PathLike[str] | Iterable[str | PathLike[str]],
    items: str | PathLike[str] | Iterable[Item],
    *,
    item_columns: Mapping[str, str] | None = None,
    names: Sequence[str] = (),
    shift: float = 0.05,
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    progress: Progress | None = None,
) -> TestedAnswers:
    """Test a family's hypotheses on model replies, as `hansproof analyse --by hypotheses` does.

    Args:
        answers: Files or folders of answers, as for `score`; `model` and `style` where there are several. Memory stays
            flat, however many lines of our own format there are.
        items: A release folder, a file of items, or the items themselves, such as those of `generate`.
        item_columns: Role -> column of a benchmark, as for `score`.
        names: The hypotheses to test; all that the family declares by default.
        shift: The shift for which each test says how many pairs it needs, as a share of the answers.
        models: Only these models.
        styles: Only these prompt styles.
        columns: Role -> column, for tables whose columns have other names.
        reply_columns: The columns of a table with one model's replies each.
        progress: Called from time to time with (stage, done, total).

    A pair without one of its replies is left out. The report has a `page()`.

    Raises:
        InputError: For files that cannot be read, with the place of each fault; for replies to none of the items; for
            no items, and for items of several releases.
        UsageError: For a family without hypotheses, an unknown hypothesis, and a shift that is no share.
    """
    from audit.answers.joining import join
    from audit.answers.reading import read_replies
    from audit.responses.hypotheses.testing import asked_hypotheses, examine_hypotheses
    from generators.progress import unwatched
    from hansproof.answered import given_asking, given_columns
    from hansproof.release.given import items_from

    named = given_columns(columns, reply_columns)
    rows = items_from(items, given_asking(item_columns, "auto"))
    asked_hypotheses(rows, names, shift)  # nothing is read for what cannot be tested
    replies = read_replies(answers, named, models=models, styles=styles, progress=progress or unwatched)
    joined = join(replies, rows)
    report = examine_hypotheses(joined, names, shift)
    return TestedAnswers(**vars(report), joined=joined, files=tuple(file.path for file in replies.files))
