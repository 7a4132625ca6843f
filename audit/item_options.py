"""The options of each item, with the gold one and the question: what a multiple-choice benchmark is audited by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["LONGEST", "MOST", "SAME", "Options", "differ"]

MOST = 26
"""Most options of an item: as many as there are letters."""

LONGEST = 100_000
"""Most characters of an option: every option is counted several times, against its question and the other options."""

SAME = 0.9
"""If at least this share of items has identical options, the benchmark has one set of options."""


@dataclass(frozen=True)
class Options:
    """The options of N items; every list has N entries, in the order of the benchmark's items."""

    texts: list[list[str]]
    """The options as printed, without their letters or numbers; empty where they could not be read."""
    gold: list[int]
    """The place of the right option among `texts`, from 0; -1 for an item that cannot be used."""
    questions: list[str]
    """The prompt without its printed options; the whole prompt where the options stand in columns."""
    faults: list[str]
    """Why an item cannot be used, in a few words: `the gold is none of the options`; empty if it can."""
    how: str
    """One clause for the report: `column 'choices'; the gold is an index from 0`."""
    ordered: bool = True
    """Whether the order means anything. It does not where one column always holds the gold and others the rest."""
    refusal: str = ""
    """Why the options cannot be used at all, as a sentence; empty if they can."""

    @property
    def usable(self) -> list[int]:
        """The numbers of the items that can be used, ascending; none after a refusal."""
        return [] if self.refusal else [number for number, fault in enumerate(self.faults) if not fault]

    def taken(self, places: Sequence[int]) -> Options:
        """The options of the items at `places`, in that order."""
        return Options(
            [self.texts[place] for place in places],
            [self.gold[place] for place in places],
            [self.questions[place] for place in places],
            [self.faults[place] for place in places],
            self.how,
            self.ordered,
            self.refusal,
        )


def differ(options: Options | None) -> bool:
    """Whether the options can be used and differ from item to item."""
    if options is None or not options.usable:
        return False
    sets = Counter(tuple(sorted(options.texts[number])) for number in options.usable)
    return sets.most_common(1)[0][1] < SAME * len(options.usable)
