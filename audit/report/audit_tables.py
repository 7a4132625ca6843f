"""The tables of an audit, each once for screen and page: probes, ladder, options, open answers, n-grams, heat maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Any, Final

from hansproof.audit import notation
from hansproof.audit.notation import count, drawn, interval, kappa, one_line, p_value, per_cent, signed
from hansproof.audit.report import words
from hansproof.audit.report.audit_sentences import is_asked, kept_words, ranked_rules
from hansproof.audit.report.document import Cell, Column, Mark, ReportTable, Scale, tabulated
from hansproof.audit.report.drawing import LEGEND, shade
from hansproof.audit.report.excerpts import tone
from hansproof.audit.report.findings import ArrangedResult, Probe
from hansproof.audit.report.words import sentence
from hansproof.audit.result.advice import clear_cues
from hansproof.audit.result.audit_result import AuditResult, Cue, ScanResult, VectorResult
from hansproof.audit.result.shortcuts import NgramTest, PartialInput, Rung, SingleNgrams
from hansproof.audit.result.tasks import OptionRule, PublishedSplit, SplitKappa, StrategyResult

__all__ = [
    "cues_table",
    "kappas_table",
    "ladder_table",
    "maps",
    "ngrams_table",
    "numbers_table",
    "partial_table",
    "rules_table",
    "scan_table",
    "strategies_table",
    "vectors_table",
]


def _kappa(value: float | None, threshold: float) -> Cell:
    """A kappa with a star from the threshold on, and its shade on a page."""
    reached = value is not None and value >= threshold
    css = f"cell {shade(value)}{' reached' if reached else ''}"
    return Cell(f"{kappa(value)}{'*' if reached else ' '}", css, style="bold red" if reached else "")


def _named(mark: str, name: str, *, about: bool, below: str = "") -> Cell:
    """The name of a row behind its mark, in bold where the verdict is `about` it."""
    return Cell(f"{mark or ' '} {name}", "about" if about else "", below, style="bold" if about else "")


def _plotted(
    scale: Scale, value: float | None, low: float | None, high: float | None, beside: float | None = None
) -> Cell:
    """A dot with its interval, and a ring at the number `beside` it; empty where the kappa is undefined."""
    if value is None:
        return Cell("", "draw")
    ends = ("", "") if low is None or high is None else (scale.at(low), scale.at(high))
    return Cell("", "draw", mark=Mark(scale.at(value), *ends, ring="" if beside is None else scale.at(beside)))


def _with_plot(
    findings: ArrangedResult, head: str, columns: Sequence[Column[Any]], named: Iterable[tuple[Cell, Any] | str],
    numbers: Callable[[Any], tuple[float | None, ...]], title: str = "kappa and 95 % interval",
) -> ReportTable:  # fmt: skip
    """A table whose last column draws the `numbers` of a record: value, ends of its interval, and a further value."""
    rows, threshold = [*named], findings.result.settings.threshold
    records = [row[1] for row in rows if not isinstance(row, str)]
    scale = Scale.over((number for record in records for number in numbers(record)), threshold)
    plot: Column[Any] = Column(title, lambda record: _plotted(scale, *numbers(record)), holds="drawings")
    name = Column[Any](head, holds="text", brief=True)
    table = tabulated("", name, [*columns, plot], rows, headings=False, scale=scale, css="full kappas")
    table.limits, table.in_kappa = [scale.at(threshold)], True
    return table


def vectors_table(findings: ArrangedResult) -> ReportTable:
    """All feature vectors, one row each: both fold schemes side by side, or the paper's single split alone.

    Where items have their own options, the vectors that see the question come last.
    """
    first, second, threshold = findings.first, findings.second, findings.result.settings.threshold
    options = findings.result.options is not None

    def marked(title: str, number: Callable[[Probe], float | None], goes: int | None = None) -> Column[Probe]:
        return Column(title, lambda probe: _kappa(number(probe), threshold), goes)

    if findings.paper and not options:
        # The kappa that the paper plots comes first. The verdict is about Cohen's, so both carry marks.
        columns = [
            marked("uniform", lambda probe: probe.kappa),
            marked("Cohen", lambda probe: probe.vector.cohen, 2),
            Column("95 %", lambda probe: _interval(probe.vector), 1),
            Column("valid. acc.", lambda probe: per_cent(probe.vector.validation), 0),
        ]
    else:
        # The column that the verdict rests on goes last.
        goes = 4 if findings.deciding is second and not options else 1
        columns = [
            marked("kappa" if findings.ungrouped or first is None else first.scheme, lambda probe: probe.kappa),
            Column("95 %", lambda probe: _interval(probe.vector), 3),
            Column("p", lambda probe: p_value(probe.vector.p_corrected), 2),
            *([marked(second.scheme, lambda probe: probe.beside, goes)] if second else []),
        ]
        columns += (
            [Column("accuracy", lambda probe: per_cent(probe.vector.accuracy), 0)]
            if options
            else [
                Column("Cohen", lambda probe: kappa(probe.vector.cohen), 0),
                Column("uniform", lambda probe: kappa(probe.vector.uniform), 0),
            ]
        )
    probes = [(_probe(probe, 45 if options else 33), probe) for probe in findings.probes]
    asked = [pair for pair in probes if options and is_asked(pair[1].vector.vector)]
    only = [pair for pair in probes if pair not in asked]
    table = _with_plot(
        findings, "feature vector", columns, [*only, *([""] if asked else []), *asked],
        lambda probe: (probe.kappa, probe.vector.matched_low, probe.vector.matched_high, probe.beside),
    )  # fmt: skip
    table.shades = LEGEND
    return table


def _probe(probe: Probe, width: int) -> Cell:
    mark = "▸" if probe.deciding else "•" if probe.chosen else "" if probe.vector.counted else "+"
    return _named(mark, one_line(probe.vector.label, width), about=probe.deciding)


def _interval(vector: VectorResult) -> str:
    return interval(vector.matched_low, vector.matched_high)


def ladder_table(findings: ArrangedResult) -> ReportTable:
    """Rung, kappa with its interval, p, and what it sees."""
    ladder, threshold = findings.result.ladder, findings.result.settings.threshold
    columns: list[Column[Rung]] = [
        Column("kappa", lambda rung: _kappa(rung.kappa, threshold)),
        Column("95 %", lambda rung: interval(rung.low, rung.high), 2),
        Column("p", lambda rung: p_value(rung.p), 1),
        Column("sees", lambda rung: one_line(rung.sees, 60), 0, holds="text"),
    ]
    rungs = ladder.rungs if ladder else []
    enough = ladder.enough if ladder else None
    named = [
        (_named("★" if rung.name == enough else "", one_line(rung.label, 33), about=rung.name == enough), rung)
        for rung in rungs
    ]
    return _with_plot(findings, "rung", columns, named, lambda rung: (rung.kappa, rung.low, rung.high))


def partial_table(findings: ArrangedResult) -> ReportTable:
    """A row per partial input, and whole prompts last."""
    partial, threshold = findings.result.partial, findings.result.settings.threshold
    inputs = partial.inputs if partial else []
    columns: list[Column[PartialInput]] = [
        Column("kappa", lambda entry: _kappa(entry.kappa, threshold)),
        Column("95 %", lambda entry: interval(entry.low, entry.high), 2),
        Column("p", lambda entry: p_value(entry.p), 1),
        Column("items", lambda entry: count(entry.filled), 0),
    ]
    named = [
        (_named("", findings.worded(one_line(entry.name, 60)), about=False, below=entry.vector), entry)
        for entry in inputs
    ]
    if inputs and partial is not None:
        name = findings.worded("options and the whole question") if findings.result.options else "whole prompt"
        items = findings.result.items
        whole = PartialInput(name=name, sees="", named=True, filled=items, vector="", kappa=partial.whole)
        named.append((_named("", name, about=False, below="the same feature vectors"), whole))
    return _with_plot(findings, "seen", columns, named, lambda entry: (entry.kappa, entry.low, entry.high))


_LEAST: Final = -0.2
"""Intervals of strategies that are hardly ever right are cut here."""


def strategies_table(findings: ArrangedResult) -> ReportTable:
    """The constants first, then a row per strategy, what the verdict is about before the others."""
    record, threshold = findings.result.open_ended, findings.result.settings.threshold
    columns: list[Column[StrategyResult]] = [
        Column("exact", lambda way: per_cent(way.exact)),
        Column("F1", lambda way: kappa(way.f1), 1),
        Column("advantage", lambda way: _kappa(way.advantage, threshold)),
        Column("95 %", lambda way: interval(way.low, way.high), 3),
        Column("p", lambda way: p_value(way.p_corrected), 2),
        Column("answers", lambda way: per_cent(way.answered, 0), 0),
    ]
    about = record.strategy if record else None
    ways = sorted(record.strategies, key=lambda way: way.name != about) if record else []
    named = [
        (
            _named(
                "▸" if way.name == about else "",
                f"{one_line(way.name, 36)}{' (learnt)' if way.kind == 'learnt' else ''}",
                about=way.name == about,
                below=one_line(way.description, 110),
            ),
            way,
        )
        for way in ways
    ]

    def numbers(way: StrategyResult) -> tuple[float | None, ...]:
        return way.advantage, *(None if end is None else max(end, _LEAST) for end in (way.low, way.high))

    table = _with_plot(findings, "strategy", columns, named, numbers, "advantage and 95 % interval")
    table.most = 12
    if record is not None:
        constants = [(f"always “{one_line(drawn(record.constant), 26)}”", record.constant_exact, record.constant_f1)]
        if record.offered:
            constants.append(("one of the alternatives", record.chance, record.chance_f1))
        blank = [Cell("")] * (len(columns) - 1)
        table.rows[:0] = [
            [_named("", name, about=False), Cell(per_cent(exact)), Cell(kappa(f1)), *blank]
            for name, exact, f1 in constants
        ]
    return table


def rules_table(findings: ArrangedResult) -> ReportTable:
    """The simple rules, one row each, the largest kappa first."""
    options, threshold = findings.result.options, findings.result.settings.threshold
    columns: list[Column[OptionRule]] = [
        Column("kappa", lambda rule: _kappa(rule.kappa, threshold)),
        Column("95 %", lambda rule: interval(rule.low, rule.high), 2),
        Column("p", lambda rule: p_value(rule.p), 3),
        Column("accuracy", lambda rule: per_cent(rule.accuracy), 1),
        Column("told apart", lambda rule: count(rule.applies), 0),
    ]
    named = [(one_line(findings.worded(rule.rule), 45), rule) for rule in (ranked_rules(options) if options else [])]
    table = tabulated("", Column("simple rule: choose ...", holds="text"), columns, named, css="full kappas")
    table.most = 8
    return table


def kappas_table(split: PublishedSplit, about: str) -> ReportTable:
    """Of a published split, the kappa with and without what its parts share."""
    columns: list[Column[SplitKappa]] = [
        Column("items", lambda entry: count(entry.items)),
        Column("effective\ngroups", lambda entry: count(round(entry.groups)), 0),
        Column("kappa", lambda entry: kappa(entry.kappa)),
        Column("95 %", lambda entry: interval(entry.low, entry.high)),
    ]
    named = [(sentence(kept_words(entry)), entry) for entry in split.kappas]
    return tabulated(f"Kappa of {one_line(about, 60)}, with and without what the parts share", "items", columns, named,
                     css="full kappas")  # fmt: skip


def cues_table(findings: ArrangedResult) -> ReportTable:
    """A row per n-gram below the answer that it points to."""
    columns: list[Column[Cue]] = [
        Column("level", lambda cue: "GPT-2 token" if cue.level == "gpt2" else cue.level, 1, holds="words"),
        Column("weight", lambda cue: signed(cue.coefficient)),
        Column("with answer / items", lambda cue: f"{count(cue.count_label)} / {count(cue.count)}"),
        Column("productivity", lambda cue: per_cent(cue.productivity), 4),
        Column("coverage", lambda cue: per_cent(cue.coverage), 2),
        Column("z", lambda cue: kappa(cue.z), 3),
        Column("PMI", lambda cue: kappa(cue.pmi), 0),
    ]

    def name(cue: Cue) -> Cell:
        return Cell(f"{one_line(drawn(cue.ngram), 80)}{cue.often}", "mono wrap")

    table = ReportTable("", [Column("n-gram", holds="text"), *columns], css="full kappas", most=16)
    for label, cues in findings.cues.items():
        css = f"t{tone(label, findings.tones)} w2"
        table.rows.append([Cell(f"pointing to {one_line(drawn(label), 80)}", css)])
        table.rows += [[name(cue), *(column.made(cue) for column in columns)] for cue in cues]
    return table


def ngrams_table(survey: SingleNgrams) -> ReportTable:
    """The clearest single n-grams, the smallest p first."""
    columns: list[Column[NgramTest]] = [
        Column("points to", lambda test: one_line(drawn(test.label), 40), holds="text"),
        Column(f"{survey.unit}s", lambda test: count(test.count)),
        Column("with answer", lambda test: per_cent(test.hits / test.count), 5),
        Column("z", lambda test: kappa(test.z), 4),
        Column("p", lambda test: p_value(test.p_corrected)),
        Column("PMI", lambda test: kappa(test.pmi), 3),
        Column("applicability", lambda test: count(test.applicability), 0),
        Column("productivity", lambda test: per_cent(test.productivity), 2),
        Column("coverage", lambda test: per_cent(test.coverage), 1),
    ]  # fmt: skip

    def name(test: NgramTest) -> Cell:
        also = ", ".join(one_line(drawn(text), 30) for text in test.also)
        return Cell(one_line(drawn(test.ngram), 60), "mono wrap", f"also {also}" if also else "")

    clearest = f"The {len(survey.worst)} clearest of {notation.things(survey.significant, 'n-gram')}, smallest p first"
    named = [(name(test), test) for test in survey.worst]
    table = tabulated(clearest, Column("n-gram", holds="text", brief=True), columns, named, css="full kappas")
    table.most = 5
    return table


def numbers_table(result: AuditResult) -> ReportTable:
    """Every number of every feature vector: the rows of the result (`AuditResult.rows`)."""
    header, *rows = result.rows()
    table = ReportTable("", [Column(str(name).replace("_", " ")) for name in header], css="full dense")
    for row in rows:
        table.row(
            *(f"{entry:.4g}" if isinstance(entry, float) else str("" if entry is None else entry) for entry in row)
        )
    return table


def scan_table(scan: ScanResult) -> ReportTable:
    """All benchmarks of a folder, one row each, the worst first: what each verdict is about; then those that failed."""
    columns: list[Column[Any]] = [
        Column("benchmark", holds="text"),
        Column("verdict", holds="words"),
        Column("exit", holds="words", goes=5 if scan.exits else 0),
        Column("items", goes=2),
        Column("groups", goes=0),
        Column("kappa"),
        Column("95 %", goes=4),
        Column("random", goes=0),
        Column("feature vector", holds="text", goes=1),
        Column("gives it away", holds="text", goes=3),
    ]
    table = ReportTable("", columns, css="full kappas")
    for place in scan.ranked():
        result = scan.results[place]
        look, ignored = words.VERDICTS[result.verdict], " ignored" if words.ignored_because(result) else ""
        table.row(
            Cell(one_line(result.name, 24), link=f"#b{place + 1}-top"),
            Cell(f"{look.symbol} {result.verdict}", f"left chip v-{look.key}", style=f"bold {look.colour}"),
            f"{scan.exits[place]}{ignored}" if scan.exits else "",
            count(result.items) if result.items else "",
            count(result.groups.count) if result.groups else "",
            *_deciding(result),
            Cell(_gives_away(result), "left"),
        )
    for failure in scan.failures:
        blank, file = [""] * 6, failure.place.partition(": ")[0]
        table.row(one_line(file, 24), Cell("! FAILED", "left", style="bold red"), "2", *blank,
                  Cell(one_line(failure.reason, 60), "left"))  # fmt: skip
    return table


def _gives_away(result: AuditResult) -> str:
    """What shows a cue: the n-gram that goes best with an answer, or else the feature vector; nothing without one."""
    if result.verdict not in ("LEAKS", "TRACES", "TEMPLATE-BOUND"):
        return ""
    rungs = [] if result.ladder is None else result.ladder.rungs
    for rung in takewhile(lambda rung: rung.name != "ngram", rungs):  # those that are simpler
        if result.ladder is not None and rung.name == result.ladder.enough:
            return one_line(rung.sees, 40)
    if cues := clear_cues(result.cues):
        return f"“{one_line(drawn(cues[0].ngram), 20)}”{cues[0].often} → {one_line(drawn(cues[0].label), 20)}"
    return one_line(ArrangedResult(result).label_of(result.vector or ""), 40)


def _deciding(result: AuditResult) -> list[Cell | str]:
    """Kappa, interval, kappa under random folds, and name of what the verdict is about: a feature vector, or of
    open-ended answers a strategy, or the best one."""
    threshold, random, record = result.settings.threshold, result.scheme("random"), result.open_ended
    probe = next((probe for probe in ArrangedResult(result).probes if probe.deciding), None)
    if probe is not None:
        beside = random.find(probe.vector.vector) if random else None
        shown = _kappa(beside.matched, threshold) if beside else ""
        return [_kappa(probe.kappa, threshold), _interval(probe.vector), shown, _about(probe.vector.label)]
    if record is None or not record.strategies:
        return ["", "", "", ""]
    way = next((way for way in record.strategies if way.name == record.strategy), record.strategies[0])
    return [_kappa(way.advantage, threshold), interval(way.low, way.high), "", _about(way.name)]


def _about(name: str) -> Cell:
    return Cell(one_line(name, 26), "left")


_MAPS: Final = {
    "grouped": "Cohen's kappa, grouped folds",
    "random": "Cohen's kappa, random folds",
    "published": "Cohen's kappa, published split",
    "paper": "Uniform-chance kappa, the paper's single split",
}
"""The fold schemes that have a heat map, and what it shows."""


def maps(scan: ScanResult) -> list[ReportTable]:
    """Heat maps of benchmarks by feature vectors, as in Figure 1 of Pacchiardi et al. (2024), for each fold scheme."""
    drawn_maps = (_map(scan, name, title) for name, title in _MAPS.items())
    return [table for table in drawn_maps if table.rows]


def _map(scan: ScanResult, name: str, title: str) -> ReportTable:
    measured = [(number, result, scheme) for number, result in enumerate(scan.results, start=1)
                if (scheme := result.scheme(name)) is not None]  # fmt: skip
    labels = {vector.vector: vector.label for _, _, scheme in measured for vector in scheme.vectors}
    columns = [Column[Any](label, is_name=True) for label in labels.values()]
    table = ReportTable(
        title, [Column("benchmark"), *columns], css="map", most=0, shades=LEGEND if name == "grouped" else ()
    )
    for number, result, scheme in measured:
        look = words.VERDICTS[result.verdict]
        head = Cell(
            one_line(result.name, 60), f"v-{look.key}", f"{look.symbol} {result.verdict}", link=f"#b{number}-top"
        )
        known = {vector.vector: vector.uniform if name == "paper" else vector.matched for vector in scheme.vectors}
        about = result.vector if result.deciding_scheme == scheme else None
        table.row(head, *(_heat(known.get(vector), result, framed=vector == about) for vector in labels))
    return table


def _heat(value: float | None, result: AuditResult, *, framed: bool) -> Cell:
    css = f"{_kappa(value, result.settings.threshold).css}{' framed' if framed else ''}"
    return Cell("–" if value is None else kappa(value), css)
