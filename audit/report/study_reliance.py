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
from hansproof.audit.report.columns import Field, page_table, sections
from hansproof.audit.report.drawing import Scale
from hansproof.audit.report.study_tables import EMPTY_CELL, Cell, PageRow, PageTable, between, drawn, per_cent, points
from hansproof.audit.report.terms import Term

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


def benchmark_table(study: Reliance) -> PageTable:
    """What the audit says of each benchmark, and how its probe parts the items."""
    paper = study.protocol == "paper"
    columns = ["Benchmark", "Shortcut", "Kappa", *(["Uniform-chance kappa"] if paper else [])]
    columns += ["Audit", "Parted by", "Items", terms.PROBE_RIGHT.page, terms.PROBE_WRONG.page, terms.GROUPS.page]
    table = PageTable("Benchmarks and their probes", columns, css="full dense tight")
    for part in study.benchmarks:
        counts = (part.items, part.probe_right, part.probe_wrong, part.groups)
        cells = [Cell(shortcut_word(part), "left")]
        cells += [Cell(notation.kappa(part.kappa), below=notation.interval(part.low, part.high))]
        cells += [Cell(notation.kappa(part.uniform))] if paper else []
        cells += [Cell(words, "left") for words in (part.audit, part.probe)]
        table.rows.append(PageRow(part.benchmark, [*cells, *(Cell(notation.count(count)) for count in counts)]))
    return table


def not_clear(pair: PairResult) -> str:
    """`393 + 0`: unclear and missing replies, both wrong; empty where there are none."""
    return f"{pair.unclear:,} + {pair.missing:,}" if pair.unclear or pair.missing else ""


def pair_columns(ends: Callable[[ClusteredEstimate], Cell | str]) -> list[Field[PairResult]]:
    """Accuracy on both parts, and their difference, raw and at equal gold answer, with its `ends`."""
    return [
        Field(terms.PROBE_RIGHT, lambda pair: _share(pair.on_right), brief=True),
        Field(terms.PROBE_WRONG, lambda pair: _share(pair.on_wrong), brief=True),
        Field(terms.RAW, lambda pair: ends(pair.raw), holds="words"),
        Field(terms.AT_EQUAL_GOLD, lambda pair: ends(pair.equal_gold), holds="words"),
    ]


def pair_table(study: Reliance) -> PageTable:
    """A row per benchmark and model."""
    items = Term(f"{terms.ITEMS.name}; {terms.NOT_CLEAR.name}") if any(map(not_clear, study.pairs)) else terms.ITEMS
    columns: list[Field[PairResult]] = [
        Field(items, lambda pair: Cell(notation.count(pair.items), below=not_clear(pair))),
        Field(terms.RIGHT, lambda pair: per_cent(pair.accuracy)),
        *pair_columns(_ends),
    ]
    caption = "Right answers in per cent; differences in points: probe right less probe wrong"
    return page_table(caption, "Benchmark, model", columns, sections(study.pairs, lambda pair: pair.benchmark, title))


def model_table(study: Reliance) -> PageTable:
    """The agreement in error of each model for which it is defined, over all benchmarks with a shortcut."""
    known = [model for model in study.models if model.errors.estimate is not None]
    scale = Scale.over(
        (end for each in known for end in (each.errors.estimate, each.errors.low, each.errors.high)), 0.1
    )
    columns = ["Model", "Benchmarks", terms.AGREEMENT.page, "95 % interval", terms.P.page, terms.HOLM_P.page, ""]
    table = PageTable("Agreement in error over all benchmarks with a shortcut, in points", [*columns, "Excess"],
                      scale=scale)  # fmt: skip
    for model in known:
        of = model.errors
        cells = [Cell(measured_on(model)), Cell(points(of.estimate))]
        cells += [Cell(between(of.low, of.high, signed=True), "nowrap"), Cell(notation.p_value(model.p))]
        cells += [Cell(notation.p_value(model.p_holm)), Cell(FOLLOWS if model.follows else "", "left")]
        table.rows.append(PageRow(title(model), [*cells, drawn(scale, of.estimate, of.low, of.high)]))
    return table


def measured_on(model: ModelResult) -> str:
    """On how many of the benchmarks with a shortcut agreement in error is defined."""
    return f"{model.measured:,} of {model.benchmarks:,}"


def error_table(study: Reliance) -> PageTable:
    """Wrong answers that are the probe's, where there are three answers or more."""
    columns = ["Benchmark, model", "Both wrong", "Agree", "Expected", "Excess"]
    table = PageTable("Agreement in error, in per cent of the items on which both are wrong", columns)
    for pair in study.pairs:
        errors = pair.errors
        if errors.agree is not None:
            cells = [Cell(notation.count(errors.items)), Cell(per_cent(errors.agree)), Cell(per_cent(errors.expected))]
            table.rows.append(PageRow(f"{pair.benchmark}, {title(pair)}", [*cells, _ends(errors.excess)]))
    return table


Own = tuple[PairResult, Corrected]

CORRECTED: Final[tuple[Field[Own], ...]] = (
    Field(terms.CORRECTED, lambda own: per_cent(own[1].accuracy)),
    Field(terms.PROBE_RIGHT, lambda own: per_cent(own[1].on_right)),
    Field(terms.PROBE_WRONG, lambda own: per_cent(own[1].on_wrong)),
    Field(Term("difference"), lambda own: points(own[1].difference)),
)
FAMILIES: Final[tuple[Field[FamilyTest], ...]] = (
    Field(terms.PAIRS, lambda test: notation.count(test.pairs)),
    Field(terms.MEAN_DIFFERENCE, lambda test: points(test.mean)),
    Field(Term("t"), lambda test: "" if test.t is None else f"{test.t:.2f}"),
    Field(terms.P, lambda test: notation.p_value(test.p)),
    Field(terms.BH_P, lambda test: notation.p_value(test.p_bh)),
    Field(Term("beware"), lambda test: test.warning, holds="phrases", goes=0),
)
"""The paper's accuracies on both parts, and its Table 3 with a row per family."""
CORRECTED_CAPTION: Final = f"Accuracies corrected by uniform chance, in per cent, after {PAPER}"


def corrected(study: Reliance) -> list[Own]:
    """The pairs with accuracies of the paper, which are made under its protocol."""
    return [(pair, pair.corrected) for pair in study.pairs if pair.corrected is not None]


def corrected_table(study: Reliance) -> PageTable:
    """The paper's accuracies on both parts, under its protocol."""
    named = [(f"{pair.benchmark}, {title(pair)}", (pair, own)) for pair, own in corrected(study)]
    return page_table(CORRECTED_CAPTION, "Benchmark, model", CORRECTED, named)


def family_table(study: Reliance) -> PageTable:
    """Table 3 of the paper: a row per family."""
    caption = f"Families of models after {PAPER}: probe right less probe wrong, in points; paired t-test, one-sided"
    return page_table(caption, "Family", FAMILIES, [(test.family, test) for test in study.families])


def _share(part: PartAccuracy) -> Cell:
    return Cell(per_cent(part.share), below=between(part.low, part.high))


def _ends(difference: ClusteredEstimate) -> Cell:
    if difference.estimate is None:
        return EMPTY_CELL
    return Cell(points(difference.estimate), below=between(difference.low, difference.high, signed=True))


def title(record: ModelResult | PairResult) -> str:
    """Model, style and run."""
    return notation.series_title(record.model, record.style, record.run) or notation.NAMELESS
