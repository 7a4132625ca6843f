"""Scores of model answers: one report per model, by subset, condition and slice, beside chance and blind strategies.

The scorer of the items' family reads and scores each reply; the sums here are the same for every family. Subsets of
which a model has no reply were not asked, and are in no number.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from audit.answers.grid import SKIPPED, Series
from audit.answers.joining import Joined
from audit.answers.judging.outcome import Outcome, outcome
from audit.answers.judging.scorers import family_of, scorer_of
from audit.responses.contrasts import conditions_of
from audit.responses.effects import Effect, effects, without_effects
from audit.responses.forms.spread import Spread, spreads
from audit.responses.lines import Line, Lines
from audit.responses.readings import ReadingAgreement, compare_readings
from audit.statistics.kappa import Agreement
from generators.answering.scorer import MeasureKind, Scorer
from generators.errors import InputError, Progress, unwatched
from generators.item import Item

__all__ = ["Report", "report_joined", "score_models"]

_CHUNK = 100  # items between two calls of the progress


@dataclass(frozen=True)
class Report:
    """The scores of one model."""

    model: str
    """Empty where the answers name none."""
    family: str
    """The family of models; empty where nobody says."""
    style: str
    """The prompt style; empty where the answers name none."""
    run: str
    """Which repetition; empty where there is one."""
    dataset: str
    version: str
    scorer: str
    """The module that scored."""
    measures: dict[str, MeasureKind]
    """Each measure, what it means and how to read it; the main one first."""
    lines: tuple[Line, ...]
    """All items first, then subsets, conditions and slices; of those that cut the items alike, only the first."""
    readings: tuple[ReadingAgreement, ...]
    """How far each further way of reading the replies agrees with the one that is scored."""
    effects: tuple[Effect, ...]
    """What each perturbation of matched items costs: whole subsets first, then their slices."""
    without_effects: tuple[str, ...]
    """Subsets of matched items that have no effects because no answer is right there."""
    spreads: tuple[Spread, ...]
    """How much the answers vary over the surface forms of a problem, where a subset has some."""
    outcomes: tuple[Outcome, ...]
    """Each reply read and scored, in the order of the items that were asked."""
    not_asked: dict[str, int]
    """Subset -> its items that this model was not asked: all, where it has no reply to any of them, or those that its
    logs, of which the run broke off or was limited, do not name. They are in no number."""
    skipped: int
    """Further items without a reply of this model; left out on request, they are in no number either."""
    harness: Agreement | None
    """How far our reading (first) agrees with the harness that ran the model on what is right; None where the answers
    have no verdicts."""

    @property
    def title(self) -> str:
        """Model, style and run, as tables call them."""
        return Series(self.model, self.style, self.run).title

    def record(self, scores: bool = False) -> dict[str, Any]:
        """The report as a JSON object in which undefined numbers are still NaN; with each item's score if `scores`."""
        record = {name: value for name, value in vars(self).items() if name != "outcomes"}
        record["harness"] = None if self.harness is None else asdict(self.harness)
        record["measures"] = {name: asdict(kind) for name, kind in self.measures.items()}
        record |= {
            name: [asdict(part) for part in record[name]] for name in ("lines", "readings", "effects", "spreads")
        }
        return record | ({"scores": [outcome.record() for outcome in self.outcomes]} if scores else {})


def score_models(
    items: Sequence[Item],
    models: Mapping[str, Mapping[str, str | None]],
    progress: Progress = unwatched,
    *,
    skip_missing: bool = False,
) -> list[Report]:
    """One report per model (name -> replies by item id), in order. An item without a reply is missing (or, with
    `skip_missing`, left out) where its subset has replies, and else not asked; a model without any reply misses all
    items.

    Items of a family that is not registered are scored by `scorer_of`. Raises InputError for no items, items of several
    releases or with the same id, and replies to none of the items.
    """
    reporter = _Reporter(items)
    ids = {item.id for item in items}
    for replies in models.values():
        strange = [id for id in replies if id not in ids]
        if strange:
            raise InputError(f"{len(strange):,} replies belong to no item; the id of the first is {strange[0]!r}")
        odd = next((id for id, reply in replies.items() if not isinstance(reply, str | None)), None)
        if odd is not None:
            raise InputError(f"the reply is {type(replies[odd]).__name__}, not text or None", f"item {odd!r}")
    reports = []
    for model, replies in models.items():
        asked = {str(item.metadata["subset"]) for item in items if item.id in replies}
        outcomes: dict[int, Outcome] = {}
        skipped: list[int] = []
        for place, item in enumerate(items):
            counts = not asked or str(item.metadata["subset"]) in asked
            if counts and skip_missing and replies.get(item.id) is None:
                skipped.append(place)
            elif counts:
                outcomes[place] = outcome(item, replies.get(item.id), reporter.scorer)
            if (place + 1) % _CHUNK == 0 or place + 1 == len(items):
                progress(f"scoring {model}".strip(), place + 1, len(items))
        reports.append(reporter.report(Series(model), outcomes, None, skipped))
    return reports


def report_joined(joined: Joined, progress: Progress = unwatched) -> list[Report]:
    """One report per series of a grid whose outcomes were kept (`join(..., keep=True)`).

    Raises InputError as `score_models` does.
    """
    items, series = joined.grid.items, joined.grid.series
    reporter = _Reporter(items)
    reports = []
    for at, (each, kept) in enumerate(zip(series, joined.kept, strict=True)):
        counted = joined.grid.counted()[:, at].tolist()
        skipped = np.flatnonzero(joined.grid.outcomes[:, at] == SKIPPED).tolist()
        outcomes = {
            place: scored if scored is not None else outcome(items[place], None, reporter.scorer)
            for place, (scored, counts) in enumerate(zip(kept, counted, strict=True))
            if counts
        }
        reports.append(reporter.report(each, outcomes, joined.agreements[at], skipped))
        progress("scoring", at + 1, len(series))
    return reports


class _Reporter:
    """Makes reports on some items; what holds there whatever a model replies is worked out once."""

    def __init__(self, items: Sequence[Item]) -> None:
        releases = list(dict.fromkeys((str(item.metadata["dataset"]), str(item.metadata["version"])) for item in items))
        if not releases:
            raise InputError("there are no items to score")
        if len(releases) > 1:
            raise InputError(f"{len(releases)} releases to score; score one at a time")
        if len({item.id for item in items}) < len(items):
            raise InputError("two items have the same id; score each subset's file once")
        self.name, self.version = releases[0]
        self.items = items
        self.scorer: Scorer = scorer_of(items)
        self.family = family_of(items)
        self._conditions = conditions_of(items)
        self._lines: dict[tuple[tuple[int, ...], tuple[int, ...]], Lines] = {}

    def report(
        self, series: Series, outcomes: Mapping[int, Outcome], harness: Agreement | None, skipped: Collection[int]
    ) -> Report:
        """The report on one series; `outcomes` are those of the items that it was asked, by place, and `skipped` the
        places of those that are left out because it has no reply."""
        places = tuple(outcomes), tuple(skipped)
        if places not in self._lines:
            counted, lacking = ([self.items[place] for place in own] for own in places)
            self._lines[places] = Lines(counted, self.family, self.scorer, self._conditions, self.items, lacking)
        left_out = {*skipped}
        every = list(outcomes.values())
        not_asked: dict[str, int] = {}
        for place, item in enumerate(self.items):
            if place not in outcomes and place not in left_out:
                not_asked[str(item.metadata["subset"])] = not_asked.get(str(item.metadata["subset"]), 0) + 1
        return Report(
            model=series.model,
            family=series.family,
            style=series.style,
            run=series.run,
            dataset=self.name,
            version=self.version,
            scorer=type(self.scorer).__module__,
            measures=dict(self.scorer.measures),
            lines=tuple(self._lines[places].of(every)),
            readings=tuple(compare_readings(every, self.scorer)),
            effects=tuple(effects(every, self.family, self._conditions)),
            without_effects=tuple(without_effects(every, self.family)),
            spreads=tuple(spreads(every, self.family)),
            outcomes=tuple(every),
            not_asked=not_asked,
            skipped=len(left_out),
            harness=harness,
        )
