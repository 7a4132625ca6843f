"""A study by shortcut as tables for the terminal: benchmarks, every pair, models, and families. Points of accuracy."""

from __future__ import annotations

from hansproof.audit.models.reliance.reliance_records import (
    MixedFit,
    PairResult,
    Reliance,
    RobustDifference,
    shortcut_word,
    tested_p,
)
from hansproof.audit.notation import NAMELESS, interval, kappa, p_value, series_title, signed
from hansproof.audit.report import terms
from hansproof.audit.report.study_page import Study
from hansproof.audit.report.study_reliance import (
    ALL_MODELS,
    NotClear,
    corrected_p,
    fits_of_families,
    measured_on,
    regression_title,
    why_not,
)
from hansproof.audit.report.terminal import Column, TextTable

__all__ = ["reliance_tables"]


def reliance_tables(study: Study) -> list[TextTable]:
    """Benchmarks, a row per pair, models, and the paper's table of families; empty tables are left out."""
    tables = [_benchmarks(study), _pairs(study), _errors(study), _models(study), _families(study), _like_items(study)]
    tables.append(_regressions(study))
    return [table for table in tables if table.rows]


def _benchmarks(study: Reliance) -> TextTable:
    table = TextTable(
        Column("benchmark", "phrases"), Column("audit", "words", goes=2), Column("parted by", "phrases", goes=1),
        Column("kappa"), Column("95 %", goes=4),
        Column("uniform-chance\nkappa", goes=0), Column("items"),
        Column(terms.PROBE_RIGHT.screen), Column(terms.PROBE_WRONG.screen),
        Column("groups", goes=3), Column("shortcut", "words"), title="Benchmarks",
    )  # fmt: skip
    for part in study.benchmarks:
        table.row(
            part.benchmark, part.audit, part.vector, kappa(part.kappa), interval(part.low, part.high),
            kappa(part.uniform), f"{part.items:,}",
            f"{part.probe_right:,}", f"{part.probe_wrong:,}", f"{part.groups:,}", shortcut_word(part),
        )  # fmt: skip
    return table


def _models(study: Reliance) -> TextTable:
    tested = [model for model in study.models if model.benchmarks]
    errors = any(model.errors.estimate is not None for model in tested)
    table = TextTable(
        Column("model", "phrases"), Column("benchmarks"), Column(terms.BEYOND.name, "words"),
        Column(terms.HOLM_P.name), *([Column(terms.AGREEMENT.screen, "words"), Column(terms.HOLM_P.name)] * errors),
        Column("", "phrases", goes=0),
        title="Models: points with 90 % intervals over the benchmarks with a shortcut on which they are measured; Holm "
        "p is corrected over both numbers of all models",
    )  # fmt: skip
    for model in tested:
        table.row(
            series_title(model.model, model.style, model.run) or NAMELESS, measured_on(model),
            _with_interval(model.beyond), p_value(model.beyond_holm),
            *([_with_interval(model.errors), p_value(model.errors_holm)] * errors), model.beyond.reason,
        )  # fmt: skip
    return table


def _families(study: Reliance) -> TextTable:
    table = TextTable(
        Column("family", "phrases"), Column(terms.PAIRS.screen, goes=3), Column(terms.MEAN_DIFFERENCE.screen),
        Column("t", goes=1), Column("p", goes=0), Column(terms.BH_P.screen), Column(terms.JOINT_BH_P.screen),
        Column(terms.LOG_ODDS.screen), Column(terms.BH_P.screen), Column(terms.WITH_DIFFICULTY.screen),
        Column(terms.BH_P.screen), Column("", "phrases", goes=2),
        title="Families: probe right less probe wrong, corrected by chance, with the paired t-test, a joint test and a "
        "mixed-effects logistic regression",
    )  # fmt: skip
    fits = fits_of_families(study)
    for test in study.families:
        fit = fits.get(test.family)
        if not test.family:
            table.section()
        table.row(
            test.family or ALL_MODELS, f"{test.pairs:,}", _points(test.mean, sign=True),
            "" if test.t is None else f"{test.t:.2f}", p_value(test.p), p_value(corrected_p(test, test.p, test.p_bh)),
            p_value(corrected_p(test, test.joint.p, test.joint_bh)), *(_fitted(fit.plain) if fit else ("", "")),
            *(_fitted(fit.with_difficulty) if fit else ("", "")), test.warning,
        )  # fmt: skip
    return table


def _like_items(study: Reliance) -> TextTable:
    table = TextTable(
        Column("family", "phrases"), Column(terms.AT_EQUAL_GOLD.screen), Column(terms.JOINT_BH_P.screen),
        Column(terms.BEYOND.screen), Column(terms.FROM_PAIRS.screen), Column(terms.JOINT_BH_P.screen),
        title="Families among like items: mean difference in plain accuracy",
    )  # fmt: skip
    for test in study.families:
        if not test.family:
            table.section()
        table.row(
            test.family or ALL_MODELS, _points(test.equal_gold.estimate, sign=True),
            p_value(corrected_p(test, test.equal_gold.p, test.equal_gold_bh)),
            _points(test.beyond.estimate, sign=True), f"{test.beyond_pairs:,} of {test.pairs:,}",
            p_value(corrected_p(test, test.beyond.p, test.beyond_bh)),
        )  # fmt: skip
    return table


def _fitted(fit: MixedFit) -> tuple[str, str]:
    """The log odds and their corrected p; of all answers, the p as it is."""
    if fit.log_odds.estimate is None:
        return "", ""
    return signed(fit.log_odds.estimate), p_value(fit.log_odds.p if fit.p_bh is None else fit.p_bh)


def _pairs(study: Study) -> TextTable:
    unclear = NotClear(study.answered)
    wrong = "; unclear and missing replies count as wrong" if unclear else ""
    table = TextTable(
        Column("benchmark, model", "phrases"), Column("items", goes=2),
        *([Column(terms.NOT_CLEAR.screen)] if unclear else []), Column(terms.CORRECTED.screen, goes=3),
        Column(terms.PROBE_RIGHT.screen, goes=4), Column(terms.PROBE_WRONG.screen, goes=4),
        Column(terms.RAW.screen, "words"), Column(terms.AT_EQUAL_GOLD.screen, "words"),
        Column(terms.SHARED_ITEMS.screen, goes=2), Column(terms.AT_EQUAL_SUCCESS.screen, goes=0),
        Column(terms.AT_EQUAL_SUCCESS_AND_GOLD.screen, goes=1), Column(terms.BEYOND.screen), Column("p"),
        title="Pairs, in points with 90 % intervals; corrected accuracy is 0 at chance, differences are of plain "
        f"accuracy; columns after shared items are of these, which the other models answered too{wrong}",
    )  # fmt: skip
    last = ""
    for pair in study.pairs:
        if pair.benchmark != last:
            table.section()
            table.row(pair.benchmark + _without(pair), *[""] * (len(table.columns) - 1))
            last = pair.benchmark
        table.row(
            f"  {_title(pair)}", f"{pair.items:,}", *([unclear.cell(pair)] if unclear else []),
            _points(pair.accuracy), _points(pair.on_right),
            _points(pair.on_wrong), _with_interval(pair.raw), _with_interval(pair.equal_gold), f"{pair.shared_items:,}",
            _points(pair.equal_others.estimate, sign=True), _points(pair.equal_gold_others.estimate, sign=True),
            _points(pair.beyond.estimate, sign=True), p_value(tested_p(pair, pair.beyond)),
        )  # fmt: skip
    return table


def _errors(study: Reliance) -> TextTable:
    table = TextTable(
        Column("benchmark", "phrases"), Column("model", "phrases"), Column("both\nwrong"), Column("agree"),
        Column("expected"), Column("excess", "words"), Column("p"),
        title="Agreement in error, in % of the items on which both are wrong, and another model, too; 90 % intervals",
    )  # fmt: skip
    for pair in study.pairs:
        errors = pair.errors
        if errors is not None and errors.agree is not None:
            table.row(
                pair.benchmark, _title(pair), f"{errors.items:,}", _points(errors.agree), _points(errors.expected),
                _with_interval(errors.excess), p_value(tested_p(pair, errors.excess)),
            )  # fmt: skip
    return table


def _regressions(study: Reliance) -> TextTable:
    table = TextTable(
        Column("", "phrases"), Column("answers", goes=1), Column(terms.LOG_ODDS.screen, "words"),
        Column(terms.BH_P.screen), Column(terms.SD_OF_ITEMS.screen, goes=3),
        Column(terms.WITH_DIFFICULTY.name, "words"), Column(terms.BH_P.screen),
        Column(terms.SD_OF_ITEMS.screen, goes=2), Column("", "phrases", goes=0),
        title="Mixed-effects logistic regression of right answers on the probe's, in logits with 90 % intervals: "
        "plain, and with the success of other families as a covariate, which takes away only part of difficulty",
    )  # fmt: skip
    last = False
    for fit in study.regressions:
        if bool(fit.family) != last and table.rows:
            table.section()
        last = bool(fit.family)
        cells = []
        for each in (fit.plain, fit.with_difficulty):
            spread = "" if each.item_sd is None else kappa(each.item_sd)
            cells += [_logits(each.log_odds), _fitted(each)[1], spread]
        table.row(regression_title(fit), f"{fit.plain.answers:,}", *cells, why_not(fit))
    return table


def _logits(difference: RobustDifference) -> str:
    if difference.estimate is None or difference.low is None or difference.high is None:
        return "" if difference.estimate is None else signed(difference.estimate)
    return f"{signed(difference.estimate)} [{signed(difference.low)}, {signed(difference.high)}]"


def _without(pair: PairResult) -> str:
    return "" if pair.shortcut else " (no shortcut)" if pair.ruled_out else " (no shortcut shown)"


def _title(pair: PairResult) -> str:
    return series_title(pair.model, pair.style, pair.run) or NAMELESS


def _points(value: float | None, *, sign: bool = False) -> str:
    if value is None:
        return ""
    text = f"{100 * value:+.1f}" if sign else f"{100 * value:.1f}"
    return text.lstrip("+-") if float(text) == 0 else text


def _with_interval(difference: RobustDifference) -> str:
    if difference.estimate is None or difference.low is None or difference.high is None:
        return _points(difference.estimate, sign=True)
    low, high = _points(difference.low, sign=True), _points(difference.high, sign=True)
    return f"{_points(difference.estimate, sign=True)} [{low}, {high}]"
