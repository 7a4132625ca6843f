"""The family token-bias: its table of subsets, and the hypotheses of the paper as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hansproof.generators.dataset import LEVEL, Dataset, Draft, Hypothesis, Knob, Subset, base_of
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.blind import SCORER
from hansproof.generators.token_bias.conjunction import CONJUNCTION
from hansproof.generators.token_bias.horses import HORSES
from hansproof.generators.token_bias.letters import LETTERS
from hansproof.generators.token_bias.plan import NAME, Plan, Room
from hansproof.generators.token_bias.premises import FRAMINGS
from hansproof.generators.token_bias.syllogism import SYLLOGISM

__all__ = ["DATASET"]

PLANS: Room = {**CONJUNCTION, **SYLLOGISM, **HORSES, **LETTERS}
"""One room after the other. A room is a folder with a `subsets` module."""

# The paper's six hypotheses are tested on the subsets of its own design. Where one holds, right answers hang on words
# that do not matter; a model that reasons shows no shift.

_RELEVANCE: Final = (
    "conjunction-persona",
    "conjunction-story-to",
    "conjunction-story-because",
    "conjunction-story-so-that",
    "conjunction-disease",
)
"""Subsets of conjunctions whose second part suits the story, or does not."""

_HINTED: Final = (
    ("zero-shot-cot", "hint-weak-cot"),
    ("zero-shot-cot", "hint-strong-cot"),
    ("few-shot-cot", "hint-weak-few-shot-cot"),
    ("few-shot-cot", "hint-strong-few-shot-cot"),
)
"""Styles without a hint, and the same with one."""

HYPOTHESES: Final[tuple[Hypothesis, ...]] = (
    Hypothesis("H1", "The second part of a conjunction becomes irrelevant to its story.",
               _RELEVANCE, (("relevant", "irrelevant"),), "better", shared=("frame",)),
    Hypothesis("H2", "The solved example before the question is about Bob instead of Linda.",
               _RELEVANCE, (("one-shot-linda", "one-shot-bob"), ("one-shot-linda-cot", "one-shot-bob-cot")), "worse",
               styles=True, conditions=("relevant",), shared=("frame",)),
    Hypothesis("H3", "A well-known person of the past becomes somebody unknown.",
               ("conjunction-celebrity",), (("famous", "unknown"),), "better", shared=("frame",)),
    Hypothesis("H4", "The quantifiers of an invalid syllogism become synonyms.",
               ("syllogism",), (("original", "synonyms"),), "worse", shared=("category",)),
    Hypothesis("H5", "The premises of an invalid syllogism come from sources instead of being numbered.",
               ("framed-syllogism",), tuple(("unframed", framing) for framing in FRAMINGS[1:]), "either",
               shared=("category",)),
    Hypothesis("H6", "A hint names the fallacy, or says how to avoid it.",
               (*_RELEVANCE, "conjunction-celebrity", "syllogism"), _HINTED, "better", styles=True,
               conditions=("relevant", "famous", "original"), shared=("frame", "category")),
    Hypothesis("H4-balanced", "The same synonyms, in valid and in invalid syllogisms of the same words.",
               ("balanced-syllogism",), (("invalid", "invalid-synonyms"), ("valid", "valid-synonyms")), "either",
               shared=("setting",)),
    Hypothesis("H5-balanced", "The same framing, in valid and in invalid syllogisms of the same words.",
               ("balanced-framed-syllogism",),
               tuple((f"{validity}-unframed", f"{validity}-{framing}")
                     for validity in ("invalid", "valid") for framing in FRAMINGS[1:]),
               "either", shared=("setting",)),
    Hypothesis("H6-balanced",
               "The same hints, where the conclusion of a syllogism does follow, so that there is no fallacy to avoid.",
               ("balanced-syllogism",), _HINTED, "either", styles=True, conditions=("valid",), shared=("setting",)),
)  # fmt: skip
"""By the names of the paper; those that end in `-balanced` are ours."""


def _make(stream: Stream, subset: str, index: int) -> Draft:
    plan = PLANS[base_of(subset)]
    draft = plan.make(stream, subset, index)
    draft.metadata["origin"] = plan.origin
    return draft


def _subset(name: str, plan: Plan) -> Subset:
    if plan.levels is None:
        return plan.subset
    knob = Knob(*plan.levels, make=lambda stream, level, index: _make(stream, f"{name}{LEVEL}{level}", index))
    return replace(plan.subset, knob=knob)


DATASET = Dataset(
    name=NAME,
    version="1.2.0",
    title="Token bias in matched pairs",
    summary="Questions with the same logic in other words: does a model reason, or does it follow the words?",
    seed=20240616,
    subsets={name: _subset(name, plan) for name, plan in PLANS.items()},
    make=_make,
    check=lambda item: PLANS[base_of(item.metadata["subset"])].check(item),
    scorer=SCORER,
    factors=(
        *("connective", "question", "shorter", "gender", "wording"),
        *("valid", "mood", "framing", "timed", "stopwatch_first"),
    ),
    slices=(("connective",), ("question",), ("wording",), ("connective", "question")),
    expertise="logic and probability",
    hypotheses=HYPOTHESES,
)
