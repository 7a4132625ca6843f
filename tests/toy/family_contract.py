"""What a family declares, held against its items: the faults, in words, of everything that nothing else would notice.

A misspelt condition, slice or hint raises nothing: effects, lines and styles are silently missing from every report.
"""

from __future__ import annotations

from hansproof.generators.answering.scorer import ANSWER, Reading
from hansproof.generators.dataset import LEVEL
from hansproof.generators.registry import MODULES, dataset, prose
from hansproof.release.declarations import declaration_faults

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
    explained = family.name in MODULES and family is dataset(family.name)
    fields = (
        prose(family.name).fields
        if explained
        else {key: "" for rows in items.values() for item in rows for key in item.metadata}
    )
    faults = declaration_faults(family, items, fields)
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
