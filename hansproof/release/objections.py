"""What a manifest counts and measures of its items, and why a release is refused for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from hansproof.audit.models.blind import measure_blind
from hansproof.audit.notation import kappa, p_is, things
from hansproof.generators.answering.scorer import ANSWER
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import Fault, HansproofError
from hansproof.generators.item import Item
from hansproof.release.arms import arm_entries
from hansproof.release.manifest import MANIFEST, BlindEntry, FigureEntry, Manifest, SubsetEntry, rounded

__all__ = [
    "BAD",
    "UNMEASURABLE",
    "arm_faults",
    "beats_chance",
    "blind_entries",
    "blind_faults",
    "count_faults",
    "counts",
    "declared",
    "figure_entries",
    "figure_faults",
    "majority",
    "objections",
]


def counts(items: Sequence[Item], size: int, *, labels: bool) -> dict[str, Any]:
    """The fields of a `SubsetEntry` that its items and the `size` of their file in bytes give.

    `labels` says whether the answers are a few labels, of which the manifest has the numbers.
    """
    answers = Counter(item.answer for item in items if item.answer is not None)
    return {
        "rows": len(items),
        "bytes": size,
        "groups": len({item.group for item in items}),
        "conditions": dict(Counter(item.condition for item in items)),
        "answers": dict(sorted(answers.items())) if labels and answers else None,
    }


def count_faults(entry: SubsetEntry, items: Sequence[Item], size: int, *, labels: bool) -> list[Fault]:
    """Where the manifest counts something else in a file than there is; `labels` as for `counts`."""
    counted = counts(items, size, labels=labels)
    wrong = [
        f"its {field} is {getattr(entry, field)!r}; the file gives {value!r}"
        for field, value in counted.items()
        if getattr(entry, field) != value
    ]
    wrong += _audit_faults(entry, items, counted["groups"])
    wrong += [
        f"its blind strategy {blind.strategy} has {blind.items:,} items, more than the file"
        for blind in entry.blind
        if blind.items > len(items)
    ]
    return [Fault(reason, f"{MANIFEST}: {entry.name}") for reason in wrong]


def _audit_faults(entry: SubsetEntry, items: Sequence[Item], groups: int) -> Iterator[str]:
    for which, audit in (("audit", entry.audit), ("by_option", entry.by_option)):
        # The audit may join groups whose texts are alike, and never parts one.
        if audit is not None and audit.groups is not None and audit.groups > groups:
            yield f"its {which}.groups is {audit.groups:,}; the file has {things(groups, 'group')}"
    given = entry.audit.majority_accuracy, entry.audit.majority_uniform
    if given == (None, None) or not items:
        return
    # What somebody edited may name a list, which nothing counts by.
    labels = [repr(item.metadata.get(entry.audited) if entry.audited else item.answer) for item in items]
    share, uniform = majority(labels)
    wanted = share, uniform if entry.audit.schemes else None
    if given != wanted:
        yield f"its audit.majority_accuracy and audit.majority_uniform are {given}; the file gives {wanted}"


def majority(labels: Sequence[str]) -> tuple[float | None, float | None]:
    """What the most common label gets right, as a share and as a uniform-chance kappa (None where there is but one)."""
    counted = Counter(labels)
    share, chance = max(counted.values()) / len(labels), 1 / len(counted)
    return rounded(share), rounded((share - chance) / (1 - chance)) if chance < 1 else None


UNMEASURABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, HansproofError)
"""What measuring may raise: items that somebody tampered with have fields of the right type and no more."""


def blind_entries(dataset: Dataset, items: Sequence[Item]) -> list[BlindEntry]:
    """Every blind strategy of the family on every part of the answers to `items`, one subset, to four decimals."""
    return [
        BlindEntry(
            strategy=result.strategy,
            part=result.part,
            items=result.items,
            answered=result.answered,
            share=rounded(result.share.share),
            low=rounded(result.share.low),
            high=rounded(result.share.high),
            interval=result.share.interval,
            in_sample=rounded(result.in_sample),
            chance=rounded(result.chance),
            p_holm=rounded(result.p_holm),
            better=result.better,
        )
        for result in measure_blind(items, dataset.scorer, unanswered=True)
    ]


def blind_faults(entry: SubsetEntry, items: Sequence[Item], dataset: Dataset) -> list[Fault]:
    """Where the manifest says something else about a subset than its items give."""
    place = f"{MANIFEST}: {entry.name}"
    try:
        measured = {(result.strategy, result.part): result for result in blind_entries(dataset, items)}
    except UNMEASURABLE as error:
        return [Fault(f"its blind strategies cannot be measured: {type(error).__name__}: {error}", place)]
    published = {(result.strategy, result.part): result for result in entry.blind}
    faults = []
    for key in dict.fromkeys([*measured, *published]):
        name = " on ".join(key)
        if key not in published:
            faults.append(Fault(f"lacks the blind strategy {name}", place))
        elif key not in measured:
            faults.append(
                Fault(f"has a blind strategy {name} that {dataset.name} {dataset.version} does not have", place)
            )
        else:
            said, given = asdict(published[key]), asdict(measured[key])
            other = [f"{field} {said[field]}, not {given[field]}" for field in said if said[field] != given[field]]
            if other:
                faults.append(Fault(f"its numbers for {name} do not match the items: {'; '.join(other)}", place))
    return faults


def arm_faults(entry: SubsetEntry, items: Sequence[Item]) -> list[Fault]:
    """Where the manifest says other differences between the arms of a subset than its items have."""
    try:
        same = [asdict(arm) for arm in arm_entries(items)] == [asdict(arm) for arm in entry.arms]
    except UNMEASURABLE as error:
        return [Fault(f"its arms cannot be measured: {type(error).__name__}: {error}", f"{MANIFEST}: {entry.name}")]
    return [] if same else [Fault("its differences between arms do not match the items", f"{MANIFEST}: {entry.name}")]


def figure_entries(dataset: Dataset, items: Mapping[str, Sequence[Item]]) -> list[FigureEntry] | UnsetType:
    """The figures of a release by subset -> its items, to four decimals; unset where the family promises none."""
    if dataset.figures is None:
        return UNSET
    return [
        FigureEntry(
            name=figure.name, meaning=figure.meaning, value=rounded(figure.value), least=figure.least, most=figure.most
        )
        for figure in dataset.figures(items)
    ]


def figure_faults(manifest: Manifest, dataset: Dataset, items: Mapping[str, Sequence[Item]]) -> list[Fault]:
    """Where the manifest has other figures than its items give."""
    measured = figure_entries(dataset, items)
    given = {} if measured is UNSET else {entry.name: asdict(entry) for entry in measured}
    said = {} if manifest.figures is UNSET else {entry.name: asdict(entry) for entry in manifest.figures}
    return [
        Fault(f"its figure {name!r} is {_number(said, name)}, the items give {_number(given, name)}", MANIFEST)
        for name in dict.fromkeys([*said, *given])
        if said.get(name) != given.get(name)
    ]


def missed(manifest: Manifest) -> Iterator[str]:
    """One sentence per figure that misses a bound; an undefined figure misses every bound that it has."""
    for entry in [] if manifest.figures is UNSET else manifest.figures:
        value = float("nan") if entry.value is None else entry.value
        if entry.least is not None and not value >= entry.least:
            yield f"{entry.name} ({entry.meaning}) is {_said(entry)}, but a release promises at least {entry.least:g}"
        if entry.most is not None and not value <= entry.most:
            yield f"{entry.name} ({entry.meaning}) is {_said(entry)}, but a release promises at most {entry.most:g}"


def _said(entry: FigureEntry) -> str:
    return "undefined" if entry.value is None else f"{entry.value:g}"


def _number(entries: Mapping[str, Mapping[str, object]], name: str) -> object:
    return entries[name]["value"] if name in entries else "missing"


# A subset is refused where the p of a strategy is below `ALPHA` after Holm's correction: wrongly for at most 1 %. With
# 20 strategies, 800 items of their own and even odds, one that is right .1 more often is refused in over 95 %.

ALPHA: Final = 0.01
"""How often, at most, a subset without any shortcut may have a strategy that beats chance."""

BAD: Final = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
"""Verdicts with which a subset is frozen only if its family declares the shortcut."""


def objections(manifest: Manifest) -> list[str]:
    """One sentence per reason to refuse the release; empty where nothing speaks against it."""
    by_subset = [reason for entry in manifest.subsets for reason in (*_undeclared(entry), *_broken_promises(entry))]
    return [*by_subset, *missed(manifest)]


def beats_chance(result: BlindEntry) -> bool:
    """Whether a strategy beats chance beyond what luck gives the best of all strategies and parts of its subset."""
    return result.p_holm is not None and result.p_holm < ALPHA


def declared(entry: SubsetEntry) -> bool:
    """Whether the audit found a shortcut that works in the subset by design; it may find none, or not be possible."""
    return bool(entry.exploit) and entry.audit.verdict in (*BAD, "TRACES")


def _undeclared(entry: SubsetEntry) -> list[str]:
    if entry.exploit:
        return []
    audits = [("the audit", entry.audit), ("the audit by option", entry.by_option)]
    return [
        f"{entry.name}: {which} says {audit.verdict}: {audit.reason.rstrip('.')}; remove the shortcut "
        "from the design, or declare it as the subset's `exploit`"
        for which, audit in audits
        if audit is not None and audit.verdict in BAD
    ]


def _broken_promises(entry: SubsetEntry) -> list[str]:
    if not entry.balanced:
        return []
    if all(result.chance is None for result in entry.blind):
        return [
            f"{entry.name}: is declared `balanced`, but no blind strategy has a chance level to compare with (the "
            "answers are open); declare the subset not `balanced`, or give the scorer a `chance`"
        ]
    return [
        f"{entry.name}: is declared `balanced`, but the blind strategy {result.strategy!r} gets "
        f"{kappa(result.of_answered(result.share), 4)} of {_part(result)} right (95 % interval "
        f"{kappa(result.of_answered(result.low), 4)} to {kappa(result.of_answered(result.high), 4)}), where chance is "
        f"{kappa(result.chance, 4)} ({p_is(result.p_holm)} after Holm's "
        "correction); balance the design, or declare the subset not `balanced`"
        for result in entry.blind
        if beats_chance(result)
    ]


def _part(result: BlindEntry) -> str:
    part = "the answers" if result.part == ANSWER else f"`{result.part}`"
    return (
        part if result.answered == result.items else f"{part} that it gives ({result.answered:,} of {result.items:,})"
    )
