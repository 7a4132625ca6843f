"""What was found out about a benchmark, in the sentences that the terminal and the page share."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from hansproof.audit import notation
from hansproof.audit.notation import UNDEFINED, count, drawn, interval, kappa, one_line, per_cent, things
from hansproof.audit.report.findings import ArrangedResult
from hansproof.audit.report.words import sentence
from hansproof.audit.result.audit_result import AuditResult
from hansproof.audit.result.explanation import CLEAR_Z, STAYS, CleanKappa, FormatMark, FormatShare, Mentions
from hansproof.audit.result.numbers import ClusterCheck, VectorResult
from hansproof.audit.result.shortcuts import NgramTest, SingleNgrams
from hansproof.audit.result.tasks import (
    OpenEnded,
    OptionRule,
    OptionsSummary,
    PartAudit,
    PublishedSplit,
    SplitKappa,
    TemplateResult,
)
from hansproof.audit.verdict.reasons import ALIKE

__all__ = [
    "column_meanings",
    "columns_explained",
    "command",
    "format_sentences",
    "head_lines",
    "is_asked",
    "kept_words",
    "mention_sentences",
    "ngram_sentences",
    "open_sentences",
    "option_meanings",
    "overlap_sentence",
    "part_command",
    "part_sentence",
    "parts_sentence",
    "ranked_rules",
    "simplest",
]

_DENSE = ("format", "length", "readability")
"""Vectors that see no words."""
_TELLING = 0.1
"""A smaller kappa is not divided into words and format."""


def column_meanings(findings: ArrangedResult) -> list[str]:
    """What the columns of the table of feature vectors mean, one clause each."""
    first, chance = findings.first, f"1/{len(findings.result.labels)}"
    if first is None:
        return []
    if findings.paper:
        return [
            f"uniform: kappa with chance {chance}",
            "Cohen: with chance from the frequencies",
            "95 %: of Cohen",
            "valid. acc.: accuracy on the validation part",
        ]
    shown = "kappa" if findings.ungrouped else first.scheme
    both = f"{shown}, {findings.second.scheme}" if findings.second else shown
    of_which = f", of {shown} folds" if findings.second else ""
    return [
        f"{both}: Cohen's kappa (0 chance, 1 perfect), each answer predicted as often as it occurs",
        f"95 %: interval of {shown}",
        f"p: corrected{of_which}",
        "Cohen: of the most probable answers",
        f"uniform: the same, chance {chance}",
    ]


def format_sentences(result: AuditResult) -> list[str]:
    """What share of the kappas is left on clean text, what that means, and the clearest parts of the format. Empty if
    nothing was fitted on clean text, or neither says anything.

    Both kappas are of the first splits alone. Beside the kappa of the verdict they would be a second number for the
    same thing, so that only their ratio is told, and none of a kappa that chance explains.
    """
    share = result.format_share
    if share is None:
        return []
    sentences: list[str] = []
    for entry in share.kappas:
        if _is_divided(entry, result):
            left = per_cent(min(max((entry.clean or 0.0) / (entry.raw or 1.0), 0.0), 1.0), 0)
            what = "" if sentences else " (white space, case, accents and typography normalised)"
            meaning = "" if sentences else _meaning(share, entry, result)
            sentences.append(f"{sentence(entry.label)}: on clean text{what} {left} of the kappa is left{meaning}.")
    return sentences + [_mark(mark) for mark in share.marks]


def _is_divided(entry: CleanKappa, result: AuditResult) -> bool:
    """Whether there is a kappa whose share on clean text says anything."""
    measured = result.deciding_scheme.find(entry.vector) if result.deciding_scheme else None
    known = entry.raw is not None and entry.clean is not None and entry.raw >= _TELLING
    return known and measured is not None and measured.significant(result.settings.alpha)


def simplest(result: AuditResult) -> str:
    """The simplest shortcut in a sentence: the format where most of the cue is in it, by the n-gram without a letter
    that goes with an answer most clearly; else what the ladder says. Empty without a ladder."""
    said = result.ladder.sentence if result.ladder is not None else ""
    share = result.format_share
    if result.ladder is None or share is None or not share.kappas or not _is_format(share, share.kappas[0], result):
        return said
    blank = [cue for cue in result.cues if cue.z >= CLEAR_Z and not any(map(str.isalnum, cue.ngram))]
    if not blank:
        return said
    cue = max(blank, key=lambda cue: cue.z)
    named = _BLANKS.get(cue.ngram, f"“{drawn(cue.ngram)}”") + cue.often
    how_many = "all" if cue.count_label == cue.count else f"{cue.count_label:,} of them"
    label = notation.one_line(drawn(cue.label), 24)
    return f"Most of the cue is in the format: {named}, {things(cue.count, 'item')}, {how_many} “{label}”."


_BLANKS = {" ": "a space", "  ": "a double space", "\t": "a tab", "\n": "a line break", "\n\n": "a double line break"}


def _is_format(share: FormatShare, entry: CleanKappa, result: AuditResult) -> bool:
    """Whether less than half of a kappa is left on clean text, by this vector and by any."""
    least = max((entry.clean or 0.0) / (entry.raw or 1.0), share.kept or 0.0)
    return _is_divided(entry, result) and least < 0.5


def _meaning(share: FormatShare, entry: CleanKappa, result: AuditResult) -> str:
    if _is_format(share, entry, result):
        return ": most of the cue is in the format, which a model sees and a reader may not"
    words = entry.vector not in _DENSE and (result.ladder is None or result.ladder.enough != "length")
    if (entry.clean or 0.0) < STAYS * (entry.raw or 0.0):
        return f": part of the cue is in the format, part {'in the words' if words else 'is not'}"
    if words:
        return ": the cue is in the words, not in the format"
    what = "the length" if result.ladder is not None and result.ladder.enough == "length" else "what cleaning leaves"
    return f": cleaning changes little: the cue is {what}, not white space, case or typography"


def _mark(mark: FormatMark) -> str:
    name = sentence(mark.mark)
    if mark.mark.startswith(("share", "first", "begins", "ends", "final")):
        mean, others = per_cent(mark.mean), per_cent(mark.others)
    else:
        mean, others = f"{mark.mean:.1f}", f"{mark.others:.1f}"
    return f"{name}: {mean} on average where the answer is “{drawn(mark.label)}”, {others} elsewhere."


def mention_sentences(mentions: Mentions, items: int) -> list[str]:
    """That the answers stand in the prompts, and how far looking for them goes."""
    rules = "; ".join(
        f"the {entry.rule} one is right for {per_cent(entry.accuracy)} (Cohen's kappa {kappa(entry.cohen)})"
        for entry in mentions.rules
    )
    return [
        f"{mentions.gold:,} of {things(items, 'prompt')} mention their answer, as in a question about a text. Of the "
        f"answers mentioned, {rules}."
    ]


_NAMED = 4


def ngram_sentences(survey: SingleNgrams) -> list[str]:
    """How many n-grams go with an answer, out of how many; which answers; the clearest of them."""
    looked_at = f"{notation.things(survey.ngrams, 'n-gram')} in at least {survey.fewest} {survey.unit}s"
    family = f"Holm over {notation.things(survey.tests, 'test')}, alpha {notation.kappa(survey.alpha)}"
    if not survey.significant:
        return [f"None of {looked_at} goes with an answer significantly ({family})."]
    pointed = sorted((label for label in survey.labels if label.significant), key=lambda label: -label.significant)
    shown = ", ".join(f"{_name(label.label)} {notation.count(label.significant)}" for label in pointed[:_NAMED])
    more = f" and {notation.things(len(pointed) - _NAMED, 'more answer')}" if len(pointed) > _NAMED else ""
    verb = "goes" if survey.significant == 1 else "go"
    sentences = [f"{survey.significant:,} of {looked_at} {verb} with an answer ({family}): {shown}{more}."]
    rates = {label.label: label.base_rate for label in survey.labels}
    return sentences + [_clearest(test, rates[test.label], survey.unit) for test in survey.worst[:1]]


def _clearest(test: NgramTest, rate: float, unit: str) -> str:
    return (
        f"Clearest: “{notation.one_line(drawn(test.ngram), 40)}” in {notation.things(test.count, unit)}, "
        f"{notation.per_cent(test.hits / test.count, 0)} with the answer {_name(test.label)} "
        f"(base rate {notation.per_cent(rate, 0)}, z {notation.kappa(test.z, 1)})."
    )


def _name(label: str) -> str:
    return notation.one_line(drawn(label), 24)


def is_asked(vector: str) -> bool:
    """Whether the view with this name sees the question; all others see options only."""
    return vector.startswith("question")


def head_lines(findings: ArrangedResult) -> list[tuple[str, str]]:
    """(name, sentence) pairs: the options as read, then the best probe without and with the question."""
    options = findings.result.options
    if options is None:
        return []
    read = f"{_sizes(options)}; guessing is right for {per_cent(options.chance)}; {options.how}"
    lines = [(findings.worded("options"), read)]
    if options.positions:
        named = [f"{chr(ord('A') + place)} {count(number)}" for place, number in enumerate(options.positions)]
        right = findings.worded("the right option is")
        lines.append(("positions", f"{right} {', '.join(named[:10])}{' ...' if len(named) > 10 else ''}"))
    for name, vector, sees in (("only", options.only, "options only"), ("asked", options.asked, "with the question")):
        entry = findings.first.find(vector) if findings.first else None
        if entry is not None:
            lines.append((name, f"{findings.worded(sees)}, {_best(entry)}"))
    return lines


def _sizes(options: OptionsSummary) -> str:
    if len(options.sizes) == 1:
        return f"{options.sizes[0][0]} per item"
    shown = ", ".join(f"{size} in {things(number, 'item')}" for size, number in options.sizes[:6])
    return shown + (f" and {len(options.sizes) - 6} more sizes" if len(options.sizes) > 6 else "")


def _best(entry: VectorResult) -> str:
    ends = interval(entry.matched_low, entry.matched_high)
    return f"at best kappa {kappa(entry.matched)} {ends} ({entry.label}), right for {per_cent(entry.accuracy)}"


def ranked_rules(options: OptionsSummary) -> list[OptionRule]:
    """The rules, largest kappa first; equal ones in their own order."""
    return sorted(options.rules, key=lambda rule: -round(rule.kappa, 6))


def option_meanings(findings: ArrangedResult) -> list[str]:
    """What the columns of the table of feature vectors mean where each item has its own options."""
    first = findings.first
    if first is None:
        return []
    kappas: str = "kappa" if findings.ungrouped else first.scheme
    if findings.second is not None:
        kappas += f", {findings.second.scheme}"
    of_which = f" of {first.scheme} folds" if findings.second is not None else ""
    p = f"p: corrected,{of_which}" if of_which else "p: corrected"
    beyond = findings.worded("accuracy beyond guessing among the options (0 chance, 1 perfect)")
    return [f"{kappas}: {beyond}", f"95 %: interval{of_which}", p]


_KEPT = {
    "all": "all test items",
    "no near-duplicate": "without copies of training items",
    "new template": "and without their templates",
    "grouped folds": "both parts, cross-fitted with each template in one fold",
}


def parts_sentence(split: PublishedSplit) -> str:
    """How many items were learnt from, validated and tested, and how the answers differ."""
    cut = ", cut from the training part" if split.validation_cut else ""
    apart = ""
    if split.shift is not None and split.shift_p is not None:
        apart = f"; answers {notation.kappa(split.shift)} apart ({notation.p_is(split.shift_p)})"
    return (
        f"learnt from {split.train:,}, validated on {split.validation:,}{cut}, tested on {split.test:,} "
        f"({split.source}){apart}"
    )


def overlap_sentence(split: PublishedSplit) -> str:
    """What the test items have in common with the training part."""
    parts = [
        f"{notation.things(split.duplicates, 'duplicate')}",
        f"{notation.things(split.near_duplicates, 'near-duplicate')} (similarity {notation.kappa(split.near)})",
    ]
    if split.same_template is not None:
        share = notation.per_cent(split.same_template / split.test, 0)
        parts.append(f"{split.same_template:,} of a template or group in the training part ({share})")
    parts.append(notation.things(split.conflicts, "conflicting answer"))
    return f"of {notation.things(split.test, 'test item')}: {', '.join(parts)}"


def kept_words(entry: SplitKappa) -> str:
    """Which items a kappa is about."""
    return _KEPT[entry.items_kept]


_FLAGS = ("upstream_counts", "trees", "grades", "partial")


def command(result: AuditResult) -> str:
    """The command that repeats this audit, quoted for a POSIX shell."""
    mapping, settings = result.mapping, result.settings
    column = settings.groups not in ("found", "none")
    used = {"grouped": ("folds", "splits", "permutations"), "published": ("folds", "permutations")}
    options = {
        "template" if "{" in (mapping.prompt or "") else "prompt": mapping.prompt,
        "answer": mapping.answer,
        "group": mapping.group if column and "group" not in mapping.guessed else None,
        "train": settings.train,
        "split": settings.split,
        "answer-part": settings.answer_part,
        "id": mapping.id if "id" not in mapping.guessed else None,
        "choices": mapping.choices,
        "groups": None if column else settings.groups,
        "protocol": settings.protocol,
        "seed": settings.seed,
        **{option: getattr(settings, option) for option in used.get(settings.protocol, ())},
        "threshold": settings.threshold,
        "alpha": settings.alpha,
        "solver": _unless(settings.solver, "compiled"),
        "task": _unless(settings.task, "auto"),
        "max-rows": settings.max_rows,
        "max-left-out": _unless(settings.max_left_out, 0.1),
    }
    said = {option: str(value) for option, value in options.items() if value not in (None, "")}
    given = [text for option, value in said.items() for text in (f"--{option}", value)]
    for each in result.predictions:
        given += ["--predictions", f"{each.name}={each.source}"]
    flags = [f"--{flag.replace('_', '-')}" for flag in _FLAGS if getattr(settings, flag)]
    return shlex.join(["hansproof", "audit", result.source, *given, *flags])


def _unless(value: Any, default: Any) -> Any:
    return None if value == default else value


# Open-ended answers.

_WIDTH = 40


def columns_explained() -> str:
    """What the columns of the table of strategies mean, as a clause."""
    return (
        "exact: share of the items that are right; F1: mean token F1; advantage: (exact - c) / (1 - c), c the share "
        "of the best constant, or of the alternatives offered if better; learnt out of fold"
    )


def open_sentences(record: OpenEnded) -> list[tuple[str, str]]:
    """(name, sentence) for everything beside the table of strategies; whatever is undefined is left out."""
    told = [("in prompt", _place(record))]
    if record.learnt:
        cues = "; ".join(
            f"“{one_line(drawn(cue.cue), _WIDTH)}” {cue.right:,} of {cue.items:,}" for cue in record.learnt
        )
        told.append(("learnt", f"“{record.learnt_by}” goes by (right for, of the items with the cue): {cues}"))
    if record.templates is not None:
        told.append(("templates", _templates(record.templates)))
    if record.clusters:
        told.append(("similar", _clusters(record.clusters)))
    return told


def _templates(templates: TemplateResult) -> str:
    clusters = "cluster of similar texts", "clusters of similar texts"
    of = things(templates.count, *(("group", "groups") if templates.how == "groups" else clusters))
    return (
        f"for whoever has seen other items of a template, the answer, place or calculation that was right most often "
        f"in it is right for {per_cent(templates.exact)} of the items, advantage {kappa(templates.advantage)} "
        f"{interval(templates.low, templates.high)}; the templates are {of}, with {per_cent(templates.share, 0)} of "
        f"the items"
    )


def _clusters(clusters: Sequence[ClusterCheck]) -> str:
    kept = "; ".join(
        f"{ALIKE[check.alike]} ({things(check.clusters, 'cluster')}) {kappa(check.kappa)}"
        f"{'' if check.held else ', not held'}"
        for check in clusters
    )
    names = " and ".join(f"“{one_line(name, 40)}”" for name in dict.fromkeys(check.vector for check in clusters))
    return f"advantage of {names} that is left without texts {kept}"


def _place(record: OpenEnded) -> str:
    if not record.in_prompt:
        return "the gold answer stands in no prompt"
    design = (
        ", so the task is to extract, and a reader who only copies is a baseline"
        if 2 * record.in_prompt > record.tried
        else ""
    )
    return (
        f"the gold answer stands in the prompt of {record.in_prompt:,} of {things(record.tried, 'item')} "
        f"({per_cent(record.in_prompt / record.tried)}){design}"
    )


def part_command(part: PartAudit, source: str) -> str:
    """The command that audits a part, quoted for a POSIX shell."""
    return shlex.join(["hansproof", "audit", source, "--answer-part", part.option])


def part_sentence(part: PartAudit) -> str:
    """A part of the answers: what it is, its values, and its verdict or how to get one."""
    labels = ", ".join(one_line(drawn(label), _WIDTH) for label in part.labels[:4])
    more = f" and {len(part.labels) - 4} more" if len(part.labels) > 4 else ""
    start = f"{one_line(part.part, 60)} ({labels}{more}; {things(part.items, 'item')})"
    how = f"--answer-part {shlex.quote(part.option)}"
    if part.verdict is None:
        return f"{start}: not audited here; {how}"
    size = "" if part.kappa is None else f", kappa {kappa(part.kappa)} {interval(part.low, part.high) or UNDEFINED}"
    return f"{start}: {part.verdict}{size}; {how}"
