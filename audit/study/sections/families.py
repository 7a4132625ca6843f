"""All models together: table 3 of Pacchiardi et al. (2024), family by family, and the logistic regressions."""

from __future__ import annotations

from audit import notation
from audit.reliance.records import MixedFit, Reliance, RobustDifference
from audit.study import terms
from audit.study.sections.pooled import ALL_MODELS, corrected_p, fits_of_families, regression_title, why_not
from audit.study.sections.tables import Cell, Row, Table, points

__all__ = ["family_table", "like_items_table", "regression_table"]


def family_table(study: Reliance) -> Table:
    """A row per family, all models last; p-values are corrected over the families, and in the last row are not."""
    table = Table(
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
        table.rows.append(Row(test.family or ALL_MODELS, [*map(Cell, cells), Cell(test.warning, "left")]))
    return table


def like_items_table(study: Reliance) -> Table:
    """What is left of the difference among like items, by family, and of how many pairs that is known."""
    table = Table(
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
        table.rows.append(Row(test.family or ALL_MODELS, [*map(Cell, cells)]))
    return table


def regression_table(study: Reliance) -> Table:
    """A row per family, per benchmark with a shortcut, and of all answers last."""
    table = Table(
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
        table.rows.append(Row(regression_title(fit), [*cells, Cell(why_not(fit), "left")]))
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
