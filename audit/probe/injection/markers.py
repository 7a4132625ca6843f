"""What an injected cue says of each item: the right answer as often as its strength, otherwise an answer by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Draws", "halves", "reader_of_halves"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """The chances of N items, drawn once and used at every strength, so that kappa rises smoothly with strength."""

    y: Ints
    """(N,) the answers, with nothing in the texts that predicts them."""
    level: Floats
    """(N,) in [0, 1): the item's marker is its answer at every strength above this."""
    otherwise: Ints
    """(N,) the marker below it: answers in random order."""
    word: Floats
    """(N,) in [0, 1): which of the synonyms of its marker an item gets."""

    @classmethod
    def draw(cls, y: Ints, random: np.random.Generator) -> Draws:
        """The chances of N items with answers `y` (N,)."""
        return cls(y, random.random(len(y)), random.permutation(y), random.random(len(y)))

    def markers(self, strength: float) -> Ints:
        """(N,) the marker of each item: its answer with probability `strength`, otherwise any answer by its share.

        `strength` is the expected Cohen's kappa of a reader who answers with the marker.
        """
        return np.where(self.level < strength, self.y, self.otherwise)

    def columns(self, strength: float, synonyms: int) -> Ints:
        """(N,) the made-up word of each item, from 0: `synonyms` words stand for each marker, all equally often."""
        return self.markers(strength) * synonyms + np.floor(self.word * synonyms).astype(np.int64)


def halves(shares: Floats) -> NDArray[np.bool_]:
    """(labels,) which answers are marked by a cue of two forms: as near to half of the items as comes easily.

    The most common answer first, each joins the side that has fewer items, the unmarked one in a tie.
    """
    marked = np.zeros(len(shares), dtype=np.bool_)
    side = [0.0, 0.0]
    for label in np.argsort(-shares, kind="stable").tolist():
        marked[label] = side[1] < side[0]
        side[int(marked[label])] += float(shares[label])
    return marked


def reader_of_halves(shares: Floats, marked: NDArray[np.bool_]) -> float:
    """Cohen's kappa of a reader who knows the side of each answer for certain and gives the most common one of it.

    1 for two answers. More answers than two cannot be told apart by a cue of two forms: 1/3 for four equal shares.
    """
    sides = [shares[marked], shares[~marked]]
    right = sum(float(side.max()) for side in sides)
    chance = sum(float(side.max() * side.sum()) for side in sides)
    return (right - chance) / (1 - chance)
