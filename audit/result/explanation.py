"""What the result keeps of the evidence: n-grams, items, the share of the format, answers in prompts."""

from __future__ import annotations

import msgspec

from hansproof.audit.result.record import Record

__all__ = [
    "CLEAR_Z",
    "STAYS",
    "CleanKappa",
    "Cue",
    "FormatMark",
    "FormatShare",
    "Giveaway",
    "ItemScore",
    "MentionRule",
    "Mentions",
    "Occurrence",
]

STAYS = 0.8
"""Share of a kappa from which clean texts are said to change nothing."""

CLEAR_Z = 3.0
"""An n-gram whose items differ by less from all others comes and goes with the sample."""


class Cue(Record, frozen=True, kw_only=True):
    """An n-gram that goes with an answer."""

    ngram: str
    level: str
    """`word` or `gpt2`."""
    label: str
    """The answer it points to."""
    coefficient: float
    """Its weight in the probe refitted on all items, which is shown but never used for scoring."""
    count: int
    """Number of items that contain it."""
    count_label: int
    """Number of these items that have the answer."""
    z: float
    """count_label / count minus the label's share of all items, in standard errors (after Gardner et al. 2021)."""
    pmi: float
    """Pointwise mutual information of n-gram and answer, in bits."""
    productivity: float
    """count_label / count, after Niven & Kao (2019)."""
    coverage: float
    """count / n, after Niven & Kao (2019)."""
    times: int = 1
    """How often an item must contain it to be counted above. More than 1 where the number of occurrences is the cue,
    not the n-gram itself: a fourth line break."""

    @property
    def often(self) -> str:
        """What follows its name: ` 4 times or more`, or nothing."""
        return f" {self.times} times or more" if self.times > 1 else ""


class Occurrence(Record, frozen=True, kw_only=True):
    """Where an n-gram occurs in a prompt: characters [start, end)."""

    start: int
    end: int
    label: str
    """The answer it points to."""
    weight: float
    """Share of the item's evidence, 0 to 1, for shading."""


class Giveaway(Record, frozen=True, kw_only=True):
    """One of the items whose answer the probe predicts best, out of fold."""

    id: str
    prompt: str
    answer: str
    predicted: str
    probability: float
    """Out-of-fold probability of the gold answer."""
    cues: list[Occurrence]
    place: str | None = None
    """Where the source has it: `line 812` or `row 812`; None if that is not known."""


class CleanKappa(Record, frozen=True, kw_only=True):
    """Cohen's kappa of one feature vector on the texts as they are and on clean texts, with the same folds."""

    vector: str
    label: str
    """Label in reports."""
    raw: float | None
    clean: float | None
    """On texts without their format: white space, case, accents, special characters, quotes, dashes and final stops."""


class FormatMark(Record, frozen=True, kw_only=True):
    """A part of the format that goes with an answer."""

    mark: str
    """In plain words: `number of line breaks`."""
    label: str
    """The answer that it separates best from the others."""
    mean: float
    """Mean count (or share) over the items with the answer."""
    others: float
    """The same over all other items."""
    z: float
    """Correlation of the mark with the answer, times the square root of the number of items; its sign is that of
    mean - others."""


class FormatShare(Record, frozen=True, kw_only=True):
    """How much of kappa is the format of the texts."""

    changed: int
    """Items whose text cleaning changes beyond what counting n-grams ignores anyway (case, accents)."""
    kappas: list[CleanKappa]
    """The vector that the verdict is about, then the strongest one of another kind (words, GPT-2 tokens, numbers)."""
    marks: list[FormatMark]
    """The clearest parts of the format, strongest first; empty if none goes with an answer."""

    @property
    def kept(self) -> float | None:
        """What clean texts leave of the largest kappa, whichever vector has it there; None if there is none to share.

        A probe of format may be the strongest by luck where a word is the cue: then the word stays.
        """
        known = [(entry.raw, entry.clean) for entry in self.kappas if entry.raw is not None and entry.clean is not None]
        raw = max((raw for raw, _ in known), default=0.0)
        return max(clean for _, clean in known) / raw if raw > 0 else None


class MentionRule(Record, frozen=True, kw_only=True):
    """How often a rule that only looks for answers in the prompt is right."""

    rule: str
    """`first`, `last` or `most frequent`."""
    accuracy: float
    cohen: float | None


class Mentions(Record, frozen=True, kw_only=True):
    """Gold answers that stand in their prompts by design, and the rules that exploit it."""

    gold: int
    """Items whose prompt mentions the gold answer."""
    others: int
    """Items whose prompt mentions another answer."""
    rules: list[MentionRule]
    """First, last and most frequent mention. Without a mention, a rule gives the most common answer."""


class ItemScore(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item as seen by a probe that was fitted without it and without its group."""

    id: str
    answer: str
    """The gold answer."""
    predicted: str
    """The most probable answer, averaged over the splits."""
    correct: bool
    probability: float | None
    """Probability of the gold answer; 0 if the probe never saw that answer in training."""
    probabilities: dict[str, float]
    """Probability of every answer, in the order of the labels; empty where a strategy guesses open-ended answers."""
    group: int
    """Items with the same number always stay in the same fold."""
    vector: str
    """The feature vector's stable name, `word-2-tfidf`, or the strategy's."""
    scheme: str
    """`grouped`, `random`, `paper` or `published`."""
    shares: str | None = None
    """Under `published`, what the item shares with the training part: `duplicate`, `near-duplicate` or `template`."""
    train: str | None = None
    """Id of the training item that it shares it with."""
