"""Another order of the options of each item, drawn from the seed and the texts, never from the order of the source."""

from __future__ import annotations

import re
from hashlib import blake2b

from audit.options.crossfit import Bed
from audit.options.cues import AGAINST, ALONE, WORDS

__all__ = ["orders_of"]

_NAMES_AN_OPTION = re.compile(
    r"\b(?:options?|choices?|answers?|alternatives?|endings?)\s+\(?(?:[A-H]|\d)\b"
    r"|\b(?:first|second|third|fourth|fifth|last) (?:option|choice|answer|alternative|ending)\b"
)
"""`option B`, `the second choice`: such a text would name another option afterwards."""


def orders_of(bed: Bed, seed: int) -> list[list[int]]:
    """(n,) which option stands first, second, ... in each item, from 0.

    The options stand in the order of a hash of the seed, the question and their texts. An item stays as it is if an
    option speaks of other ones ("all of the above", "both A and C") or any of its texts names one by its letter or
    place.
    """
    pool = bed.pool
    above = bed.tables["question"].numbers["question-cues"][:, (*ALONE, *AGAINST).index(WORDS[0])]
    orders = []
    for item, (first, last) in enumerate(zip(pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)):
        texts = pool.texts[first:last]
        fixed = above[first:last].any() or any(map(_NAMES_AN_OPTION.search, (pool.questions[item], *texts)))
        order = list(range(last - first))
        if not fixed:
            keys = [_digest(seed, pool.questions[item], text) for text in texts]
            order.sort(key=keys.__getitem__)
        orders.append(order)
    return orders


def _digest(seed: int, question: str, text: str) -> bytes:
    return blake2b(f"{seed}\0{question}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
