"""Matched conditions: which is compared with which, the pairs of items that have one each, slices, and effects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hansproof.audit.models.contrast import Compared, Contrast, contrasts_of
from hansproof.audit.models.sides import Scores
from hansproof.audit.notation import first_of
from hansproof.audit.replies.grid import MISSING, group_numbers
from hansproof.audit.replies.scorers import ACCEPTED, BREAKDOWN, MATCHED, ORIGINAL, family_of, own_subset, subset_of
from hansproof.generators.dataset import Dataset, base_of
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

__all__ = [
    "INCOMPLETE",
    "MOST",
    "Conditions",
    "Contrasted",
    "Values",
    "changes_of",
    "conditions_of",
    "contrast_name",
    "contrasted",
    "cuts_by",
    "effect_note",
    "effects",
    "guessed_note",
    "in_order",
    "linked",
    "matched_by",
    "slice_name",
    "values_of",
    "why_none",
]

Ints = NDArray[np.int64]
Codes = NDArray[np.int8]
_Groups = Collection[Mapping[str, object]]
"""Condition -> anything, group by group."""

Values = tuple[Any, ...]
"""The values of one slice, key by key."""


def values_of(item: Item, keys: Sequence[str]) -> Values | None:
    """The values of `keys`; None where the item lacks one of them. Raises InputError for a list or an object."""
    values = tuple(item.metadata.get(key) for key in keys)
    for key, value in zip(keys, values):
        if isinstance(value, list | tuple | dict):
            raise InputError(f"metadata.{key} is not a text, a number or a boolean", f"item {item.id!r}")
    return None if None in values else values


def cuts_by(family: Dataset | None = None) -> dict[str, Callable[[Item], Values | None]]:
    """`all`, `subset`, `condition`, or the keys of a slice -> the values by which an item is in a part of that cut."""
    return {
        "all": lambda item: ("",),
        "subset": lambda item: (subset_of(item),),
        "condition": lambda item: (item.condition,),
        **{", ".join(keys): partial(values_of, keys=keys) for keys in (family.slices if family else ())},
    }


def slice_name(values: Values) -> str:
    """`E, 4`."""
    return ", ".join(map(str, values))


def in_order(slices: Iterable[Values]) -> list[Values]:
    """Numbers by size, before everything else by its text."""

    def rank(value: Any) -> tuple[bool, float, str]:
        number = isinstance(value, int | float)
        return not number, value if number else 0, str(value)

    return sorted(slices, key=lambda values: [rank(value) for value in values])


# A family of ours says it itself (`Subset.matched`). Elsewhere the items say it: those of one group that differ in
# their condition are matched, and every condition is compared with the original one.

ORIGINALS: Final = ("original", "baseline", "base", "control", "reference", "unperturbed", "unchanged", "clean")
"""What the condition is called that others are compared with, in any case, unless somebody names it. Where none is
called so, it is the first to occur."""

MOST: Final = 50
"""More conditions than this are no design: the column holds something else."""

_LISTED: Final = 5
_UNNAMED: Final = "(unnamed)"

Conditions = dict[str, dict[str, dict[str, list[int]]]]
"""Subset -> what items are matched by -> condition -> places of its items, all in the order of the items."""


class Contrasted(NamedTuple):
    """Two conditions of a subset, and the pairs of items that have one each."""

    subset: str
    original: str
    perturbed: str
    pairs: Ints
    """(n, 2): places of items."""
    left_out: int
    """Groups with an item of one of the two conditions, but not exactly one of each."""
    guessed: bool
    """Whether the original is one only because it occurs first."""


def conditions_of(items: Sequence[Item], subset: Callable[[Item], str] = own_subset) -> Conditions:
    """The conditions of the items, by a `subset`: by default that of the benchmark itself."""
    subsets: Conditions = {}
    for place, item in enumerate(items):
        groups = subsets.setdefault(subset(item), {})
        groups.setdefault(matched_by(item), {}).setdefault(item.condition, []).append(place)
    return subsets


def changes_of(items: Sequence[Item]) -> dict[str, list[tuple[str, str]]]:
    """(original, other) for each two conditions that are compared, by the subset that the items are shown by."""
    family, chosen = family_of(items), str(items[0].metadata.get(ORIGINAL, ""))
    return {
        name: _declared(family, name) if family and family.find(name) else _by_name(groups.values(), chosen=chosen)
        for name, groups in conditions_of(items, subset_of).items()
    }


def contrasted(
    items: Sequence[Item], codes: Codes, family: Dataset | None, conditions: Conditions | None = None
) -> Iterator[Contrasted]:
    """Every two conditions that are compared, subset by subset, of one column of a grid (`codes`).

    Items that were not asked, are skipped, or have no right answer, are in no pair. Of a family's subsets, the
    conditions are those of its hypotheses or its contrast (`_declared`). Of other items, the original condition and
    each that some group has beside it (`_by_name`), in the order of the `conditions` of all items, so that which one is
    the original does not depend on which replies are left out.
    """
    chosen, counts = str(items[0].metadata.get(ORIGINAL, "")) if items else "", (codes <= MISSING).tolist()
    for name, every in (conditions_of(items) if conditions is None else conditions).items():
        declared = _declared(family, name) if family is not None and family.find(name) else None
        if declared == [] or (declared is None and all(len(group) < 2 for group in every.values())):
            continue  # as in most benchmarks: nothing needs to be sorted
        counted = ({name: [at for at in own if counts[at]] for name, own in group.items()} for group in every.values())
        groups = [{name: own for name, own in group.items() if own} for group in counted]
        for original, condition in _by_name(groups, every.values(), chosen) if declared is None else declared:
            sides = [(group.get(original, []), group.get(condition, [])) for group in groups]
            sides = [(left, right) for left, right in sides if left or right]
            pairs = [(left[0], right[0]) for left, right in sides if len(left) == len(right) == 1]
            if sides:
                guessed = declared is None and not chosen and _folded(original) not in ORIGINALS
                whole = np.array(pairs, dtype=np.int64).reshape(-1, 2)
                yield Contrasted(name, original, condition, whole, len(sides) - len(pairs), guessed)


def linked(ends: Ints) -> Ints:
    """(m,): the number from 0 of what each of m things belongs to, where every row of `ends` (n, 2) links two."""
    size = int(ends.max(initial=-1)) + 1
    if not size:
        return np.array([], dtype=np.int64)
    links = coo_array((np.ones(len(ends)), tuple(ends.T)), shape=(size, size))
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


def contrast_name(subset: str, original: str, perturbed: str, minus: str = "-") -> str:
    """`consistency: consistent - inconsistent`; the subset or a condition may be empty."""
    conditions = f"{original or _UNNAMED} {minus} {perturbed or _UNNAMED}"
    return f"{subset}: {conditions}" if subset else conditions


def matched_by(item: Item) -> str:
    """What the items of several conditions are matched by: what is declared, or else their group."""
    return str(item.metadata.get(MATCHED, item.group))


def _declared(family: Dataset, name: str) -> list[tuple[str, str]]:
    """(original, perturbed) of each effect: those of the hypotheses about a subset, which may have several originals
    (`valid` and `invalid`, each with its perturbations), else those of its contrast."""
    contrast = family.subset(name).matched
    if contrast is None or contrast.forms:
        return []
    about = [
        hypothesis for hypothesis in family.hypotheses if base_of(name) in hypothesis.subsets and not hypothesis.styles
    ]
    originals = {after: before for hypothesis in about for before, after in hypothesis.changes}
    return [
        (originals.get(condition, contrast.original), condition)
        for condition in contrast.perturbed
        if condition not in originals.values()
    ]


def _by_name(groups: _Groups, every: _Groups | None = None, chosen: str = "") -> list[tuple[str, str]]:
    """(original, other) for each condition that stands beside the original in some group; none of more than `MOST`.

    Conditions are in the order in which they do so in `every` group, of which `groups` may be a part. The original is
    the one that was `chosen`, and else goes by its name, or by its place.
    """
    beside = _beside_another(groups)
    conditions = [name for name in _beside_another(every or groups) if name in beside]
    if not 2 <= len(conditions) <= MOST:
        return []
    called = {_folded(name): name for name in reversed(conditions)}
    original = chosen or next((called[name] for name in ORIGINALS if name in called), conditions[0])
    with_it = {name for group in groups if original in group for name in group}
    return [(original, condition) for condition in conditions if condition != original and condition in with_it]


def _folded(condition: str) -> str:
    return condition.strip().casefold()


def _beside_another(groups: _Groups) -> dict[str, None]:
    return dict.fromkeys(name for group in groups if len(group) > 1 for name in group)


def why_none(items: Sequence[Item]) -> str:
    """Why no conditions of these items are compared whatever a model replies: what was looked for, and what to write.

    Empty where some are. Raises InputError for items of several datasets.
    """
    family = family_of(items)
    subsets = conditions_of(items)
    if family is not None and (ours := [name for name in subsets if family.find(name)]):
        if any(_declared(family, name) for name in ours):
            return ""
        have = [name for name in family.subsets if _declared(family, name)]
        there = f"; it has them in {_some(have)}" if have else ""
        return f"{family.name} declares no matched conditions in {_some(ours)}{there}"
    chosen = str(items[0].metadata.get(ORIGINAL, ""))
    if any(_by_name(groups.values(), chosen=chosen) for groups in subsets.values()):
        return ""
    if chosen and any(_by_name(groups.values()) for groups in subsets.values()):
        return f"no group of items has the condition {chosen!r}, which --original names, and another one"
    every = [groups for of in subsets.values() for groups in of.values()]
    conditions = list(dict.fromkeys(name for group in every for name in group))
    listed = f"{len(conditions):,} conditions ({_some([name or _UNNAMED for name in conditions])})"
    if len(conditions) == 1:
        reason = f"all items have the condition {conditions[0]!r}" if conditions[0] else "no item says its condition"
    elif not any(len(group) > 1 for group in every):
        reason = f"no group of items has two of the {listed}"
    else:
        reason = f"{listed} are no design, which has at most {MOST}"
    if ACCEPTED not in items[0].metadata:
        return f"{reason}. Items that are matched share their `group`, and differ in their `condition`"
    return f"{reason}. Name two columns of the items: --group (which are matched) and --condition (how they differ)"


def _some(names: Sequence[str]) -> str:
    return first_of([name[:40] for name in names], _LISTED)


# Effects, what perturbations cost: accuracy on the original less accuracy on a perturbation, in matched pairs.

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
