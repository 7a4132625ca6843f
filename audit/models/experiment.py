"""The decisive test of a shortcut: the same model on the same items, without the question or with the cue exchanged.

That a model is more often right where a probe is right shows nothing of how it works: both find the same items easy.
An experiment does. A model that is right more often than its own answers would be by luck, without the part of the
prompt that asks, has answers from what is left. One whose answers move with a word that changes nothing follows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isnan, nan, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.difference import Difference, difference_of, sufficient
from hansproof.audit.notation import points, points_within, series_title, things
from hansproof.audit.replies.arms import EXCHANGE, SEPARATOR, exchanged, shown, word_pair
from hansproof.audit.replies.grid import Series
from hansproof.audit.replies.joining import Joined
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.scorers import accepted, subset_of
from hansproof.audit.statistics.permutation import holm
from hansproof.audit.statistics.power import ALPHA
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item

__all__ = ["ArmResult", "Beyond", "experiment"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FEWEST: Final = 10
"""Items of one word and one gold answer below which that cell says nothing."""


@dataclass(frozen=True)
class Beyond:
    """A number that is 0 where the experiment finds nothing."""

    items: int
    value: float
    """NaN where it is undefined, as are the next four."""
    se: float
    """Robust to groups of items: the sandwich of Liang and Zeger (1986) times G / (G - 1), and as if one group more had
    moved (in each cell)."""
    low: float
    """Ends of the 95 % interval, by Student's t with as many degrees as effective groups less one,
    which count by what they add to the error."""
    high: float
    p: float
    """Two-sided."""
    reason: str
    """Why it is undefined; else empty."""


_UNDEFINED: Final = Beyond(0, nan, nan, nan, nan, nan, "")


@dataclass(frozen=True)
class ArmResult:
    """One model in one arm, beside itself on the unchanged items."""

    model: str
    style: str
    run: str
    arm: str
    items: int
    """With a reply to both versions."""
    unclear: int
    """Of them, replies in the arm without a clear answer, which count as wrong."""
    whole: Difference
    """Right on the unchanged items (A) and in the arm (B)."""
    constant: float
    """Share that the best single answer gets right, or the best place of an option; chosen on these very items."""
    luck: float
    """Share that the model's answers in the arm would get right if they were dealt out to the items at random: the
    expected agreement of Cohen (1960), among items that can have the same answers."""
    goes_with: dict[str, str]
    """Word -> the answer that is most in excess among the items that have it; empty where a part is left out."""
    effect: Beyond
    """Where a part is left out, the share that is right less `luck`.

    Where words are exchanged, how far answers move from the one that goes with the old word to the one that goes with
    the new one: half of (names the new one, after less before) less (names the old one, after less before), as the mean
    over the four cells of (new word, right answer). A model that is merely disturbed gives up right answers in both
    cells of a word alike, and one that falls back on a favourite does the same for both words, so that both stay at 0
    where items in line with their words are as easy as others. Where they are easier, its answers move, but go with no
    word: p is the larger one of this and of how far the answers in the arm alone go with the new word.
    """
    p_holm: float
    """The p of `effect`, corrected over all models and arms (Holm 1979)."""

    @property
    def title(self) -> str:
        """Model, style and run, as tables call them."""
        return series_title(self.model, self.style, self.run)

    @property
    def name(self) -> str:
        """The same as sentences call them: `gpt-4 (direct)`."""
        rest = series_title("", self.style, self.run)
        return f"{self.model} ({rest})" if self.model and rest else self.title

    @property
    def shown(self) -> bool:
        """Whether the experiment shows that the answers come from the shortcut."""
        return bool(self.effect.value > 0 and self.p_holm <= ALPHA)

    @property
    def sentence(self) -> str:
        """What the experiment says of the model, beginning with a small letter."""
        if not self.items:
            return f"{self.name} has no pair of replies to both versions of an item on {self.arm}"
        return _words_sentence(self) if self.goes_with else _part_sentence(self)


def experiment(joined: Joined) -> list[ArmResult]:
    """One result per model, style, run and arm, in the order of the series.

    `joined` has the outcomes kept. Raises UsageError where no reply is in an arm, and where there are none of the same
    model, style and run to the unchanged items.
    """
    columns = {(each.model, each.style, each.run): at for at, each in enumerate(joined.grid.series)}
    arms = [(at, each) for at, each in enumerate(joined.grid.series) if SEPARATOR in each.style]
    if not arms:
        raise UsageError(
            "no reply is in an arm of an experiment: `hansproof prompts` writes both versions of the items, with "
            "--part NAME or --exchange WORD=WORD; keep `style` beside each reply"
        )
    results = []
    for at, series in arms:
        style, _, arm = series.style.partition(SEPARATOR)
        whole = columns.get((series.model, style, series.run))
        if whole is None:
            raise UsageError(f"{series.title}: there are no replies to the unchanged items (style {style!r}) beside it")
        results.append(_result(joined, Series(series.model, style, series.run), arm, whole, at))
    corrected = holm(np.array([each.effect.p for each in results]))
    return [replace(each, p_holm=float(p)) for each, p in zip(results, corrected, strict=True)]


def _result(joined: Joined, series: Series, arm: str, whole: int, changed: int) -> ArmResult:
    both = [
        (place, first, second)
        for place, (first, second) in enumerate(zip(joined.kept[whole], joined.kept[changed], strict=True))
        if first is not None and second is not None and not first.missing and not second.missing
        and first.score.right is not None and second.score.right is not None
    ]  # fmt: skip
    items = [joined.grid.items[place] for place, _, _ in both]
    before, after = [first for _, first, _ in both], [second for _, _, second in both]
    groups = np.unique(joined.grid.groups()[[place for place, _, _ in both]], return_inverse=True)[1].astype(np.int64)
    words = word_pair(arm) if EXCHANGE in arm else None
    goes_with = _goes_with(joined.grid.items, words) if words else {}
    given = [_named(item, each.reading.said if each.reading else None) for item, each in zip(items, after, strict=True)]
    right, still = (np.array([float(each.right) for each in outcomes]) for outcomes in (before, after))
    common = [max(Counter(chain(*golds)).values(), default=0) for _, golds in _strata(items)]
    return ArmResult(
        model=series.model,
        style=series.style,
        run=series.run,
        arm=arm,
        items=len(items),
        unclear=sum(each.unclear for each in after),
        whole=difference_of(right, still, groups),
        constant=sum(common) / len(items) if items else nan,
        luck=_luck(items, given)[0],
        goes_with=goes_with,
        effect=_moved(items, before, after, groups, words, goes_with) if words
        else _beyond_luck(items, given, still, groups),
        p_holm=nan,
    )  # fmt: skip


def _lettered(item: Item) -> bool:
    return bool(item.metadata.get("lettered") and item.choices)


def _named(item: Item, answer: str | None) -> str:
    """The answer as one that several items can share: the place of an option of the item's own."""
    choices = item.choices or ()
    return str(choices.index(answer)) if _lettered(item) and answer in choices else answer or ""


def _strata(items: Sequence[Item]) -> list[tuple[list[int], list[set[str]]]]:
    """Places of items that can have the same answers (those of a subset with as many options, or with the same labels),
    and the answers that are right in each."""
    kinds: dict[tuple[str, object], list[int]] = {}
    for place, item in enumerate(items):
        answers = len(item.choices or ()) if _lettered(item) else item.choices
        kinds.setdefault((subset_of(item), answers), []).append(place)
    return [
        (places, [{_named(items[place], gold) for gold in accepted(items[place])} for place in places])
        for places in kinds.values()
    ]


def _luck(items: Sequence[Item], given: Sequence[str]) -> tuple[float, Floats]:
    """The expected agreement within strata, and what each item (n,) adds to the error of the real one less it."""
    luck, adds = 0.0 if items else nan, np.zeros(len(items))
    for places, right in _strata(items):
        said, golds, n = Counter(given[place] for place in places), Counter(chain(*right)), len(places)
        own = sum(said[name] * count for name, count in golds.items() if name) / n**2
        luck += own * n / len(items)
        for place, of in zip(places, right, strict=True):
            expected = (sum(said[name] for name in of if name) + golds[given[place]] * bool(given[place])) / n
            adds[place] = expected - own
    return luck, adds


def _beyond_luck(items: Sequence[Item], given: Sequence[str], right: Floats, groups: Ints) -> Beyond:
    """The share that is right less what luck gives, with the error of both."""
    if not any(given):
        return replace(_UNDEFINED, items=len(items), reason="no reply in the arm gives a clear answer")
    luck, adds = _luck(items, given)
    value, apart = float(right.mean()) - luck, right - adds
    weight = np.full(len(right), 1 / len(right))
    held = np.unique(groups)
    return _tested(value, weight * (apart - apart.mean()), groups, weight, 1 / len(held) ** 2)


def _moved(
    items: Sequence[Item],
    before: Sequence[Outcome],
    after: Sequence[Outcome],
    groups: Ints,
    words: tuple[str, str],
    goes_with: Mapping[str, str],
) -> Beyond:
    undefined = replace(_UNDEFINED, items=len(items))
    if any(_lettered(item) for item in items):
        return replace(undefined, reason="the items have options of their own, so that a word goes with no answer")
    if absent := [word for word in words if word not in goes_with]:
        return replace(undefined, reason=f"no item has {absent[0]!r}, so that it goes with no answer")
    labels = [goes_with[word] for word in words]
    if labels[0] == labels[1]:
        return replace(undefined, reason=f"both words go with {labels[0]!r}, so that no answer should move")
    new = [exchanged(shown(item), words)[1] for item in items]
    now = np.array([_side(each, goes_with[word], labels) for each, word in zip(after, new, strict=True)])
    towards = now - np.array([_side(each, goes_with[word], labels) for each, word in zip(before, new, strict=True)])
    names = [(word, item.answer) for word, item in zip(new, items, strict=True)]
    cells = [(word, label) for word in words for label in labels]
    size = Counter(names)
    if few := [cell for cell in cells if size[cell] < _FEWEST]:
        word, label = few[0]
        old = words[0] if word == words[1] else words[1]
        reason = f"fewer than {_FEWEST} items with {old!r} have the right answer {label!r}, and without them a model "
        return replace(undefined, reason=f"{reason}that follows the word looks like one that the exchange disturbs")
    held = np.array([name in cells for name in names])
    places = np.array([cells.index(name) for name in names if name in cells])
    effect, alone = (_mean_of_cells(values[held], places, groups[held]) for values in (towards, now))
    # The answers must move, and then go with the new word: where items in line with their words are easier, those of a
    # model that has lost its way move as well, but then go with nothing.
    if isnan(effect.p) or effect.value * alone.value > 0:
        return effect if not alone.p > effect.p else replace(effect, p=alone.p)
    return replace(effect, p=1.0)


def _mean_of_cells(values: Floats, places: Ints, groups: Ints) -> Beyond:
    """The mean over the cells (n,) of the mean of the `values` (n,) in them."""
    sizes = np.bincount(places)
    means = np.bincount(places, weights=values) / sizes
    weight = 1 / (sizes[places] * len(sizes))
    residuals = (values - means[places]) * np.sqrt(sizes[places] / (sizes[places] - 1))
    # As if one group more had moved in each cell: a small one in which nothing moved tells no error.
    clusters = [len(np.unique(groups[places == cell])) for cell in range(len(sizes))]
    unseen = sum((1 / (len(sizes) * count)) ** 2 for count in clusters)
    return _tested(float(means.mean()), weight * residuals, groups, weight, unseen)


def _side(outcome: Outcome, target: str, labels: Sequence[str]) -> float:
    """1/2 for the answer `target`, -1/2 for the other one of the two labels, 0 for any other or none."""
    said = outcome.reading.said if outcome.reading else None
    return 0.5 if said == target else -0.5 if said in labels else 0.0


def _tested(value: float, influence: Floats, groups: Ints, weight: Floats, unseen: float) -> Beyond:
    """The number with its interval and p, from what each item (n,) adds to its error, and how much it weighs; the
    variance `unseen` is added."""
    undefined = replace(_UNDEFINED, items=len(influence))
    held = np.unique(groups, return_inverse=True)[1].astype(np.int64)
    if not sufficient(held):
        return replace(undefined, reason="fewer than 30 items, or fewer than 6 independent groups of them")
    sums = np.bincount(held, weights=influence)
    # A small cell weighs as much as a large one, so that few groups may carry the error (Satterthwaite 1946).
    heavy = np.bincount(held, weights=np.square(weight))
    carrying = max(float(heavy.sum()) ** 2 / float(heavy @ heavy), 2.0)
    se = sqrt(float(sums @ sums) * len(sums) / (len(sums) - 1) + unseen)
    half = float(stats.t.ppf(1 - ALPHA / 2, carrying - 1)) * se
    p = 2 * float(stats.t.sf(abs(value) / se, carrying - 1))
    return replace(undefined, value=value, se=se, low=max(value - half, -1.0), high=min(value + half, 1.0), p=p)


def _goes_with(items: Sequence[Item], words: tuple[str, str]) -> dict[str, str]:
    """Word -> the answer whose share among the items with it exceeds its share among all by most."""
    every = Counter(item.answer or "" for item in items)
    having: dict[str, Counter[str]] = {word: Counter() for word in words}
    first, second = words
    for item in items:
        new = exchanged(shown(item), words)[1]
        if new:
            having[first if new == second else second][item.answer or ""] += 1
    excess = {
        word: {label: counts[label] / counts.total() - every[label] / len(items) for label in every}
        for word, counts in having.items()
        if counts
    }
    return {word: min(of, key=lambda label: (-of[label], label)) for word, of in excess.items()}


def _part_sentence(result: ArmResult) -> str:
    effect, whole = result.effect, result.whole
    begin = f"on {result.arm}, {result.name} is right on {points(whole.b)} % of {things(result.items, 'item')}"
    beside = f"the whole prompt gives {points(whole.a)} %, the best constant answer {points(result.constant)} %"
    if isnan(effect.p):
        return f"{begin} ({beside}); whether that is more than luck is undefined: {effect.reason}"
    end = "what is left of the prompt gives answers away, and the model has them" if result.shown else (
        "that it has answers from what is left is not shown"
    )  # fmt: skip
    more = points_within(effect.value, effect.low, effect.high, "+")
    return f"{begin}, {more} points beside its own answers dealt out at random ({beside}): {end}"


def _words_sentence(result: ArmResult) -> str:
    effect = result.effect
    begin = f"with {' and '.join(word_pair(result.arm))} exchanged in {things(result.items, 'item')}, {result.name}"
    if isnan(effect.p):
        accuracy = f"is right on {points(result.whole.b)} % instead of {points(result.whole.a)} %"
        return f"{begin} {accuracy}; whether its answers follow the word is undefined: {effect.reason}"
    moved = points_within(effect.value, effect.low, effect.high, "+")
    turned = effect.value < 0 and result.p_holm <= ALPHA
    end = "they turn with the word, away from the answer that goes with it" if turned else "they follow the word"
    end = end if turned or result.shown else "that they follow the word is not shown"
    return f"{begin} moves its answers by {moved} points to those that go with the new word: {end}"
