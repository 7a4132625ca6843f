"""Sums of two or more numbers, and whether a sum is even, asked again with one more."""

import re

from hansproof.generators.dataset import NUMBER, OPTION, Dataset, Draft, Knob, MatchedConditions, Subset, base_of


def make(stream, subset, index):
    return pair(stream, index) if subset == "pairs" else sums(stream, 2, index)


def sums(stream, level, index):
    """`level` numbers to add. Draws come from a stream of the level and the index, and from nothing else."""
    draws = stream.child(f"sums@{level}").child(index)
    numbers = [draws.integer(100, 99_999) for _ in range(level)]
    prompt = f"What is {' plus '.join(map(str, numbers))}?"
    return Draft(prompt, None, str(sum(numbers)), f"sum-{level}-{index}", "plain", {"numbers": numbers})


def pair(stream, index):
    """Two items of one group side by side: what they share is drawn from a stream of the group."""
    group, place = divmod(index, 2)
    draws = stream.child("pairs").child(group)
    first, second = draws.integer(100, 998) + place, draws.integer(100, 999)
    return Draft(
        prompt=f"Is {first} plus {second} an even number? Answer Yes or No.",
        choices=("Yes", "No"),
        answer="No" if (first + second) % 2 else "Yes",  # one of the choices, as written; None where nothing is right
        group=f"pair-{group}",
        condition="one-more" if place else "original",
        metadata={"numbers": [first, second]},
    )


def check(item):
    """The second way: solve the prompt, not what `make` drew."""
    numbers = [int(number) for number in re.findall("[0-9]+", item.prompt)]
    right = str(sum(numbers))
    if base_of(item.metadata["subset"]) == "pairs":
        right = "Yes" if len({number % 2 for number in numbers}) == 1 else "No"
    return [] if item.answer == right else [f"answer is {item.answer}, not {right}"]


SUBSETS = {
    "sums": Subset(
        rows=50,
        description="Two numbers below 100,000.",
        form=NUMBER,
        knob=Knob("numbers to add", 2, 40, "prompts have 5 words at 2, 81 at 40", make=sums),
    ),
    "pairs": Subset(
        rows=400,
        description="Whether the sum of two numbers is even, and the same with one more, so that the answer turns.",
        form=OPTION,
        matched=MatchedConditions(original="original", perturbed=("one-more",)),
    ),
}
DATASET = Dataset(
    name="my-family", version="1.0.0", title="Sums", summary="Can a model add?", seed=1,
    subsets=SUBSETS, make=make, check=check, authors="A. Author",
)  # fmt: skip
