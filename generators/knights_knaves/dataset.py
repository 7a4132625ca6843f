"""The family knights-knaves: every subset is made and checked by its room."""

from __future__ import annotations

from generators.dataset import Dataset, Draft
from generators.item import Item
from generators.knights_knaves.checking import check
from generators.knights_knaves.figures import figures
from generators.knights_knaves.plan import VERSION
from generators.knights_knaves.replies.error_kinds import ERRORS
from generators.knights_knaves.scorer import SCORER
from generators.knights_knaves.subsets import PLANS
from generators.stream import Stream

__all__ = ["DATASET"]


def _make(stream: Stream, subset: str, index: int) -> Draft:
    return PLANS[subset].make(stream, index)


def _check(item: Item) -> list[str]:
    plan = PLANS.get(item.metadata["subset"])
    return plan.check(item) if plan else check(item)  # subsets of 1.0.0 have the second opinion that all share


DATASET = Dataset(
    name="knights-knaves",
    version=VERSION,
    title="Knights and knaves",
    summary="Who tells the truth and who lies, from what each of them says? Puzzles after TruthQuest.",
    seed=20240618,
    subsets={name: plan.subset for name, plan in PLANS.items()},
    make=_make,
    check=_check,
    scorer=SCORER,
    slices=(("n",), ("rung",), ("terminology",), ("outcome",)),
    expertise="logic puzzles",
    figures=figures,
    errors=ERRORS,
)
