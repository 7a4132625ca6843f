"""What explains a kappa, in the sentences that the terminal and the page share."""

from __future__ import annotations

from collections.abc import Collection

from audit.notation import drawn, kappa, per_cent, things
from audit.report.findings import Findings
from audit.report.words import sentence
from audit.result.audit_result import AuditResult
from audit.result.explanation import STAYS, CleanKappa, FormatMark, FormatShare, Mentions

__all__ = ["column_meanings", "format_sentences", "is_telling", "mention_sentences"]

_DENSE = ("format", "length", "readability")
"""Vectors that see no words."""
_TELLING = 0.1
"""A smaller kappa is not divided into words and format."""


def is_telling(share: FormatShare) -> bool:
    """Whether there is a kappa to divide, or a part of the format that goes with an answer."""
    return bool(share.marks) or any((entry.raw or 0.0) >= _TELLING for entry in share.kappas)


def column_meanings(findings: Findings, left_out: Collection[str] = ()) -> list[str]:
    """What the columns of the table of feature vectors mean, one clause each; `left_out` are titles not shown."""
    first, chance = findings.first, f"1/{len(findings.result.labels)}"
    if first is None:
        return []
    if findings.paper:
        meanings = {"uniform": f"kappa with chance {chance}", "Cohen": "with chance from the frequencies"}
        about = {"95 %": "of Cohen", "valid. acc.": "accuracy on the validation part"}
    else:
        kappas = [
            "kappa" if findings.ungrouped else first.scheme,
            *([findings.second.scheme] if findings.second else []),
        ]
        shown = ", ".join(title for title in kappas if title not in left_out)
        meanings = {shown: "Cohen's kappa (0 chance, 1 perfect), each answer predicted as often as it occurs"}
        about = {
            "95 %": f"interval of {kappas[0]}",
            "p": f"corrected, of {kappas[0]} folds" if findings.second else "corrected",
            "Cohen": "of the most probable answers",
            "uniform": f"{'of the most probable answers' if 'Cohen' in left_out else 'the same'}, chance {chance}",
        }
    return [f"{title}: {text}" for title, text in (meanings | about).items() if title not in left_out]


def format_sentences(result: AuditResult) -> list[str]:
    """The kappas on clean text, what they mean if they are a cue's, and the clearest parts of the format.

    A kappa that chance explains is not divided into words and format. Empty if nothing was fitted on clean text.
    """
    share = result.format_share
    if share is None:
        return []
    first, *others = share.kappas
    what = "on clean text (white space, case, accents and typography normalised)"
    sentences = [
        f"{_label(first)}: kappa {kappa(first.raw)}, {what} {kappa(first.clean)}, over the first splits"
        f"{_meaning(first, result) if _significant(result, first.vector) else ''}."
    ]
    sentences += [f"{_label(entry)}: kappa {kappa(entry.raw)}, on clean text {kappa(entry.clean)}." for entry in others]
    return sentences + [_mark(mark) for mark in share.marks]


def _significant(result: AuditResult, vector: str) -> bool:
    measured = result.deciding_scheme.find(vector) if result.deciding_scheme else None
    return measured is not None and measured.significant(result.settings.alpha)


def _label(entry: CleanKappa) -> str:
    return sentence(entry.label)


def _meaning(entry: CleanKappa, result: AuditResult) -> str:
    if entry.raw is None or entry.clean is None or entry.raw < _TELLING:
        return ""
    if entry.clean < entry.raw / 2:
        return ": most of the cue is in the format, which a model sees and a reader may not"
    words = entry.vector not in _DENSE and (result.ladder is None or result.ladder.enough != "length")
    if entry.clean < STAYS * entry.raw:
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
