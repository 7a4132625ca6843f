"""The terminal: twenty lines that decide; or all tables: what was read, the kappas, and the evidence."""

from __future__ import annotations

import re

from rich.console import Console
from rich.text import Text

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.report import words
from hansproof.audit.report.audit_sentences import (
    column_meanings,
    format_sentences,
    mention_sentences,
    ngram_line,
    option_meanings,
    simplest,
    split_facts,
)
from hansproof.audit.report.audit_tables import (
    giveaways_table,
    partial_sentence,
    scan_table,
    show_head,
    show_ladder,
    show_open_ended,
    show_rules,
    vectors_table,
)
from hansproof.audit.report.findings import UNSEEN, ArrangedResult
from hansproof.audit.report.terminal import OUTPUTS, Ink, too_narrow
from hansproof.audit.result.advice import NOT_DONE
from hansproof.audit.result.audit_result import AuditResult, Duplicates, GroupSummary, RecipeUsed, ScanResult
from hansproof.audit.verdict.reasons import what_is_found

__all__ = ["show", "show_scan", "show_short", "show_verdict", "show_verdicts"]


def show_recipe(used: RecipeUsed, ink: Ink) -> None:
    """Print the benchmark with its citation and licence, published figures, and what a reader should know."""
    what, whose = f"{used.title} ({used.citation})", ""
    if used.confirmed:
        ink.fact("recipe", f"{what}, read as: {used.form}; licence: {used.licence}")
    else:
        whose = f"of {used.title}, if this file is it: "
        ink.fact("recipe", f"asked for: {what}; nothing shows that this file is it. Read as: {used.form}")
    for expected in used.expected:
        ink.fact("published", f"{whose}{expected.figure}: {expected.what} ({expected.source})")
    if used.peculiarities:
        ink.fact("known", notation.one_line(" ".join(used.peculiarities), 600))


# Text from the benchmark is never parsed as markup, and its control characters are made visible. An output that
# knows only ASCII gets substitutes, so a pipe never breaks the run.

_LISTED = 4
"""Answers shown before `and n more`."""
_LONGEST = max(map(len, words.VERDICTS))
_SENTENCES = 3
"""Notes and pieces of advice shown before `and n more`."""


def show(result: AuditResult, console: Console) -> None:
    """Print one audit. Empty lists leave no gap, and nothing is wider than the console."""
    ink, findings = Ink(console), ArrangedResult(result)
    _verdict(result, ink)
    if result.ladder is not None:
        ink.fact("simplest", notation.one_line(simplest(result), 400))
    _read(findings, ink)
    if result.recipe is not None:
        show_recipe(result.recipe, ink)
    if result.groups is not None:
        ink.fact("groups", _groups(result.groups))
    _measured(findings, ink)
    if result.ladder is not None:
        show_ladder(result.ladder, ink)
    show_open_ended(result, ink)
    if result.partial is not None and result.partial.inputs:
        ink.fact("parts", notation.one_line(partial_sentence(result.partial), 900))
    _evidence(findings, ink)
    _sentences("advice", result.advice, ink)
    _sentences("notes", result.notes, ink)


_MORE = "--full: every table; --html FILE: a page; --json FILE: every number"
_SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z“])")


def show_short(result: AuditResult, console: Console) -> None:
    """Print what decides: verdict, cue, size, what was read, what to do first, what to read next.

    At most twenty lines of 80 columns, of which the last has the verdict again.
    """
    ink, findings = Ink(console), ArrangedResult(result)
    _head(result, ink)
    ink.item(_opening(words.sentence(result.reason), 460), mark="", lines=6)
    vector = findings.deciding.find(result.vector or "") if findings.deciding is not None else None
    if result.ladder is not None and vector is not None and vector.significant(result.settings.alpha):
        ink.fact("simplest", _opening(simplest(result), 135), 2)
    if vector is not None and vector.matched is not None:
        ends = notation.interval(vector.matched_low, vector.matched_high)
        kappa = f"kappa {notation.kappa(vector.matched)} {ends} of {notation.one_line(vector.label, 30)}"
        ink.fact("size", f"{kappa}, threshold {notation.kappa(result.settings.threshold)}", 1)
    _read_as(findings, ink, 135, 2)
    if result.items:
        groups = "" if result.groups is None or result.groups.largest < 2 else f" in {result.groups.count:,} groups"
        left_out = f"; {notation.things(result.left_out_count, 'row')} left out" if result.left_out_count else ""
        ink.fact("items", f"{notation.count(result.items)}{groups}{left_out}")
    if result.advice:
        ink.fact("do first", _opening(result.advice[0], 200), 3)
    if result.settings.fast:
        ink.fact("not done", NOT_DONE)
    ink.fact("more", _MORE)
    _head(result, ink)


def _opening(text: str, most: int) -> str:
    """The first sentences of a text, as many as fit in `most` characters; the first one may be cut."""
    first, *others = _SENTENCE_END.split(notation.one_line(text))
    for sentence in others:
        if len(first) + 1 + len(sentence) > most:
            break
        first += f" {sentence}"
    return notation.one_line(first, most)


def show_verdict(result: AuditResult, console: Console) -> None:
    """Print the verdict and its reason, nothing else."""
    _verdict(result, Ink(console))


def show_verdicts(scan: ScanResult, console: Console) -> None:
    """Print one line per benchmark, verdict and name, then one line per file that could not be audited.

    Lines are never cut or folded, whatever the width, so a program can read them too.
    """
    ink = Ink(console)
    for result in scan.results:
        look = words.VERDICTS[result.verdict]
        verdict = ink.fit(f"{ink.symbol(look)} {result.verdict:<{_LONGEST}}")
        ink.unbroken(Text.assemble((verdict, f"bold {look.colour}"), " ", ink.one_line(result.name, 200)))
    for file in scan.unfinished:
        ink.unbroken(Text.assemble((f"! {'NOT REACHED':<{_LONGEST}}", "bold red"), " ", ink.one_line(file, 400)))
    for failure in scan.failures:
        error = ink.one_line(f"{failure.place}: {failure.reason}", 400)
        ink.unbroken(Text.assemble((f"! {'FAILED':<{_LONGEST}}", "bold red"), " ", error))


def show_scan(scan: ScanResult, console: Console) -> None:
    """Print one table of all benchmarks in a folder, then the files that could not be audited."""
    ink = Ink(console)
    ink.line(f"{notation.things(len(scan.results), 'benchmark')} in {scan.source}", "bold")
    if scan.results:
        ink.blank()
        gone = ink.table(scan_table(scan, ink))
        published = any(result.scheme("published") for result in scan.results)
        marks = [f"kappa: {'published split' if published else 'grouped folds'}"]
        if any(result.scheme("paper") for result in scan.results):
            marks[0] += " (under the paper's protocol: uniform-chance)"
        if any(result.open_ended for result in scan.results):
            marks[0] += " (open-ended answers: advantage over the best constant)"
        marks.append("random: the same feature vector under random folds")
        ink.line("; ".join([*marks, "* at or above the threshold", *too_narrow(gone, OUTPUTS)]), "dim")
    if scan.failures:
        ink.blank()
        ink.line(f"{notation.things(len(scan.failures), 'file')} could not be audited", "bold red")
        for failure in scan.failures:
            ink.item(f"{failure.place}: {failure.reason}")
    if scan.unfinished:
        ink.blank()
        ink.line(f"interrupted: {notation.things(len(scan.unfinished), 'file')} not reached", "bold red")


def _verdict(result: AuditResult, ink: Ink) -> None:
    _head(result, ink)
    ink.item(notation.one_line(words.sentence(result.reason), 1200), mark="")


def _head(result: AuditResult, ink: Ink) -> None:
    look = words.VERDICTS[result.verdict]
    ink.print(
        Text.assemble(
            (ink.fit(f" {ink.symbol(look)} {result.verdict} "), f"bold reverse {look.colour}"),
            " ",
            (ink.one_line(result.name, 50), "bold"),
        )
    )


def _read(findings: ArrangedResult, ink: Ink) -> None:
    result = findings.result
    digest = f" (sha256 {result.sha256[:12]})" if result.sha256 else ""
    if result.source or digest:
        ink.fact("source", f"{notation.last_part(result.source, 150)}{digest}")
    _read_as(findings, ink)
    shown = result.labels if len(result.labels) <= 2 * _LISTED else result.labels[:_LISTED]
    counts = [f"{notation.one_line(drawn(label.label), 24)} ({notation.count(label.count)})" for label in shown]
    if len(result.labels) > len(shown):
        counts.append(f"and {len(result.labels) - len(shown)} more")
    answers = f"; {notation.things(len(result.labels), 'answer')}: {', '.join(counts)}" if counts else ""
    answers = "" if result.options is not None else answers
    if result.items:
        ink.fact("items", f"{notation.count(result.items)}{answers}")
    if result.left_out_count:
        places = [
            notation.one_line(f"{notation.last_part(row.place, 40)}: {row.reason}", 80) for row in result.left_out[:2]
        ]
        if result.left_out_count > len(places):
            places.append(f"and {notation.count(result.left_out_count - len(places))} more")
        ink.fact("left out", f"{notation.things(result.left_out_count, 'row')}: {'; '.join(places)}")
    if result.duplicates is not None and (text := _duplicates(result.duplicates)):
        ink.fact("duplicates", text)


def _read_as(findings: ArrangedResult, ink: Ink, most: int | None = None, lines: int | None = None) -> None:
    form = findings.result.mapping.format
    parts = [notation.one_line(form, 60)] if form else []
    parts += [
        f"{role.name} = {notation.one_line(role.column, 60)}{' (guessed)' if role.guessed else ''}"
        for role in findings.roles
        if role.name != UNSEEN
    ]
    if parts:
        ink.fact("read as", notation.one_line("; ".join(parts), most), lines)
    if unseen := findings.result.mapping.unseen:
        text = notation.one_line(f"columns of sentences in no prompt: {', '.join(unseen)}", most)
        ink.fact("not read", text, lines)


def _duplicates(duplicates: Duplicates) -> str:
    if not (duplicates.repeated_items or duplicates.conflicting_sets or duplicates.across_splits):
        return ""
    parts = [
        notation.things(duplicates.repeated_items, "repeated text"),
        notation.things(
            duplicates.conflicting_sets, "text with more than one gold answer", "texts with more than one gold answer"
        ),
    ]
    if duplicates.across_splits:
        parts.append(f"{notation.count(duplicates.across_splits)} shared between splits")
    return "; ".join(parts)


def _groups(groups: GroupSummary) -> str:
    # What joined the items is on the page and in the JSON: the terminal has no room to explain it.
    how = f"from column {groups.column}" if groups.column else groups.how.partition(" (")[0].rstrip(".")
    how = notation.one_line(how, 120)
    if groups.source == "none":
        return how or "none used: every item stands alone"
    if groups.largest <= 1:
        return f"none detected: every item stands alone ({how[:1].lower()}{how[1:]})"
    size = f"{notation.things(groups.count, 'group')}, largest {notation.count(groups.largest)}, "
    how = how if groups.column else "detected in the texts"
    return f"{size}{notation.count(groups.singletons)} with a single item; {how}"


def _measured(findings: ArrangedResult, ink: Ink) -> None:
    result, first, deciding = findings.result, findings.first, findings.deciding
    if first is None or deciding is None:
        return
    if result.options is not None:
        show_head(findings, ink)
    ink.blank()
    gone = ink.table(vectors_table(findings, ink))
    marks = [*_marks(findings, ink), f"* at least {notation.kappa(result.settings.threshold)}"]
    if any(not vector.counted for vector in first.vectors):
        marks.append("+ not counted")
    ink.line("; ".join([*marks, *too_narrow(gone, OUTPUTS)]), "dim")
    ink.line("; ".join(column_meanings(findings, gone) if result.options is None else option_meanings(findings)), "dim")
    show_rules(findings, ink)
    if result.options is None:
        accuracy, kappa = notation.per_cent(first.majority_accuracy), notation.kappa(first.majority_uniform)
        ink.fact("baseline", f"most common answer: accuracy {accuracy}, uniform-chance kappa {kappa}")
    if result.findable:
        ink.fact("would find", what_is_found(result.findable))
    if result.clusters:
        ink.fact("similar", words.carried(result.clusters))
    for name, text in split_facts(result.published) if result.published else []:
        ink.fact(name, text)
    if findings.gap is not None:
        vector = notation.one_line(findings.label_of(findings.gap.vector), 40)
        size = f"{notation.signed(findings.gap.gap)} {notation.interval(findings.gap.low, findings.gap.high)}"
        ink.fact("gap", f"random minus grouped folds: {size} ({vector})")
    _explained(result, ink)


def _explained(result: AuditResult, ink: Ink) -> None:
    for index, sentence in enumerate(format_sentences(result)):
        ink.fact("" if index else "format", notation.one_line(sentence, 300))
    if result.mentions is not None:
        for index, sentence in enumerate(mention_sentences(result.mentions, result.items)):
            ink.fact("" if index else "mentions", notation.one_line(sentence, 400))
    if result.single_ngrams is not None:
        ink.fact("n-grams", ngram_line(result.single_ngrams))


def _marks(findings: ArrangedResult, ink: Ink) -> list[str]:
    """What the two marks mean: the verdict may be about another feature vector than validation chose."""
    first, deciding = findings.first, findings.deciding
    if first is None or deciding is None:
        return []
    about, chosen = f"{ink.pointer} what the verdict is about", "chosen by validation"
    if not findings.about_a_probe:
        return [f"{ink.pointer} {chosen}"]

    about += f" ({findings.folds(deciding.scheme)})" if findings.second else ""
    if findings.result.vector == first.headline:
        return [f"{about}; also {chosen}"]
    return [about, f"{ink.second_mark} {chosen}"]


def _evidence(findings: ArrangedResult, ink: Ink) -> None:
    result = findings.result
    if findings.cues:
        ink.blank()
        what = "items with that answer / items" if result.options is None else "such options / options with it"
        ink.line(
            f"n-grams that point to {'an answer' if result.options is None else 'or away from the right option'} "
            f"(weight, {what})",
            "bold",
        )
    for label, cues in list(findings.cues.items())[:_LISTED]:
        weights = [f"{notation.signed(cue.coefficient)} {cue.count_label}/{cue.count}" for cue in cues]
        ink.run(label, [(cue, weight) for cue, weight in zip(cues, weights, strict=True)])
    if len(findings.cues) > _LISTED:
        more = notation.things(len(findings.cues) - _LISTED, "more answer")
        ink.item(f"and {more}, listed by --json and --html", mark="")
    if result.giveaways:
        ink.blank()
        probe = notation.one_line(findings.label_of(result.evidence_vector or ""), 45)
        scheme = findings.folds(result.evidence_scheme)
        ink.line(f"most predictable items (gold answer and its probability by {probe}; {scheme})", "bold")
        ink.table(giveaways_table(result))


def _sentences(name: str, sentences: list[str], ink: Ink) -> None:
    if sentences:
        ink.blank()
    for index, sentence in enumerate(sentences[:_SENTENCES]):
        ink.fact(name if index == 0 else "", notation.one_line(sentence, 300))
    if len(sentences) > _SENTENCES:
        ink.fact("", f"and {len(sentences) - _SENTENCES} more, listed by --json and --html")
