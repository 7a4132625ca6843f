"""The tables of error rates: aims in Markdown for pages, all cases, coverage and stability as CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

from error_rates.rates import (
    FIXED_VECTOR,
    Case,
    Coverage,
    Rate,
    Stability,
    cases,
    coverages,
    pooled,
    stabilities,
    together,
)
from error_rates.records import TEMPLATES, Record
from error_rates.scenario import OPTIONS, VERDICTS, Expected, Scenario

__all__ = ["aims", "explained", "published"]

_SHOWN = tuple(name for name in VERDICTS if name != "NOT ASSESSED")

_MET = "*met*: `yes` where the whole interval lies within the aim, `not shown` where only the measured share does."

_STABLE = 0.95
_COVERED = (0.93, 0.97)


def published(scenarios: Sequence[Scenario], records: Sequence[Record], kind: str) -> tuple[str, dict[str, str]]:
    """Of one kind of answers: Markdown for benchmarks/README.md, and the files of the folder `published`."""
    covered, stable = coverages(scenarios, records), stabilities(scenarios, records)
    rows = {
        "cases": _case_rows(cases(scenarios, records)),
        "coverage": _coverage_rows(covered, "the rule" if kind == "open-ended" else FIXED_VECTOR),
        "stability": _stability_rows(stable),
    }
    files = {f"{kind}-{name}.csv": _csv(table) for name, table in rows.items() if len(table) > 1}
    seconds = sum(record.seconds for record in records)
    short = _open_aims(scenarios, records) if kind == "open-ended" else aims(scenarios, records)
    counted = f"{len(records):,} audits, {seconds / 60:,.0f} minutes of one core."
    return "\n\n".join(part for part in (explained(short), counted) if part), files


def _open_aims(scenarios: Sequence[Scenario], records: Sequence[Record]) -> str:
    """The aims where answers are open-ended; the kappa of a cue is the advantage of its rule."""
    rows = cases(scenarios, records)
    nulls = [row for row in rows if row.family.endswith("answers permuted")]
    rules = [row for row in rows if row.family.endswith("rule")]
    bound = [row for row in rows if row.family.endswith("per template")]
    chance = [row for row in rows if row.family.endswith("answers by chance")]
    lows = [record.vectors[TEMPLATES][1] for record in records
            if "answers by chance/" in record.scenario and TEMPLATES in record.vectors]  # fmt: skip
    remembered = Rate(sum(low is not None and low > 0 for low in lows), len(lows))
    # Without a rule, strategies are hardly ever right, and exact ends hold nearly always.
    planted = [entry.fixed for entry in coverages(scenarios, records) if entry.scenario.kappa is not None]
    strong = pooled([row for row in rules if (row.kappa or 0.0) >= 0.3], ["CLEAN"])
    return _aims_table([
        _aim("false alarms, answers permuted", "<= 2 %", pooled(nulls), most=0.02),
        _aim("false alarms, templates with answers by chance", "<= 2 %", pooled(chance), most=0.02),
        _aim("the same, remembering templates found surely better than chance", "<= 2.5 %", remembered, most=0.025),
        _aim("LEAKS, advantage .1", "<= 1 %", _leaks(rules, 0.1, 0), most=0.01),
        _aim("LEAKS, advantage .3, n >= 1,000", ">= 95 %", _leaks(rules, 0.3, 1000), least=0.95),
        _aim("CLEAN, advantage .3 or more", "<= 20 %", strong, most=0.2),
        _aim("template told from a shortcut, groups given", ">= 95 %", _bound(bound, "groups given"), least=0.95),
        _aim("template told from a shortcut, groups found", ">= 85 %", _bound(bound, "groups found"), least=0.85),
        _aim("95 % intervals that contain the true advantage of the rule", "93 to 97 %", together(planted),
             *reversed(_COVERED)),
    ])  # fmt: skip


def aims(scenarios: Sequence[Scenario], records: Sequence[Record]) -> str:
    """The aims of the audit with what was measured, in one short table: by kind of cue, and by n."""
    rows = cases(scenarios, records)
    nulls = [row for row in rows if row.family == "answers permuted over items"]
    bound = [row for row in rows if row.family.startswith("one answer per template")]
    lines = [
        *(_aim(f"false alarms, answers permuted, {about}", "<= 2 %", pooled(some), most=0.02)
          for about, some in _by_size(nulls)),
        *(_aim(f"LEAKS, one word of kappa .1, {about}", "<= 1 %", pooled(some, ["LEAKS"]), most=0.01)
          for about, some in _by_size(_planted(rows, "one word", 0.1))),
    ]  # fmt: skip
    for cue in ("one word", "10 synonyms", "50 synonyms", "length", "double blank", "capitals"):
        for about, some in _by_size(_planted(rows, cue, 0.3)):
            aimed = cue == "one word" and some[0].n >= 1000
            lines.append(
                _aim(f"LEAKS, {cue} of kappa .3, {about}", ">= 95 %" if aimed else "", pooled(some, ["LEAKS"]),
                     least=0.95 if aimed else 0.0)
            )  # fmt: skip
    strong = [row for row in rows if row.family.startswith("cue: ") and row.kappa == 0.3]
    lines += [
        _aim("CLEAN, any cue of kappa .3", "<= 20 %", pooled(strong, ["CLEAN"]), most=0.2),
        *(_aim(f"one answer per template told from a leak, groups {way}{about}", aim,
               _bound([row for row in bound if row.texts[0].startswith("made") == made], f"groups {way}"),
               least=float(aim.split()[1]) / 100)
          for way, aim in (("given", ">= 95 %"), ("found", ">= 85 %"))
          for made, about in ((False, ""), (True, ", templates that detection was developed on"))),
        *_option_aims(rows),
    ]  # fmt: skip
    covered = coverages(scenarios, records)
    fixed = together(entry.fixed for entry in covered)
    shown = together(entry.strongest for entry in covered)
    same = together(entry.rate for entry in stabilities(scenarios, records))
    lines += [
        _aim("95 % intervals of a fixed vector with its true kappa", "93 to 97 %", fixed,
             *reversed(_COVERED)),
        _aim("the same, strongest vector, which is reported", "93 to 97 %", shown, *reversed(_COVERED)),
        _aim("most frequent verdict over seeds and orders", ">= 95 %", same, least=_STABLE),
    ]  # fmt: skip
    return _aims_table(lines)


def explained(table: str) -> str:
    """A table of aims below what its last column says; empty for an empty one."""
    return f"{_MET}\n\n{table}" if table else ""


def _option_aims(rows: Sequence[Case]) -> list[list[str]]:
    """The same aims where items have options of their own; a cue is a word in one option per item."""
    names = ("golds permuted within items", "one word", "one right option per set", "a common position")
    families = {name: [row for row in rows if row.family == f"{OPTIONS}{name}"] for name in names}
    words, bound, common = families["one word"], families["one right option per set"], families["a common position"]
    return [
        _aim("options: false alarms, golds permuted within items", "<= 2 %",
             pooled(families["golds permuted within items"]), most=0.02),
        _aim("options: LEAKS, true kappa .1", "<= 1 %", _leaks(words, 0.1, 0), most=0.01),
        _aim("options: LEAKS, true kappa .3, n = 300", "",
             pooled([row for row in words if row.kappa == 0.3 and row.n == 300], ["LEAKS"])),
        _aim("options: LEAKS, true kappa .3, n >= 1,000", ">= 95 %", _leaks(words, 0.3, 1000), least=0.95),
        _aim("options: one right option per set told from a leak", ">= 95 %",
             pooled(bound, set(VERDICTS) - {"LEAKS", "TRACES"}), least=0.95),
        _aim("options: IMBALANCED, one position right with kappa .3 or .4", ">= 95 %",
             pooled([row for row in common if row.kappa != 0.1], ["IMBALANCED"]), least=0.95),
        _aim("options: false alarms, one position right with kappa .1", "<= 2 %",
             pooled([row for row in common if row.kappa == 0.1]), most=0.02),
    ]  # fmt: skip


def _leaks(rows: Iterable[Case], kappa: float, least: int) -> Rate:
    return pooled([row for row in rows if row.kappa == kappa and row.n >= least], ["LEAKS"])


def _planted(rows: Iterable[Case], cue: str, kappa: float) -> list[Case]:
    return [row for row in rows if row.family == f"cue: {cue}" and row.kappa == kappa]


def _by_size(rows: Sequence[Case]) -> list[tuple[str, list[Case]]]:
    """(`n = 300`, the cases with so many items), from few to many."""
    return [(f"n = {n:,}", [row for row in rows if row.n == n]) for n in sorted({row.n for row in rows})]


def _bound(rows: Iterable[Case], way: str) -> Rate:
    """Neither LEAKS nor TRACES, which would claim a cue that carries over to new templates."""
    return pooled([row for row in rows if row.case.endswith(way)], set(VERDICTS) - {"LEAKS", "TRACES"})


def _aim(about: str, aim: str, rate: Rate, most: float = 1.0, least: float = 0.0) -> list[str]:
    """A row of the table; empty if nothing was measured."""
    if not rate.total:
        return []
    low, high = rate.interval
    met = _met(least <= rate.share <= most, least <= low and high <= most) if aim else ""
    return [about, aim, _percent(rate.share), _interval(rate), f"{rate.total:,}", met]


def _met(measured: bool, surely: bool) -> str:
    """`yes` only if the whole interval lies within the aim; `not shown` if only the measured share does."""
    return "no" if not measured else "yes" if surely else "not shown"


def _case_rows(rows: Sequence[Case]) -> list[list[str]]:
    head = ["planted", "case", "kappa", "n", "texts", "audits"]
    lines = [[*head, *_SHOWN, "wrong", "95 % interval", "aim", "met"]]
    for row in sorted(rows, key=lambda row: (row.family, row.case, row.kappa or 0.0, row.n)):
        target, aimed = row.expected.target, row.aimed
        lines.append([
            row.family, row.case, _decimal(row.kappa), f"{row.items:,}",
            ", ".join(row.texts), str(row.total), *(str(row.verdicts.get(name, 0) or "") for name in _SHOWN),
            _percent(row.wrong.share), _interval(row.wrong), _aim_of(row.expected),
            "" if target is None or aimed is None
            else _met(target.met(aimed.share), all(map(target.met, aimed.interval))),
        ])  # fmt: skip
    return lines


def _aim_of(expected: Expected) -> str:
    target = expected.target
    if target is None:
        return ""
    return str(target) if target.verdicts != expected.wrong else f"wrong <= {100 * target.share:g} %"


def _coverage_rows(rows: Sequence[Coverage], watched: str) -> list[list[str]]:
    head = ["planted", "case", "kappa", "n", "texts", "redraws", watched, "95 % interval", "strongest", "all vectors",
            "true sd / reported sd"]  # fmt: skip
    return [head] + [
        [entry.scenario.family, entry.scenario.case, _decimal(entry.scenario.kappa), f"{entry.scenario.n:,}",
         entry.scenario.texts, str(entry.repeats), _percent(entry.fixed.share), _interval(entry.fixed),
         _percent(entry.strongest.share), _percent(entry.every.share),
         "" if math.isnan(entry.spread) else f"{entry.spread:.2f}"]
        for entry in rows
    ]  # fmt: skip


def _stability_rows(rows: Sequence[Stability]) -> list[list[str]]:
    return [["items", "groups or cue", "n", "audits", "most frequent verdict", "share", "others"]] + [
        [entry.scenario.texts,
         entry.scenario.case + ("" if entry.scenario.kappa is None else f", kappa {_decimal(entry.scenario.kappa)}"),
         f"{entry.scenario.n:,}", str(entry.rate.total), entry.verdict, _percent(entry.rate.share),
         ", ".join(f"{name} {count}" for name, count in entry.others.items())]
        for entry in rows
    ]  # fmt: skip


def _csv(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _aims_table(lines: Sequence[Sequence[str]]) -> str:
    """Markdown, without the lines of which nothing was measured; empty without any."""
    head = [["", "aim", "measured", "95 % interval", "audits", "met"], ["---", "---", "---:", "---:", "---:", "---"]]
    measured = [line for line in lines if line]
    return "\n".join(f"| {' | '.join(line)} |" for line in [*head, *measured]) if measured else ""


def _decimal(kappa: float | None) -> str:
    return "" if kappa is None else f"{kappa:g}".removeprefix("0") if kappa else "0"


def _percent(share: float) -> str:
    """Whole percents, but a tenth where a whole one would hide that it is not 0 or not 100."""
    if math.isnan(share):
        return ""
    whole = f"{100 * share:.0f}"
    return f"{100 * share:.1f}" if whole in ("0", "100") and share not in (0, 1) else whole


def _interval(rate: Rate) -> str:
    if not rate.total:
        return ""
    low, high = rate.interval
    return f"{100 * low:.1f} to {100 * high:.1f}"
