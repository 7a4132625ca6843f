"""The result of an audit, and of a folder: typed records, from which JSON and its schema follow.

Every number that the terminal or the HTML page shows is a field. A number that is undefined is None (JSON null), and a
sentence in `notes` says why. The two kappas are always named: `cohen` corrects for the marginals (Cohen 1960),
`uniform` for 1/k, which is what Pacchiardi et al. (2024) plot."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from hansproof.audit.result.explanation import Cue, FormatShare, Giveaway, Mentions, Occurrence
from hansproof.audit.result.numbers import (
    ClusterCheck,
    Effort,
    Findable,
    PredictionsUsed,
    SchemeGap,
    SchemeResult,
    VectorResult,
)
from hansproof.audit.result.record import Record
from hansproof.audit.result.shortcuts import Ladder, PartialInputs, SingleNgrams
from hansproof.audit.result.shown import Rows, Shown
from hansproof.audit.result.tasks import OpenEnded, OptionsSummary, PublishedSplit, StrategyResult

__all__ = [
    "FLAGGED",
    "SCHEMA",
    "AuditResult",
    "ClusterCheck",
    "Cue",
    "Duplicates",
    "Exclusion",
    "Expected",
    "Findable",
    "Giveaway",
    "GroupSummary",
    "LabelCount",
    "MappingUsed",
    "Occurrence",
    "PolicyUsed",
    "PredictionsUsed",
    "RecipeUsed",
    "ScanResult",
    "SchemeGap",
    "SchemeResult",
    "Settings",
    "VectorResult",
    "Verdict",
]


class Expected(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published figure of what a model reaches that sees only part of an item, or too little of it."""

    what: str
    """What was measured: `accuracy from the hypothesis alone, test set`."""
    figure: str
    """As published: `67 %`."""
    source: str
    """Author and year."""


class RecipeUsed(Record, frozen=True, kw_only=True):
    """Which recipe was used, and what it says about the benchmark."""

    name: str
    title: str
    citation: str
    licence: str
    form: str
    """The published form of the benchmark that the file has."""
    checked: str
    """Against what the names of the columns were checked."""
    expected: list[Expected]
    """Published figures to compare with; empty where none is known to us."""
    peculiarities: list[str]
    confirmed: bool = True
    """False where the file was read by its own format, and nothing in it shows that it is this benchmark."""


SCHEMA = "hansproof.audit/2"

Verdict = Literal["LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "TRACES", "CLEAN", "INCONCLUSIVE", "NOT ASSESSED"]


class LabelCount(Record, frozen=True, kw_only=True):
    """How often a gold answer occurs."""

    label: str
    count: int


class MappingUsed(Record, frozen=True, kw_only=True):
    """Which column plays which role; `guessed` lists the roles whose column you did not name."""

    format: str
    prompt: str
    answer: str
    group: str | None
    split: str | None
    id: str | None
    guessed: list[str]
    choices: str | None = None
    """The column of the options, or several joined by commas; None unless each item has options of its own."""
    unseen: list[str] = msgspec.field(default_factory=list)
    """Columns of sentences that are in no prompt."""


class PolicyUsed(Record, frozen=True, kw_only=True):
    """What a file with the policy of a project decided."""

    file: str
    used: dict[str, str]
    """Options of the command and columns of this benchmark that it gave, as texts."""
    ignored: dict[str, str]
    """Ids of rules, such as LEAK001, and why each is ignored: it changes no exit code."""


class Exclusion(Record, frozen=True, kw_only=True):
    """A row left out of the audit; `place` is `line 812` or `row 812`."""

    place: str
    reason: str


class Duplicates(Record, frozen=True, kw_only=True):
    """Texts that occur more than once (after folding case and white space)."""

    repeated_items: int
    """Items whose text already occurs in an earlier item."""
    conflicting: list[list[str]]
    """Ids of items with the same text and different gold answers; at most 50 sets."""
    conflicting_sets: int
    """Total number of such sets."""
    across_splits: int | None
    """Texts that occur in more than one published split; None if no split is known."""


class GroupSummary(Record, frozen=True, kw_only=True):
    """Which items belong together; a group always stays within one fold."""

    source: Literal["column", "found", "none"]
    column: str | None
    count: int
    largest: int
    singletons: int
    """Groups of one item."""
    sizes: list[list[int]]
    """Pairs [size, number of groups of that size], ascending."""
    examples: list[list[str]]
    """Ids of the members of the largest groups: up to five groups, up to four ids each."""
    how: str
    """One sentence on where the groups come from."""


class Settings(Record, frozen=True, kw_only=True):
    """The settings of a run, complete enough to repeat it."""

    protocol: Literal["grouped", "paper", "published"]
    seed: int
    folds: int
    splits: int
    """How often the items are split anew; 1 under `paper` and `published`."""
    permutations: int
    threshold: float
    alpha: float
    groups: str
    upstream_counts: bool
    trees: bool
    solver: str
    """`compiled`, or `scikit-learn` to fit as the published code does."""
    task: str
    split: str | None
    """The split column, or `COLUMN=VALUE` if only that part was read."""
    max_left_out: float
    grades: bool = False
    """Whether textstat's reading grades were shown beside the other vectors."""
    answer_part: str | None = None
    """The part of each answer that was audited, a pattern or `key:FIELD`; None for whole answers."""
    train: str | None = None
    """The source of the training part, where that is a source of its own."""
    thorough: bool = False
    """Whether a benchmark of very many items, or items times answers, was measured in full too."""
    partial: bool = False
    """Whether partial inputs were measured with more parts, feature vectors and splits."""
    fast: bool = False
    """Whether one split, few permutations and the usual widening were to do, and nothing simpler was looked for."""
    max_rows: int | None = None
    """Rows of the sample that is read of a larger source, chosen by content and `seed`; None for all rows."""

    @property
    def margin(self) -> float:
        """Half the threshold: a kappa that may be as small as this is no leak."""
        return self.threshold / 2

    @property
    def leak_alpha(self) -> float:
        """Half of alpha: how often, at most, a kappa of the margin may have a bound above it."""
        return self.alpha / 2


class AuditResult(Shown, Record, frozen=True, kw_only=True):
    """Everything that one audit found, the verdict and its reason first."""

    verdict: Verdict
    reason: str
    vector: str | None
    """The vector that the verdict is about; None if nothing was assessed."""
    schema: str
    name: str
    source: str
    sha256: str
    items: int
    left_out: list[Exclusion]
    """Rows that were not audited; at most 1,000 of them."""
    left_out_count: int
    mapping: MappingUsed
    labels: list[LabelCount]
    duplicates: Duplicates | None
    groups: GroupSummary | None
    schemes: list[SchemeResult]
    """`grouped` and `random`, or `paper` alone; empty if nothing was assessed."""
    gap: SchemeGap | None
    clusters: list[ClusterCheck]
    """What became of a suspected leak when clusters of similar texts were kept together; empty without a suspicion."""
    findable: list[Findable]
    """The smallest cues that would have been found; empty if one was, or under `paper`."""
    evidence_vector: str | None
    """The n-gram vector behind `cues` and `giveaways`; None if nothing was assessed."""
    evidence_scheme: str | None
    """The scheme that the verdict is about, which also scored the `giveaways`; None if nothing was assessed."""
    cues: list[Cue]
    giveaways: list[Giveaway]
    advice: list[str]
    """What to change, in sentences."""
    notes: list[str]
    settings: Settings
    versions: dict[str, str]
    format_share: FormatShare | None = None
    mentions: Mentions | None = None
    ladder: Ladder | None = None
    """The simplest shortcuts one above the other; None under `paper` and where nothing was measured."""
    single_ngrams: SingleNgrams | None = None
    effort: Effort | None = None
    """What was saved because there are very many items; None if everything was measured in full."""
    open_ended: OpenEnded | None = None
    """What strategies reach that answer without the ability; None unless the answers are open-ended."""
    recipe: RecipeUsed | None = None
    """The recipe by which the benchmark was read; None without one."""
    options: OptionsSummary | None = None
    """Of a benchmark whose items have options of their own, on which `schemes` are then measured; else None."""
    published: PublishedSplit | None = None
    """The published split; None under the other protocols."""
    partial: PartialInputs | None = None
    """What parts of the prompts predict by themselves; None as for `ladder`. They change no verdict."""
    predictions: list[PredictionsUsed] = msgspec.field(default_factory=list)
    """Predictions that were made elsewhere, each a further vector; empty if none were given."""
    policy: PolicyUsed | None = None
    """The policy of the project; None without one."""

    def headline(self) -> str:
        """The verdict and its reason."""
        return f"{self.name!r}, {self.items:,} items: {self.verdict}. {self.reason[:1].upper()}{self.reason[1:]}"

    def rows(self) -> Rows:
        """A row per scheme and feature vector; of open answers, a row per strategy."""
        if self.open_ended is not None:
            fields = StrategyResult.__struct_fields__
            return [fields, *([getattr(way, name) for name in fields] for way in self.open_ended.strategies)]
        names = [name for name in VectorResult.__struct_fields__ if name != "regularisation"]
        every = [(scheme.scheme, vector) for scheme in self.schemes for vector in scheme.vectors]
        return [["scheme", *names], *([scheme, *(getattr(vector, name) for name in names)] for scheme, vector in every)]

    def scheme(self, name: str) -> SchemeResult | None:
        """The scheme called `name`, or None if it was not run."""
        return next((scheme for scheme in self.schemes if scheme.scheme == name), None)

    @property
    def shape(self) -> Literal["labels", "options", "open"]:
        """What the answers are: labels that items share, options of each item, or open. Words go by it."""
        return "options" if self.options is not None else "open" if self.open_ended is not None else "labels"

    @property
    def deciding_scheme(self) -> SchemeResult | None:
        """The scheme that the verdict is about, as `audit.verdict` says; None if nothing was assessed."""
        return None if self.evidence_scheme is None else self.scheme(self.evidence_scheme)

    @property
    def kappa(self) -> float | None:
        """The kappa that the verdict is about; of open answers, the advantage over the best constant. None without."""
        return self._decisive[0]

    @property
    def low(self) -> float | None:
        """The lower end of its 95 % interval."""
        return self._decisive[1]

    @property
    def high(self) -> float | None:
        """The upper end of its 95 % interval."""
        return self._decisive[2]

    @property
    def p(self) -> float | None:
        """Its p, corrected for all that were looked at."""
        return self._decisive[3]

    @property
    def _decisive(self) -> tuple[float | None, float | None, float | None, float | None]:
        if self.open_ended is not None:
            ways = [way for way in self.open_ended.strategies if way.name == self.open_ended.strategy]
            return (ways[0].advantage, ways[0].low, ways[0].high, ways[0].p_corrected) if ways else _UNDEFINED
        scheme = self.deciding_scheme
        vector = None if scheme is None or self.vector is None else scheme.find(self.vector)
        if vector is None:
            return _UNDEFINED
        return vector.matched, vector.matched_low, vector.matched_high, vector.p_corrected


_UNDEFINED = (None, None, None, None)


_WORST: Final[tuple[Verdict, ...]] = (
    "LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "NOT ASSESSED", "INCONCLUSIVE", "TRACES", "CLEAN",
)  # fmt: skip
"""In the order of a table: faults, what is unknown, what is not."""


FLAGGED: Final[tuple[Verdict, ...]] = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
"""The verdicts that say that a benchmark has a fault."""


class ScanResult(Shown, Record, frozen=True, kw_only=True):
    """A folder of benchmarks, audited one by one in the order of their paths."""

    schema: str
    source: str
    results: list[AuditResult]
    failures: list[Exclusion]
    """Files that could not be audited: `place` is the file, with the line where one is known."""
    unfinished: list[str] = msgspec.field(default_factory=list)
    """Files that were not reached, because the scan was interrupted; run it again to go on."""
    exits: list[int] = msgspec.field(default_factory=list)
    """The exit code of each of `results`, which --fail-on and the policy decide; empty where no command asked."""

    def ranked(self) -> list[int]:
        """The places of the results, the worst verdict first, and of equal verdicts the largest kappa."""
        known = [-1.0 if result.kappa is None else result.kappa for result in self.results]
        return sorted(
            range(len(known)), key=lambda place: (_WORST.index(self.results[place].verdict), -known[place], place)
        )

    def flagged(self) -> list[AuditResult]:
        """The results whose verdict says that the benchmark has a fault, in their order."""
        return [result for result in self.results if result.verdict in FLAGGED]

    def headline(self) -> str:
        """How many benchmarks were audited, and how many of them have a fault."""
        return f"{self.source!r}, {len(self.results):,} benchmarks: {len(self.flagged()):,} with a fault"

    def rows(self) -> Rows:
        """A row per benchmark, the worst first, with the kappa that its verdict is about; then those that failed."""
        names = ("name", "verdict", "items", "vector", "kappa", "low", "high", "p", "reason")
        exits: list[int | None] = [*self.exits] or [None] * len(self.results)
        rows = [
            [*(getattr(self.results[at], name) for name in names), exits[at], self.results[at].source]
            for at in self.ranked()
        ]
        failed = [[e.place, "FAILED", *[None] * 6, e.reason, 2, e.place.partition(": ")[0]] for e in self.failures]
        return [(*names, "exit", "path"), *rows, *failed]
