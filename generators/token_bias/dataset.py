"""The family token-bias: every subset is made and checked by its room."""

from __future__ import annotations

from generators.dataset import Dataset, Draft
from generators.item import Item
from generators.stream import Stream
from generators.token_bias.hypotheses import HYPOTHESES
from generators.token_bias.plan import NAME
from generators.token_bias.scorer import SCORER
from generators.token_bias.subsets import PLANS

__all__ = ["DATASET"]


def _make(stream: Stream, subset: str, index: int) -> Draft:
    plan = PLANS[subset]
    draft = plan.make(stream, subset, index)
    draft.metadata["origin"] = plan.origin
    return draft


def _check(item: Item) -> list[str]:
    return PLANS[item.metadata["subset"]].check(item)


DATASET = Dataset(
    name=NAME,
    version="1.1.0",
    title="Token bias in matched pairs",
    summary="Questions with the same logic in other words: does a model reason, or does it follow the words?",
    seed=20240616,
    subsets={name: plan.subset for name, plan in PLANS.items()},
    make=_make,
    check=_check,
    scorer=SCORER,
    factors=(
        *("connective", "question", "shorter", "gender", "wording"),
        *("valid", "kind_first", "particular_first", "framing", "timed", "stopwatch_first"),
    ),
    slices=(("connective",), ("question",), ("wording",), ("connective", "question")),
    expertise="logic and probability",
    hypotheses=HYPOTHESES,
)
