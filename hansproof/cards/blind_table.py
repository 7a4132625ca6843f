"""The blind strategies on a card: the best per subset and part, and how each fared over all subsets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from audit import notation
from audit.responses.blind import worth
from generators.answering.scorer import ANSWER, best_of
from generators.dataset import Dataset
from hansproof.manifests.manifest import BlindEntry, Manifest, SubsetEntry
from hansproof.manifests.objections import beats_chance

__all__ = ["BlindTable", "Tried", "blind_table"]


@dataclass(frozen=True)
class Tried:
    """One strategy over all subsets."""

    strategy: str
    description: str
    spreads: tuple[str, ...]
    """For each part the lowest and the highest share, and where the highest is; a dash where it has none."""


@dataclass(frozen=True)
class BlindTable:
    """What the card shows."""

    parts: tuple[str, ...]
    """`whole answer`, then `` `operation` `` and the like: a column each."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """Subset -> the best strategy on each part, with interval and chance."""
    tried: tuple[Tried, ...]
    compared: int
    """Shares that were compared with chance."""
    above: int
    """Of these, how many beat chance (`objections.beats_chance`)."""
    lower: tuple[str, ...]
    """Parts of which the lower value is the better one."""
    described: tuple[str, ...]
    """Parts of which neither value is better."""

    @property
    def sparse(self) -> bool:
        """Whether most subsets lack most parts, so that a list is read more easily than a table of dashes."""
        return _mostly_dashes([texts for _, texts in self.rows])

    @property
    def sparse_tried(self) -> bool:
        """Whether most strategies lack most parts."""
        return _mostly_dashes([strategy.spreads for strategy in self.tried])

    @property
    def best_parts(self) -> tuple[int, ...]:
        """The places of the parts on which some subset has a best strategy."""
        return tuple(at for at in range(len(self.parts)) if any(texts[at] != "–" for _, texts in self.rows))


def _mostly_dashes(rows: Sequence[Sequence[str]]) -> bool:
    cells = [text for texts in rows for text in texts]
    return 2 * cells.count("–") > len(cells)


def blind_table(manifest: Manifest, dataset: Dataset) -> BlindTable:
    """Everything that the blind strategies of a release got, for the card."""
    every = [result for entry in manifest.subsets for result in entry.blind]
    parts = list(dict.fromkeys(result.part for result in every))
    kinds = dataset.scorer.measures
    compared = [result for result in every if _comparable(result, dataset) and result.chance is not None]
    return BlindTable(
        parts=tuple(map(_heading, parts)),
        rows=tuple((entry.name, tuple(_best(entry, part, dataset) for part in parts)) for entry in manifest.subsets),
        tried=_tried(manifest, dataset, parts),
        compared=len(compared),
        above=sum(map(beats_chance, compared)),
        lower=tuple(part for part in parts if part in kinds and kinds[part].better == "lower"),
        described=tuple(part for part in parts if part in kinds and kinds[part].better == "neither"),
    )


def _comparable(result: BlindEntry, dataset: Dataset) -> bool:
    """Whether a share says anything: not without a value, not of a part with one answer, not where nothing is better.

    A measure may be any number, so its chance may be 1 or more.
    """
    one_answer = result.chance == 1 and result.part not in dataset.scorer.measures
    return _told(result) and not one_answer and result.better != "neither"


def _told(result: BlindEntry) -> bool:
    return result.share is not None and result.answered > 0


def _worth(result: BlindEntry) -> float:
    """As `BlindResult.worth`."""
    chance = nan if result.chance is None else result.chance
    return worth(result.of_answered(result.share), result.answered / result.items, chance)


def _heading(part: str) -> str:
    return "whole answer" if part == ANSWER else f"`{part}`"


def _best(entry: SubsetEntry, part: str, dataset: Dataset) -> str:
    """`` `sum` .51 [.47, .54], chance .50 ``, in bold if it beats chance; how many it answers, if not all.

    A dash where nothing was measured, where one answer is all there is, or where no value is better.
    """
    results = [result for result in entry.blind if result.part == part and _comparable(result, dataset)]
    best = best_of(results, _worth, results[0].better if results else "higher")
    if best is None:
        return "–"
    share = notation.kappa(best.of_answered(best.share))
    text = f"`{best.strategy}` {f'**{share}**' if beats_chance(best) else share}"
    if best.low is not None:
        text += f" {notation.interval(best.of_answered(best.low), best.of_answered(best.high))}"
    if best.answered < best.items:
        text += f" of the {notation.points(best.answered / best.items)} % that it answers"
    return text + (f", chance {notation.kappa(best.chance)}" if best.chance is not None else "")


def _tried(manifest: Manifest, dataset: Dataset, parts: Sequence[str]) -> tuple[Tried, ...]:
    shares: dict[tuple[str, str], list[tuple[float, str]]] = {}
    for entry in manifest.subsets:
        for result in entry.blind:
            if _told(result) and (result.better == "neither" or _comparable(result, dataset)):
                shares.setdefault((result.strategy, result.part), []).append(
                    (result.of_answered(result.share), entry.name)
                )
    targets = {known.target for known in dataset.scorer.blind} - {""}
    tried = []
    for known in dataset.scorer.blind:
        # A strategy with a target guesses that alone; any other one is measured on all parts that are no target.
        own = [part == known.target if known.target else part not in targets for part in parts]
        measured = [shares.get((known.name, part), []) if mine else [] for part, mine in zip(parts, own, strict=True)]
        if any(measured):
            tried.append(Tried(known.name, known.description, tuple(map(_spread, measured))))
    return tuple(tried)


def _spread(shares: Sequence[tuple[float, str]]) -> str:
    if not shares:
        return "–"
    low, high = min(share for share, _ in shares), max(share for share, _ in shares)
    where = [subset for share, subset in shares if share == high]
    if notation.kappa(low) == notation.kappa(high):
        return notation.kappa(high)
    more = f" and {len(where) - 1} more" if len(where) > 1 else ""
    return f"{notation.kappa(low)} to {notation.kappa(high)} (`{where[0]}`{more})"
