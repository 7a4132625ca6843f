"""Where the time of word problems goes: `python benchmarks/words/stages.py [SUBSET ...]`.

Every stage is timed by itself, on the same groups, in microseconds of process time per group; the best of three rounds,
after a round that fills the caches. The lines are those of all items, checked and encoded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from generators.word_problems.dataset import DATASET
from generators.word_problems.expressions import steps
from generators.word_problems.forms import notation
from generators.word_problems.languages import wording
from generators.word_problems.model import model
from generators.word_problems.problem import group
from generators.word_problems.subsets import PLANS

__all__ = ["main", "stages"]

SEED, GROUPS, ROUNDS = 7, 1000, 3


def stages(subset: str) -> dict[str, float]:
    """Stage -> microseconds per group, and the sentences of a group."""
    plan, words, stream = PLANS[subset], wording("en"), DATASET.stream(SEED)
    root = stream.child(subset)
    own = [root.child(number) for number in range(GROUPS)]
    drawn = [plan.draw(each, root, number, words.vocabulary) for number, each in enumerate(own)]
    problems = [each.problems for each in drawn]
    surfaces = [words.surfaces(each.child("wording"), some) for each, some in zip(own, problems, strict=True)]
    made = [group(stream, subset, number, words, "en") for number in range(GROUPS)]
    items = [DATASET.complete(draft, subset, SEED, at) for at, draft in enumerate(sum(made, ()))]
    told = [*zip(problems, surfaces, strict=True)]
    timed: dict[str, Callable[[], object]] = {
        "draws": lambda: [plan.draw(each, root, number, words.vocabulary) for number, each in enumerate(own)],
        "choice of sentences": lambda: [
            words.surfaces(own[at].child("wording"), each) for at, each in enumerate(problems)
        ],
        "sentences": lambda: [
            words.sentences(each, surface) for some, theirs in told for each, surface in zip(some, theirs, strict=True)
        ],
        "model and steps": lambda: [[str(step) for step in steps(model(each))] for some in problems for each in some],
        "forms as text": lambda: [notation(form) for some in problems for each in some for form in each.forms],
        "lines": lambda: [item.line() for item in items],
    }
    spent = {name: _best(work) for name, work in timed.items()}
    return {**spent, "sentences of a group": sum(len(each.forms) + 1 for some in problems for each in some) / GROUPS}


def _best(work: Callable[[], object]) -> float:
    rounds = []
    for _ in range(ROUNDS + 1):
        begun = time.process_time()
        work()
        rounds.append(time.process_time() - begun)
    return 1e6 * min(rounds[1:]) / GROUPS


def main(subsets: list[str]) -> None:
    """Print a Markdown table with a row per subset."""
    head: list[str] = []
    for subset in subsets or list(PLANS):
        row = stages(subset)
        if not head:
            head = [*row]
            print(f"| | {' | '.join(head)} | together |\n|---|{'---:|' * (1 + len(head))}")
        whole = sum(row[name] for name in head[:-1])
        cells = [f"{row[name]:.0f}" for name in head[:-1]] + [f"{row[head[-1]]:.1f}", f"{whole:.0f}"]
        print(f"| {subset} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
