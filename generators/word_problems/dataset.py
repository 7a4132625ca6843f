"""The registry's entry of word-problems; `checking` is the second way to every gold answer."""

from __future__ import annotations

from generators.dataset import Dataset
from generators.item import Item
from generators.word_problems.problem import CANARY, NAME, VERSION, make
from generators.word_problems.shortcuts import FIELDS, shortcuts
from generators.word_problems.subsets import subsets

__all__ = ["DATASET", "check"]


def check(item: Item) -> list[str]:
    """Faults of an item, in words: text, forms, steps and answer must tell the same story."""
    from generators.word_problems.checking import check as checked  # generating does without it

    return checked(item)


DATASET = Dataset(
    name=NAME,
    version=VERSION,
    title="Word problems with controlled biases",
    summary="Arithmetic word problems in matched pairs that differ in one thing which makes them easier or harder for "
    "children: whether a comparison names the operation, whether things change hands or are compared, whether digits "
    "are carried. They measure whether language models are led astray where human learners are.",
    seed=20240131,
    canary=CANARY,
    subsets=subsets(),
    make=make,
    check=check,
    fields={
        "language": "language of the prompt",
        "forms": "what each sentence before the question says, as a logical form: container(agent, number, thing), "
        "comparison(subject, relation, other, number, thing), transfer(receiver, sender, number, thing; _ is nobody), "
        "rate(agent, number, contents, container); a thing is entity/attribute/unit. A comparison (subject = other "
        "relation number) tells how many the agent has of whom nothing was known yet; a rate multiplies where the "
        "containers were known, and divides where the contents were",
        "question": "what is asked: count(agent, thing), total of two agents, or difference (the first less the "
        "second)",
        "steps": "the reckoning: one equation for each sentence after a container, in order, the last gives the answer",
        "n_steps": "number of steps",
        "operation": "the operation of the sentence under test (the comparison; the rate and its comparison); in "
        "transfer-comparison and nonlinear that of the last step",
        "keyword": "what the comparison under test (the last one of several) says: more, fewer, times or part (one "
        "n-th); none where none is under test",
        "templates": "which of the templates that fit words each sentence, the question last",
        "pronouns": "whether the subject of each sentence is a pronoun, the question last",
        "carries": "columns with a carry (add) or a borrow (subtract); carry only",
    },
    citation="Opedal, Stolfo, Shirakami, Jiao, Cotterell, Schölkopf, Saparov & Sachan (2024), Do Language Models "
    "Exhibit the Same Cognitive Biases in Problem Solving as Human Learners?",
    uses="Measuring, pair by pair, how much a model's accuracy depends on consistency, on transfer against comparison, "
    "on rate against comparison and on carrying; the counterbalanced subsets, where no keyword gives the operation "
    "away, for accuracy as such.",
    misuses="Mathematical ability in general: the problems are short, made by rule, of whole numbers below 1000. "
    "In `consistency` the keyword names the operation in one half and its opposite in the other: single accuracies of "
    "the halves are not ability but the effect under study. In `carry` the keyword always names the operation.",
    baselines={
        "all subsets": "answers are open: guessing is near 0, the commonest answer right in 1 to 15 %",
        "counterbalanced subsets": "the operation of the comparison: guessing and majority 50 %, as is reading it off "
        "the keyword",
    },
    shortcuts=shortcuts,
    shortcut_fields=FIELDS,
    slices=("n_steps", "operation"),
    tags=("question-answering", "text-generation"),
)
