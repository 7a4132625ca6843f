"""All models together: table 3 of Pacchiardi et al. (2024), family by family, and the logistic regressions."""

from __future__ import annotations

from audit import notation
from audit.reliance.records import Reliance
from audit.study import terms
from audit.study.sections.tables import Cell, Row, Table, points

__all__ = ["family_table", "regression_table"]


def family_table(study: Reliance) -> Table:
    """A row per family, all models last; p-values are corrected over the families, and in the last row are not."""
    columns = ["Family", terms.PAIRS.page, terms.MEAN_DIFFERENCE.page, "t", terms.P.page, terms.BH_P.page]
    columns += [terms.JOINT_BH_P.page, terms.AT_EQUAL_GOLD.page, terms.JOINT_BH_P.page]
    table = Table(
        "Families: probe right less probe wrong, in points",
        [*columns, terms.BEYOND.page, terms.JOINT_BH_P.page, "Beware"],
        css="full dense",
    )
    for test in study.families:
        # Of a single family, and of all together, there is nothing to correct for.
        joint = test.joint_bh if test.family else test.joint.p
        gold = test.equal_gold_bh if test.family else test.equal_gold.p
        beyond = test.beyond_bh if test.family else test.beyond.p
        cells = [
            notation.count(test.pairs), points(test.mean), "" if test.t is None else f"{test.t:.2f}",
            notation.p_value(test.p), notation.p_value(test.p_bh), notation.p_value(joint),
            points(test.equal_gold.estimate), notation.p_value(gold), points(test.beyond.estimate),
            notation.p_value(beyond),
        ]  # fmt: skip
        table.rows.append(Row(test.family or "all models", [*map(Cell, cells), Cell(test.warning, "left")]))
    return table


def regression_table(study: Reliance) -> Table:
    """A row per benchmark with a shortcut, all of them pooled last."""
    columns = ["Benchmark", "Answers", "Models", "Log odds", "90 % interval", "p", "BH p", "Why not"]
    table = Table("Logistic regression of right answers on whether the probe is right", columns)
    for fit in study.regressions:
        known = fit.low is not None and fit.high is not None
        interval = f"[{notation.signed(fit.low)}, {notation.signed(fit.high)}]" if known else ""
        cells = [Cell(notation.count(fit.answers)), Cell(notation.count(fit.models))]
        cells += [Cell("" if fit.log_odds is None else notation.signed(fit.log_odds)), Cell(interval, "nowrap")]
        cells += [Cell(notation.p_value(fit.p)), Cell(notation.p_value(fit.p_bh)), Cell(fit.reason, "left")]
        table.rows.append(Row(fit.benchmark or "all, pooled", cells))
    return table
