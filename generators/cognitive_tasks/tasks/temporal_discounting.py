"""Temporal discounting: less money sooner, or more money later (Ruggeri et al. 2022)?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hansproof.generators.answering.moves import Choice
from hansproof.generators.answering.scorer import Measure, MeasureKind
from hansproof.generators.cognitive_tasks.task import LETTERS, Game, Story, Task, read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["TASK"]

# As CogBench shortened it: three series (500 gained, 5,000 gained, 500 lost) each start with 1.1 times as much after a
# year. Whoever prefers the sooner sum is offered 1.2 times and then 1.5 times; whoever waits, 1.02 times and then 1.01
# times. A series is worth 0 (waits for 1.01 times) to 5 points (does not wait for 1.5 times).
#
# The smallest factor of the first series that was worth waiting for makes four more questions, each worth a point for:
# - present bias: the sooner sum, where both are a year further away;
# - subadditivity: the sooner sum now, against two years at twice the surplus;
# - delay: the sum now, where the surplus is called a bonus for waiting;
# - speed-up (`delay_length` in CogBench's records): waiting, where the surplus is a fee for having the larger sum now.
#
# The score, 0 to 19, counts the sooner sum for losses too, as CogBench does, though paying less at once is the patient
# answer; so gains and losses have measures of their own. Where no factor was worth waiting for, CogBench asks no
# further question, so that the most impatient player scores 15 and another may score 18; here 1.5 makes the questions.
# Factors are whole per cents: in floating point 1.2 times 500 less 500 becomes 99.

BASE = 500
SERIES = ("gain", "large-gain", "loss")
ANOMALIES = ("present_bias", "subadditivity", "delay_speedup", "delay_length")
FACTORS = {"": 110, "S": 120, "SS": 150, "L": 102, "LL": 101}
"""The answers of a series so far (sooner, later) -> the per cent of the next offer; a series without one is over."""
POINTS = {"SSS": 5, "SSL": 4, "SL": 3, "LS": 2, "LLS": 1, "LLL": 0}
"""The answers of a whole series -> its points."""
ACCEPTED = {"SSS": 150, "SSL": 150, "SL": 120, "LS": 110, "LLS": 102, "LLL": 101}
"""The answers of a whole series -> the smallest factor that was worth waiting for, in per cent."""
LONGEST = 3
"""Questions of a series at most."""
SLOTS = len(SERIES) * LONGEST + len(ANOMALIES)
"""Questions that may be asked, each with its own order of options."""
TURNS = 12
"""About how many are asked: from 10, where every series ends after two answers, to all 13."""


@dataclass(frozen=True)
class DiscountingView:
    """The question that is asked now. Sums are negative where they are paid."""

    name: str
    """The series (`gain`, `large-gain`, `loss`), or the anomaly (`present_bias`, ...)."""
    sooner_sum: int
    sooner_months: int
    later_sum: int
    later_months: int
    sooner: str
    """The action that takes the sooner sum."""
    later: str
    names: tuple[str, str]
    """Both actions, in the order in which the prompt names them."""


class Discounting(Game):
    """One questionnaire."""

    def __init__(self, item: Item) -> None:
        super().__init__(item)
        self._names: tuple[str, str] = tuple(self.draws["options"])
        self._choice = Choice(self._names)
        self._series = [""]
        """The answers of each series begun."""
        self._points: list[bool] = []
        """Of each anomaly answered: whether it is worth its point."""

    @property
    def move(self) -> Choice | None:
        return self._choice if len(self._points) < len(ANOMALIES) else None

    def question(self) -> str:
        """The two options, each on a line of its own."""
        asked = self.view
        lead, sooner, later = _wording(self.words, asked)
        words = {asked.sooner: sooner, asked.later: later}
        options = "\n".join(f"- Option {name}: {words[name]}." for name in self._names)
        return f"{lead}\n{options}\n\nWhich option do you prefer, {self._choice.options}?"

    def take(self, action: str) -> None:
        sooner = action == self.view.sooner
        if self._over:
            name = ANOMALIES[len(self._points)]
            self._points.append(sooner != (name == "delay_length"))
            return
        self._series[-1] += "S" if sooner else "L"
        if self._series[-1] not in FACTORS and len(self._series) < len(SERIES):
            self._series.append("")

    @property
    def view(self) -> DiscountingView:
        if self._over:
            slot = len(SERIES) * LONGEST + len(self._points)
            name = ANOMALIES[len(self._points)]
            terms = _anomaly(name, ACCEPTED[self._series[0]])
        else:
            slot = (len(self._series) - 1) * LONGEST + len(self._series[-1])
            name = SERIES[len(self._series) - 1]
            terms = _offer(name, FACTORS[self._series[-1]])
        first, second = self._names
        sooner, later = (first, second) if self.draws["sooner_first"][slot] else (second, first)
        return DiscountingView(name, *terms, sooner, later, self._names)

    def records(self) -> list[Record]:
        """One row: the score, and the points of the three series and of the four anomalies in it."""
        series = {name.replace("-", "_"): POINTS[answers] for name, answers in zip(SERIES, self._series, strict=True)}
        points = {name: int(point) for name, point in zip(ANOMALIES, self._points, strict=True)}
        return [{"score": sum(series.values()) + sum(points.values()), **series, **points}]

    @property
    def _over(self) -> bool:
        """Whether all series are over."""
        return len(self._series) == len(SERIES) and self._series[-1] not in FACTORS


def _offer(series: str, factor: int) -> tuple[int, int, int, int]:
    """The sooner sum and its months, and the later ones."""
    base = {"gain": BASE, "large-gain": 10 * BASE, "loss": -BASE}[series]
    return base, 0, base * factor // 100, 12


def _anomaly(name: str, factor: int) -> tuple[int, int, int, int]:
    surplus = BASE * (factor - 100) // 100
    apart = {"present_bias": (BASE, 12, BASE + surplus, 24), "subadditivity": (BASE, 0, BASE + 2 * surplus, 24)}
    return apart.get(name, (BASE, 0, BASE + surplus, 12))


_WORDS = {
    "loss": ("loss", "pay", "pay"),
    "delay_speedup": ("delay", "take", "wait"),
    "delay_length": ("speedup", "fee", "patience"),
}
"""Question -> the words that it begins with, and those of its sooner and of its later option; others ask of gains."""


def _wording(story: Story, asked: DiscountingView) -> tuple[str, str, str]:
    """How a question begins, and its sooner and its later option."""
    lead, sooner, later = _WORDS.get(asked.name, ("gain", "receive", "receive"))
    base, amount = _dollars(asked.sooner_sum), _dollars(asked.later_sum)
    sums = {"base": base, "amount": amount, "extra": _dollars(asked.later_sum - asked.sooner_sum)}
    return (
        story[lead].format(**sums),
        story[sooner].format(**sums, sum=base, when=_when(asked.sooner_months)),
        story[later].format(**sums, sum=amount, when=_when(asked.later_months)),
    )


def _dollars(amount: int) -> str:
    return f"{abs(amount):,} dollars"


def _when(months: int) -> str:
    return f"in {months} months" if months else "today"


def _make(stream: Stream, story: str, level: int | None) -> tuple[str, dict[str, Any]]:
    orders = stream.child("orders")
    return read_stories("temporal-discounting")[story]["opening"], {
        "options": stream.child("names").sample(LETTERS, 2),
        "sooner_first": [orders.coin() for _ in range(SLOTS)],
    }


def _check(item: Item) -> Mapping[str, bool]:
    options, orders = item.metadata["options"], item.metadata["sooner_first"]
    return {
        "the options are not two letters": len(set(options)) != 2 or not set(options) <= set(LETTERS),
        "there is not one order of options for each of 13 questions": len(orders) != 13,
        "the opening names a sum or an option": any(word.isdigit() or word in options for word in item.prompt.split()),
    }


def _score(records: Sequence[Record]) -> Mapping[str, Measure]:
    (row,) = records
    return {
        "score": Measure(float(row["score"] or 0)),
        "gains": Measure(float(row["gain"] or 0) + float(row["large_gain"] or 0)),
        "losses": Measure(float(row["loss"] or 0)),
    }


def _chance(item: Item) -> Mapping[str, float]:
    """A coin a question: the answers of a series have probability 2 ** -length, an anomaly is worth half a point."""
    series = sum(points * 0.5 ** len(answers) for answers, points in POINTS.items())
    return {"score": len(SERIES) * series + len(ANOMALIES) / 2, "gains": 2 * series, "losses": series}


TASK = Task(
    name="temporal-discounting",
    title="temporal discounting",
    rows=20,
    make=_make,
    start=Discounting,
    check=_check,
    kinds={
        "score": MeasureKind("temporal discounting score, 0 to 19; counts sooner sums", "neither", share=False),
        "gains": MeasureKind("sooner sums among gains, 0 to 10; more is less patient", "neither", share=False),
        "losses": MeasureKind("sooner payments among losses, 0 to 5; more is more patient", "neither", share=False),
    },
    score=_score,
    turns=lambda item: TURNS,
    chance=_chance,
)
