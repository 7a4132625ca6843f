"""Scores of model answers: one report per model, by subset, condition and slice, beside chance and blind strategies.

The scorer of the items' family reads and scores each reply; the sums here are the same for every family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from audit.responses.effects import Effect, effects, without_effects
from audit.responses.forms.spread import Spread, spreads
from audit.responses.lines import Line, Lines
from audit.responses.outcome import Outcome, outcome
from audit.responses.readings import ReadingAgreement, compare_readings
from generators.answering.plain_scorer import PLAIN
from generators.answering.scorer import MeasureKind, Scorer
from generators.errors import InputError
from generators.item import Item
from generators.progress import Progress, unwatched
from generators.registry import MODULES, dataset

__all__ = ["Report", "score_models"]

_CHUNK = 100  # items between two calls of the progress


@dataclass(frozen=True)
class Report:
    """The scores of one model."""

    model: str
    """Empty where the answers name none."""
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
    """Each reply read and scored, in the order of the items."""

    def record(self, scores: bool = False) -> dict[str, Any]:
        """The report as a JSON object in which undefined numbers are still NaN; with each item's score if `scores`."""
        record = {name: value for name, value in vars(self).items() if name != "outcomes"}
        record["measures"] = {name: asdict(kind) for name, kind in self.measures.items()}
        record |= {
            name: [asdict(part) for part in record[name]] for name in ("lines", "readings", "effects", "spreads")
        }
        return record | ({"scores": [outcome.record() for outcome in self.outcomes]} if scores else {})


def score_models(
    items: Sequence[Item], models: Mapping[str, Mapping[str, str | None]], progress: Progress = unwatched
) -> list[Report]:
    """One report per model (name -> replies by item id), in order. An item without a reply is missing.

    Items of a family that is not registered are scored by `generators.answering.plain_scorer`. Raises InputError for no
    items, items of several releases or with the same id, and replies to none of the items.
    """
    releases = list(dict.fromkeys((str(item.metadata["dataset"]), str(item.metadata["version"])) for item in items))
    if not releases:
        raise InputError("there are no items to score")
    if len(releases) > 1:
        raise InputError(f"{len(releases)} releases to score; score one at a time")
    ids = {item.id for item in items}
    if len(ids) < len(items):
        raise InputError("two items have the same id; score each subset's file once")
    for replies in models.values():
        strange = [id for id in replies if id not in ids]
        if strange:
            raise InputError(f"{len(strange):,} replies belong to no item; the id of the first is {strange[0]!r}")
        odd = next((id for id, reply in replies.items() if not isinstance(reply, str | None)), None)
        if odd is not None:
            raise InputError(f"the reply is {type(replies[odd]).__name__}, not text or None", f"item {odd!r}")
    name, version = releases[0]
    family = dataset(name) if name in MODULES else None
    scorer: Scorer = PLAIN if family is None else family.scorer
    lines = Lines(items, family, scorer)
    reports = []
    for model, replies in models.items():
        outcomes: list[Outcome] = []
        for item in items:
            outcomes.append(outcome(item, replies.get(item.id), scorer))
            if len(outcomes) % _CHUNK == 0 or len(outcomes) == len(items):
                progress(f"scoring {model}".strip(), len(outcomes), len(items))
        reports.append(
            Report(
                model=model,
                dataset=name,
                version=version,
                scorer=type(scorer).__module__,
                measures=dict(scorer.measures),
                lines=tuple(lines.of(outcomes)),
                readings=tuple(compare_readings(outcomes, scorer)),
                effects=tuple(effects(outcomes, family)),
                without_effects=tuple(without_effects(outcomes, family)),
                spreads=tuple(spreads(outcomes, family)),
                outcomes=tuple(outcomes),
            )
        )
    return reports
