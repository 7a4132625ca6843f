"""What an author should vary, in sentences made from the numbers of the result."""

from __future__ import annotations

from audit.result import AuditResult, Cue

__all__ = ["advise"]


def advise(result: AuditResult, vector: str) -> list[str]:
    """Advice for the verdict of `result`, which is about `vector`; empty where there is nothing to mend."""
    advice: list[str] = []
    if result.verdict == "LEAKS":
        advice += [_balance(cue) for cue in _strongest(result)]
        if vector == "readability":
            advice.append(
                "Length and difficulty of the text go with the answer: write items of the same length and level for "
                "every answer, or match them in pairs."
            )
        advice.append(
            "Make matched pairs that differ in nothing but what the answer depends on, give both to every "
            "model, and audit again: a cue that occurs with every answer equally often predicts none."
        )
    if result.verdict == "TEMPLATE-BOUND":
        advice.append(
            "Let each template occur with every answer equally often, so that knowing the template says nothing."
        )
        advice.append(
            "Publish the group of every item, never part a group between splits or between few-shot examples and "
            "test, and compute standard errors over groups: items of one template are not independent."
        )
    if result.verdict == "IMBALANCED":
        top = result.labels[0]
        advice.append(
            f"{top.label!r} is the answer of {top.count:,} of {result.items:,} items: balance the answers, or report "
            f"Cohen's kappa or balanced accuracy beside accuracy."
        )
    if result.verdict == "INCONCLUSIVE":
        advice.append(
            "Add items, or independent groups of items, and audit again; until then report this as unknown, not as "
            "free of shortcuts."
        )
    if result.duplicates is not None and result.duplicates.conflicting_sets:
        advice.append(
            f"{result.duplicates.conflicting_sets:,} texts occur with more than one gold answer: correct or drop them."
        )
    if result.duplicates is not None and result.duplicates.across_splits:
        advice.append(
            f"{result.duplicates.across_splits:,} texts occur in more than one published split: drop them from one."
        )
    return advice


def _strongest(result: AuditResult, most: int = 4) -> list[Cue]:
    """Cues that go with one answer far beyond its share, one a label in turn, strongest first."""
    clear = [cue for cue in result.cues if cue.z >= 3 and cue.count >= 5]
    return sorted(clear, key=lambda cue: -cue.z)[:most]


def _balance(cue: Cue) -> str:
    return (
        f"{cue.ngram!r} stands in {cue.count:,} items, {100 * cue.productivity:.0f} % of them with answer "
        f"{cue.label!r}: use it as often with the other answers, or vary the wording."
    )
