"""Accuracies where the probe is right and where it is wrong: benchmarks, models, families."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import (
    FamilyTest,
    MixedFit,
    ModelResult,
    PairResult,
    Regression,
    Reliance,
    RobustDifference,
    shortcut_word,
    tested_p,
)
from hansproof.audit.models.study import Answered
from hansproof.audit.notation import listed
from hansproof.audit.report import terms
from hansproof.audit.report.comparison_words import first_names
from hansproof.audit.report.drawing import Scale
from hansproof.audit.report.study_tables import EMPTY_CELL, Cell, PageRow, PageTable, between, drawn, per_cent, points

__all__ = ["ALL_MODELS", "NotClear", "corrected_p", "fits_of_families", "measured_on", "regression_title", "why_not"]


class NotClear:
    """How many replies of a model to a benchmark are unclear, and how many are missing; both count as wrong."""

    def __init__(self, answered: Sequence[Answered]) -> None:
        self._of: dict[tuple[str, str, str, str], tuple[int, int]] = {}
        for part in answered:
            # A benchmark is called by its source, or by the one subset that it is.
            whole = [part.name, *(part.subsets if len(part.subsets) == 1 else ())]
            for each in part.series:
                for accuracy in each.accuracies:
                    for name in [accuracy.subset] if accuracy.subset else whole:
                        counts = accuracy.unclear, accuracy.missing
                        self._of.setdefault((name, each.model, each.style, each.run), counts)

    def __bool__(self) -> bool:
        """Whether there is any such reply."""
        return any(map(sum, self._of.values()))

    def cell(self, pair: PairResult) -> str:
        """`393 + 0`: unclear and missing; empty where there are none, or nothing is known."""
        unclear, missing = self._of.get((pair.benchmark, pair.model, pair.style, pair.run), (0, 0))
        return f"{unclear:,} + {missing:,}" if unclear or missing else ""


ALL_MODELS: Final = "all models (p not corrected)"
"""The last row of families: with all of them together there is nothing to correct for."""


def corrected_p(test: FamilyTest, p: float | None, corrected: float | None) -> float | None:
    """The p of a column of corrected ones; in the row of all models, the one there is."""
    return corrected if test.family else p


def fits_of_families(study: Reliance) -> dict[str, Regression]:
    """The regressions beside the tests of families, by family; all models have an empty one, as a single family has."""
    fits = {fit.family: fit for fit in study.regressions if not fit.benchmark}
    alone = [test.family for test in study.families if test.family]
    return fits | ({alone[0]: fits[""]} if len(alone) == 1 and "" in fits else {})


def measured_on(model: ModelResult) -> str:
    """On how many of the benchmarks with a shortcut there is a difference beyond difficulty."""
    return f"{model.measured:,} of {model.benchmarks:,}"


def regression_title(fit: Regression) -> str:
    """The family, the benchmark, or all."""
    return listed(fit.family, fit.benchmark) or "all (p not corrected)"


def why_not(fit: Regression) -> str:
    """Why coefficients are not there; else empty."""
    first, second = fit.plain.log_odds.reason, fit.with_difficulty.log_odds.reason
    if first == second:
        return first
    return "; ".join(filter(None, (first, f"with difficulty: {second}" if second else "")))


# All models together: table 3 of Pacchiardi et al. (2024), family by family, and the logistic regressions.


def family_table(study: Reliance) -> PageTable:
    """A row per family, all models last; p-values are corrected over the families, and in the last row are not."""
    table = PageTable(
        "Families: probe right less probe wrong, in points; log odds of the mixed-effects logistic regression",
        ["Family", terms.PAIRS.page, terms.MEAN_DIFFERENCE.page, "t", terms.P.page, terms.BH_P.page,
         terms.JOINT_BH_P.page, terms.LOG_ODDS.page, terms.BH_P.page, terms.WITH_DIFFICULTY.page, terms.BH_P.page,
         "Beware"],
        css="full dense",
    )  # fmt: skip
    fits = fits_of_families(study)
    for test in study.families:
        fit = fits.get(test.family)
        cells = [
            notation.count(test.pairs), points(test.mean), "" if test.t is None else f"{test.t:.2f}",
            notation.p_value(test.p), notation.p_value(corrected_p(test, test.p, test.p_bh)),
            notation.p_value(corrected_p(test, test.joint.p, test.joint_bh)),
            *(_coefficient(fit.plain) if fit else ("", "")), *(_coefficient(fit.with_difficulty) if fit else ("", "")),
        ]  # fmt: skip
        table.rows.append(PageRow(test.family or ALL_MODELS, [*map(Cell, cells), Cell(test.warning, "left")]))
    return table


def like_items_table(study: Reliance) -> PageTable:
    """What is left of the difference among like items, by family, and of how many pairs that is known."""
    table = PageTable(
        "Families: mean difference in plain accuracy among like items, in points",
        ["Family", terms.AT_EQUAL_GOLD.page, terms.JOINT_BH_P.page, terms.BEYOND.page, terms.FROM_PAIRS.page,
         terms.JOINT_BH_P.page],
    )  # fmt: skip
    for test in study.families:
        cells = [
            points(test.equal_gold.estimate),
            notation.p_value(corrected_p(test, test.equal_gold.p, test.equal_gold_bh)),
            points(test.beyond.estimate), f"{test.beyond_pairs:,} of {test.pairs:,}",
            notation.p_value(corrected_p(test, test.beyond.p, test.beyond_bh)),
        ]  # fmt: skip
        table.rows.append(PageRow(test.family or ALL_MODELS, [*map(Cell, cells)]))
    return table


def regression_table(study: Reliance) -> PageTable:
    """A row per family, per benchmark with a shortcut, and of all answers last."""
    table = PageTable(
        "Mixed-effects logistic regression of right answers on whether the probe is right, in logits",
        ["Of", "Models", "Answers", terms.LOG_ODDS.page, terms.BH_P.page, terms.SD_OF_ITEMS.page,
         terms.WITH_DIFFICULTY.page, terms.BH_P.page, terms.SD_OF_ITEMS.page, "Why not"],
        css="full dense",
    )  # fmt: skip
    for fit in study.regressions:
        cells = [Cell(notation.count(fit.models)), Cell(notation.count(fit.plain.answers))]
        for each in (fit.plain, fit.with_difficulty):
            spread = "" if each.item_sd is None else notation.kappa(each.item_sd)
            cells += [Cell(_logits(each.log_odds), "nowrap"), Cell(_coefficient(each)[1]), Cell(spread)]
        table.rows.append(PageRow(regression_title(fit), [*cells, Cell(why_not(fit), "left")]))
    return table


def _coefficient(fit: MixedFit) -> tuple[str, str]:
    """The log odds and their corrected p; of all answers, the p as it is."""
    if fit.log_odds.estimate is None:
        return "", ""
    return notation.signed(fit.log_odds.estimate), notation.p_value(fit.log_odds.p if fit.p_bh is None else fit.p_bh)


def _logits(difference: RobustDifference) -> str:
    """`+.91 [+.44, +1.38]`."""
    if difference.estimate is None:
        return ""
    text = notation.signed(difference.estimate)
    if difference.low is None or difference.high is None:
        return text
    return f"{text} [{notation.signed(difference.low)}, {notation.signed(difference.high)}]"


_NAMED: Final = 4
"""Pairs that a note names."""


def model_table(study: Reliance) -> PageTable:
    """Each model over all benchmarks with a shortcut; without models that answered none of them."""
    tested = [model for model in study.models if model.benchmarks]
    ends = (end for each in tested for end in (each.beyond.estimate, each.beyond.low, each.beyond.high))
    scale = Scale.over(ends, 0.1)
    errors = any(model.errors.estimate is not None for model in tested)
    columns = ["Model", "Benchmarks", terms.BEYOND.page, "90 % interval", terms.P.page, terms.HOLM_P.page]
    columns += [terms.AGREEMENT.page, "90 % interval", terms.P.page, terms.HOLM_P.page] if errors else []
    table = PageTable(
        "Models over all benchmarks with a shortcut, in points", [*columns, terms.BEYOND.page],
        scale=scale,
    )  # fmt: skip
    for model in tested:
        cells = [Cell(measured_on(model)), *_estimate(model.beyond), Cell(notation.p_value(model.beyond_holm))]
        cells += [*_estimate(model.errors), Cell(notation.p_value(model.errors_holm))] if errors else []
        mark = drawn(scale, model.beyond.estimate, model.beyond.low, model.beyond.high)
        table.rows.append(PageRow(_title(model), [*cells, mark]))
    return table


def benchmark_table(study: Reliance) -> PageTable:
    """What the audit says of each benchmark, and how its probe parts the items."""
    columns = ["Benchmark", "Shortcut", "Kappa", "Uniform-chance kappa", "Audit", "Parted by", "Folds", "Items"]
    table = PageTable(
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
        table.rows.append(PageRow(part.benchmark, [*cells, *(Cell(notation.count(count)) for count in counts)]))
    return table


def benchmark_notes(study: Reliance) -> list[str]:
    """What was left out of each benchmark, and which are in no test."""
    return [f"{part.benchmark}: {note}" for part in study.benchmarks for note in part.notes]


def pair_table(study: Reliance, answered: Sequence[Answered] = ()) -> PageTable:
    """A row per benchmark and model: the raw difference, and what is left of it among like items; beside the items, how
    many replies are unclear or missing, where any is."""
    unclear = NotClear(answered)
    items = f"{terms.ITEMS.page}; {terms.NOT_CLEAR.name}" if unclear else terms.ITEMS.page
    columns = ["Benchmark, model", items, terms.CORRECTED.page, f"{terms.PROBE_RIGHT.page}; {terms.PROBE_WRONG.name}"]
    columns += [terms.RAW.page, terms.AT_EQUAL_GOLD.page, terms.SHARED_ITEMS.page, terms.BEYOND.page]
    columns += [*([terms.P.page] if _tests(study) else []), terms.AT_EQUAL_SUCCESS.page]
    columns += [terms.AT_EQUAL_SUCCESS_AND_GOLD.page]
    table = PageTable("Differences in points: probe right less probe wrong", columns, css="full dense")
    last = None
    for pair in study.pairs:
        if pair.benchmark != last:
            in_no_test = "" if pair.shortcut else f" (shortcut: {shortcut_word(pair)}, in no test)"
            table.rows.append(PageRow(pair.benchmark + in_no_test))
            last = pair.benchmark
        table.rows.append(PageRow(_title(pair), _pair(pair, unclear, _tests(study))))
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
    return [
        f"no difference beyond difficulty, because {why}: {first_names(where, _NAMED)}"
        for why, where in reasons.items()
    ]


def error_table(study: Reliance) -> PageTable:
    """Wrong answers that are the probe's, where there are three answers or more."""
    columns = ["Benchmark, model", "Both wrong", "Agree", "Expected", "Excess", "90 % interval", "p"]
    table = PageTable("Agreement in error, in per cent of the items on which both are wrong", columns)
    for pair in study.pairs:
        errors = pair.errors
        if errors is not None and errors.agree is not None:
            cells = [Cell(notation.count(errors.items)), Cell(per_cent(errors.agree)), Cell(per_cent(errors.expected))]
            cells += [*_estimate(errors.excess)[:2], Cell(notation.p_value(tested_p(pair, errors.excess)))]
            table.rows.append(PageRow(f"{pair.benchmark}, {_title(pair)}", cells))
    return table


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
        return EMPTY_CELL
    return Cell(points(difference.estimate), below=between(difference.low, difference.high, signed=True))


def _estimate(difference: RobustDifference) -> list[Cell]:
    interval = between(difference.low, difference.high, signed=True)
    return [Cell(points(difference.estimate)), Cell(interval, "nowrap"), Cell(notation.p_value(difference.p))]


def _title(record: ModelResult | PairResult) -> str:
    return notation.series_title(record.model, record.style, record.run) or notation.NAMELESS
