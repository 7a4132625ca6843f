"""What perturbations cost: accuracy on the original less accuracy on a perturbation, in matched pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hansproof.audit.models.contrast import Compared, Contrast, contrasts_of
from hansproof.audit.models.matching import (
    Conditions,
    Contrasted,
    Pair,
    Values,
    contrasted,
    in_order,
    independent,
    slice_name,
    values_of,
)
from hansproof.audit.models.sides import Scores
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.scorers import BREAKDOWN
from hansproof.generators.dataset import Dataset

__all__ = ["INCOMPLETE", "effect_note", "effects", "guessed_note", "without_effects"]

INCOMPLETE: Final = "groups without exactly one item of each condition that counts, left out"
"""What groups in no pair are called. An item without a reply counts unless it is skipped, one without a right answer
never does."""


def guessed_note(every: Sequence[Contrast]) -> str:
    """Which conditions are taken for the original one only because they occur first; empty where none is."""
    names = list(dict.fromkeys(effect.first for effect in every if effect.guessed))
    if not names:
        return ""
    are, they = ("is", "it occurs") if len(names) == 1 else ("are", "they occur")
    return (
        f"{', '.join(map(repr, names))} {are} compared with the others because {they} first: --original names another "
        "condition"
    )


def _asked(pairs: Sequence[Pair]) -> bool:
    """Whether both conditions have a reply: the effect of replies that do not exist says nothing."""
    return any(not pair.original.missing for pair in pairs) and any(not pair.perturbed.missing for pair in pairs)


def effects(
    outcomes: Sequence[Outcome], family: Dataset | None, conditions: Conditions | None = None
) -> list[Contrast]:
    """Every effect of one model: whole subsets in the order of the items, then their slices.

    A subset has one effect per perturbation (see `contrasted`, also for `conditions`), over the groups with exactly one
    item of each of the two conditions. A missing reply is wrong, and counted. Passed over are effects and slices in
    which one of the two conditions has no reply at all, and items that have no right answer. Keys give slices where
    their values differ.
    """
    compared = [both for both in contrasted(outcomes, family, conditions) if not both.pairs or _asked(both.pairs)]
    whole = contrasts_of([_sides(pairs, pairs.pairs, left_out=pairs.left_out) for pairs in compared])
    slices: list[Contrast] = []
    # A breakdown cuts the pairs of the whole benchmark, and so tears none of them apart.
    ways = [("subset", (BREAKDOWN,)), *((", ".join(keys), tuple(keys)) for keys in (family.slices if family else ()))]
    for subset in dict.fromkeys(pairs.subset for pairs in compared):
        slices += contrasts_of([
            _sides(pairs, some, by=by, name=name)
            for pairs in compared if pairs.subset == subset
            for by, keys in ways
            for name, some in _sliced(pairs.pairs, keys) if _asked(some)
        ])  # fmt: skip
    return [*whole, *slices]


def without_effects(outcomes: Sequence[Outcome], family: Dataset | None) -> list[str]:
    """The subsets whose conditions a family contrasts although no answer is right there: they have measures only."""
    answerable: dict[str, bool] = {}
    for outcome in outcomes:
        name = str(outcome.item.metadata["subset"])
        answerable[name] = answerable.get(name, False) or outcome.score.right is not None
    known = family.subsets if family else {}
    return [name for name, some in answerable.items() if not some and name in known and known[name].matched]


def _sliced(pairs: Sequence[Pair], keys: Sequence[str]) -> list[tuple[str, list[Pair]]]:
    """(name, its pairs), numbers in their order, a breakdown in that of the items; none where there is one slice only,
    which says nothing new."""
    sliced: dict[Values, list[Pair]] = {}
    for pair in pairs:
        original, perturbed = values_of(pair.original.item, keys), values_of(pair.perturbed.item, keys)
        if original is not None and perturbed is not None:
            sliced.setdefault((*original, *perturbed), []).append(pair)
    if len(sliced) < 2:
        return []
    named = []
    for values in in_order(sliced) if BREAKDOWN not in keys else sliced:
        names = dict.fromkeys((slice_name(values[: len(keys)]), slice_name(values[len(keys) :])))
        named.append((" / ".join(names), sliced[values]))
    return named


def _sides(compared: Contrasted, pairs: Sequence[Pair], **about: Any) -> Compared:
    """The scores of both conditions, pair by pair, and what else the contrast says."""
    about |= {"first": compared.original, "second": compared.perturbed, "guessed": compared.guessed}
    # Within a condition, a family's pairs are groups of their own; those of other benchmarks may share a template.
    first, second = (_scores([pair[side] for pair in pairs]) for side in (0, 1))
    return Compared(first, second, independent(pairs), {**about, "subset": compared.subset})


def _scores(outcomes: Sequence[Outcome]) -> Scores:
    kinds = [(each.right, each.unclear, each.missing) for each in outcomes]
    right, unclear, missing = np.array(kinds, dtype=np.bool_).reshape(-1, 3).T
    values = right.astype(np.float64)
    return Scores(values.reshape(-1, 1), values, unclear, missing, ~(unclear | missing))


def effect_note(effect: Contrast) -> str:
    """What cannot be relied on in an effect, and what counts as wrong or is left out; empty where all is well."""
    missing = sum(effect.missing)
    notes = (
        effect.difference.note,
        f"missing replies count as wrong: {missing:,}" if missing else "",
        f"{INCOMPLETE}: {effect.left_out:,}" if effect.left_out else "",
    )
    return "; ".join(filter(None, notes))
