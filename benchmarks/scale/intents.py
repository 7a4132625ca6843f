"""Made-up short requests with many answers for timing: intent data in shape, any number of items and answers.

A request is three to ten words: a frame that all answers share ("can you", "i need to"), one or two words of its
intent, and words that say nothing. Intents come in families that share an object ("card", "refund"), as those of
banking do, so that neighbours are confused: one request in twelve has the words of another intent of its family. Some
intents are asked for five times as often as others.

    python benchmarks/scale/intents.py FILE ITEMS ANSWERS
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from prompts import made_up_words

__all__ = ["main", "write_intents"]

_FRAMES = (
    "can you", "i need to", "how do i", "please", "i want to", "why is", "what about", "is there", "help me with",
    "tell me", "i cannot", "where is", "when will", "could you please", "hello i", "",
)  # fmt: skip
_FAMILY = 6
"""Intents that share an object."""

_OWN = 8
"""Words that speak for one intent."""

_NOISE = 0.08
"""Share of requests with the words of a neighbour."""

_VOCABULARY = 4_000


def write_intents(path: Path, n: int, labels: int, seed: int = 1) -> None:
    """Write `n` requests with `labels` answers as JSON lines; every answer occurs if `n` is at least `labels`."""
    random = np.random.Generator(np.random.PCG64([seed, labels]))
    words = made_up_words(np.random.Generator(np.random.PCG64(0)))[: _VOCABULARY + labels * (_OWN + 1)]
    common, rest = words[:_VOCABULARY], words[_VOCABULARY:]
    mass = np.cumsum(1 / (np.arange(_VOCABULARY) + 3.7))
    often = np.cumsum(1 + 4 * random.random(labels))
    answers = np.concatenate([np.arange(labels), np.searchsorted(often / often[-1], random.random(n))])[:n]
    random.shuffle(answers)
    with path.open("w", encoding="utf-8") as lines:
        for answer in answers.tolist():
            family = answer // _FAMILY
            spoken = answer
            if random.random() < _NOISE:
                spoken = min(family * _FAMILY + int(random.integers(_FAMILY)), labels - 1)
            own = [rest[spoken * _OWN + int(k)] for k in random.integers(_OWN, size=1 + int(random.integers(2)))]
            plain = [common[k] for k in np.searchsorted(mass / mass[-1], random.random(1 + int(random.integers(6))))]
            said = [*own, *plain, rest[labels * _OWN + family]]
            random.shuffle(said)
            text = " ".join(filter(None, (_FRAMES[int(random.integers(len(_FRAMES)))], *said)))
            lines.write(json.dumps({"prompt": text, "answer": f"intent_{answer:03d}"}) + "\n")


def main(arguments: list[str]) -> int:
    """Write one file."""
    path, items, answers = arguments
    write_intents(Path(path), int(items), int(answers))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
