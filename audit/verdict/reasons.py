"""Sentences around a verdict: what predicts, which cues would have been found, what a reader must know."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final

from hansproof.audit.notation import interval, kappa, p_is, per_cent, things
from hansproof.audit.result.numbers import FULL_LABELS, Effort, Findable, Likeness, SchemeResult, VectorResult

__all__ = [
    "ALIKE",
    "at_least",
    "beside_the_majority",
    "effect",
    "hardest",
    "how_many",
    "in_prose",
    "of_templates",
    "on_trust",
    "saved_effort",
    "scheme_notes",
    "what_is_found",
    "what_is_missed",
    "why_unpredictable",
]


def effect(vector: VectorResult, scheme: SchemeResult, of_what: str = "") -> str:
    """The kappa of one probe, and how sure it is."""
    p = p_is(vector.p_corrected, floor=scheme.p_floor)
    return (
        f"the probe of {in_prose(vector.label)} predicts the answers{of_what} with kappa {kappa(vector.matched)} "
        f"(95 % interval {interval(vector.matched_low, vector.matched_high) or 'undefined'}, corrected {p})"
    )


def at_least(vector: VectorResult) -> str:
    """A further sentence with the bound that allows for the choice of the strongest vector; empty without a bound."""
    if vector.bound is None:
        return ""
    return f" Allowing for the choice of the strongest feature vector, kappa is at least {kappa(vector.bound)}."


def beside_the_majority(vector: VectorResult, scheme: SchemeResult) -> str:
    """A further sentence on accuracy; empty for options per item, whose kappa is accuracy beyond guessing.

    And where the most probable answer is nearly always the most common one: kappa is that of other predictions, which
    give each answer as often as it occurs.
    """
    right, most = per_cent(vector.accuracy), per_cent(scheme.majority_accuracy)
    told = f" The probe is right for {right} of the items, always giving the most common answer for {most}."
    return "" if vector.cohen is None or vector.accuracy <= scheme.majority_accuracy else told


ALIKE: Final[dict[Likeness, str]] = {
    "wording": "of similar wording",
    "frame": "with the same common words in the same order",
}
"""What texts are that are alike."""


def how_many(leaks: Sequence[VectorResult], counted: Sequence[VectorResult]) -> str:
    """A further sentence if more than one feature vector leaks."""
    return f" {len(leaks)} of {len(counted)} feature vectors leak." if len(leaks) > 1 else ""


def in_prose(label: str) -> str:
    """`word 1-grams (TF)` for `word 1-grams, TF`: a comma inside a sentence would end the clause."""
    name, comma, weighting = label.partition(", ")
    return f"{name} ({weighting})" if comma else name


_NAMES = {
    "1 word per answer": "one word per answer",
    "50 words per answer": "fifty words per answer",
    "1 word of right options": "one word in the right option",
    "50 words of right options": "fifty words in right options",
}


def what_is_found(findables: Sequence[Findable]) -> str:
    """`a cue of one word per answer from kappa .14 and of fifty from .24 (80 % of the time)`, without a full stop.

    Kinds that would never be found come last. Empty if no kind was injected.
    """
    never = [entry for entry in findables if entry.kappa is None]
    known = _from("{} from", findables)
    clauses = [f"a cue {_listed(known, 'and')} (80 % of the time)"] if known else []
    if never:
        clauses.append(f"{'none' if known else 'no cue'} {_listed(list(map(_of, never)), 'or')}, however strong")
    return "; ".join(clauses)


def what_is_missed(missed: Sequence[Findable]) -> str:
    """`a cue of fifty words per answer would be found only from kappa .65 (80 % of the time)`: a clause for all."""
    never = [_of(entry) for entry in missed if entry.kappa is None]
    late = _from("{} only from", missed)
    clauses = []
    if late:
        first = late[0].replace(" only", " would be found only", 1)
        clauses.append(f"a cue {_listed([first, *late[1:]], 'and')} (80 % of the time)")
    if never:
        clauses.append(f"a cue {_listed(never, 'or')} would not be found, however strong")
    return "; ".join(clauses)


def _from(words: str, findables: Sequence[Findable]) -> list[str]:
    """`of one word per answer from kappa .16` for each kind that is found; later ones do without the word kappa."""
    known = [entry for entry in findables if entry.kappa is not None]
    return [
        f"{words.format(_of(entry))} {'' if index else 'kappa '}{kappa(entry.kappa)}"
        for index, entry in enumerate(known)
    ]


def hardest(findables: Sequence[Findable]) -> str:
    """The sentence that CLEAN rests on: the kind of cue that is found last. Empty if no kind is found."""
    known = [entry for entry in findables if entry.kappa is not None]
    if not known:
        return ""
    never = [_of(entry) for entry in findables if entry.kappa is None]
    none = f"; none {_listed(never, 'or')}" if never else ""
    last = max(known, key=lambda entry: entry.kappa or 0.0)
    return (
        f"Of the cues put into these texts as a test, that {_of(last)} is the hardest to find: the audit finds it from "
        f"kappa {kappa(last.kappa)}, 80 % of the time{none}."
    )


def _of(entry: Findable) -> str:
    return f"of {_NAMES.get(entry.kind, entry.kind)}"


def _listed(parts: Sequence[str], last: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


UNGROUPED = "Groups were switched off (--groups none): this audit cannot tell a leak from templates"
"""What follows from `--groups none`, without a full stop."""

_UNDECLARED = "This may also be templates that were not detected; name them with --group"

_NAMED = 3
"""Tied vectors that a note names before it only counts the rest."""


def of_templates(groups: str, declared: bool) -> str:
    """A further sentence after a leak, unless its author `declared` the groups; `groups` is the setting."""
    return "" if declared else f" {UNGROUPED if groups == 'none' else _UNDECLARED}."


def on_trust(folds: bool, divided: int) -> str:
    """What is not known of predictions that were made elsewhere, a clause with its full stop: `folds` says that theirs
    are known, `divided` how many groups of ours lie in several of them."""
    if not folds:
        return "they decide nothing, because no two folds are given, so that they may know what they predict."
    if divided:
        return (
            f"they decide nothing, because {things(divided, 'group')} of the audit "
            f"{'lies' if divided == 1 else 'lie'} in several of their folds: predict each group by a probe that has "
            "not learnt from it."
        )
    return "made elsewhere, so similar texts were not kept apart."


def scheme_notes(schemes: Sequence[SchemeResult], same: bool, *, ungrouped: bool = False) -> list[str]:
    """Notes on the folds and the refitting of one or two schemes; `same` if one run served both.

    `ungrouped` says that the user switched groups off.
    """
    # If no two items were detected or declared to belong together, both schemes share their scores.
    notes = []
    for scheme in schemes[: 1 if same else 2]:
        notes += _scheme(scheme)
    if ungrouped:
        notes.append(f"{UNGROUPED[:1].lower()}{UNGROUPED[1:]}")
    elif same:
        notes.append("no group of different texts was detected or declared, so random and grouped folds are the same")
    elif [scheme.scheme for scheme in schemes] == ["grouped"]:
        notes.append("random folds were not run, because too few items belong together for them to differ")
    return notes + _refitting(schemes[0])


def saved_effort(effort: Effort | None, items: int, partly: str, *, labels: int = 2) -> list[str]:
    """What was measured less because there are so many `items`, or so many of them times `labels` answers, and what was
    measured on a part of them; empty if nothing was.
    """
    if effort is None:
        return []
    splits = "1 split" if effort.splits == 1 else f"{effort.splits} splits"
    many = f" and {labels:,} answers" if labels > FULL_LABELS else ""
    part = f", and {partly} were measured on {effort.part:,} of the items" if effort.part < items else ""
    return [
        f"with {items:,} items{many}, {splits} and L1 fits to a tolerance of {effort.tolerance:g} suffice{part}; "
        f"--thorough measures everything {'on all of them' if part else 'in full'}"
    ]


def _scheme(result: SchemeResult) -> list[str]:
    where = {"paper": "single split", "published": "published split"}.get(result.scheme, f"{result.scheme} folds")
    notes = []
    if result.tied:
        more = len(result.tied) - _NAMED
        tied = "; ".join(_label(result, name) for name in (result.headline, *result.tied[:_NAMED]))
        notes.append(
            f"{where}: several feature vectors have the best validation, and the first in the table is used: "
            f"{tied}{f'; and {more} more' if more > 0 else ''}"
        )
    undefined = [vector.label for vector in result.vectors if vector.matched is None]
    if undefined:
        notes.append(f"{where}: kappa is undefined for {'; '.join(undefined)}, because only one answer occurs")
    return notes


def _label(result: SchemeResult, name: str) -> str:
    """The display name of a feature vector, as in the tables: its label may hold a comma, so lists use semicolons."""
    entry = result.find(name)
    return entry.label if entry is not None else name


def _refitting(result: SchemeResult) -> list[str]:
    if result.scheme in ("paper", "published"):
        return []
    notes = []
    if result.splits > 1:
        notes.append(f"kappas are medians over {result.splits} splits, p-values twice the median")
    wider = [
        f"{what} {stretch:.2f} times as wide"
        for what, stretch in (("intervals", result.sampling_stretch), ("the null distribution", result.null_stretch))
        if stretch >= 1.005
    ]
    if wider:
        notes.append(f"allowing for refitted probes makes {' and '.join(wider)}")
    return notes


_ROUNDING = 1e-9


def why_unpredictable(
    items: Iterable[tuple[Hashable, Hashable]], chances: Mapping[Hashable, float], limit: float
) -> str:
    """Why no reader of the texts alone reaches a kappa of `limit`, as a sentence; empty if one could.

    `items` are (text, answer), and `chances` the part of chance that falls to whoever gives an answer always: how often
    it is gold. A reader reaches a kappa of k where agreement - (1 - k) x chance >= k. Both are sums over the texts, so
    the best reader gives each text the answer with the largest term, whatever margins that makes. Other texts have
    other terms: the end of the 95 % interval of their mean counts.
    """
    gold: dict[Hashable, Counter[Hashable]] = {}
    for text, answer in items:
        gold.setdefault(text, Counter())[answer] += 1
    least, size = min(chances.values()), {text: answers.total() for text, answers in gold.items()}
    terms = {
        text: max(
            *(count - (1 - limit) * chances[answer] * size[text] for answer, count in answers.items()),
            -(1 - limit) * least * size[text],
        )
        for text, answers in gold.items()
    }
    total = sum(size.values())
    mean = math.fsum(terms.values()) / total
    error = math.sqrt(math.fsum((term - mean * size[text]) ** 2 for text, term in terms.items())) / total
    if mean + 1.96 * error > limit - _ROUNDING:
        return ""
    conflicting = sum(len(answers) > 1 for answers in gold.values())
    return (
        f"the answers are unpredictable from the text: {conflicting:,} of {things(len(gold), 'text')} "
        f"occur with more than one answer, so that no reader of the text alone reaches a kappa of {kappa(limit)}. "
        f"If that is not by design, the golds contradict each other, or the prompts are not complete."
    )
