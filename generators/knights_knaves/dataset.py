"""The family knights-knaves: its table of subsets, and the figures that its releases promise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import nan

from hansproof.generators.dataset import Dataset, Figure
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.checking import check
from hansproof.generators.knights_knaves.distinct import form_key
from hansproof.generators.knights_knaves.logicians import LOGICIANS
from hansproof.generators.knights_knaves.planted import LADDER, MEMORISATION
from hansproof.generators.knights_knaves.puzzle import OUTCOMES, VERSION, Room
from hansproof.generators.knights_knaves.reasoning_errors import ERRORS
from hansproof.generators.knights_knaves.scorer import SCORER
from hansproof.generators.knights_knaves.sets import BALANCED, COUNTS, FAITHFUL

__all__ = ["DATASET"]

# No two puzzles of a release have the same canonical form (`distinct`), except the three vocabularies of one puzzle.

PLANS: Room = {**FAITHFUL, **BALANCED, **COUNTS, **LADDER, **MEMORISATION, **LOGICIANS}
"""One room after the other."""

# That no strategy beats chance in the balanced sets, and that the audit finds nothing, the release command measures by
# itself. The rest of the design: no puzzle twice, answers in equal numbers, matched puzzles that match.

_FAITHFUL = ("set-S", "set-I", "set-E")
_COUNTED = ("number", "solutions")


def figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """The figures of a release by subset -> its items; those of subsets that it lacks are left out."""
    every = [item for rows in items.values() for item in rows]
    told = [Figure("repeated puzzles", _REPEATED, float(_repeated(every)), most=0)]
    for name in _LEANING:
        if rows := items.get(name):
            worlds = ((item.metadata["n"], _solution(item)) for item in rows)
            told.append(Figure(f"assignments in {name}", _ASSIGNMENTS, _spread(worlds), most=0))
    if rows := items.get("character"):
        answers = (((item.metadata["n"], item.metadata["asked"]), item.answer) for item in rows)
        told.append(Figure("answers in character", _ANSWERS, _spread(answers), most=0))
    told += [Figure(f"kinds in {name}", _KINDS, _lean(items[name]), most=0.08) for name in _LEANING if name in items]
    told += [Figure(f"threes in {name}", _THREES, _threes(items[name]), least=1) for name in _COUNTED if name in items]
    if rows := items.get("ladder"):
        counts = Counter((item.metadata["n"], item.metadata["rung"]) for item in rows)
        small = [count for (n, _), count in counts.items() if n == 3]
        large = [count for (n, _), count in counts.items() if n > 3]
        told.append(Figure("ladder, 3 characters", _RUNG, float(min(small, default=nan)), least=144))
        told.append(Figure("ladder, 4 to 40 characters", _RUNG, float(min(large, default=nan)), least=200))
    if rows := items.get("memorisation"):
        groups = _grouped(rows)
        told.append(Figure("changed words", _CHANGED, sum(map(_matched, groups)) / len(groups), least=1))
    for name in _FAITHFUL:
        for n in sorted({item.metadata["n"] for item in items.get(name, ())}):
            solved = Counter(_solution(item) for item in items[name] if item.metadata["n"] == n)
            share = max(solved.values()) / solved.total()
            told.append(Figure(f"{name}, {n} characters", "the share of the commonest assignment", share))
    return told


_LEANING = ("balanced", "logicians")
_REPEATED = "puzzles that are equal to another one of the release up to the names and the order of their characters"
_ASSIGNMENTS = "the largest difference between the numbers of two assignments of as many characters"
_ANSWERS = "the largest difference between the numbers of both answers about a character"
_KINDS = "how far the share of knights or logicians among the speakers of one kind of statement is from one half"
_THREES = "groups with one puzzle without a solution, one with one and one with several, all with the same kinds"
_RUNG = "the fewest puzzles of one size on one rung"
_CHANGED = "groups in which one word differs from the original, and the answer of `other-answer` alone"


def _solution(item: Item) -> str:
    return str(item.metadata["solutions"][0])


def _repeated(items: Sequence[Item]) -> int:
    """Three vocabularies of a puzzle, and two questions about it, are one puzzle."""
    told: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    scenes: Counter[str] = Counter()
    for item in items:
        if "notes" in item.metadata:
            scenes[item.group] += 1
        else:
            statements = item.metadata["statements"]
            told[form_key(statements)].add((item.metadata["subset"], *statements))
    return sum(len(same) - 1 for same in told.values()) + scenes.total() - len(scenes)


def _spread(values: Iterable[tuple[Hashable, Hashable]]) -> float:
    """(what is compared, value) of each item -> the largest difference between the counts of two values."""
    counts: dict[Hashable, list[int]] = defaultdict(list)
    for (compared, _), count in Counter(values).items():
        counts[compared].append(count)
    return float(max((max(some) - min(some) for some in counts.values()), default=nan))


def _lean(items: Sequence[Item]) -> float:
    """The largest distance from one half, over kinds of statement."""
    spoken = Counter(pair for item in items for pair in zip(item.metadata["kinds"], _solution(item), strict=True))
    kinds = {kind for kind, _ in spoken}
    return max(
        (abs(spoken[kind, "K"] / (spoken[kind, "K"] + spoken[kind, "N"]) - 0.5) for kind in sorted(kinds)), default=nan
    )


def _grouped(items: Sequence[Item]) -> list[list[Item]]:
    groups: dict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.group].append(item)
    return list(groups.values())


def _threes(items: Sequence[Item]) -> float:
    groups = _grouped(items)
    whole = [
        sorted(item.metadata["outcome"] for item in group) == sorted(OUTCOMES)
        and len({tuple(item.metadata["kinds"]) for item in group}) == 1
        for group in groups
    ]
    return sum(whole) / len(groups)


def _matched(group: Sequence[Item]) -> bool:
    """Whether it has an original, and both others differ from it in one word, and only `other-answer` in its answer."""
    original = next((item for item in group if item.condition == "original"), None)
    others = [item for item in group if item is not original]
    if original is None or sorted(item.condition for item in others) != ["other-answer", "same-answer"]:
        return False
    words = original.prompt.split()
    for item in others:
        changed = sum(map(str.__ne__, words, item.prompt.split()))
        if changed != 1 or len(item.prompt.split()) != len(words):
            return False
        if (item.answer == original.answer) != (item.condition == "same-answer"):
            return False
    return True


DATASET = Dataset(
    name="knights-knaves",
    version=VERSION,
    title="Knights and knaves",
    summary="Who tells the truth and who lies, from what each of them says? Puzzles after TruthQuest.",
    seed=20240618,
    subsets={name: plan.subset for name, plan in PLANS.items()},
    make=lambda stream, subset, index: PLANS[subset].make(stream, index),
    # Subsets of 1.0.0 have the second opinion that all share.
    check=lambda item: (PLANS[subset].check if (subset := item.metadata["subset"]) in PLANS else check)(item),
    scorer=SCORER,
    slices=(("n",), ("subset", "n"), ("rung",), ("terminology",), ("outcome",)),
    expertise="logic puzzles",
    figures=figures,
    errors=ERRORS,
)
