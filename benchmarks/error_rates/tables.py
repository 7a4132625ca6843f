"""The tables of error rates in Markdown: aims, all cases, coverage and stability."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from error_rates.rates import Case, Coverage, Rate, Stability, cases, coverages, pooled, stabilities
from error_rates.records import Record
from error_rates.scenario import OPTIONS, VERDICTS, Expected, Scenario

__all__ = ["aims", "explained", "full", "open_ended"]

_SHOWN = tuple(name for name in VERDICTS if name != "NOT ASSESSED")

_MET = (
    "*met*: `yes` where the whole interval lies within the aim, `not shown` where only the measured share does, "
    "because so\nfew audits leave room for more errors."
)

_STABLE = 0.95
_COVERED = (0.93, 0.97)


def full(scenarios: Sequence[Scenario], records: Sequence[Record]) -> str:
    """All tables, for benchmarks/README.md."""
    rows = cases(scenarios, records)
    parts = [explained(aims(scenarios, records)), "#### All cases", _case_table(rows)]
    covered, stable = coverages(scenarios, records), stabilities(scenarios, records)
    if covered:
        parts += ["#### Coverage of the 95 % intervals", _coverage_table(covered)]
    if stable:
        parts += ["#### The same items under other seeds and in other orders", _stability_table(stable)]
    seconds = sum(record.seconds for record in records)
    parts.append(f"{len(records):,} audits, {seconds / 60:,.0f} minutes of one core.")
    return "\n\n".join(part for part in parts if part)


def open_ended(scenarios: Sequence[Scenario], records: Sequence[Record]) -> str:
    """The tables of open-ended answers, for benchmarks/README.md."""
    rows = cases(scenarios, records)
    nulls = [row for row in rows if row.family.endswith("answers permuted")]
    rules = [row for row in rows if row.family.endswith("rule")]
    bound = [row for row in rows if row.family.endswith("per template")]
    covered = coverages(scenarios, records)
    # Without a rule, strategies are hardly ever right, and exact ends hold nearly always.
    planted = [entry.fixed for entry in covered if entry.scenario.kappa is not None]
    watched = Rate(sum(rate.count for rate in planted), sum(rate.total for rate in planted))
    lines = [
        _aim("false alarms, answers permuted", "<= 2 %", pooled(nulls), most=0.02),
        _aim("LEAKS, advantage .1", "<= 1 %", _leaks(rules, 0.1, 0), most=0.01),
        _aim("LEAKS, advantage .3, n >= 1,000", ">= 95 %", _leaks(rules, 0.3, 1000), least=0.95),
        _aim("CLEAN, advantage .3 or more", "<= 20 %",
             pooled([row for row in rules if (row.kappa or 0.0) >= 0.3], ["CLEAN"]), most=0.2),
        _aim("template told from a shortcut, groups given", ">= 95 %", _bound(bound, "groups given"), least=0.95),
        _aim("template told from a shortcut, groups found", ">= 85 %", _bound(bound, "groups found"), least=0.85),
        _aim("95 % intervals that contain the true advantage of the rule", "93 to 97 %", watched, *reversed(_COVERED)),
    ]  # fmt: skip
    head = ["", "aim", "measured", "95 % interval", "audits", "met"]
    parts = [explained(_table(head, [line for line in lines if line])), "#### All cases", _case_table(rows)]
    if covered:
        parts += ["#### Coverage of the 95 % intervals", _coverage_table(covered, "the rule")]
    seconds = sum(record.seconds for record in records)
    parts.append(f"{len(records):,} audits, {seconds / 60:,.0f} minutes of one core.")
    return "\n\n".join(parts)


def aims(scenarios: Sequence[Scenario], records: Sequence[Record]) -> str:
    """The aims of the audit with what was measured, in one short table."""
    rows = cases(scenarios, records)
    nulls = [row for row in rows if row.family == "answers permuted over items"]
    words = [row for row in rows if row.family == "cue: one word"]
    bound = [row for row in rows if row.family.startswith("one answer per template")]
    lines = [
        _aim("false alarms, answers permuted over items", "<= 2 %", pooled(nulls), most=0.02),
        _aim(f"LEAKS, one word, true kappa .1{_mostly(words, 0.1)}", "<= 1 %", _leaks(words, 0.1, 0), most=0.01),
        _aim("LEAKS, one word, true kappa .3, n >= 1,000", ">= 95 %", _leaks(words, 0.3, 1000), least=0.95),
        *(_aim(f"LEAKS, {many} synonyms, true kappa .3, n >= 1,000", "",
               _leaks([row for row in rows if row.family == f"cue: {many} synonyms"], 0.3, 1000)) for many in (10, 50)),
        _aim("one answer per template told from a leak, groups given", ">= 95 %", _bound(bound, "groups given"),
             least=0.95),
        _aim("one answer per template told from a leak, groups found, in texts that detection was developed on",
             ">= 85 %", _bound(bound, "groups found"), least=0.85),
        *_option_aims(rows),
    ]  # fmt: skip
    covered = coverages(scenarios, records)
    fixed = Rate(sum(entry.fixed.count for entry in covered), sum(entry.fixed.total for entry in covered))
    lines.append(
        _aim("95 % intervals of one fixed vector that contain its true kappa", "93 to 97 %", fixed, *reversed(_COVERED))
    )
    stable = [entry.rate for entry in stabilities(scenarios, records)]
    same = Rate(sum(rate.count for rate in stable), sum(rate.total for rate in stable))
    lines.append(_aim("most frequent verdict over seeds and orders", ">= 95 %", same, least=_STABLE))
    return _table(["", "aim", "measured", "95 % interval", "audits", "met"], [line for line in lines if line])


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


def _mostly(rows: Sequence[Case], kappa: float) -> str:
    """` (712 of 722 audits have n = 300)`: how many are of the smallest benchmarks; empty without any."""
    weak = [row for row in rows if row.kappa == kappa]
    least = min((row.n for row in weak), default=0)
    small, total = (sum(row.total for row in rows) for rows in ([row for row in weak if row.n == least], weak))
    return f" ({small:,} of {total:,} audits have n = {least:,})" if weak else ""


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


def _case_table(rows: Sequence[Case]) -> str:
    head = [
        "fault",
        "planted",
        "case",
        "kappa",
        "n",
        "texts",
        "audits",
        *_SHOWN,
        "wrong",
        "95 % interval",
        "aim",
        "met",
    ]
    lines = []
    for row in sorted(rows, key=lambda row: (row.family, row.case, row.kappa or 0.0, row.n)):
        target, aimed = row.expected.target, row.aimed
        lines.append([
            str(row.fault), row.family, row.case, "" if row.kappa is None else _decimal(row.kappa), f"{row.items:,}",
            ", ".join(row.texts), str(row.total), *(str(row.verdicts.get(name, 0) or "") for name in _SHOWN),
            _percent(row.wrong.share), _interval(row.wrong), _aim_of(row.expected),
            "" if target is None or aimed is None
            else _met(target.met(aimed.share), all(map(target.met, aimed.interval))),
        ])  # fmt: skip
    return _table(head, lines)


def _aim_of(expected: Expected) -> str:
    target = expected.target
    if target is None:
        return ""
    return str(target) if target.verdicts != expected.wrong else f"wrong <= {100 * target.share:g} %"


def _coverage_table(rows: Sequence[Coverage], watched: str = "word-1-presence") -> str:
    head = ["planted", "case", "kappa", "n", "texts", "redraws", watched, "95 % interval", "all vectors",
            "true sd / reported sd"]  # fmt: skip
    return _table(head, [
        [entry.scenario.family, entry.scenario.case,
         "" if entry.scenario.kappa is None else _decimal(entry.scenario.kappa), f"{entry.scenario.n:,}",
         entry.scenario.texts, str(entry.repeats), _percent(entry.fixed.share), _interval(entry.fixed),
         _percent(entry.every.share), "" if math.isnan(entry.spread) else f"{entry.spread:.2f}"]
        for entry in rows
    ])  # fmt: skip


def _stability_table(rows: Sequence[Stability]) -> str:
    head = ["items", "groups or cue", "n", "audits", "most frequent verdict", "share", "others"]
    return _table(head, [
        [entry.scenario.texts,
         entry.scenario.case + ("" if entry.scenario.kappa is None else f", kappa {_decimal(entry.scenario.kappa)}"),
         f"{entry.scenario.n:,}", str(entry.rate.total), entry.verdict, _percent(entry.rate.share),
         ", ".join(f"{name} {count}" for name, count in entry.others.items())]
        for entry in rows
    ])  # fmt: skip


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    numeric = [all(row[column][:1] in "0123456789.-" for row in rows) for column in range(len(head))]
    lines = [head, ["---:" if right else "---" for right in numeric], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _decimal(number: float) -> str:
    return f"{number:g}".removeprefix("0") if number else "0"


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
