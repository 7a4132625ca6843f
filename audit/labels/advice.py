"""What an author of items with labels should change, in sentences made from the numbers of the audit."""

from __future__ import annotations

from collections.abc import Sequence

from audit.labels.spellings import spellings_of
from audit.notation import drawn
from audit.result.advice import MORE_ITEMS, advise_on_duplicates, clear_cues
from audit.result.audit_result import Duplicates, LabelCount
from audit.result.explanation import STAYS, Cue, FormatShare, Mentions
from audit.verdict.rule import Judgement

__all__ = ["advise"]


def advise(
    judgement: Judgement,
    cues: Sequence[Cue],
    labels: Sequence[LabelCount],
    duplicates: Duplicates,
    share: FormatShare | None = None,
    mentions: Mentions | None = None,
    *,
    length: str | None = None,
    alone: bool = True,
) -> list[str]:
    """Advice for the verdict, for the format of the texts and for duplicates; empty if there is nothing to repair.

    `labels` come in descending order of their counts. `share` says how much of kappa is format, and `mentions` that
    the answers stand in their prompts by design, where that is known: an answer is then no cue that could be taken out.
    `length` says which way the length of the texts points, if that is enough, and `alone` whether any n-gram goes with
    an answer significantly by itself: the others are not what to repair.
    """
    cues = cues if alone else ()
    if mentions is not None:
        cues = [cue for cue in cues if cue.label.casefold() not in cue.ngram.casefold()]
    return (
        _on_spellings(labels)
        + _on_length(judgement, length)
        + _on_format(judgement, share)
        + _on_mentions(judgement, mentions)
        + _on_verdict(judgement, cues, labels, told=length is not None)
        + advise_on_duplicates(duplicates)
    )


def _on_spellings(labels: Sequence[LabelCount]) -> list[str]:
    """Answers that look like spellings of others come first: merging them changes every number."""
    spellings = spellings_of({entry.label: entry.count for entry in labels})
    return [] if spellings is None else [spellings.sentence]


def _on_length(judgement: Judgement, length: str | None) -> list[str]:
    if length is None or not judgement.cued:
        return []
    return [f"{length[:1].upper()}{length[1:]}: balance the lengths."]


def _on_verdict(
    judgement: Judgement, cues: Sequence[Cue], labels: Sequence[LabelCount], *, told: bool = False
) -> list[str]:
    """Advice for the verdict; `told` says that the length of the texts has been spoken of."""
    if judgement.verdict == "LEAKS":
        advice = _balance(cues, labels)
        if judgement.vector in ("readability", "length") and not told:
            advice.append(
                "The length and difficulty of the text predict the answer: write items of the same length and level "
                "for every answer, or match them in pairs."
            )
        advice.append(
            "Write matched pairs that differ only in what the answer depends on, give both items of a pair to every "
            "model, and audit again: a cue that occurs equally often with every answer predicts nothing."
        )
        return advice
    if judgement.verdict == "TEMPLATE-BOUND":
        return [
            "Use each template equally often with every answer, so that the template alone says nothing.",
            "Publish the group of every item, never divide a group between splits or between few-shot examples and "
            "test items, and compute standard errors over groups: items from the same template are not independent.",
        ]
    if judgement.verdict == "TRACES":
        return _balance(cues, labels)
    if judgement.verdict == "IMBALANCED":
        top, items = labels[0], sum(label.count for label in labels)
        return [
            f"{_quoted(top.label)} is the answer to {top.count:,} of {items:,} items: balance the answers, or report "
            f"Cohen's kappa or balanced accuracy beside accuracy."
        ]
    if judgement.verdict == "INCONCLUSIVE":
        return [*(_balance(cues, labels) if judgement.cued else ()), MORE_ITEMS]
    return []


def _on_format(judgement: Judgement, share: FormatShare | None) -> list[str]:
    """Advice if the format is the cue: it decides the verdict, or kappa falls below half of itself on clean text."""
    first = share.kappas[0] if share is not None and share.kappas else None
    falls = stays = False
    if first is not None and first.raw is not None and first.clean is not None:
        falls, stays = first.clean < first.raw / 2, first.clean >= STAYS * first.raw
    # The probe of format also sees lengths: what stays on clean text is no white space, case or punctuation.
    if not judgement.cued or not (falls or (judgement.vector == "format" and not stays)):
        return []
    return [
        "The format of the text predicts the answer: write white space, case, punctuation and special characters in "
        "the same way for every answer, best by generating all prompts with the same code."
    ]


def _on_mentions(judgement: Judgement, mentions: Mentions | None) -> list[str]:
    if mentions is None or not judgement.cued:
        return []
    return [
        "The answers stand in their prompts: mention every answer equally often, and the right one in every place, so "
        "that looking for the answers says nothing; otherwise report the accuracy of doing so as the baseline."
    ]


def _balance(cues: Sequence[Cue], labels: Sequence[LabelCount]) -> list[str]:
    """One sentence per clear cue, with the rate among its items and the base rate."""
    counts = {entry.label: entry.count for entry in labels}
    items = sum(counts.values())
    return [
        f"{_quoted(cue.ngram)}{_times(cue)}: {cue.count_label:,} of {cue.count:,} items with it have the answer "
        f"{_quoted(cue.label)}; of all items, {100 * counts[cue.label] / items:.0f} % do. Use it equally often with "
        f"every answer{', or vary the wording' if cue.ngram.strip() else ''}."
        for cue in clear_cues(cues)
    ]


def _times(cue: Cue) -> str:
    return f" {cue.times} times or more" if cue.times > 1 else ""


def _quoted(text: str) -> str:
    return f"“{drawn(text)}”"
