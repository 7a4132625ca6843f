"""All that the audit sees of a benchmark: texts, gold answers, options, and which items belong together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from hansproof.audit.result.audit_result import RecipeUsed

__all__ = [
    "FIRST_USED",
    "LONGEST",
    "MOST",
    "SAME",
    "Benchmark",
    "LeftOut",
    "Mapping",
    "Options",
    "Predictions",
    "PromptPart",
    "differ",
    "natural_order",
]

_DIGITS = re.compile(r"(\d+)")
MOST = 26
"""Most options of an item: as many as there are letters."""

LONGEST = 100_000
"""Most characters of an option: every option is counted several times, against its question and the other options."""

SAME = 0.9
"""If at least this share of items has identical options, the benchmark has one set of options."""


@dataclass(frozen=True)
class Options:
    """The options of N items; every list has N entries, in the order of the benchmark's items."""

    texts: list[list[str]]
    """The options as printed, without their letters or numbers; empty where they could not be read."""
    gold: list[int]
    """The place of the right option among `texts`, from 0; -1 for an item that cannot be used."""
    questions: list[str]
    """The prompt without its printed options; the whole prompt where the options stand in columns."""
    faults: list[str]
    """Why an item cannot be used, in a few words: `the gold is none of the options`; empty if it can."""
    how: str
    """One clause for the report: `column 'choices'; the gold is an index from 0`."""
    ordered: bool = True
    """Whether the order means anything. It does not where one column always holds the gold and others the rest."""
    refusal: str = ""
    """Why the options cannot be used at all, as a sentence; empty if they can."""
    pairs: bool = False
    """The options are replies to a prompt, of which one was preferred to the others."""

    @property
    def usable(self) -> list[int]:
        """The numbers of the items that can be used, ascending; none after a refusal."""
        return [] if self.refusal else [number for number, fault in enumerate(self.faults) if not fault]

    def taken(self, places: Sequence[int]) -> Options:
        """The options of the items at `places`, in that order."""
        return replace(
            self,
            texts=[self.texts[place] for place in places],
            gold=[self.gold[place] for place in places],
            questions=[self.questions[place] for place in places],
            faults=[self.faults[place] for place in places],
        )


def differ(options: Options | None) -> bool:
    """Whether the options can be used and differ from item to item."""
    if options is None or not options.usable:
        return False
    sets = Counter(tuple(sorted(options.texts[number])) for number in options.usable)
    return sets.most_common(1)[0][1] < SAME * len(options.usable)


# The items. Rows that could not be used are listed in `left_out`, so that nothing disappears silently.

T = TypeVar("T")

FIRST_USED = "the first is used"
"""How a note ends on items with several gold answers; it does not hold where any of them is right."""


@dataclass(frozen=True)
class Mapping:
    """Which part of the source plays which role. The report always prints it."""

    prompt: str
    """A column name, or the template that composed the prompt."""
    answer: str
    """The column of the gold answer."""
    group: str | None = None
    """The column whose equal values mark items that belong together, where one was named or recognised."""
    split: str | None = None
    """The column of the published split."""
    id: str | None = None
    """The column of the item's own id."""
    sources: tuple[str, ...] = ()
    """The columns that `group` was guessed from because their values (passages, premises) repeat; else empty. Groups
    that the texts show add to these."""
    guessed: tuple[str, ...] = ()
    """Roles (`prompt`, `answer`, ...) whose column was guessed, not named by the user."""
    choices: tuple[str, ...] = ()
    """The column that lists the options of each item, or the columns with one option each."""
    format: str = ""
    """The format as recognised, in words: `JSONL`, `OpenAI evals samples (chat)`, ..."""
    unseen: tuple[str, ...] = ()
    """Columns of texts of three words or more that have no role, so that no probe sees them."""


@dataclass(frozen=True)
class LeftOut:
    """One row that was not audited, and why."""

    place: str
    """`line 812` or `row 812`: counted from 1, as an editor counts."""
    reason: str
    """Why, in a few words: `empty prompt`. Rows left out for one reason have equal texts here."""
    detail: str = ""
    """What is peculiar to this row: `byte 0xe9 at offset 17 of the line`; mostly empty."""

    @property
    def full_reason(self) -> str:
        """Reason and detail: `not UTF-8: byte 0xe9 at offset 17 of the line`."""
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


@dataclass(frozen=True)
class PromptPart:
    """A part of every prompt that has a name: the hypothesis, the passage."""

    name: str
    """The column that it comes from."""
    texts: list[str]
    """One per item; empty where an item lacks the part."""


@dataclass(frozen=True)
class Predictions:
    """What a probe that was made elsewhere says of every item, in one run or in several; each run has N entries."""

    name: str
    """What the probe is called: a feature vector of this name stands for it."""
    source: str
    """The file that it was read from."""
    runs: list[list[dict[str, float]]]
    """The probability of each answer, or of the text of each option; 1 for an answer that was only named."""
    folds: list[list[str]] | None
    """The fold that each item was predicted in; None where the file does not say so."""
    named: bool
    """The file names answers only."""

    def taken(self, places: Sequence[int]) -> Predictions:
        """Those of the items at `places`, in that order."""
        folds = None if self.folds is None else [[run[place] for place in places] for run in self.folds]
        return replace(self, runs=[[run[place] for place in places] for run in self.runs], folds=folds)


@dataclass(frozen=True)
class Benchmark:
    """N items, each with a gold answer; every list has N entries, in the order of the source."""

    name: str
    """Short name for tables: the stem of the file, or `org/name` on the Hub."""
    source: str
    """The source, as the user named it."""
    sha256: str
    """Digest of the bytes of the file, or of the canonical rows where there is no file."""
    prompts: list[str]
    """What a model is shown; chat messages are joined by newlines and lose their roles."""
    answers: list[str]
    """The gold answers, stripped."""
    ids: list[str]
    """The item's own id, or its place (`line 812`)."""
    mapping: Mapping
    groups: list[str] | None = None
    """The groups that the author declared or that repeated values show; None where there is no such column."""
    splits: list[str] | None = None
    """The published split of each item; None where there is no such column."""
    choices: list[list[str]] | None = None
    """The options of each item, where the source has them in a field of their own."""
    accepted: list[tuple[str, ...]] | None = None
    """The gold answers that count as right, of which `answers` has the first; None where no item has several."""
    left_out: tuple[LeftOut, ...] = ()
    options: Options | None = None
    """The options of each item with the gold one, from their field or from the prompts; None where there are none."""
    recipe: RecipeUsed | None = None
    """The recipe by which it was read; None without one."""
    notes: tuple[str, ...] = ()
    """What a reader of the benchmark should know: `3 items have several acceptable answers`."""
    train_sha256: str | None = None
    """Digest of the source of the training part, where that is a source of its own."""
    places: list[str] | None = None
    """Where each item is in the source: `line 812` or `row 812`; None if it was not read from one."""
    parts: tuple[PromptPart, ...] = ()
    """The parts of the prompts that have columns of their own; empty if there are none."""
    predictions: tuple[Predictions, ...] = ()
    """What probes made elsewhere say of the items; empty if none were given."""

    def taken(self, places: Sequence[int]) -> Benchmark:
        """The items at `places`, in that order."""

        def kept(values: list[T]) -> list[T]:
            return [values[place] for place in places]

        return replace(
            self,
            prompts=kept(self.prompts),
            answers=kept(self.answers),
            ids=kept(self.ids),
            groups=None if self.groups is None else kept(self.groups),
            splits=None if self.splits is None else kept(self.splits),
            choices=None if self.choices is None else kept(self.choices),
            accepted=None if self.accepted is None else kept(self.accepted),
            options=None if self.options is None else self.options.taken(places),
            places=None if self.places is None else kept(self.places),
            parts=tuple(PromptPart(part.name, kept(part.texts)) for part in self.parts),
            predictions=tuple(each.taken(places) for each in self.predictions),
        )

    def in_text_order(self) -> tuple[Benchmark, list[int]]:
        """The same items in an order that depends on their texts alone, and the place in the source of each.

        Folds and resampling number the items in this order, so that reordering the rows of a file changes nothing. The
        order is that of a hash, so it has nothing to do with length or alphabet. Equal texts are ordered by answer,
        then by declared group, then by parts; items alike in all of these are interchangeable. Answers are ordered by a
        hash of the texts that have them, so that their names change nothing; by name only if they have the very same
        texts.
        """
        groups = self.groups or [""] * len(self.prompts)
        texts = [_digest(prompt.encode("utf-8", "surrogatepass")) for prompt in self.prompts]
        having: dict[str, list[bytes]] = {}
        for text, answer in zip(texts, self.answers, strict=True):
            having.setdefault(answer, []).append(text)
        rank = {answer: _digest(b"".join(sorted(of))) for answer, of in having.items()}
        keys = [
            (text, rank[answer], answer, group, tuple(part.texts[at] for part in self.parts))
            for at, (text, answer, group) in enumerate(zip(texts, self.answers, groups, strict=True))
        ]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return self.taken(order), order

    def in_id_order(self) -> tuple[Benchmark, list[int]]:
        """The same items in the order of their ids, numbers by value, and the place in the source of each: that of the
        file where items are called by their lines, and of logs the same whichever answer came first."""
        order = sorted(range(len(self.ids)), key=lambda at: natural_order(self.ids[at]))
        return self.taken(order), order


def natural_order(id: str) -> tuple[tuple[bool, int, str], ...]:
    """A key that sorts `x.9` before `x.10`."""
    return tuple(
        (not part.isdecimal(), int(part) if part.isdecimal() and len(part) < 19 else 0, part)
        for part in _DIGITS.split(id)
        if part
    )


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
