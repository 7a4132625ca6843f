"""Every subset of `generators.planted_cues` as it is released, whose table says which verdicts are right."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from error_rates.scenario import Expected, Row, Scenario
from error_rates.scenarios.planting import rows
from generators.planted_cues.dataset import generate
from generators.planted_cues.subsets import SUBSETS, PlantedCue
from generators.stream import Stream

__all__ = ["subsets"]

_WEAKER = {"LEAKS": ("TRACES",), "TRACES": ("CLEAN",), "IMBALANCED": ("CLEAN",)}
"""What claims nothing false where this verdict is right."""

_FAULTS = {"rare-answer": 5, "duplicates": 8, "synonyms-10": 9, "synonyms-50": 9}


def subsets() -> Iterator[Scenario]:
    """One scenario per subset without groups, and one with them where items share templates or texts."""
    for name, planted in SUBSETS.items():
        shared = planted.templates > 0 or planted.copies > 1
        for given in (False, True) if shared else (False,):
            way = f", groups {'given' if given else 'found'}" if shared else ""
            yield Scenario(
                family="planted-cues, as released",
                case=f"{name}{way}",
                texts="made: planted-cues",
                n=planted.rows,
                expected=_expected(planted),
                make=_released(name, planted.rows, given),
                repeats=4 if planted.rows <= 1_000 else 2,
                fault=_FAULTS.get(name, 2 if planted.templates else 7 if name.startswith("format") else 1),
            )


def _expected(planted: PlantedCue) -> Expected:
    right = frozenset(planted.verdicts)
    weaker = {"INCONCLUSIVE", *(verdict for name in right for verdict in _WEAKER.get(name, ()))}
    if planted.copies > 1:  # copies of a text are a template of their own
        weaker.add("TEMPLATE-BOUND")
    return Expected(right, frozenset(weaker) - right)


def _released(name: str, n: int, given: bool) -> Callable[[Stream], list[Row]]:
    def make(stream: Stream) -> list[Row]:
        items = list(generate(name, stream.child("seed").below(2**31), n))
        groups = [item.group for item in items] if given else None
        return rows([item.prompt for item in items], [item.answer for item in items], groups)

    return make
