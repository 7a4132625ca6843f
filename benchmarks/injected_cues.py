"""Is the smallest cue that the audit says it finds 80 % of the time found 80 % of the time? On your own texts.

    python benchmarks/injected_cues.py my_benchmark.csv --sizes 300 600 1000 --repeats 20

For each size, a random part of the file with its answers permuted is audited, and the report states the smallest kappa
of each kind of cue. Then cues of just that kappa are written into the texts of other random parts, with their answers
permuted, and audited under the same default protocol. A cue is found if any counted vector is significant.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hansproof.audit.probes.injected_cues import Draws
from hansproof.audit.reading.loading import load
from hansproof.audit.result.audit_result import AuditResult
from hansproof.audit.result.numbers import Findable
from hansproof.audit.run import audit
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.verdict.reasons import what_is_found

__all__ = ["is_found", "main", "stated", "written"]

Ints = NDArray[np.int64]
ALPHA = 0.05


@dataclass(frozen=True)
class FilePart:
    """A random part of a file's items: their texts, and their answers as numbers from 0."""

    texts: list[str]
    y: Ints

    @classmethod
    def draw(cls, texts: Sequence[str], y: Ints, size: int, seed: int, number: int) -> FilePart:
        rows = seeded(seed, "benchmark", "rows", number).permutation(len(y))[:size]
        return cls([texts[row] for row in rows], y[rows])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line per size and kind: the kappa stated, and how often the audit found a cue of that kappa."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--sizes", type=int, nargs="+", default=[600])
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--kinds", nargs="*", default=[], help="parts of the names of the cues wanted; all if none")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    benchmark = load(options.file)
    labels = {answer: number for number, answer in enumerate(dict.fromkeys(benchmark.answers))}
    y = np.array([labels[answer] for answer in benchmark.answers])
    print("| items | cue | kappa stated | found |\n|---:|---|---:|---:|")
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        for size in options.sizes:
            part = partial(FilePart.draw, benchmark.prompts, y, size, options.seed)
            findables = stated(part(0), options.seed)
            print(what_is_found(findables), file=sys.stderr)
            for cue in findables:
                if cue.kappa is None or not _wanted(cue.kind, options.kinds):
                    continue
                numbers = range(1, options.repeats + 1)
                times = sum(pool.map(partial(is_found, cue), map(part, numbers), numbers))
                print(f"| {size:,} | {cue.kind} | {cue.kappa:.2f} | {times} of {options.repeats} |", flush=True)
    return 0


def stated(part: FilePart, seed: int) -> list[Findable]:
    """The smallest cues that the report of an audit states for these texts, with answers that have nothing to do with
    them; empty if the audit finds something all the same."""
    return _audited(part.texts, seeded(seed, "benchmark", "stated").permutation(part.y), seed).findable


def is_found(cue: Findable, part: FilePart, number: int) -> bool:
    """Whether the audit's corrected test is significant once the cue is written into the texts."""
    random = seeded(number, "benchmark", cue.kind)
    draws = Draws.draw(random.permutation(part.y), random)
    result = _audited(written(part.texts, cue, draws, random), draws.y, number)
    counted = [vector for vector in result.schemes[0].vectors if vector.counted]
    return any(vector.p_corrected is not None and vector.p_corrected < ALPHA for vector in counted)


def _audited(texts: Sequence[str], y: Ints, seed: int) -> AuditResult:
    rows = [{"prompt": text, "answer": f"answer {label}"} for text, label in zip(texts, y.tolist(), strict=True)]
    return audit(rows, groups="none", workers=1, seed=seed)


def _wanted(kind: str, parts: Sequence[str]) -> bool:
    return not parts or any(part in kind for part in parts)


def written(texts: Sequence[str], cue: Findable, draws: Draws, random: np.random.Generator) -> list[str]:
    """The texts with the cue in them: a made-up word somewhere in each."""
    strength = cue.kappa or 1.0
    synonyms = int(cue.kind.split()[0])
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    words = ["".join(random.choice(syllables, 4)) for _ in range(synonyms * (int(draws.y.max()) + 1))]
    out = []
    for text, word in zip(texts, draws.columns(strength, synonyms).tolist(), strict=True):
        parts = text.split(" ")
        parts.insert(int(random.integers(len(parts) + 1)), words[word])
        out.append(" ".join(parts))
    return out


if __name__ == "__main__":
    raise SystemExit(main())
