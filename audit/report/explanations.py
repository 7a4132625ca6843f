"""What explains a kappa, in the sentences that the terminal and the page share."""

from __future__ import annotations

from audit.explanation.blanks import drawn
from audit.explanation.records import CleanKappa, FormatMark, FormatShare, Mentions
from audit.notation import kappa, per_cent, things
from audit.report.words import sentence

__all__ = ["format_sentences", "mention_sentences"]


def format_sentences(share: FormatShare) -> list[str]:
    """The kappas on clean text, what they mean, and the clearest parts of the format."""
    first, *others = share.kappas
    what = "(white space, case, accents, typography)"
    sentences = [f"{_label(first)}: kappa {kappa(first.raw)}; on text without its format {what} {kappa(first.clean)}"]
    sentences[0] += f"{_meaning(first)}."
    sentences += [f"{_label(entry)}: kappa {kappa(entry.raw)}, on clean text {kappa(entry.clean)}." for entry in others]
    return sentences + [_mark(mark) for mark in share.marks]


def _label(entry: CleanKappa) -> str:
    return sentence(entry.label)


def _meaning(entry: CleanKappa) -> str:
    if entry.raw is None or entry.clean is None or entry.raw < 0.1:
        return ""
    if entry.clean < entry.raw / 2:
        return ": a reader of clean text would not see most of the cue, a model does"
    if entry.clean < 0.8 * entry.raw:
        return ": part of the cue is in the format, part in the words"
    return ": the cue is in the words and marks, not in the format"


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
        f"the {entry.rule} one is right for {per_cent(entry.accuracy)} (kappa {kappa(entry.cohen)})"
        for entry in mentions.rules
    )
    return [
        f"{mentions.gold:,} of {things(items, 'prompt')} mention their answer, as in a question about a text. Of the "
        f"answers mentioned, {rules}."
    ]
