"""What perturbations cost: accuracy on the original less accuracy on a perturbation, in matched pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hansproof.audit.models.contrast import Compared, Contrast, contrasts_of
from hansproof.audit.models.matching import (
    Codes,
    Conditions,
    Contrasted,
    Ints,
    Values,
    contrasted,
    in_order,
    linked,
    slice_name,
    values_of,
)
from hansproof.audit.models.sides import Scores
from hansproof.audit.replies.grid import MISSING, group_numbers
from hansproof.audit.replies.scorers import BREAKDOWN
from hansproof.generators.dataset import Dataset
from hansproof.generators.item import Item

__all__ = ["INCOMPLETE", "effect_note", "effects", "guessed_note"]

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


def effects(
    items: Sequence[Item], codes: Codes, family: Dataset | None, conditions: Conditions | None = None
) -> list[Contrast]:
    """Every effect of one model, a column of a grid (`codes`): whole subsets in the order of the items, then slices.

    A subset has one effect per perturbation (see `contrasted`, also for `conditions`), over the groups with exactly one
    item of each of the two conditions. A missing reply is wrong, and counted. Passed over are effects and slices in
    which one of the two conditions has no reply at all, and items that have no right answer. Keys give slices where
    their values differ.
    """

    def sides(compared: Contrasted, pairs: Ints, **about: Any) -> Compared:
        # Within a condition, a family's pairs are groups of their own; those of other benchmarks may share a template.
        ends = group_numbers([items[place] for place in pairs.ravel().tolist()]).reshape(-1, 2)
        about |= {"first": compared.original, "second": compared.perturbed, "guessed": compared.guessed}
        first, second = (Scores(codes[pairs[:, [side]]]) for side in (0, 1))
        return Compared(first, second, linked(ends)[ends[:, 0]], {**about, "subset": compared.subset})

    def asked(pairs: Ints) -> bool:
        """Whether both conditions have a reply: the effect of replies that do not exist says nothing."""
        return bool((codes[pairs] != MISSING).any(axis=0).all())

    compared = [
        both for both in contrasted(items, codes, family, conditions) if not len(both.pairs) or asked(both.pairs)
    ]
    whole = contrasts_of([sides(both, both.pairs, left_out=both.left_out) for both in compared])
    slices: list[Contrast] = []
    # A breakdown cuts the pairs of the whole benchmark, and so tears none of them apart.
    ways = [("subset", (BREAKDOWN,)), *((", ".join(keys), tuple(keys)) for keys in (family.slices if family else ()))]
    for subset in dict.fromkeys(both.subset for both in compared):
        slices += contrasts_of([
            sides(both, some, by=by, name=name)
            for both in compared if both.subset == subset
            for by, keys in ways
            for name, some in _sliced(items, both.pairs, keys) if asked(some)
        ])  # fmt: skip
    return [*whole, *slices]


def _sliced(items: Sequence[Item], pairs: Ints, keys: Sequence[str]) -> list[tuple[str, Ints]]:
    """(name, its pairs), numbers in their order, a breakdown in that of the items; none where there is one slice only,
    which says nothing new."""
    sliced: dict[Values, list[list[int]]] = {}
    for pair in pairs.tolist():
        original, perturbed = (values_of(items[place], keys) for place in pair)
        if original is not None and perturbed is not None:
            sliced.setdefault((*original, *perturbed), []).append(pair)
    if len(sliced) < 2:
        return []
    named = []
    for values in in_order(sliced) if BREAKDOWN not in keys else sliced:
        names = dict.fromkeys((slice_name(values[: len(keys)]), slice_name(values[len(keys) :])))
        named.append((" / ".join(names), np.array(sliced[values])))
    return named


def effect_note(effect: Contrast) -> str:
    """What cannot be relied on in an effect, and what counts as wrong or is left out; empty where all is well."""
    missing = sum(effect.missing)
    notes = (
        effect.difference.note,
        f"missing replies count as wrong: {missing:,}" if missing else "",
        f"{INCOMPLETE}: {effect.left_out:,}" if effect.left_out else "",
    )
    return "; ".join(filter(None, notes))
