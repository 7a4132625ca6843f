"""The styles as a table of texts that go around a prompt, and which of them suit an item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from hansproof.generators.dataset import AnswerForm, Dataset, Draft, form_of
from hansproof.generators.errors import UsageError, unknown
from hansproof.generators.item import Item
from hansproof.generators.registry import find

__all__ = ["STYLES", "Asking", "Style", "asking_of", "check_style", "style_named", "suitable_styles"]

# Texts may hold `{answer}` (the sentence that asks for the answer alone, worded by the item's form of answer),
# `{expertise}` (what the item's family is about) and `{hint}` (the family's hint of the name that the style gives).


@dataclass(frozen=True)
class Style:
    """One way of asking."""

    summary: str
    """What it does, and whose idea it is."""
    persona: str = ""
    """Who the model is told to be: the system message of a chat, the first paragraph of a text."""
    request: str = ""
    """What follows the item's prompt."""
    shots: bool = False
    """Whether solved examples come before the item."""
    reasoning: bool = False
    """Whether these examples show the steps to the answer, and not the answer alone."""
    follow_up: str = ""
    """What is said after the model's first reply; empty for styles of one turn."""
    hint: str = ""
    """The name of the hint that `{hint}` stands for; empty where there is none."""
    turn: str = ""
    """What follows the prompt of a turn where items are played, if it differs from `request`. It may hold `{options}`,
    the legal actions in words."""
    example: str = ""
    """The name of the family's own solved example, which it shows alone; empty where examples are drawn."""
    completion: bool = False
    """Whether it is a text for a base model to continue: each question after `Q:`, each answer after `A:`."""


_STEPS = "Work through this step by step, and give your answer at the end."
_HINT_STEPS = f"{{hint}}\n\n{_STEPS}"
_LAST_LINE = 'End with a line "Answer: ..." that gives {options}.'
_STEPS_ALONE = "Reason step by step towards the answer. At each step, say what you do and why."
_EXTRACT = "Now give your final answer. {answer}"

STYLES: Final[Mapping[str, Style]] = {
    "zero-shot": Style("The item's prompt and nothing else."),
    "zero-shot-cot": Style(
        "Asks for the steps before the answer (after Kojima et al. 2022).",
        request=_STEPS,
        turn=f"Think about this step by step before you choose. {_LAST_LINE}",
    ),
    "few-shot": Style("Solved examples first, answers only (after Brown et al. 2020).", shots=True),
    "few-shot-cot": Style(
        "Solved examples first, each with its reasoning (after Wei et al. 2022).", shots=True, reasoning=True
    ),
    "step-back": Style(
        "Asks for the principle behind the question before the answer (after Zheng et al. 2024).",
        request="Before you answer, take a step back: which rule or principle settles questions of this kind? State it "
        "in general terms, apply it to this question, and give your answer at the end.",
        turn="Before you choose, take a step back: what kind of situation is this, and which principle leads to good "
        f"choices in situations of this kind? State it in general terms, and apply it here. {_LAST_LINE}",
    ),
    "persona-expert": Style(
        "Asks the model to answer as an expert.",
        persona="You are an expert in {expertise}, and you check every conclusion before you give it.",
    ),
    "persona-child": Style(
        "Asks the model to answer as a young child.",
        persona="You are a bright seven-year-old child, and you answer as a child of that age would.",
    ),
    "persona-layperson": Style(
        "Asks the model to answer as an adult without training.",
        persona="You are an ordinary adult with no training in {expertise}, answering at the end of a long day.",
    ),
    "direct": Style("Asks for the answer alone, without reasoning.", request="{answer}"),
    "two-turn-cot": Style(
        "Reasoning in the first turn, the answer alone in the second (after Kojima et al. 2022, Opedal et al. 2024).",
        request=_STEPS_ALONE,
        follow_up=_EXTRACT,
    ),
    "child-two-turn-cot": Style(
        "The same two turns, answered as a schoolchild (after Opedal et al. 2024).",
        persona="You are a child in primary school, working on {expertise} in class. You think, and make mistakes, the "
        "way children of your age do.",
        request=_STEPS_ALONE,
        follow_up=_EXTRACT,
    ),
    "hint-weak": Style("Adds a hint that names the trap (after Jiang et al. 2024).", request="{hint}", hint="weak"),
    "hint-strong": Style(
        "Adds a hint that names the trap, explains it and says how to avoid it (after Jiang et al. 2024).",
        request="{hint}",
        hint="strong",
    ),
    "hint-weak-cot": Style("The weak hint, then the steps before the answer.", request=_HINT_STEPS, hint="weak"),
    "hint-strong-cot": Style("The strong hint, then the steps before the answer.", request=_HINT_STEPS, hint="strong"),
    "hint-weak-few-shot-cot": Style(
        "Solved examples with their reasoning, and the weak hint.",
        request="{hint}",
        shots=True,
        reasoning=True,
        hint="weak",
    ),
    "hint-strong-few-shot-cot": Style(
        "Solved examples with their reasoning, and the strong hint.",
        request="{hint}",
        shots=True,
        reasoning=True,
        hint="strong",
    ),
    "one-shot-linda": Style(
        "Linda, the best-known problem of its kind, first and solved (after Jiang et al. 2024).",
        shots=True,
        example="linda",
    ),
    "one-shot-linda-cot": Style("The same, solved with its reasoning.", shots=True, reasoning=True, example="linda"),
    "one-shot-bob": Style(
        "The same problem first, about Bob instead of Linda (after Jiang et al. 2024).", shots=True, example="bob"
    ),
    "one-shot-bob-cot": Style(
        "Bob's problem first, solved with its reasoning.", shots=True, reasoning=True, example="bob"
    ),
    "one-shot-wrong": Style(
        "A well-known problem of its kind first, with a wrong answer: does the model copy it?",
        shots=True,
        example="wrong",
    ),
    "completion": Style(
        "Q: and the question, then A:, for a base model to continue (after Opedal et al. 2024).", completion=True
    ),
    "few-shot-completion": Style(
        "Solved examples first, answers only, as Q: and A: for a base model to continue.", shots=True, completion=True
    ),
}
"""The visible table of styles, by name."""


def style_named(style: str | Style) -> Style:
    """The style called `style`, or a style of your own unchanged. Raises UsageError with the known names."""
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise unknown("prompt style", style, STYLES)
    return STYLES[style]


# An item of a registered dataset is asked in its family's form and words; any other in the form that its choices and
# gold show.


@dataclass(frozen=True)
class Asking:
    """How items of one subset are asked."""

    form: AnswerForm
    expertise: str
    hints: Mapping[str, str] = field(default_factory=dict)
    family: Dataset | None = None
    """The registered family, which can make solved examples; None where there is none."""
    where: str = ""
    """What messages call the items: `word-problems/carry`."""
    examples: Mapping[str, Callable[[str], Draft]] = field(default_factory=dict)
    """The family's own solved examples; see `Subset.examples`."""


def asking_of(item: Item) -> Asking:
    """How `item` is asked, by its dataset and subset."""
    name, subset = item.metadata["dataset"], item.metadata["subset"]
    where = f"{name}/{subset}"
    family = find(name)
    about = family.find(subset) if family else None
    if family is None or about is None:
        return Asking(form_of(item), "problems of this kind", where=where)
    return Asking(about.form, family.expertise, {**family.hints, **about.hints}, family, where, about.examples)


def check_style(style: Style, label: str, asking: Asking) -> None:
    """Raise UsageError where items asked like this cannot be asked in `style`, with the styles that suit them."""
    reason = _objection(style, asking)
    if reason:
        raise UsageError(
            f"{label} does not suit {asking.where}: {reason}. Use one of: {', '.join(suitable_styles(asking))}"
        )


def suitable_styles(asking: Asking) -> list[str]:
    """The names of the styles in which items asked like this can be asked, in the order of the table."""
    return [name for name, style in STYLES.items() if not _objection(style, asking)]


def _objection(style: Style, asking: Asking) -> str:
    """Why a style does not suit, as a clause; empty where it does."""
    if style.shots and asking.family is None:
        return "only a registered dataset can make solved examples"
    if style.shots and asking.family is not None and asking.family.episode is not None:
        return "episodes are played, not answered, so there are no solved examples"
    if style.completion and asking.family is not None and asking.family.episode is not None:
        return "episodes are played turn by turn, and a base model continues a text"
    if style.follow_up and asking.family is not None and asking.family.episode is not None:
        return "episodes ask once per action, and the style has two turns"
    if style.reasoning and asking.form.reasoning is None:
        return f"there is no worked reasoning for answers of the form {asking.form.name!r}"
    if style.example and style.example not in asking.examples:
        return f"the dataset has no example of the name {style.example!r} for it"
    if style.hint and style.hint not in asking.hints:
        return f"the dataset has no {style.hint} hint"
    return ""
