"""Accuracies where the probe is right and where it is wrong: sentences and tables of benchmarks, models, families."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import (
    FOLLOWS,
    BenchmarkPart,
    ClusteredEstimate,
    Corrected,
    FamilyTest,
    ModelResult,
    PairResult,
    PartAccuracy,
    Reliance,
    shortcut_word,
)
from hansproof.audit.report import terms
from hansproof.audit.report.document import (
    EMPTY_CELL,
    Cell,
    Column,
    ReportTable,
    Scale,
    between,
    drawn,
    per_cent,
    points,
    sections,
    tabulated,
)

__all__ = [
    "CORRECTED",
    "CORRECTED_CAPTION",
    "FAMILIES",
    "PAPER",
    "Own",
    "benchmark_notes",
    "benchmark_table",
    "corrected",
    "corrected_table",
    "error_table",
    "family_table",
    "measured",
    "measured_on",
    "model_table",
    "not_clear",
    "pair_columns",
    "pair_table",
    "title",
    "undefined_notes",
]

PAPER: Final = "Pacchiardi et al. (2024)"
_NAMED: Final = 4
"""Pairs that a note names."""


def measured(study: Reliance, part: BenchmarkPart) -> str:
    """What was measured on a benchmark, in one plain sentence or two."""
    models = len({pair.model for pair in study.pairs if pair.benchmark == part.benchmark})
    kappa = f"kappa {notation.kappa(part.kappa)} {notation.interval(part.low, part.high)}".rstrip()
    if study.protocol == "paper":
        kappa = f"kappa by uniform chance {notation.kappa(part.uniform)}"
    elif part.uniform is None:
        kappa = f"advantage {kappa.removeprefix('kappa ')} over the best constant answer"
    test = " of the test part" if study.protocol == "paper" else ""
    asked = f"{notation.things(models, 'model')} on {notation.things(part.items, 'item')}{test}"
    right, wrong = f"{part.probe_right:,}", f"{part.probe_wrong:,}"
    return (
        f"{part.benchmark}: {asked}. The probe ({part.probe}, {kappa}) predicts the answers to {right} of them, and "
        f"not to {wrong}: how often is a model right on both?"
    )


def benchmark_notes(study: Reliance) -> list[str]:
    """What was left out of each benchmark, and which are in no test."""
    return [f"{part.benchmark}: {note}" for part in study.benchmarks for note in part.notes]


def undefined_notes(study: Reliance) -> list[str]:
    """Why differences and agreements in error are undefined, a sentence for each reason."""
    said = notation.gathered(
        (f"{what}, because {reason}", f"{title(pair)} on {pair.benchmark}")
        for pair in study.pairs
        for what, reason in (
            ("no difference", pair.raw.reason),
            ("no difference at equal gold answer", "" if pair.raw.reason else pair.equal_gold.reason),
            ("no agreement in error", pair.errors.excess.reason),
        )
        if reason
    )
    everybody = len(study.pairs)
    return [
        note if len(where) == everybody else f"{note}: {notation.first_of(where, _NAMED)}"
        for note, where in said.items()
    ]


def benchmark_table(study: Reliance) -> ReportTable:
    """What the audit says of each benchmark, and how its probe parts the items."""
    uniform: Column[BenchmarkPart] = Column("uniform-chance kappa", lambda part: notation.kappa(part.uniform))
    columns: list[Column[BenchmarkPart]] = [
        Column("shortcut", shortcut_word, holds="words"),
        Column("kappa", lambda part: Cell(notation.kappa(part.kappa), below=notation.interval(part.low, part.high))),
        *([uniform] if study.protocol == "paper" else []),
        Column("audit", lambda part: part.audit, holds="words"),
        Column("parted by", lambda part: part.probe, holds="words"),
        Column(terms.ITEMS, lambda part: notation.count(part.items)),
        Column(terms.PROBE_RIGHT, lambda part: notation.count(part.probe_right)),
        Column(terms.PROBE_WRONG, lambda part: notation.count(part.probe_wrong)),
        Column(terms.GROUPS, lambda part: notation.count(part.groups)),
    ]
    named = [(part.benchmark, part) for part in study.benchmarks]
    return tabulated("Benchmarks and their probes", "benchmark", columns, named, css="full dense tight")


def not_clear(pair: PairResult) -> str:
    """`393 + 0`: unclear and missing replies, both wrong; empty where there are none."""
    return f"{pair.unclear:,} + {pair.missing:,}" if pair.unclear or pair.missing else ""


def pair_columns(ends: Callable[[ClusteredEstimate], Cell | str]) -> list[Column[PairResult]]:
    """Accuracy on both parts, and their difference, raw and at equal gold answer, with its `ends`."""
    return [
        Column(terms.PROBE_RIGHT, lambda pair: _share(pair.on_right), brief=True),
        Column(terms.PROBE_WRONG, lambda pair: _share(pair.on_wrong), brief=True),
        Column(terms.RAW, lambda pair: ends(pair.raw), holds="words"),
        Column(terms.AT_EQUAL_GOLD, lambda pair: ends(pair.equal_gold), holds="words"),
    ]


def pair_table(study: Reliance) -> ReportTable:
    """A row per benchmark and model."""
    items = f"{terms.ITEMS}; {terms.NOT_CLEAR}" if any(map(not_clear, study.pairs)) else terms.ITEMS
    columns: list[Column[PairResult]] = [
        Column(items, lambda pair: Cell(notation.count(pair.items), below=not_clear(pair))),
        Column(terms.RIGHT, lambda pair: per_cent(pair.accuracy)),
        *pair_columns(_ends),
    ]
    caption = "Right answers in per cent; differences in points: probe right less probe wrong"
    return tabulated(caption, "Benchmark, model", columns, sections(study.pairs, lambda pair: pair.benchmark, title))


def model_table(study: Reliance) -> ReportTable:
    """The agreement in error of each model for which it is defined, over all benchmarks with a shortcut."""
    known = [model for model in study.models if model.errors.estimate is not None]
    scale = Scale.over(
        (end for each in known for end in (each.errors.estimate, each.errors.low, each.errors.high)), 0.1
    )
    columns: list[Column[ModelResult]] = [
        Column("benchmarks", measured_on),
        Column(terms.AGREEMENT, lambda each: points(each.errors.estimate)),
        Column("95 % interval", lambda each: Cell(between(each.errors.low, each.errors.high, signed=True), "nowrap")),
        Column(terms.P, lambda each: notation.p_value(each.p)),
        Column(terms.HOLM_P, lambda each: notation.p_value(each.p_holm)),
        Column("", lambda each: FOLLOWS if each.follows else "", holds="words"),
        Column("excess", lambda each: drawn(scale, each.errors.estimate, each.errors.low, each.errors.high)),
    ]
    caption = "Agreement in error over all benchmarks with a shortcut, in points"
    return tabulated(caption, "model", columns, [(title(each), each) for each in known], scale=scale)


def measured_on(model: ModelResult) -> str:
    """On how many of the benchmarks with a shortcut agreement in error is defined."""
    return f"{model.measured:,} of {model.benchmarks:,}"


def error_table(study: Reliance) -> ReportTable:
    """Wrong answers that are the probe's, where there are three answers or more."""
    columns: list[Column[PairResult]] = [
        Column("both wrong", lambda pair: notation.count(pair.errors.items)),
        Column("agree", lambda pair: per_cent(pair.errors.agree)),
        Column("expected", lambda pair: per_cent(pair.errors.expected)),
        Column("excess", lambda pair: _ends(pair.errors.excess)),
    ]
    named = [(f"{pair.benchmark}, {title(pair)}", pair) for pair in study.pairs if pair.errors.agree is not None]
    caption = "Agreement in error, in per cent of the items on which both are wrong"
    return tabulated(caption, "benchmark, model", columns, named)


Own = tuple[PairResult, Corrected]

CORRECTED: Final[tuple[Column[Own], ...]] = (
    Column(terms.CORRECTED, lambda own: per_cent(own[1].accuracy)),
    Column(terms.PROBE_RIGHT, lambda own: per_cent(own[1].on_right)),
    Column(terms.PROBE_WRONG, lambda own: per_cent(own[1].on_wrong)),
    Column("difference", lambda own: points(own[1].difference)),
)
FAMILIES: Final[tuple[Column[FamilyTest], ...]] = (
    Column(terms.PAIRS, lambda test: notation.count(test.pairs)),
    Column(terms.MEAN_DIFFERENCE, lambda test: points(test.mean)),
    Column("t", lambda test: "" if test.t is None else f"{test.t:.2f}"),
    Column(terms.P, lambda test: notation.p_value(test.p)),
    Column(terms.BH_P, lambda test: notation.p_value(test.p_bh)),
    Column("beware", lambda test: test.warning, holds="phrases", goes=0),
)
"""The paper's accuracies on both parts, and its Table 3 with a row per family."""
CORRECTED_CAPTION: Final = f"Accuracies corrected by uniform chance, in per cent, after {PAPER}"


def corrected(study: Reliance) -> list[Own]:
    """The pairs with accuracies of the paper, which are made under its protocol."""
    return [(pair, pair.corrected) for pair in study.pairs if pair.corrected is not None]


def corrected_table(study: Reliance) -> ReportTable:
    """The paper's accuracies on both parts, under its protocol."""
    named = [(f"{pair.benchmark}, {title(pair)}", (pair, own)) for pair, own in corrected(study)]
    return tabulated(CORRECTED_CAPTION, "Benchmark, model", CORRECTED, named)


def family_table(study: Reliance) -> ReportTable:
    """Table 3 of the paper: a row per family."""
    caption = f"Families of models after {PAPER}: probe right less probe wrong, in points; paired t-test, one-sided"
    return tabulated(caption, "Family", FAMILIES, [(test.family, test) for test in study.families])


def _share(part: PartAccuracy) -> Cell:
    return Cell(per_cent(part.share), below=between(part.low, part.high))


def _ends(difference: ClusteredEstimate) -> Cell:
    if difference.estimate is None:
        return EMPTY_CELL
    return Cell(points(difference.estimate), below=between(difference.low, difference.high, signed=True))


def title(record: ModelResult | PairResult) -> str:
    """Model, style and run."""
    return notation.series_title(record.model, record.style, record.run) or notation.NAMELESS
