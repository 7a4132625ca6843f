"""What a family declares, held against its items: the faults, in words, of everything that nothing else would notice.

A misspelt condition, slice or hint raises nothing: effects, lines and styles are silently missing from every report.
"""

from __future__ import annotations

import re
from itertools import groupby

from hansproof.generators.answering.scorer import ANSWER, Reading
from hansproof.generators.dataset import LEVEL
from hansproof.generators.styles.style import STYLES

COUNT = 48
"""Items looked at per subset: whole groups of 2, 3, 4 and 6."""
SEED = 77


def first_items(family):
    """Subset -> its first items."""
    return {
        name: [family.item(name, SEED, index) for index in range(min(COUNT, subset.limit or COUNT))]
        for name, subset in family.subsets.items()
    }


def faults(family):
    """Everything that is wrong with the declarations of a family; empty where all is well."""
    items = first_items(family)
    faults = [*_name_faults(family), *_key_faults(family, items), *_contrast_faults(family, items)]
    faults += _hypothesis_faults(family, items)
    items |= _levelled_items(family)
    return faults + _knob_faults(family, items) + _strategy_faults(family, items) + _scorer_faults(family, items)


def _levelled_items(family):
    """Subset at a level -> its first items, at the ends and the middle of each knob."""
    knobs = {name: subset.knob for name, subset in family.subsets.items() if subset.knob}
    levels = [
        f"{name}{LEVEL}{level}"
        for name, knob in knobs.items()
        for level in dict.fromkeys((knob.least, (knob.least + knob.most) // 2, knob.most))
    ]
    return {name: [family.item(name, SEED, index) for index in range(12)] for name in levels}


def _knob_faults(family, items):
    faults = []
    for name, rows in items.items():
        if LEVEL not in name:
            continue
        level = int(name.partition(LEVEL)[2])
        faults += [f"{item.id}: its difficulty is not {level}" for item in rows if item.metadata["difficulty"] != level]
        faults += [f"{item.id}: {fault}" for item in rows for fault in family.check(item)]
        if len({item.prompt for item in rows}) < len(rows):
            faults.append(f"{name}: items repeat each other")
        if [item.line() for item in rows[::-1]] != [family.item(name, SEED, at).line() for at in range(11, -1, -1)]:
            faults.append(f"{name}: items depend on which were made before")
    return faults


def _name_faults(family):
    slugs = (family.name, *family.subsets)
    faults = [f"{slug!r} has other characters than letters, digits and -" for slug in slugs
              if not re.fullmatch("[A-Za-z0-9]+(-[A-Za-z0-9]+)*", slug)]  # fmt: skip
    known = {style.hint for style in STYLES.values()} - {""}
    hints = dict.fromkeys([*family.hints, *(name for subset in family.subsets.values() for name in subset.hints)])
    faults += [f"no style gives the hint {name!r}" for name in hints if name not in known]
    shown = {style.example for style in STYLES.values()} - {""}
    examples = dict.fromkeys(name for subset in family.subsets.values() for name in subset.examples)
    faults += [f"no style shows the example {name!r}" for name in examples if name not in shown]
    return faults + [
        f"{name}: a release of {subset.rows} rows, but only {subset.limit} different items"
        for name, subset in family.subsets.items()
        if subset.limit is not None and subset.rows > subset.limit
    ]


def _key_faults(family, items):
    keys = {key for rows in items.values() for item in rows for key in item.metadata}
    faults = [f"no item has the key {key!r} of a slice" for slice in family.slices for key in slice if key not in keys]
    return faults + [
        f"{name}: {item.id} lacks the audit target {family.subsets[name].audit_target!r}"
        for name, rows in items.items()
        for item in rows[:1]
        if family.subsets[name].audit_target and family.subsets[name].audit_target not in item.metadata
    ]


def _contrast_faults(family, items):
    faults = []
    for name, subset in family.subsets.items():
        if subset.matched is None:
            continue
        wanted = [subset.matched.original, *subset.matched.perturbed]
        groups = [[item.condition for item in group] for _, group in groupby(items[name], lambda item: item.group)]
        # The last group may go on behind the items looked at. An item that is no part of the contrast may stand by.
        faults += [
            f"{name}: group {number} has the conditions {conditions}, not one each of {wanted}"
            for number, conditions in enumerate(groups[:-1])
            if sorted(condition for condition in conditions if condition in wanted) != sorted(wanted)
        ][:1]
    return faults


def _hypothesis_faults(family, items):
    """A misspelt subset, condition, style or key is never tested, and nobody would notice."""
    names = [hypothesis.name for hypothesis in family.hypotheses]
    faults = [f"two hypotheses are called {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1]
    for hypothesis in family.hypotheses:
        faults += [
            f"{hypothesis.name}: there is no subset {s!r}" for s in hypothesis.subsets if s not in family.subsets
        ]
        for subset in (subset for subset in hypothesis.subsets if subset in items):
            conditions = {item.condition for item in items[subset]}
            sides = [side for change in hypothesis.changes for side in change]
            wanted = hypothesis.conditions if hypothesis.styles else sides
            missing = [c for c in wanted if c not in conditions]
            # An item is its own twin in another style, so one of the conditions is enough for a subset.
            if hypothesis.styles and len(missing) < len(wanted):
                everywhere = {item.condition for s in hypothesis.subsets for item in items.get(s, ())}
                missing = [c for c in missing if c not in everywhere]
            faults += [f"{hypothesis.name}: {subset} has no condition {c!r}" for c in missing]
            faults += [f"{hypothesis.name}: no style is called {s!r}" for s in sides
                       if hypothesis.styles and s not in STYLES]  # fmt: skip
            keys = hypothesis.shared
            if keys and any(not item.metadata.keys() & set(keys) for item in items[subset]):
                faults.append(f"{hypothesis.name}: items of {subset} have no {' or '.join(map(repr, keys))}")
    return faults


def _strategy_faults(family, items):
    strategies = family.scorer.blind
    faults = [] if strategies else ["declares no blind strategy"]
    names = [(strategy.name, strategy.target) for strategy in strategies]
    faults += [f"two blind strategies are called {name!r}" for name in dict.fromkeys(names) if names.count(name) > 1]
    for rows in items.values():
        for strategy in strategies:
            if not strategy.learns and list(strategy.answers(rows, rows)) != list(strategy.answers((), rows)):
                faults.append(f"{strategy.name} learns, but does not say so")
    return faults


def _scorer_faults(family, items):
    scorer = family.scorer
    faults = [f"a measure is called {ANSWER!r}"] if ANSWER in scorer.measures else []
    for name, rows in items.items():
        for item in rows:
            solution = family.subset(name).form.solution(item)
            reading = scorer.read(item, solution)
            score = scorer.score(item, reading)
            if (score.right is None) != (item.answer is None):
                faults.append(f"{item.id}: right is {score.right} where the answer is {item.answer!r}")
            elif score.right is False:
                faults.append(f"{item.id}: its own solution {solution!r} is wrong: {score.reason}")
            empty = scorer.read(item, "")
            if empty.said is not None or not empty.reason:
                faults.append(f"{item.id}: an empty reply says {empty.said!r}, for the reason {empty.reason!r}")
            scores = [score, scorer.score(item, Reading(None, "-"))]
            faults += [f"{item.id}: the reading {key!r} is not declared"
                       for key in reading.others if key not in scorer.readings]  # fmt: skip
            faults += [f"{item.id}: the measure {key!r} is not declared"
                       for key in [*(key for score in scores for key in score.measures), *scorer.chance(item)]
                       if key not in (*scorer.measures, ANSWER)]  # fmt: skip
            faults += [
                f"{item.id}: {key} is {measure.value}, not a share"
                for score in scores
                for key, measure in score.measures.items()
                if key in scorer.measures and scorer.measures[key].share and not 0 <= measure.value <= 1
            ]
    return faults
