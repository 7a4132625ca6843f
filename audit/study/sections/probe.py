"""Accuracies where the probe is right and where it is wrong: benchmarks, differences, and each model over them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from audit import notation
from audit.reliance.records import ModelResult, PairResult, Reliance, RobustDifference, shortcut_word, tested_p
from audit.report.page.drawing import Scale
from audit.study import terms
from audit.study.records import Answered
from audit.study.sections.pooled import measured_on
from audit.study.sections.tables import EMPTY, Cell, Row, Table, between, drawn, numbers, per_cent, points
from audit.study.unclear import NotClear

__all__ = ["benchmark_notes", "benchmark_table", "error_table", "model_table", "pair_notes", "pair_table"]

_NAMED: Final = 4
"""Pairs that a note names."""


def model_table(study: Reliance) -> Table:
    """Each model over all benchmarks with a shortcut; without models that answered none of them."""
    tested = [model for model in study.models if model.benchmarks]
    scale = Scale.over(_ends([model.beyond for model in tested]), 0.1)
    errors = any(model.errors.estimate is not None for model in tested)
    columns = ["Model", "Benchmarks", terms.BEYOND.page, "90 % interval", terms.P.page, terms.HOLM_P.page]
    columns += [terms.AGREEMENT.page, "90 % interval", terms.P.page, terms.HOLM_P.page] if errors else []
    table = Table(
        "Models over all benchmarks with a shortcut, in points", [*columns, terms.BEYOND.page],
        scale=scale, ticks=numbers(scale), zero=scale.at(0.0),
    )  # fmt: skip
    for model in tested:
        cells = [Cell(measured_on(model)), *_estimate(model.beyond), Cell(notation.p_value(model.beyond_holm))]
        cells += [*_estimate(model.errors), Cell(notation.p_value(model.errors_holm))] if errors else []
        table.rows.append(Row(_title(model), [*cells, _mark(scale, model.beyond)]))
    return table


def benchmark_table(study: Reliance) -> Table:
    """What the audit says of each benchmark, and how its probe parts the items."""
    columns = [
        "Benchmark",
        "Shortcut",
        "Kappa",
        "Uniform-chance kappa",
        "Audit",
        "Parted by",
        "Folds",
        "Items",
    ]
    table = Table(
        "Benchmarks and their probes",
        [*columns, terms.PROBE_RIGHT.page, terms.PROBE_WRONG.page, terms.GROUPS.page],
        css="full dense tight",
    )
    for part in study.benchmarks:
        counts = (part.items, part.probe_right, part.probe_wrong, part.groups)
        cells = [Cell(shortcut_word(part), "left")]
        cells += [Cell(notation.kappa(part.kappa), below=notation.interval(part.low, part.high))]
        cells += [Cell(notation.kappa(part.uniform))]
        cells += [Cell(words, "left") for words in (part.audit, part.vector, part.scheme)]
        table.rows.append(Row(part.benchmark, [*cells, *(Cell(notation.count(count)) for count in counts)]))
    return table


def benchmark_notes(study: Reliance) -> list[str]:
    """What was left out of each benchmark, and which are in no test."""
    return [f"{part.benchmark}: {note}" for part in study.benchmarks for note in part.notes]


def pair_table(study: Reliance, answered: Sequence[Answered] = ()) -> Table:
    """A row per benchmark and model: the raw difference, and what is left of it among like items; beside the items, how
    many replies are unclear or missing, where any is."""
    unclear = NotClear(answered)
    items = f"{terms.ITEMS.page}; {terms.NOT_CLEAR.name}" if unclear else terms.ITEMS.page
    columns = ["Benchmark, model", items, terms.CORRECTED.page, f"{terms.PROBE_RIGHT.page}; {terms.PROBE_WRONG.name}"]
    columns += [terms.RAW.page, terms.AT_EQUAL_GOLD.page, terms.SHARED_ITEMS.page, terms.BEYOND.page]
    columns += [*([terms.P.page] if _tests(study) else []), terms.AT_EQUAL_SUCCESS.page]
    columns += [terms.AT_EQUAL_SUCCESS_AND_GOLD.page]
    table = Table("Differences in points: probe right less probe wrong", columns, css="full dense")
    last = None
    for pair in study.pairs:
        if pair.benchmark != last:
            table.rows.append(Row(pair.benchmark + _in_no_test(pair)))
            last = pair.benchmark
        table.rows.append(Row(_title(pair), _pair(pair, unclear, _tests(study))))
    return table


def _tests(study: Reliance) -> bool:
    """Whether any pair is in a test."""
    return any(pair.shortcut for pair in study.pairs)


def pair_notes(study: Reliance) -> list[str]:
    """Why differences beyond difficulty are undefined, a sentence for each reason."""
    reasons: dict[str, list[str]] = {}
    for pair in study.pairs:
        if pair.beyond.reason:
            reasons.setdefault(pair.beyond.reason, []).append(f"{_title(pair)} on {pair.benchmark}")
    return [f"no difference beyond difficulty, because {why}: {_some(where)}" for why, where in reasons.items()]


def error_table(study: Reliance) -> Table:
    """Wrong answers that are the probe's, where there are three answers or more."""
    columns = ["Benchmark, model", "Both wrong", "Agree", "Expected", "Excess", "90 % interval", "p"]
    table = Table("Agreement in error, in per cent of the items on which both are wrong", columns)
    for pair in study.pairs:
        errors = pair.errors
        if errors is not None and errors.agree is not None:
            cells = [Cell(notation.count(errors.items)), Cell(per_cent(errors.agree)), Cell(per_cent(errors.expected))]
            cells += [*_estimate(errors.excess)[:2], Cell(notation.p_value(tested_p(pair, errors.excess)))]
            table.rows.append(Row(f"{pair.benchmark}, {_title(pair)}", cells))
    return table


def _in_no_test(pair: PairResult) -> str:
    return "" if pair.shortcut else f" (shortcut: {shortcut_word(pair)}, in no test)"


def _some(names: list[str]) -> str:
    return "; ".join(names[:_NAMED]) + (f"; and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")


def _pair(pair: PairResult, unclear: NotClear, tests: bool) -> list[Cell]:
    return [
        Cell(notation.count(pair.items), below=unclear.cell(pair)),
        Cell(per_cent(pair.accuracy)),
        Cell(per_cent(pair.on_right), below=per_cent(pair.on_wrong)),
        *(_with_ends(each) for each in (pair.raw, pair.equal_gold)),
        Cell(notation.count(pair.shared_items)),
        _with_ends(pair.beyond),
        *([Cell(notation.p_value(tested_p(pair, pair.beyond)))] if tests else []),
        *(_with_ends(each) for each in (pair.equal_others, pair.equal_gold_others)),
    ]


def _with_ends(difference: RobustDifference) -> Cell:
    if difference.estimate is None:
        return EMPTY
    return Cell(points(difference.estimate), below=between(difference.low, difference.high, signed=True))


def _estimate(difference: RobustDifference) -> list[Cell]:
    interval = between(difference.low, difference.high, signed=True)
    return [Cell(points(difference.estimate)), Cell(interval, "nowrap"), Cell(notation.p_value(difference.p))]


def _mark(scale: Scale, difference: RobustDifference) -> Cell:
    return drawn(scale, difference.estimate, difference.low, difference.high)


def _ends(differences: list[RobustDifference]) -> list[float | None]:
    return [number for each in differences for number in (each.estimate, each.low, each.high)]


def _title(record: ModelResult | PairResult) -> str:
    return notation.series_title(record.model, record.style, record.run) or notation.NAMELESS
