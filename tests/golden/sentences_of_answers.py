"""Sentences of rare cases about answers of models, games and repairs: functions that word them, and small records."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
from msgspec import structs
from simulated.reliance import World, simulated
from toy_records.rows import bandit_run, days, played_games

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models import blind, matching
from hansproof.audit.models.comparison import compare_sides, differences
from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.reliance import pairs, parts
from hansproof.audit.models.reliance.pairs import agreement_in_error
from hansproof.audit.models.sides import Side
from hansproof.audit.phenotype import (
    instrumental_learning,
    metric,
    model_table,
    record_files,
    task_measures,
    task_records,
)
from hansproof.audit.phenotype.measuring import MEASURES
from hansproof.audit.phenotype.metric import mean_over_runs
from hansproof.audit.phenotype.task_records import TaskRow, make_records
from hansproof.audit.repair.goals import goal_of
from hansproof.audit.repair.labels import LabelItems
from hansproof.audit.repair.options import OptionItems
from hansproof.audit.repair.records import KappaReading, Reading
from hansproof.audit.replies import foreign_items, joining, scorers
from hansproof.audit.replies.by_model import Answers
from hansproof.audit.replies.finding import other_items
from hansproof.audit.replies.foreign_items import Items
from hansproof.audit.replies.grid import UNCLEAR, Grid, Series
from hansproof.audit.replies.joining import Disagreements, Left, Place
from hansproof.audit.replies.judged_reply import Outcome, cause, judged_outcome
from hansproof.audit.replies.reply_files import Filters
from hansproof.audit.replies.sources import Beside
from hansproof.audit.report import comparison_page, comparison_words, study_differences, study_reading, study_scores
from hansproof.generators.answering.scorer import Score
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset

__all__ = ["TOPICS"]

Case = tuple[str, object]


def grid_of(*columns: np.ndarray, groups: Iterable[int] | None = None) -> Grid:
    """Two models' answers (1 right, 0 wrong, -1 none) to items in groups."""
    of = range(len(columns[0])) if groups is None else groups
    items = tuple(Item(f"bench/{at}", f"Question {at}?", None, "yes", f"g{group}", "original", {})
                  for at, group in enumerate(of))  # fmt: skip
    return Grid("bench", items, tuple(Series(name) for name in "ab"), np.array(columns, dtype=np.int8).T)


def _comparisons() -> Iterable[Case]:
    def compared(*columns: Iterable[int], groups: Iterable[int] | None = None) -> list[str]:
        both = compare_sides(grid_of(*map(np.array, columns), groups=groups), Side("a", (0,)), Side("b", (1,)))
        figures = vars(comparison_page)["_comparison_figures"](both)
        return [comparison_words.sentence(both), *comparison_words.notes(both), figures[-1].note]

    yield "alone", compared([1] * 60, [0] * 30 + [1] * 30)
    yield "in four groups", compared([1] * 60, [0] * 30 + [1] * 30, groups=[at % 4 for at in range(60)])
    yield "in forty groups", compared([1] * 80, [0] * 30 + [1] * 50, groups=[at % 40 for at in range(80)])
    yield "in ten groups", compared([1] * 80, [0] * 30 + [1] * 50, groups=[at % 10 for at in range(80)])
    yield "no clear replies", compared([UNCLEAR] * 60, [UNCLEAR] * 60)
    three = grid_of(*(np.arange(60) % (at + 2) > 0 for at in range(3)))
    runs = replace(three, series=tuple(Series(name, run=str(at)) for at, name in enumerate("aab")))
    yield "unequal runs", comparison_words.notes(compare_sides(runs, Side("a", (0, 1)), Side("b", (2,))))
    yield "no clear reply", compared([1] * 60, [UNCLEAR] * 60)
    every = grid_of(*(np.arange(30) % (at + 2) > 0 for at in range(22)))
    many = differences(replace(every, series=tuple(Series(f"m{at}") for at in range(22))))
    yield "many models", study_differences.difference_table(SimpleNamespace(differences=many)).title
    usual = difference_of(np.repeat([1.0, 0.0], 50), np.tile([1.0, 0.0], 50), np.arange(100))
    yield "a strained interval", comparison_words.strained(replace(usual, se=0.1, low=-0.4, high=0.4))
    yield "an end at 0", comparison_words.touching(replace(usual, low=0.0004, high=0.2, p=0.03))
    yield "a surer p", comparison_words.touching(replace(usual, low=1e-9, high=0.2, p=0.03))


def _items(family: str, subset: str) -> list[Item]:
    made = dataset(family)
    return [made.item(subset, 3, index) for index in range(4)]


def _conditions() -> Iterable[Case]:
    yield "none declared", matching.why_none(_items("planted-cues", "unigram"))
    yield "some declared elsewhere", matching.why_none(_items("knights-knaves", "ladder"))
    items = [
        Item(f"i{at}", f"Question {at}?", ["yes", "no"], "yes", "g", f"c{at}", {"dataset": "bench", "subset": "one"})
        for at in range(40)
    ]
    yield "too many", matching.why_none(items)
    yield "no group of two", matching.why_none([replace(item, group=item.id) for item in items])
    yield "a single one", matching.why_none([replace(item, condition="plain") for item in items])
    yield "none", matching.why_none([replace(item, condition="") for item in items])


def _blind_strategies() -> Iterable[Case]:
    def said(lacking: int = 0, **changes: object) -> str:
        return vars(blind)["_reason"](SimpleNamespace(**{"answered": 9, "chance": 0.5, "better": "higher", "p": 0.1}
                                                      | changes), lacking)  # fmt: skip

    yield "alone in their subset", said(3)
    yield "no answer", said(answered=0)
    yield "open answers", said(chance=float("nan"))
    yield "a measure", said(better="neither")
    yield "no variance", said(p=float("nan"))


def _reliance() -> Iterable[Case]:
    each = simulated(World(items=60, models=4, families=4), np.random.default_rng(0))[0]
    yield "no estimate", pairs.recorded(None).reason
    for case, count, others in (("few answers", 5, 2), ("equal answers", 40, 2)):
        said = np.ones(count, dtype=int)
        of = [np.full((count, 1), 2)] * others
        agreed = agreement_in_error(said, said, of, said > 0, 0 * said, 3 + 0 * said, np.arange(count))
        yield f"agreement in error, {case}", agreed[0].excess.reason
    yield "one other", vars(pairs)["_ALONE"]
    changed: dict[str, dict[str, object]] = {
        "a probe on one side": {"probe_right": np.ones(60)},
        "one answer": {"right": np.tile((each.gold == 0).astype(float)[:, None], 4)},
        "always right": {"right": np.ones((60, 4))},
        "one group": {"groups": np.zeros(60, dtype=int)},
        "nothing clear": {"right": np.zeros((60, 4)), "outcomes": np.full((60, 4), UNCLEAR, dtype=np.int8)},
    }
    for case, given in changed.items():
        record = pairs.pairs_of(replace(each, **given))[0].record
        yield case, [record.raw.reason, record.equal_gold.reason]
    yield "a template-bound audit", vars(parts)["_doubts"](SimpleNamespace(verdict="TEMPLATE-BOUND"), 0.1, *[None] * 3)
    for protocol in ("grouped", "paper"):
        innocent = replace(each, about=structs.replace(each.about, shortcut=False))
        yield f"nothing leaky, {protocol}", pairs.study([innocent], protocol=protocol).notes
    yield "nothing parted", pairs.study([]).notes


def _judgements() -> Iterable[Case]:
    for reply, ours in ((None, True), ("not red, blue", False), ("blue", False), (" red", True), ("red", True),
                        ("red it is", True), ("RED", True), ("It is red", True)):  # fmt: skip
        yield repr(reply), cause(reply, ["red"], ours)
    read = Outcome(Item("i", "Which?", None, "red", "g", "", {}), None, Score(False), {})
    yield "verdicts", [judged_outcome(read, right).score.reason for right in (True, False, None)]
    line = SimpleNamespace(by="all", right=None, incomplete=0, best_blind=lambda _: None)
    report = SimpleNamespace(measures={}, lines=[line], readings=[], harness=None, without_effects=["one", "two"])
    yield "no effects", study_scores.score_notes([report])[0]
    yield "other items", [other_items(many, "line 3", "items.jsonl") for many in (1, 2)]
    try:
        Answers("said.jsonl", "mine", given={"i": Reply(place="said.jsonl: line 3", reply="7", line=3)}).refuse_others(
            [], "items.jsonl"
        )
    except InputError as error:
        yield "replies to nothing", error
    lost = Left(count=1, first=[Place(place="line 1", reason="no item has the id 'x'")])
    asked = Items([Item("i", "Which?", None, "red", "g", "", {})])
    yield "no item", vars(joining)["_nothing"](lost, "quiz.jsonl", asked)
    filters, about = Filters([]), []
    for name in ("strict", "loose"):
        reply = Reply(place="line 1", id="i", reply="7", benchmark="quiz", filter=name, about=about)
        filters.taken("a.jsonl", reply, filters.name("a.jsonl", reply))
    filters.say()
    yield "filters", about
    paths = ("logs/a.csv", "logs/b.csv", "logs/c.csv")
    beside = Beside([SimpleNamespace(folder="logs", path=path, size=-1) for path in paths])
    for path, why in (("logs/a.csv", UsageError("so it is")), ("logs/b.csv", InputError("it is empty"))):
        beside.leave_out(SimpleNamespace(folder="logs", path=path), why)
    yield "a folder", list(beside.notes())
    left = Disagreements()
    joined = SimpleNamespace(
        replies=90,
        empty=1,
        unjudged=2,
        ungraded=3,
        unconfirmed=4,
        about=[],
        by_id={},
        unmatched=left,
        disagreements=left,
        undecided=left,
        unclear=left,
        doubled=left,
    )
    yield "what replies lack", study_reading.joined_notes(joined)
    item = Item("i", "Which?", None, "the red fox", "g", "", {})
    for reply in ("Answer: it was the red fox indeed", "I think it may have been one of the foxes, red I guess", " ",
                  "Answer: red\nAnswer: blue"):  # fmt: skip
        yield reply, scorers.THIRD_PARTY.read(item, reply).reason
    who = Item("i", "Who lies?", None, "A: liar\nB: knight", "g", "", {})
    for reply in ("A: liar", "A: liar\nA: knight\nB: liar"):
        yield reply, scorers.THIRD_PARTY.read(who, reply).reason
    either = Item("i", "Is it?", ("No", "Yes"), "No", "g", "", {})
    count = Item("i", "How many?", None, "7", "g", "", {})
    for reply in ("Yes or no", "yes\nno", "It is not a yes", "I cannot say whether yes.", "Yes. Wait, no.",
                  "Is it? Yes?", "Hm", "6 or 7", "six and seven"):  # fmt: skip
        yield reply, [scorers.THIRD_PARTY.read(asked, reply).reason for asked in (either, count)]
    logged = [Reply(place=f"line {at}", id=f"i{at}", reply="7", golds=("0",)) for at in range(2)]
    yield "a placeholder", vars(foreign_items)["_without_golds"](logged, several=True)[0]
    bare = [Reply(place="line 1", id="i", reply="7")]
    yield "nothing to judge by", vars(foreign_items)["_without_golds"](bare, several=True)[0]
    yield "ends of worked solutions", list(vars(foreign_items)["_ENDS"].values())


def _games() -> Iterable[Case]:
    def measured(task: str, rows: list[dict[str, object]], *, as_published: bool = False) -> list[str]:
        outcome = MEASURES[task](make_records({task: rows}).tables[task], as_published)
        reasons = [f"{name}: {reason}" for name, each in outcome.statistics.items() if (reason := each.value()[1])]
        return [*reasons, *outcome.notes, *map(": ".join, outcome.cautions.items())]

    yield "one arm", measured("horizon", played_games([(8, 1, 2, 1), (-8, 0, 2, 1)] * 8))
    silent = [row for run in range(3) for row in bandit_run(run, [0, 1, 1], [0, 1, 1], [None] * 3)]
    yield "no confidence", measured("restless-bandit", silent)
    sure = [row for run in range(3) for row in bandit_run(run, [0, 1, 1], [0, 1, 1], [0.9] * 3)]
    yield "constant confidence", measured("restless-bandit", sure)
    narrow = [row for run in range(3) for row in bandit_run(run, [0, 1, 1], [0, 1, 1], [0.9, 0.91, 0.9])]
    yield "narrow confidence", measured("restless-bandit", narrow)
    yield "some silent, some constant", measured("restless-bandit", narrow + [
        row for run, stated in ((3, None), (4, 0.5)) for row in bandit_run(run, [0, 1, 1], [0, 1, 1], [stated] * 3)
    ])  # fmt: skip
    casino = [{"run": run, "trial": trial, "casino": trial % 4, "choice": 0, "reward": trial % 2}
              for run in range(2) for trial in range(24)]  # fmt: skip
    yield "one arm in each casino", measured("instrumental-learning", casino)
    drawn = np.random.default_rng(2)
    chance = [{**row, "choice": int(drawn.integers(2)), "reward": int(drawn.integers(2))} for row in casino]
    yield "random choices", measured("instrumental-learning", chance)
    for beta in (0.5, 5.0, 50.0):
        of = mean_over_runs(np.array([0.2, 0.3]), "")
        spread = replace(of, others=(of, mean_over_runs(np.array([0.5, 0.6]), "")))
        yield f"inverse temperature {beta}", vars(instrumental_learning)["_doubts"](spread, beta)
    yield "few days", measured("two-step", days(0, [(0, 0, 1), (1, 1, 0), (0, 0, 1)]))
    yield (
        "a choice that always changed",
        measured("two-step", days(0, [(at % 2, at % 2, at % 3 % 2) for at in range(12)])),
    )
    yield "bare scores", measured("temporal-discounting", [{"run": run, "score": 9} for run in range(3)])
    yield "a row without", [vars(task_records)["_left_out"]("reward", count, "line 3") for count in (1, 2)]
    yield "chance", vars(instrumental_learning)["_CHANCE"]
    cells = np.array([[1.0, at, at % 2] for at in range(4)])
    yield "no convergence", vars(task_measures)["_reason"](cells, np.ones(4), np.ones(4))
    for as_published in (False, True):
        drawn = [TaskRow("line 1", {"estimate": 7})]
        vars(record_files)["_estimates"](drawn, mended := [], as_published)
        yield f"drawn, published {as_published}", mended
    given = [TaskRow("line 1", {"score": "9", "present_bias": "1", "delay": "0"})]
    vars(record_files)["_anomalies"](given, mended := [])
    yield "anomalies", mended
    few = {"a": mean_over_runs(np.array([0.2, 0.3]), "")}
    yield "two runs", [each.reason for each in metric.intervals(few, seed=1, task="t", resamples=100).values()]
    undefined = vars(metric)["_interval"](few["a"], (np.array([np.nan, 1.0, 2.0]), np.ones(3)), 0.02, 0.95)
    yield "undefined resamples", undefined.reason
    numbers = {
        "risk-taking": np.arange(12) % 3,
        "learning-rate": np.arange(12) % 4,
        "optimism": np.ones(12),
        "directed-exploration": np.full(12, np.nan),
    }
    models = tuple(f"m{at}" for at in range(12))
    bases = tuple(f"b{at // 2}" for at in range(12))
    table = model_table.ModelTable(models, bases, numbers, (), "models.csv")  # fmt: skip
    alike = model_table.ModelTable(models, ("base",) * 12, numbers, (), "models.csv")
    with patch.object(model_table, "_METHODS", ()):
        yield "no convergence of a mixed fit", model_table.regress(table, "risk-taking", ["learning-rate"]).notes
    yield "one base", model_table.regress(alike, "risk-taking", ["learning-rate"]).notes
    yield "columns left out", model_table.components(table, list(numbers)).notes


def _repairs() -> Iterable[Case]:
    first = KappaReading(vector="w", label="w", kappa=0.3, low=0.2, high=0.4, p_corrected=0.01)

    def reading(verdict: str, *, significant: bool = False) -> Reading:
        return Reading(items=90, groups=90, verdict=verdict, reason="so it is.", significant=significant,
                       scheme="grouped", splits=3, first=first, strongest=first)  # fmt: skip

    leak, clean = reading("LEAKS"), reading("CLEAN")
    for case, what in {
        "clean": goal_of(leak, clean, clean),
        "balanced": goal_of(reading("IMBALANCED"), clean, clean),
        "unsure": goal_of(leak, reading("INCONCLUSIVE"), clean),
        "still leaks": goal_of(leak, leak, clean),
        "leaks where held out": goal_of(leak, clean, leak),
        "leaks, a floor": goal_of(leak, leak, clean, "balance “x”"),
        "leaks, satisfied": goal_of(leak, clean, leak, satisfied=True),
        "too few": goal_of(leak, None, None),
    }.items():
        yield case, ": ".join(what)
    yield "steps", [f"{kind.matching} unigrams" for kind in (LabelItems, OptionItems)]


TOPICS: Mapping[str, Callable[[], Iterable[Case]]] = {
    "comparisons": _comparisons,
    "conditions": _conditions,
    "blind strategies": _blind_strategies,
    "reliance": _reliance,
    "judgements of harnesses": _judgements,
    "games": _games,
    "repairs": _repairs,
}
"""The visible table: topic -> its cases."""
