"""One screen in the terminal: verdict first, then what was read, the thirteen kappas, and the evidence.

Reads an `AuditResult` or a `ScanResult`, prints to a rich console. Text of the benchmark is put into `Text`
objects, never parsed as markup, and its control characters are shown as signs. An output that knows fewer
characters gets other ones, so a pipe in ASCII never breaks the run.
"""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from audit.report import plaintext, words
from audit.report.terminal.ink import Ink
from audit.report.terminal.tables import giveaways_table, scan_table, vectors_table
from audit.result import AuditResult, Cue, GroupSummary, ScanResult, SchemeResult

__all__ = ["show", "show_scan", "show_verdict", "show_verdicts"]

_LISTED = 4
"""Labels shown before `and n more`."""
_LONGEST = max(map(len, words.VERDICTS))
_SENTENCES = 3
"""Notes and pieces of advice shown before `and n more`."""


def show(result: AuditResult, console: Console) -> None:
    """Prints one audit; lists that are empty leave no gap, and nothing is wider than the console."""
    ink = Ink(console)
    _verdict(result, ink)
    _read(result, ink)
    if result.groups is not None:
        ink.fact("groups", _groups(result.groups))
    _measured(result, ink)
    _evidence(result, ink)
    _sentences("advice", result.advice, ink)
    _sentences("notes", result.notes, ink)


def show_verdict(result: AuditResult, console: Console) -> None:
    """Prints the verdict and its reason, nothing else."""
    _verdict(result, Ink(console))


def show_verdicts(scan: ScanResult, console: Console) -> None:
    """Prints one line a benchmark: verdict and name; then one a file that could not be audited, with the error.

    A line is never cut or broken, whatever the width, so that a program can read it too.
    """
    ink = Ink(console)
    for result in scan.results:
        look = words.VERDICTS[result.verdict]
        verdict = ink.fit(f"{ink.symbol(look)} {result.verdict:<{_LONGEST}}")
        ink.unbroken(Text.assemble((verdict, f"bold {look.colour}"), " ", ink.one_line(result.name, 200)))
    for failure in scan.failures:
        told = ink.one_line(f"{failure.place}: {failure.reason}", 400)
        ink.unbroken(Text.assemble((f"! {'FAILED':<{_LONGEST}}", "bold red"), " ", told))


def show_scan(scan: ScanResult, console: Console) -> None:
    """Prints one table over all benchmarks of a folder, then the files that could not be audited."""
    ink = Ink(console)
    ink.line(f"{words.things(len(scan.results), 'benchmark')} in {scan.source}", "bold")
    if scan.results:
        ink.blank()
        gone = ink.table(scan_table(scan, ink))
        marks = ["kappa and random: Cohen's under grouped and random folds, of the verdict's vector"]
        if any(one.scheme("paper") for one in scan.results):
            marks[0] += " (kappa under the paper protocol: uniform-chance)"
        ink.line("; ".join([*marks, "* at or above the threshold", *_gone(gone)]), "dim")
    if scan.failures:
        ink.blank()
        ink.line(f"could not be audited: {words.things(len(scan.failures), 'file')}", "bold red")
        for failure in scan.failures:
            ink.item(f"{failure.place}: {failure.reason}")


def _verdict(result: AuditResult, ink: Ink) -> None:
    look = words.VERDICTS[result.verdict]
    ink.print(
        Text.assemble(
            (ink.fit(f" {ink.symbol(look)} {result.verdict} "), f"bold reverse {look.colour}"),
            " ",
            (ink.one_line(result.name, 50), "bold"),
        )
    )
    ink.item(plaintext.one_line(result.reason, 400), mark="")


def _read(result: AuditResult, ink: Ink) -> None:
    digest = f" (sha256 {result.sha256[:12]})" if result.sha256 else ""
    if result.source or digest:
        ink.fact("source", f"{plaintext.one_line(result.source, 150)}{digest}")
    roles = [
        f"{role} = {plaintext.one_line(column, 60)}{' (guessed)' if guessed else ''}"
        for role, column, guessed in words.mapping_roles(result.mapping)
    ]
    form = [plaintext.one_line(result.mapping.format, 60)] if result.mapping.format else []
    if form or roles:
        ink.fact("read as", "; ".join(form + roles))
    shown = result.labels if len(result.labels) <= 2 * _LISTED else result.labels[:_LISTED]
    counts = [f"{plaintext.one_line(one.label, 24)} ({words.count(one.count)})" for one in shown]
    if len(result.labels) > len(shown):
        counts.append(f"and {len(result.labels) - len(shown)} more")
    labels = f"; {words.things(len(result.labels), 'label')}: {', '.join(counts)}" if counts else ""
    if result.items:
        ink.fact("items", f"{words.count(result.items)}{labels}")
    if result.left_out_count:
        places = [f"{plaintext.one_line(f'{one.place}: {one.reason}', 60)}" for one in result.left_out[:2]]
        if result.left_out_count > len(places):
            places.append(f"and {words.count(result.left_out_count - len(places))} more")
        ink.fact("left out", f"{words.things(result.left_out_count, 'row')}: {'; '.join(places)}")
    found = result.duplicates
    if found is not None and (found.repeated_items or found.conflicting_sets or found.across_splits):
        across = f"; {words.count(found.across_splits)} across splits" if found.across_splits else ""
        repeated = words.things(found.repeated_items, "repeated text")
        clash = words.things(found.conflicting_sets, "text with two golds", "texts with two golds")
        ink.fact("duplicates", f"{repeated}; {clash}{across}")


def _groups(groups: GroupSummary) -> str:
    how = f"column {groups.column}" if groups.column else plaintext.one_line(groups.how, 120).rstrip(".")
    if groups.source == "none":
        return how or "none used: every item on its own"
    size = f"{words.things(groups.count, 'group')}, largest {words.count(groups.largest)}, "
    return f"{size}{words.count(groups.singletons)} of one item ({plaintext.one_line(how, 120)})"


def _measured(result: AuditResult, ink: Ink) -> None:
    if not result.schemes:
        return
    first = result.schemes[0]
    ink.blank()
    gone = ink.table(vectors_table(result, ink))
    marks = [*_marks(result, first, ink), f"* at or above {words.kappa(result.settings.threshold)}"]
    if any(not one.counted for one in first.vectors):
        marks.append("+ outside the thirteen")
    if words.unparted(result):
        marks.append("no groups: random folds are the same folds")
    elif first.scheme == "grouped" and "95 %" not in gone:
        marks.append("95 % and p: grouped folds")
    ink.line("; ".join(marks + _gone(gone)), "dim")
    accuracy, floor = words.per_cent(first.majority_accuracy), words.kappa(first.majority_uniform)
    ink.fact("majority", f"accuracy {accuracy}, uniform-chance {floor}")
    about = result.deciding_scheme or first
    if about.detectable is not None:
        where = "" if words.unparted(result) else f", {words.FOLDS[about.scheme]}"
        ink.fact("detectable", f"kappa {words.kappa(about.detectable)}{where}: the power of the test, not of learning")
    if result.gap is not None:
        gap = result.gap
        vector = plaintext.one_line(words.label_of(result, gap.vector), 40)
        size = f"{words.signed(gap.gap)} {words.interval(gap.low, gap.high)}"
        ink.fact("gap", f"random minus grouped folds, {vector}: {size}")


def _marks(result: AuditResult, first: SchemeResult, ink: Ink) -> list[str]:
    """What the two marks mean: the vector of the verdict need not be the one that validation accuracy chose."""
    about = words.FOLDS[(result.deciding_scheme or first).scheme]
    chosen = f"chosen by validation accuracy, {words.FOLDS[first.scheme]}"
    if result.vector == first.headline:
        return [f"{ink.pointer} the verdict's vector, {about}; also {chosen}"]
    return [f"{ink.pointer} the verdict's vector, {about}", f"{ink.second_mark} {chosen}"]


def _gone(titles: list[str]) -> list[str]:
    return [f"too narrow for: {', '.join(titles)}"] if titles else []


def _evidence(result: AuditResult, ink: Ink) -> None:
    by_label: dict[str, list[Cue]] = {}
    for cue in result.cues:
        by_label.setdefault(cue.label, []).append(cue)
    if by_label:
        ink.blank()
        ink.line("n-grams that go with an answer (weight, items with that answer / items)", "bold")
    for label, cues in list(by_label.items())[:_LISTED]:
        weights = [f"{words.signed(cue.coefficient)} {cue.count_label}/{cue.count}" for cue in cues]
        ink.run(label, [(cue.ngram, weight) for cue, weight in zip(cues, weights, strict=True)])
    if len(by_label) > _LISTED:
        more = words.things(len(by_label) - _LISTED, "further label")
        ink.item(f"and {more}, listed by --json and --html", mark="")
    if result.giveaways:
        ink.blank()
        scheme = words.FOLDS.get(result.evidence_scheme or "", "out of fold")
        ink.line(f"most predictable items ({scheme}; gold answer, its probability)", "bold")
        ink.table(giveaways_table(result))


def _sentences(name: str, sentences: list[str], ink: Ink) -> None:
    if sentences:
        ink.blank()
    for index, sentence in enumerate(sentences[:_SENTENCES]):
        ink.fact(name if index == 0 else "", plaintext.one_line(sentence, 300))
    if len(sentences) > _SENTENCES:
        ink.fact("", f"and {len(sentences) - _SENTENCES} more, listed by --json and --html")
