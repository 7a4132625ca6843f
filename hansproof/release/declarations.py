"""What a family declares, held against its items: the faults of everything that nothing else would notice.

A misspelt condition, slice or hint raises nothing: effects, lines and styles are silently missing from every report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from hansproof.generators.dataset import AnswerForm, Dataset, Hypothesis
from hansproof.generators.item import METADATA_KEYS, Item
from hansproof.generators.styles.style import STYLES

__all__ = ["declaration_faults"]


def declaration_faults(family: Dataset, items: Mapping[str, Sequence[Item]], fields: Mapping[str, str]) -> list[str]:
    """Everything that is wrong with the declarations of a family, in words; empty where all is well.

    `items` are the first of each subset, or all; `fields` those that its card.md explains.
    """
    faults = [*_name_faults(family), *_subset_faults(family), *_key_faults(family, items, fields)]
    return [*faults, *_contrast_faults(family, items), *_hypothesis_faults(family, items)]


def _name_faults(family: Dataset) -> Iterator[str]:
    known = {style.hint for style in STYLES.values()}
    hints = dict.fromkeys([*family.hints, *(name for subset in family.subsets.values() for name in subset.hints)])
    yield from (f"no style gives the hint {name!r}" for name in hints if name not in known)
    shown = {style.example for style in STYLES.values()}
    examples = dict.fromkeys(name for subset in family.subsets.values() for name in subset.examples)
    yield from (f"no style shows the example {name!r}" for name in examples if name not in shown)


def _subset_faults(family: Dataset) -> Iterator[str]:
    for name, subset in family.subsets.items():
        form: object = subset.form  # of a family that no type checker has seen
        if not isinstance(form, AnswerForm):
            yield f"{name}: its form is {form!r}, not an AnswerForm such as OPTION"
        if subset.limit is not None and subset.rows > subset.limit:
            yield f"{name}: a release of {subset.rows} rows, but only {subset.limit} different items"
        if subset.knob is not None and not (0 <= subset.knob.least <= subset.knob.most and subset.knob.shown):
            yield f"{name}: its knob needs 0 <= least <= most, and `shown`: what was measured to move with it"


def _key_faults(family: Dataset, items: Mapping[str, Sequence[Item]], fields: Mapping[str, str]) -> Iterator[str]:
    keys = dict.fromkeys(key for rows in items.values() for item in rows for key in item.metadata)
    yield from (
        f"no item has the key {key!r} of a slice or factor"
        for key in dict.fromkeys([*(key for slice in family.slices for key in slice), *family.factors])
        if key not in keys
    )
    yield from (
        f"`Fields` of card.md does not explain {key!r}, a key of the metadata"
        for key in keys
        if key not in (*METADATA_KEYS, *fields)
    )
    for name, rows in items.items():
        target = family.subset(name).audit_target
        lacking = next((item.id for item in rows if target and target not in item.metadata), None)
        if lacking is not None:
            yield f"{name}: {lacking} lacks the audit target {target!r}"


def _contrast_faults(family: Dataset, items: Mapping[str, Sequence[Item]]) -> Iterator[str]:
    for name, rows in items.items():
        matched = family.subset(name).matched
        if matched is None:
            continue
        wanted = [matched.original, *matched.perturbed]
        groups = [[item.condition for item in group] for _, group in groupby(rows, lambda item: item.group)]
        # The last group may go on behind the items looked at. An item that is no part of the contrast may stand by.
        for number, conditions in enumerate(groups[:-1]):
            if sorted(condition for condition in conditions if condition in wanted) != sorted(wanted):
                yield f"{name}: group {number} has the conditions {conditions}, not one each of {wanted}"
                break


def _hypothesis_faults(family: Dataset, items: Mapping[str, Sequence[Item]]) -> Iterator[str]:
    names = [hypothesis.name for hypothesis in family.hypotheses]
    yield from (f"two hypotheses are called {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1)
    for hypothesis in family.hypotheses:
        missing = [f"there is no subset {name!r}" for name in hypothesis.subsets if name not in family.subsets]
        missing += _untested(hypothesis, {name: items[name] for name in hypothesis.subsets if name in items})
        yield from (f"{hypothesis.name}: {fault}" for fault in missing)


def _untested(hypothesis: Hypothesis, about: Mapping[str, Sequence[Item]]) -> Iterator[str]:
    sides = [side for change in hypothesis.changes for side in change]
    wanted = hypothesis.conditions if hypothesis.styles else sides
    everywhere = {item.condition for rows in about.values() for item in rows}
    for name, rows in about.items():
        conditions = {item.condition for item in rows}
        # An item is its own twin in another style, so one of the conditions is enough for a subset.
        enough = hypothesis.styles and not conditions.isdisjoint(wanted)
        present = everywhere if enough else conditions
        yield from (f"{name} has no condition {condition!r}" for condition in wanted if condition not in present)
        keys = hypothesis.shared
        if keys and any(item.metadata.keys().isdisjoint(keys) for item in rows):
            yield f"items of {name} have no {' or '.join(map(repr, keys))}"
    if hypothesis.styles:
        yield from (f"no style is called {side!r}" for side in sides if side not in STYLES)
