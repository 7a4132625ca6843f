"""Score model replies, and test hypotheses on them, from a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.responses.hypotheses.tested import HypothesisReport
    from audit.responses.scoring import Report
    from generators.item import Item
    from generators.progress import Progress

__all__ = ["hypotheses", "score"]


def score(
    answers: str | PathLike[str] | Mapping[str, str | None],
    items: str | PathLike[str] | Iterable[Item],
    *,
    progress: Progress | None = None,
) -> list[Report]:
    """Score model replies against their items, as `hansproof score` does: one report per model.

    Args:
        answers: A file of replies (JSON lines with `id` and `reply`), or the replies of one model by item id. An item
            without a reply is missing: it counts as wrong and is counted separately.
        items: A release folder, a file of items, or the items themselves, such as those of `generate`.
        progress: Called from time to time with (stage, done, total).

    Raises:
        InputError: For files that cannot be read, with the place of each fault; for replies to none of the items; for
            no items, and for items of several releases.
    """
    from pathlib import Path

    from audit.responses.answers import read_answers
    from audit.responses.scoring import score_models
    from generators.progress import unwatched
    from hansproof.release.frozen import given_items

    rows = given_items(items)
    models: dict[str, Mapping[str, str | None]] = {}
    if isinstance(answers, Mapping):
        models[""] = answers
    else:
        for given in read_answers(Path(answers)):
            given.refuse_others(rows, items if isinstance(items, str | PathLike) else "the items")
            models[given.model] = given.replies
    return score_models(rows, models, progress or unwatched)


def hypotheses(
    answers: str | PathLike[str],
    items: str | PathLike[str] | Iterable[Item],
    *,
    names: Sequence[str] = (),
    shift: float = 0.05,
    progress: Progress | None = None,
) -> HypothesisReport:
    """Test a family's hypotheses on model replies, as `hansproof score --test mcnemar` does.

    Args:
        answers: A file of replies: JSON lines with `id` or `prompt`, and `reply`; `model` and `style` where there are
            several. Memory stays flat, however many there are.
        items: A release folder, a file of items, or the items themselves, such as those of `generate`.
        names: The hypotheses to test; all that the family declares by default.
        shift: The shift for which each test says how many pairs it needs, as a share of the answers.
        progress: Called from time to time with (stage, done, total).

    Raises:
        InputError: For files that cannot be read, with the place of each fault; for replies to none of the items; for
            no items, and for items of several releases.
        UsageError: For a family without hypotheses, an unknown hypothesis, and a shift that is no share.
    """

    from audit.responses.hypotheses.testing import examine_hypotheses
    from generators.progress import unwatched
    from hansproof.release.frozen import given_items

    rows = given_items(items)
    return examine_hypotheses(answers, rows, names, shift, progress or unwatched)
