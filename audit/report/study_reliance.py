"""Accuracies where the probe is right and where it is wrong: sentences and tables of benchmarks, models, families."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import (
    FOLLOWS,
    BenchmarkPart,
    ClusteredEstimate,
    ModelResult,
    PairResult,
    PartAccuracy,
    Reliance,
    shortcut_word,
)
from hansproof.audit.report import terms
from hansproof.audit.report.comparison_words import first_names
from hansproof.audit.report.drawing import Scale
from hansproof.audit.report.study_tables import EMPTY_CELL, Cell, PageRow, PageTable, between, drawn, per_cent, points

__all__ = [
    "PAPER",
    "benchmark_notes",
    "benchmark_table",
    "corrected_table",
    "error_table",
    "family_table",
    "firsts",
    "measured",
    "measured_on",
    "model_table",
    "not_clear",
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
    said: dict[str, list[str]] = {}
    for pair in study.pairs:
        reasons = {
            "no difference": pair.raw.reason,
            "no difference at equal gold answer": "" if pair.raw.reason else pair.equal_gold.reason,
            "no agreement in error": pair.errors.excess.reason,
        }
        for what, reason in reasons.items():
            if reason:
                said.setdefault(f"{what}, because {reason}", []).append(f"{title(pair)} on {pair.benchmark}")
    everybody = len(study.pairs)
    return [
        note if len(where) == everybody else f"{note}: {first_names(where, _NAMED)}" for note, where in said.items()
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


def pair_table(study: Reliance) -> PageTable:
    """A row per benchmark and model: accuracy on both parts, and the difference, raw and at equal gold answer."""
    unclear = any(map(not_clear, study.pairs))
    columns = ["Benchmark, model", f"{terms.ITEMS.page}; {terms.NOT_CLEAR.name}" if unclear else terms.ITEMS.page]
    columns += [term.page for term in (terms.RIGHT, terms.PROBE_RIGHT, terms.PROBE_WRONG, terms.RAW,
                                       terms.AT_EQUAL_GOLD)]  # fmt: skip
    table = PageTable("Right answers in per cent; differences in points: probe right less probe wrong", columns)
    for pair, first in firsts(study.pairs):
        if first:
            table.rows.append(PageRow(pair.benchmark))
        cells = [Cell(notation.count(pair.items), below=not_clear(pair)), Cell(per_cent(pair.accuracy))]
        cells += [_share(pair.on_right), _share(pair.on_wrong), _ends(pair.raw), _ends(pair.equal_gold)]
        table.rows.append(PageRow(title(pair), cells))
    return table


def firsts(pairs: Sequence[PairResult]) -> list[tuple[PairResult, bool]]:
    """Each pair, and whether it is the first of its benchmark in a run of them."""
    before = ["", *(pair.benchmark for pair in pairs)]
    return [(pair, pair.benchmark != last or not place) for place, (pair, last) in enumerate(zip(pairs, before))]


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


def corrected_table(study: Reliance) -> PageTable:
    """The paper's accuracies on both parts, under its protocol."""
    table = PageTable(
        f"Accuracies corrected by uniform chance, in per cent, after {PAPER}",
        ["Benchmark, model", terms.CORRECTED.page, terms.PROBE_RIGHT.page, terms.PROBE_WRONG.page, "Difference"],
    )
    for pair in study.pairs:
        if (own := pair.corrected) is not None:
            cells = [*map(per_cent, (own.accuracy, own.on_right, own.on_wrong)), points(own.difference)]
            table.rows.append(PageRow(f"{pair.benchmark}, {title(pair)}", [*map(Cell, cells)]))
    return table


def family_table(study: Reliance) -> PageTable:
    """Table 3 of the paper: a row per family."""
    table = PageTable(
        f"Families of models after {PAPER}: probe right less probe wrong, in points; paired t-test, one-sided",
        ["Family", terms.PAIRS.page, terms.MEAN_DIFFERENCE.page, "t", terms.P.page, terms.BH_P.page, "Beware"],
    )
    for test in study.families:
        cells = [
            notation.count(test.pairs), points(test.mean), "" if test.t is None else f"{test.t:.2f}",
            notation.p_value(test.p), notation.p_value(test.p_bh),
        ]  # fmt: skip
        table.rows.append(PageRow(test.family, [*map(Cell, cells), Cell(test.warning, "left")]))
    return table


def _share(part: PartAccuracy) -> Cell:
    return Cell(per_cent(part.share), below=between(part.low, part.high))


def _ends(difference: ClusteredEstimate) -> Cell:
    if difference.estimate is None:
        return EMPTY_CELL
    return Cell(points(difference.estimate), below=between(difference.low, difference.high, signed=True))


def title(record: ModelResult | PairResult) -> str:
    """Model, style and run."""
    return notation.series_title(record.model, record.style, record.run) or notation.NAMELESS
