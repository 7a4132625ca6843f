"""Accuracies where the probe is right and where it is wrong: sentences and tables of benchmarks, models, families."""

from __future__ import annotations

from collections.abc import Sequence
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
from hansproof.audit.report import terms, words
from hansproof.audit.report.document import (
    EMPTY_CELL,
    Cell,
    Column,
    Figure,
    Note,
    Part,
    ReportTable,
    Scale,
    Section,
    between,
    drawn,
    filled,
    listed,
    per_cent,
    points,
    sections,
    tabulated,
)
from hansproof.audit.report.study_figures import boxes, scatter

__all__ = ["probe_section"]

_NAMED: Final = 4
"""Pairs that a note names."""


def probe_section(study: Reliance, told: Sequence[str] = ()) -> Section:
    """How right models are where the probe is right and where it is wrong, in sentences, tables and figures.

    A terminal shows what was measured, the pairs, and what can be tested of them. Notes that were `told` above are not
    repeated.
    """
    prose = words.SECTIONS["probe"]
    paper = study.protocol == "paper"
    parts: list[Part] = [Note(measured(study, part), "lead") for part in study.benchmarks]
    parts += [Note(note, "aside") for note in study.notes if note not in told]  # a command tells them at its end
    if study.benchmarks:
        said = listed([*(f"{part.benchmark}: {note}" for part in study.benchmarks for note in part.notes),
                       *_undefined_notes(study)])  # fmt: skip
        wrong = [Note(prose["wrong"], "legend")] if any(map(_not_clear, study.pairs)) else []
        parts += [_benchmark_table(study), _pair_table(study), Note(prose["pairs"]), *wrong, *said]
        if (models := _model_table(study)).rows:
            parts += [models, Note(prose["models"].format(alpha=notation.kappa(study.alpha)))]
        if (errors := error_table(study)).rows:
            parts += [errors, Note(prose["errors"])]
        drawn_as = {
            scatter: "Figure: accuracy and the difference between the parts",
            boxes: "Figure: accuracy on items that the probe predicts, and on the others",
        }
        parts += [Figure(draw(study, within_page=True), label) for draw, label in drawn_as.items()]
    if paper and study.pairs:
        parts += [_corrected_table(study), Note(prose["corrected"])]
        parts += [_family_table(study), Note(prose["families"])] if study.families else []
    return words.section("probe", parts, "paper" if paper else "", threshold=notation.kappa(study.threshold))


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


def _undefined_notes(study: Reliance) -> list[str]:
    """Why differences and agreements in error are undefined, a sentence for each reason."""
    said = notation.gathered(
        (f"{what}, because {reason}", f"{_title(pair)} on {pair.benchmark}")
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


def _benchmark_table(study: Reliance) -> ReportTable:
    """What the audit says of each benchmark, and how its probe parts the items: on pages alone."""
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
    table = tabulated("Benchmarks and their probes", "benchmark", columns, named, css="full dense tight")
    table.most = 0
    return table


def _pair_table(study: Reliance) -> ReportTable:
    """A row per benchmark and model: accuracy, also on both parts, and their difference, raw and at equal gold."""
    columns: list[Column[PairResult]] = [
        Column(terms.ITEMS, lambda pair: notation.count(pair.items), goes=1),
        Column(terms.NOT_CLEAR, _not_clear, goes=2),
        Column(terms.RIGHT, lambda pair: per_cent(pair.accuracy), goes=0),
        Column(terms.PROBE_RIGHT, lambda pair: _share(pair.on_right), brief=True),
        Column(terms.PROBE_WRONG, lambda pair: _share(pair.on_wrong), brief=True),
        Column(terms.RAW, lambda pair: _ends(pair.raw), holds="words"),
        Column(terms.AT_EQUAL_GOLD, lambda pair: _ends(pair.equal_gold), holds="words"),
    ]
    several = len(study.benchmarks) > 1
    rows = sections(study.pairs, lambda pair: pair.benchmark if several else "", _title)
    caption = (
        "Right answers in per cent, also where the probe is right and where it is wrong; differences in points, with "
        "95 % intervals"
    )
    shown = [column for column in columns if column.title != terms.NOT_CLEAR or filled([column], study.pairs)]
    return tabulated(caption, "benchmark, model" if several else "model", shown, rows)


def _not_clear(pair: PairResult) -> str:
    """`393 + 0`: unclear and missing replies, both wrong; empty where there are none."""
    return f"{pair.unclear:,} + {pair.missing:,}" if pair.unclear or pair.missing else ""


def _model_table(study: Reliance) -> ReportTable:
    """The agreement in error of each model for which it is defined, over all benchmarks with a shortcut."""
    known = [model for model in study.models if model.errors.estimate is not None]
    scale = Scale.over(
        (end for each in known for end in (each.errors.estimate, each.errors.low, each.errors.high)), 0.1
    )
    columns: list[Column[ModelResult]] = [
        Column("benchmarks", lambda each: f"{each.measured:,} of {each.benchmarks:,}", goes=0),
        Column(terms.AGREEMENT, lambda each: points(each.errors.estimate)),
        Column("95 % interval", lambda each: Cell(between(each.errors.low, each.errors.high, signed=True), "nowrap")),
        Column(terms.P, lambda each: notation.p_value(each.p), goes=1),
        Column(terms.HOLM_P, lambda each: notation.p_value(each.p_holm)),
        Column("", lambda each: FOLLOWS if each.follows else "", holds="words"),
        Column(
            "excess",
            lambda each: drawn(scale, each.errors.estimate, each.errors.low, each.errors.high),
            holds="drawings",
        ),
    ]
    caption = "Agreement in error over all benchmarks with a shortcut, in points"
    return tabulated(caption, "model", columns, [(_title(each), each) for each in known], scale=scale)


def error_table(study: Reliance) -> ReportTable:
    """Wrong answers that are the probe's, where there are three answers or more: on pages alone."""
    columns: list[Column[PairResult]] = [
        Column("both wrong", lambda pair: notation.count(pair.errors.items)),
        Column("agree", lambda pair: per_cent(pair.errors.agree)),
        Column("expected", lambda pair: per_cent(pair.errors.expected)),
        Column("excess", lambda pair: _ends(pair.errors.excess)),
    ]
    named = [(f"{pair.benchmark}, {_title(pair)}", pair) for pair in study.pairs if pair.errors.agree is not None]
    caption = "Agreement in error, in per cent of the items on which both are wrong"
    table = tabulated(caption, "benchmark, model", columns, named)
    table.most = 0
    return table


def _corrected_table(study: Reliance) -> ReportTable:
    """The paper's accuracies on both parts, under its protocol."""
    named = [(f"{pair.benchmark}, {_title(pair)}", own) for pair in study.pairs if (own := pair.corrected) is not None]
    columns: list[Column[Corrected]] = [
        Column(terms.CORRECTED, lambda own: per_cent(own.accuracy)),
        Column(terms.PROBE_RIGHT, lambda own: per_cent(own.on_right)),
        Column(terms.PROBE_WRONG, lambda own: per_cent(own.on_wrong)),
        Column("difference", lambda own: points(own.difference)),
    ]
    caption = "Accuracies corrected by uniform chance, in per cent, after Pacchiardi et al. (2024)"
    return tabulated(caption, "benchmark, model", columns, named)


def _family_table(study: Reliance) -> ReportTable:
    """Table 3 of the paper: a row per family."""
    columns: list[Column[FamilyTest]] = [
        Column(terms.PAIRS, lambda test: notation.count(test.pairs)),
        Column(terms.MEAN_DIFFERENCE, lambda test: points(test.mean)),
        Column("t", lambda test: "" if test.t is None else f"{test.t:.2f}"),
        Column(terms.P, lambda test: notation.p_value(test.p)),
        Column(terms.BH_P, lambda test: notation.p_value(test.p_bh)),
        Column("beware", lambda test: test.warning, holds="phrases", goes=0),
    ]
    caption = (
        "Families of models after Pacchiardi et al. (2024): probe right less probe wrong, in points, corrected by "
        "chance; paired t-test, one-sided"
    )
    return tabulated(caption, "family", columns, [(test.family, test) for test in study.families])


def _share(part: PartAccuracy) -> Cell:
    return Cell(per_cent(part.share), below=between(part.low, part.high))


def _ends(difference: ClusteredEstimate) -> Cell:
    if difference.estimate is None:
        return EMPTY_CELL
    return Cell(points(difference.estimate), below=between(difference.low, difference.high, signed=True))


def _title(record: ModelResult | PairResult) -> str:
    """Model, style and run."""
    return notation.series_title(record.model, record.style, record.run) or notation.NAMELESS
