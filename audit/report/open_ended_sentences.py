"""What was found out about open-ended answers, in the sentences that the terminal and the page share."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hansproof.audit.notation import UNDEFINED, drawn, interval, kappa, one_line, per_cent, things
from hansproof.audit.result.audit_result import Verdict
from hansproof.audit.result.tasks import ClusterShare, OpenEnded, PartAudit, TemplateResult
from hansproof.audit.verdict.reasons import ALIKE

__all__ = ["MEANINGS", "columns_explained", "open_sentences", "part_sentence"]

_WIDTH = 40

MEANINGS: dict[Verdict, str] = {
    "LEAKS": "A strategy that copies, counts, calculates at face value or goes by a learnt cue gives many of the "
    "answers. A system can score above the best constant here without the ability that the benchmark is meant to test. "
    "Until that is repaired, report the accuracy of the strategy beside every score.",
    "IMBALANCED": "Although the answers are open, one of them is so common that always giving it looks like skill. No "
    "strategy was shown to do better than that by the threshold. Vary the answers, or report accuracy beyond that of "
    "the best constant.",
    "TRACES": "A strategy does better than the best constant, or a part of the answers can be predicted, and the "
    "intervals rule out an advantage of the threshold. A small difference between two systems may come from this. "
    "Report the accuracy of the strategies with your results.",
    "TEMPLATE-BOUND": "Whoever has seen other items of a template, story or pair can answer the next one: by its "
    "answer, or by the place or calculation that is right throughout it. With each template kept together, nothing of "
    "the kind was shown. A model that has seen some items of a template, in training or as examples in the prompt, "
    "can score without the ability. Report errors over templates, and let none stand on both sides of a split.",
    "CLEAN": "None of the strategies that were tried does better than the best constant, and the intervals are narrow "
    "enough to rule out an advantage of the threshold. That holds for these strategies alone: copying, counting, "
    "calculating at face value, question words, places and cue words. Answers that hardly recur cannot be learnt by a "
    "probe of words, so none was fitted to whole answers.",
}
"""What a verdict on open-ended answers means for the author of the benchmark, where it is not what it always means."""


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
    of = things(templates.count, "group" if templates.how == "groups" else "cluster of similar texts")
    return (
        f"for whoever has seen other items of a template, {templates.description} is right for "
        f"{per_cent(templates.exact)} of the items, advantage {kappa(templates.advantage)} "
        f"{interval(templates.low, templates.high)}; the templates are {of}, with {per_cent(templates.share, 0)} of "
        f"the items"
    )


def _clusters(clusters: Sequence[ClusterShare]) -> str:
    kept = "; ".join(
        f"{ALIKE[check.alike]} ({things(check.clusters, 'cluster')}) {kappa(check.advantage)}"
        f"{'' if check.held else ', not held'}"
        for check in clusters
    )
    names = " and ".join(f"“{one_line(name, 40)}”" for name in dict.fromkeys(check.strategy for check in clusters))
    return f"advantage of {names} that is left without texts {kept}"


def _place(record: OpenEnded) -> str:
    if not record.in_prompt:
        return "the gold answer stands in no prompt"
    design = ", so the task is to extract, and a reader who only copies is a baseline" if record.by_design else ""
    return (
        f"the gold answer stands in the prompt of {record.in_prompt:,} of {things(record.tried, 'item')} "
        f"({per_cent(record.in_prompt / record.tried)}){design}"
    )


def part_command(part: PartAudit, source: str) -> str:
    """The command that audits a part, quoted for a POSIX shell; empty where there is none."""
    return shlex.join(["hansproof", "audit", source, "--answer-part", part.option]) if part.option else ""


def part_sentence(part: PartAudit) -> str:
    """A part of the answers: what it is, its values, and its verdict or how to get one."""
    labels = ", ".join(one_line(drawn(label), _WIDTH) for label in part.labels[:4])
    more = f" and {len(part.labels) - 4} more" if len(part.labels) > 4 else ""
    start = f"{one_line(part.part, 60)} ({labels}{more}; {things(part.items, 'item')})"
    how = f"--answer-part {shlex.quote(part.option)}" if part.option else ""
    if part.verdict is None:
        return f"{start}: not audited here; {how}" if how else f"{start}: not audited here"
    size = "" if part.kappa is None else f", kappa {kappa(part.kappa)} {interval(part.low, part.high) or UNDEFINED}"
    return f"{start}: {part.verdict}{size}{f'; {how}' if how else ''}"
