"""What an author of multiple-choice items should change, in sentences made from the numbers of the audit."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import drawn, kappa, per_cent
from audit.options.evidence import RIGHT
from audit.options.rules import COMMON_POSITION
from audit.result.advice import MORE_ITEMS, advise_on_duplicates, clear_cues
from audit.result.audit_result import Duplicates, SchemeResult
from audit.result.explanation import Cue
from audit.result.tasks import OptionRule, OptionsSummary
from audit.verdict.rule import Judgement

__all__ = ["advise", "is_clear"]

_CLEAR = 0.05
"""Kappa of a rule from which advice is given."""

_LENGTH = ("the longest (characters)", "the longest (words)", "the shortest (characters)", "the shortest (words)")
_LIKENESS = {
    "most like the question": "The right option resembles the question: give wrong options as many of its words.",
    "least like the question": "Wrong options resemble the question more than the right one: give all options as many "
    "of its words.",
    "most like the other options": "The right option is the one that the others resemble, as if they had been made by "
    "editing it: edit wrong options too, so that no option is the centre of its set.",
    "least like the other options": "The right option is the odd one out: let some wrong options differ from the "
    "others as much.",
    "the rarest words": "Right options have rarer words: write wrong options as specific as the right one.",
    "the commonest words": "Right options have commoner words: choose wrong options from the same level of language.",
    "“all of the above” and the like": "“All of the above” and the like are right more often than chance: drop them, "
    "or let them be wrong as often as other options.",
    "anything but “all of the above”": "“None of the above” and the like are hardly ever right: drop them, or let them "
    "be right as often as other options.",
    "without absolutes (always, never, only)": "Wrong options have absolutes (always, never, only) more often: use "
    "them in right options as often.",
    "with a hedge (may, often, most)": "Right options have hedges (may, often, most) more often: hedge wrong ones too.",
    "with a negation": "Right options have negations more often: negate wrong options as often.",
    "most often right elsewhere (learnt)": "Some options are nearly always right, or never, wherever they occur: use "
    "each repeated option equally often as the right one and as a wrong one.",
}


def advise(
    judgement: Judgement, scheme: SchemeResult, summary: OptionsSummary, cues: Sequence[Cue], duplicates: Duplicates
) -> list[str]:
    """Advice on position, on the rules that go too far, on n-grams, on duplicates; empty if nothing needs repair."""
    rules = {rule.rule: rule for rule in summary.rules}
    advice = _on_position(rules)
    if judgement.cued or judgement.verdict == "IMBALANCED":
        advice += _on_rules(rules)
        advice += _on_cues(cues, summary.chance)
    if judgement.verdict == "LEAKS":
        advice.append(
            "Write wrong options as carefully as right ones, from the same source and by the same process, and audit "
            "again: a reader who never sees the question should do no better than guessing."
            if not _needs_question(judgement.vector)
            else "Choose wrong options that have as much in common with the question as the right one, and audit again."
        )
    if judgement.verdict == "TEMPLATE-BOUND":
        advice.append(
            "Items that share options, passages or templates give each other away: publish their groups, and never "
            "divide a group between splits or between few-shot examples and test items."
        )
    if judgement.verdict == "INCONCLUSIVE":
        advice.append(MORE_ITEMS)
    return advice + advise_on_duplicates(duplicates)


def _needs_question(vector: str) -> bool:
    return vector.startswith("question")


def is_clear(rule: OptionRule | None) -> bool:
    """Whether a rule goes far enough to be worth a repair, and not by chance."""
    return rule is not None and rule.kappa >= _CLEAR and (rule.low or 0.0) > 0


def _on_position(rules: dict[str, OptionRule]) -> list[str]:
    learnt = rules.get(f"{COMMON_POSITION} (learnt)")
    if learnt is None or not is_clear(learnt):
        return []
    return [
        f"Always choosing {COMMON_POSITION} is right for {per_cent(learnt.accuracy)} of the items (kappa "
        f"{kappa(learnt.kappa)}): shuffle the options of every item, with a seed that you publish."
    ]


def _on_rules(rules: dict[str, OptionRule]) -> list[str]:
    """The strongest rule of length, then those of likeness and wording that are clear, strongest first."""
    advice = []
    lengths = [rules[name] for name in _LENGTH if is_clear(rules.get(name))]
    if lengths:
        best = max(lengths, key=lambda rule: rule.kappa)
        extreme, _, unit = best.rule.rstrip(")").partition(" (")
        advice.append(
            f"Choosing {extreme} option (in {unit}) is right for {per_cent(best.accuracy)} of the items (kappa "
            f"{kappa(best.kappa)}): balance the lengths, so that the right option is as often {extreme} as any other."
        )
    clear = sorted((rules[name] for name in _LIKENESS if is_clear(rules.get(name))), key=lambda rule: -rule.kappa)
    return advice + [f"{_LIKENESS[rule.rule]} (That rule alone has kappa {kappa(rule.kappa)}.)" for rule in clear[:3]]


def _on_cues(cues: Sequence[Cue], chance: float) -> list[str]:
    sentences = []
    for cue in clear_cues(cues):
        base = chance if cue.label == RIGHT else 1 - chance
        sentences.append(
            f"“{drawn(cue.ngram)}”: {cue.count_label:,} of {cue.count:,} options with it are "
            f"{'right' if cue.label == RIGHT else 'wrong'}; of all options, {per_cent(base, 0)} are. Use it equally "
            f"often in right and wrong options."
        )
    return sentences
