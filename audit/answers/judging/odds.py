"""How far our reading of replies agrees with the harness that logged them, and where so badly that people must know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from audit.statistics.kappa import Agreement, agree_counts

__all__ = ["FEWEST", "REMEDY", "Tally", "at_odds", "is_poor"]

REMEDY = "--judged harness takes the verdicts of the harness"
_KAPPA = 0.5
"""Agreement below which our reading is doubtful, where"""
_DIFFERENT = 0.1
"""this share of the replies is judged differently: beside rare wrong answers, kappa is small for a few of them."""
FEWEST = 10
"""Replies with a verdict from which on an agreement says something."""
_SHOWN = 4


class Tally:
    """What we and the harness say of the replies of one series, by subset."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[tuple[bool, bool], int]] = {}

    def add(self, subset: str, ours: bool, theirs: bool) -> None:
        """Count a reply with both judgements."""
        counts = self._counts.setdefault(subset, {})
        counts[ours, theirs] = counts.get((ours, theirs), 0) + 1

    def agreement(self) -> Agreement | None:
        """Of all replies; None without any."""
        return _agreement(self._counts.values()) if self._counts else None

    def poor(self) -> dict[str, Agreement]:
        """Subset -> its agreement, of the subsets in which it is poor."""
        by_subset = {subset: _agreement([counts]) for subset, counts in self._counts.items()}
        return {subset: agreed for subset, agreed in by_subset.items() if is_poor(agreed)}


def is_poor(agreed: Agreement) -> bool:
    """Whether our reading is so far from the verdicts of the harness that its numbers are not to be believed unseen:
    kappa is below .5, as it always is where we find none right, and a tenth of the replies is judged differently."""
    different = agreed.first_only + agreed.second_only >= _DIFFERENT * agreed.replies
    return agreed.replies >= FEWEST and different and agreed.kappa < _KAPPA


def at_odds(poor: Sequence[tuple[str, Mapping[str, Agreement]]]) -> list[str]:
    """A note on the subsets in which our reading and the harness are far apart, if there are any; `poor` has them by
    the titles of series."""
    said = [
        f"{', '.join(filter(None, (subset, title))) or 'all replies'} ({_share(agreed, ours=True)} % right by "
        f"our reading, {_share(agreed, ours=False)} % by the harness, of {agreed.replies:,})"
        for title, by_subset in poor
        for subset, agreed in by_subset.items()
    ]
    if not said:
        return []
    more = f"; and {len(said) - _SHOWN:,} more" if len(said) > _SHOWN else ""
    less = any(agreed.second_only > agreed.first_only for _, by_subset in poor for agreed in by_subset.values())
    part = "; where gold answers are longer texts, --answer-part REGEX takes the part that counts" if less else ""
    return [
        f"AT ODDS WITH THE HARNESS: {'; '.join(said[:_SHOWN])}{more}. Look at replies that are judged differently "
        f"before you believe either. {REMEDY}{part}"
    ]


def _agreement(counts: Iterable[Mapping[tuple[bool, bool], int]]) -> Agreement:
    held: Sequence[Mapping[tuple[bool, bool], int]] = list(counts)
    both, ours, theirs, neither = (
        sum(each.get(key, 0) for each in held) for key in ((True, True), (True, False), (False, True), (False, False))
    )
    return agree_counts(both, ours, theirs, neither, ("wrong", "right"))


def _share(agreed: Agreement, *, ours: bool) -> str:
    right = agreed.both + (agreed.first_only if ours else agreed.second_only)
    return f"{100 * right / agreed.replies:.1f}"
