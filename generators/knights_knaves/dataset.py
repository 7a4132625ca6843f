"""The family knights-knaves: its table of subsets, and the figures that its releases promise."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import nan

from hansproof.generators.dataset import Dataset, Figure, base_of
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.distinct import Told, form_key, told
from hansproof.generators.knights_knaves.formula import relation
from hansproof.generators.knights_knaves.logicians import LOGICIANS
from hansproof.generators.knights_knaves.planted import BALANCED, LADDER, MEMORISATION
from hansproof.generators.knights_knaves.puzzle import OUTCOMES, Room
from hansproof.generators.knights_knaves.reasoning_errors import ERRORS
from hansproof.generators.knights_knaves.scorer import SCORER
from hansproof.generators.knights_knaves.sets import CHARACTER, COUNTS, FAITHFUL, linear

__all__ = ["DATASET"]

PLANS: Room = {**FAITHFUL, **BALANCED, **CHARACTER, **COUNTS, **LADDER, **MEMORISATION, **LOGICIANS}
"""One room after the other."""

# That no strategy beats chance in the balanced sets, and that the audit finds nothing, the release command measures by
# itself. The rest of the design: no puzzle twice, answers in equal numbers, matched puzzles that match.

_LEANING = ("balanced", "logicians")
_REPEATED = "puzzles of a subset that are equal to another one up to what is said, in whatever words, and by whom"
_PARTED = "equal puzzles, in whatever subsets, that have not one group"
_ASSIGNMENTS = "the largest difference between the numbers of two assignments of as many characters"
_KINDS = "how far the share of knights or logicians among the speakers of one kind of statement is from one half"
_THREES = "threes with one puzzle without a solution, one with one and one with several, all with the same kinds"
_CHANGED = "groups in which one word differs from the original, and the answer of `other-answer` alone"
_TWINS = "pairs that differ in one word, not about the character that is asked about, and in the answer"
_LINEAR = "the share of puzzles that are linear equations over two elements"


def figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """The figures of a release by subset -> its items; those of subsets that it lacks are left out."""
    forms = {name: _forms(rows) for name, rows in items.items()}
    groups: dict[str, set[str]] = defaultdict(set)
    for name, rows in items.items():
        for form, item in zip(forms[name], rows, strict=True):
            groups[form].add(item.group)
    repeated = sum(len(rows) - len(set(zip(forms[name], map(_words, rows)))) for name, rows in items.items())
    figured = [
        Figure("repeated puzzles", _REPEATED, float(repeated), most=0),
        Figure("parted puzzles", _PARTED, float(sum(len(some) > 1 for some in groups.values())), most=0),
    ]
    for name, rows in items.items():
        if name in _LEANING:
            worlds = ((item.metadata["n"], _solution(item)) for item in rows)
            figured.append(Figure(f"assignments in {name}", _ASSIGNMENTS, _spread(worlds), most=0))
            figured.append(Figure(f"kinds in {name}", _KINDS, _lean(rows), most=0.08))
        if name in _MATCHED:
            what, meaning, size, matched = _MATCHED[name]
            figured.append(Figure(f"{what} in {name}", meaning, _share(map(matched, _cut(rows, size))), least=1))
        if name != "logicians":
            share = _share(linear(item.metadata["kinds"]) for item in rows)
            figured.append(Figure(f"linear in {name}", _LINEAR, share, most=None if name in FAITHFUL else 0))
        for n in sorted({item.metadata["n"] for item in rows if name in FAITHFUL}):
            solved = Counter(_solution(item) for item in rows if item.metadata["n"] == n)
            share = max(solved.values()) / solved.total()
            figured.append(Figure(f"{name}, {n} characters", "the share of the commonest assignment", share))
    return figured


def _solution(item: Item) -> str:
    return str(item.metadata["solutions"][0])


def _words(item: Item) -> str:
    """The vocabulary of an item of the paper's sets, where each puzzle comes once in each of them."""
    return item.condition if item.metadata["subset"] in FAITHFUL else ""


def _forms(items: Sequence[Item]) -> list[str]:
    """What tells puzzles apart: for characters the canonical form of the notation, for logicians the group."""
    return [
        item.group if "notes" in item.metadata else form_key([*map(_told, item.metadata["statements"])])
        for item in items
    ]


def _told(notation: str) -> Told:
    about, truths = relation(notation)
    return told(truths, about)


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


def _share(held: Iterable[bool]) -> float:
    every = list(held)
    return sum(every) / len(every) if every else nan


def _cut(rows: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def _three(rows: Sequence[Item]) -> bool:
    outcomes = sorted(item.metadata["outcome"] for item in rows)
    return outcomes == sorted(OUTCOMES) and len({(item.group, *item.metadata["kinds"]) for item in rows}) == 1


def _differing(left: Item, right: Item) -> int:
    """How many words differ, place by place; all of them where the numbers of words do."""
    words, others = left.prompt.split(), right.prompt.split()
    return sum(map(str.__ne__, words, others)) if len(words) == len(others) else len(words)


def _matched(rows: Sequence[Item]) -> bool:
    """Whether it has an original, and both others differ from it in one word, and only `other-answer` in its answer."""
    by_condition = {item.condition: item for item in rows}
    if len(rows) != 3 or by_condition.keys() != {"original", "same-answer", "other-answer"}:
        return False
    original = by_condition["original"]
    return all(
        _differing(original, item) == 1 and (item.answer == original.answer) == (item.condition == "same-answer")
        for item in rows
        if item is not original
    )


def _twins(rows: Sequence[Item]) -> bool:
    if len(rows) != 2 or _differing(*rows) != 1 or rows[0].answer == rows[1].answer:
        return False
    left, right = ([line for line in item.prompt.split("\n") if ": " in line] for item in rows)
    changed = next(pair for pair in zip(left, right) if pair[0] != pair[1])
    word = next(place for place, pair in enumerate(zip(*map(str.split, changed))) if pair[0] != pair[1])
    # `NAME is a WORD`: the name stands three words before the word.
    return rows[0].metadata["asked"] not in (changed[0].partition(":")[0], changed[0].split()[word - 3])


_MATCHED: dict[str, tuple[str, str, int, Callable[[Sequence[Item]], bool]]] = {
    "number": ("threes", _THREES, 3, _three),
    "solutions": ("threes", _THREES, 3, _three),
    "memorisation": ("changed words", _CHANGED, 3, _matched),
    "character": ("twins", _TWINS, 2, _twins),
}
"""Subset -> what matches in it: name, meaning, number of items, and whether they match."""


DATASET = Dataset(
    name="knights-knaves",
    version="2.1.0",
    title="Knights and knaves",
    summary="Who tells the truth and who lies, from what each of them says? Puzzles after TruthQuest.",
    seed=20240618,
    subsets={name: plan.subset for name, plan in PLANS.items()},
    make=lambda stream, subset, index: PLANS[subset].make(stream, index),
    check=lambda item: PLANS[base_of(item.metadata["subset"])].check(item),
    scorer=SCORER,
    slices=(("n",), ("subset", "n"), ("core",), ("terminology",), ("outcome",)),
    expertise="logic puzzles",
    figures=figures,
    errors=ERRORS,
)
