"""Is the smallest cue that the audit says it finds 80 % of the time found 80 % of the time? On your own texts.

    python benchmarks/injected_cues.py my_benchmark.csv --sizes 300 600 1000 2000 --repeats 20

For each size, `smallest_found` states the smallest kappa of each kind on a random part of the file. Then cues of just
that kappa are written into the texts of other random parts, with their answers permuted, and audited.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from audit.explanation.reach import what_is_found
from audit.features.table import FeatureTable
from audit.features.vectors import THIRTEEN
from audit.loading import load
from audit.probe.crossfit import Fitting
from audit.probe.injection.findable import Findable, smallest_found
from audit.probe.injection.markers import Draws
from audit.probe.injection.numbers import lengthened, reformatted
from audit.run import audit
from audit.statistics.resampling import seeded

Ints = NDArray[np.int64]
ALPHA = 0.05


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line per size and kind: the kappa stated, and how often the audit found a cue of that kappa."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--sizes", type=int, nargs="+", default=[600])
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    benchmark = load(options.file, None)
    labels = {answer: number for number, answer in enumerate(dict.fromkeys(benchmark.answers))}
    y = np.array([labels[answer] for answer in benchmark.answers])
    texts = np.array(benchmark.prompts, dtype=object)
    print("| items | cue | kappa stated | found |\n|---:|---|---:|---:|")
    for size in options.sizes:
        rows = _rows(len(y), size, options.seed, 0)
        findables = stated(texts[rows], y[rows], len(labels), options.seed)
        print(what_is_found(findables), file=sys.stderr)
        for cue in (entry for entry in findables if entry.kappa is not None and entry.ceiling > 0.99):
            times = sum(
                is_found(
                    texts[_rows(len(y), size, options.seed, number)],
                    y[_rows(len(y), size, options.seed, number)],
                    cue,
                    number,
                )
                for number in range(1, options.repeats + 1)
            )
            print(f"| {size:,} | {cue.kind} | {cue.kappa:.2f} | {times} of {options.repeats} |", flush=True)
    return 0


def stated(texts: Sequence[str], y: Ints, labels: int, seed: int) -> list[Findable]:
    """The smallest cues found in these texts, by the normal approximation to the corrected test."""
    spread = 1 / np.sqrt(len(y) * (labels - 1))
    critical = NormalDist().inv_cdf(1 - ALPHA / len(THIRTEEN)) * spread
    table = FeatureTable.build(list(texts), levels=("word",), dense=("readability", "format"))
    return smallest_found(table, y, np.arange(len(y)), Fitting(labels, seed), critical=critical, spread=spread)


def is_found(texts: Sequence[str], y: Ints, cue: Findable, number: int) -> bool:
    """Whether the audit's corrected test is significant once the cue is written into the texts."""
    random = seeded(number, "benchmark", cue.kind)
    draws = Draws.draw(random.permutation(y), random)
    result = audit(
        [
            {"prompt": text, "answer": f"answer {label}"}
            for text, label in zip(written(texts, cue, draws, random), draws.y.tolist(), strict=True)
        ],
        groups="none",
        workers=1,
        seed=number,
    )
    counted = [vector for vector in result.schemes[0].vectors if vector.counted]
    return any(vector.p_corrected is not None and vector.p_corrected < ALPHA for vector in counted)


def written(texts: Sequence[str], cue: Findable, draws: Draws, random: np.random.Generator) -> list[str]:
    """The texts with the cue in them: a made-up word somewhere, a sentence of another text, or another format."""
    strength = cue.kappa or 1.0
    if cue.kind in ("length", "format"):
        altered = lengthened(texts, random) if cue.kind == "length" else reformatted(texts)
        pairs = zip(texts, altered, draws.markers(strength).tolist(), strict=True)
        return [other if marker else text for text, other, marker in pairs]
    synonyms = int(cue.kind.split()[0])
    syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
    words = ["".join(random.choice(syllables, 4)) for _ in range(synonyms * (int(draws.y.max()) + 1))]
    out = []
    for text, word in zip(texts, draws.columns(strength, synonyms).tolist(), strict=True):
        parts = text.split(" ")
        parts.insert(int(random.integers(len(parts) + 1)), words[word])
        out.append(" ".join(parts))
    return out


def _rows(items: int, size: int, seed: int, number: int) -> Ints:
    return seeded(seed, "benchmark", "rows", number).permutation(items)[:size]


if __name__ == "__main__":
    raise SystemExit(main())
