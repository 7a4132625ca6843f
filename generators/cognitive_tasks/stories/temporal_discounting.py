"""Cover stories of temporal discounting: plain sums of money, and the books of a workshop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generators.cognitive_tasks.task import Story

__all__ = ["STORIES", "DiscountingStory"]


@dataclass(frozen=True)
class DiscountingStory(Story):
    """The words of the task: what each question begins with, and its two options."""

    opening: str
    gain: str
    """Introduces a choice between two gains."""
    loss: str
    """Introduces a choice between two payments."""
    receive: str
    """An option with `{amount}` and `{when}`."""
    pay: str
    delay: str
    """Introduces the question that offers a bonus for waiting: `{base}` is due today."""
    take: str
    """The two options then, with `{base}` and `{extra}`."""
    wait: str
    speedup: str
    """Introduces the question that takes a fee for not waiting: `{amount}` is due in a year."""
    patience: str
    """The two options then, with `{amount}` and `{extra}`."""
    fee: str


STORIES: Mapping[str, DiscountingStory] = {
    "dollars": DiscountingStory(
        "sums of dollars that you receive or pay",
        "You are asked to choose between sums of money at different times. Every sum is certain to be paid. There are "
        "no right or wrong answers. Take every choice as real, and consider it on its own.",
        "You are going to receive money, and may choose between two sums.",
        "You have to pay money, and may choose between two sums.",
        "you receive {amount} {when}",
        "you pay {amount} {when}",
        "You are to receive {base} today.",
        "you take the {base} today",
        "you wait 12 months, and then receive the {base} and another {extra}",
        "You are to receive {amount} in 12 months.",
        "you wait the 12 months, and then receive the {amount}",
        "today you pay {extra} and receive the {amount}",
    ),
    "workshop": DiscountingStory(
        "the bills of a workshop that you own",
        "You own a small workshop, and decide when bills are paid. Whatever is agreed is certain to be paid. There are "
        "no right or wrong answers. Take every decision as real, and consider it on its own.",
        "A customer owes you money and offers two ways to pay.",
        "You owe a supplier money and are offered two ways to pay.",
        "the customer pays you {amount} {when}",
        "you pay the supplier {amount} {when}",
        "A customer is about to pay you {base} today.",
        "you have the customer pay the {base} today",
        "you let the customer pay in 12 months, the {base} and another {extra}",
        "A customer is going to pay you {amount} in 12 months.",
        "you wait the 12 months until the customer pays the {amount}",
        "the customer pays you the {amount} today, and in return you pay the customer {extra} today",
    ),
}
