"""What an item's family says about being asked, and which styles that allows.

Items of a registered dataset are asked in its own form and words; any other item in the form that its choices and its
gold answer show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from generators.answering.answer_form import AnswerForm, form_of
from generators.dataset import Dataset, Draft
from generators.errors import UsageError
from generators.item import Item
from generators.registry import MODULES, dataset
from generators.styles.style import STYLES, Style

__all__ = ["Asking", "asking_of", "check_style", "suitable_styles"]


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
    family = dataset(name) if name in MODULES else None
    if family is None or subset not in family.subsets:
        return Asking(form_of(item), "problems of this kind", where=where)
    about = family.subsets[subset]
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
    if style.follow_up and asking.family is not None and asking.family.episode is not None:
        return "episodes ask once per action, and the style has two turns"
    if style.reasoning and asking.form.reasoning is None:
        return f"there is no worked reasoning for answers of the form {asking.form.name!r}"
    if style.example and style.example not in asking.examples:
        return f"the dataset has no example of the name {style.example!r} for it"
    if style.hint and style.hint not in asking.hints:
        return f"the dataset has no {style.hint} hint"
    return ""
