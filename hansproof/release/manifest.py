"""manifest.json: what a release says about itself, as typed records."""

from __future__ import annotations

import json
from math import isnan
from typing import Annotated, Any, Literal

import msgspec

from hansproof.audit.result.audit_result import Verdict
from hansproof.generators.answering.scorer import Better
from hansproof.generators.errors import InputError
from hansproof.generators.input import first_repeated
from hansproof.generators.jsonl import json_fault
from hansproof.release.checksums import plain_name

__all__ = [
    "MANIFEST",
    "ArmEntry",
    "AuditSettings",
    "AuditSummary",
    "BlindEntry",
    "FigureEntry",
    "Manifest",
    "SchemeKappas",
    "SubsetEntry",
    "VectorKappas",
    "decode",
    "encode",
    "rounded",
]

# Nothing here depends on when, where or by whom it was made. Kappas and shares have four decimals: far coarser than the
# differences between platforms, far finer than their standard errors.

SCHEMA = "hansproof.release/2"
"""What releases are written with."""
MANIFEST = "manifest.json"

# The range of every number stands in its type, so that whatever reads a manifest refuses what cannot be.
Integer = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]  # Arrow has no wider one
Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Positive = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Kappa = Annotated[float, msgspec.Meta(ge=-1, le=1)]
Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Date = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all parts: immutable, named fields only, nothing unknown, and no interval that lies beside its point."""

    def __post_init__(self) -> None:
        """Raise ValueError, which msgspec words with the path, for fields that contradict each other."""
        for name in self.__struct_fields__:
            if name.endswith("low"):
                of = name.removesuffix("low")
                low, high = getattr(self, name), getattr(self, f"{of}high")
                point = getattr(self, of.removesuffix("_") or "share")
                if None not in (low, point, high) and not low <= point <= high:
                    raise ValueError(f"`{name}` and `{of}high` are {low} and {high}, no interval around {point}")


class VectorKappas(Record, frozen=True, kw_only=True):
    """The kappas of one feature vector; None where a kappa is undefined."""

    label: str
    """The vector's name for people: `word 1-2-grams, TF-IDF`."""
    cohen: Kappa | None
    cohen_low: Kappa | None
    """95 % interval over groups."""
    cohen_high: Kappa | None
    uniform: Kappa | None
    """With chance taken as 1 / number of labels."""
    matched: Kappa | None
    """Of predictions that give each answer as often as it occurs: what the verdict is about."""
    matched_low: Kappa | None
    """95 % interval over groups, which includes the splits and refitting."""
    matched_high: Kappa | None
    p_corrected: Share | None
    """One-sided p of `matched` after max-T correction for the vectors."""


class SchemeKappas(Record, frozen=True, kw_only=True):
    """One way of splitting: `grouped` keeps groups together, `random` ignores them."""

    scheme: str
    headline: str
    """The vector chosen by validation alone."""
    vectors: dict[str, VectorKappas]

    def __post_init__(self) -> None:
        """As `Record`, and for a headline that is none of the vectors."""
        super().__post_init__()
        if self.headline not in self.vectors:
            raise ValueError(f"`headline` is {self.headline!r}, which is none of its vectors")


class AuditSummary(Record, frozen=True, kw_only=True):
    """What the audit said about one subset."""

    verdict: Verdict
    reason: str
    vector: str | None
    """The vector that the verdict is about; None where nothing was assessed."""
    groups: Positive | None
    majority_accuracy: Share | None
    majority_uniform: Kappa | None
    schemes: list[SchemeKappas]
    findable: dict[str, Share | None] = {}
    """The smallest kappa of each kind of cue that the audit would have found 80 % of the time; None for never."""

    def __post_init__(self) -> None:
        """As `Record`, and for an audit that measured something and lacks a number."""
        super().__post_init__()
        if self.schemes and None in (self.vector, self.groups, self.majority_accuracy):
            raise ValueError("`vector`, `groups` or `majority_accuracy` is null, though probes were trained")
        if self.schemes and not any(self.vector in scheme.vectors for scheme in self.schemes):
            raise ValueError(f"`vector` is {self.vector!r}, which is none of its vectors")


class BlindEntry(Record, frozen=True, kw_only=True):
    """How often one strategy that lacks the ability is right on one part of the answers; None where undefined."""

    strategy: str
    part: str
    """`answer` for whole answers, else the name of a measure or the key of `metadata` that the strategy guesses."""
    items: Count
    """Items that have this part."""
    answered: Count
    """Items that the strategy answered; in the shares, the others count as wrong."""
    share: float | None
    """Share that is right, of a measure its mean; on unseen groups where the strategy learns."""
    low: float | None
    """95 % interval."""
    high: float | None
    interval: Literal["Wilson", "cluster-robust"]
    """`Wilson`, or `cluster-robust` where items share a group."""
    in_sample: float | None
    """The share where the strategy learns from the very items that it answers."""
    chance: float | None
    """What a uniform guess gets; None for open answers."""
    p_holm: Share | None
    """One-sided p of a share above chance, on the items answered, after Holm's correction over all entries of the
    subset; None where chance is undefined or nothing could be tested."""
    better: Better = "higher"
    """Whether a higher or a lower `share` is better; `neither` for a measure that only describes."""

    def __post_init__(self) -> None:
        """As `Record`, and for more answers than items."""
        super().__post_init__()
        if self.answered > self.items:
            raise ValueError(f"`answered` is {self.answered}, more than its {self.items} items")

    def of_answered(self, value: float | None) -> float:
        """The share, or an end of its interval, of the items answered alone; 0 for None. Not where nothing is answered.

        Exact for shares of items that weigh the same; the interval is too wide rather than too narrow, as it allows for
        a number of answers that varies by chance. What is at most 1 in the manifest, as shares are, stays so.
        """
        known = value or 0.0
        scaled = known * self.items / self.answered
        return min(1.0, scaled) if known <= 1 else scaled


class ArmEntry(Record, frozen=True, kw_only=True):
    """How the prompts of two conditions of matched items differ in aspects that nobody tests; see `release.arms`."""

    before: str
    after: str
    groups: Count
    """Groups with both conditions."""
    differences: dict[str, float | None]
    """Aspect -> mean after less mean before; None where no group has it in both."""
    p_holm: dict[str, Share | None]
    """Aspect -> two-sided p of the difference, after Holm's correction over all of the subset."""

    def __post_init__(self) -> None:
        if [*self.differences] != [*self.p_holm]:
            raise ValueError("`differences` and `p_holm` are of different aspects")


class SubsetEntry(Record, frozen=True, kw_only=True, omit_defaults=True):
    """One file of items."""

    name: str
    file: str
    rows: Positive
    bytes: Positive
    """Of the lines in it, unpacked."""
    sha256: Digest
    """Of the lines in it, which the generator makes again; SHA256SUMS has those of the files."""
    order_sha256: Digest
    """Over the ids in order, a newline after each."""
    groups: Positive
    """Different values of `group`."""
    conditions: dict[str, Positive]
    """Number of items per condition, in the order of their first appearance."""
    answers: dict[str, Positive] | None
    """Number of items per answer, sorted by answer; None where answers are open or nothing is right."""

    exploit: str
    """The shortcut that works here by design, as a clause; empty where the audit must find none."""
    balanced: bool
    """Whether the design promises that no blind strategy beats chance."""
    audited: str
    """The key of `metadata` that the audit predicted instead of an open answer; empty where it was the answer."""
    arms: list[ArmEntry] = []
    """Each two conditions that are compared; empty where items are not matched."""
    blind: list[BlindEntry]
    """Every blind strategy of the family on every part."""
    audit: AuditSummary
    by_option: AuditSummary | None = None
    """The audit that asks of each option whether it is the right one; None where no options stand in the prompts."""


class FigureEntry(Record, frozen=True, kw_only=True):
    """A number that the family promises of the release; None where it is undefined or has no such bound."""

    name: str
    meaning: str
    value: float | None
    least: float | None
    most: float | None


class Licence(Record, frozen=True, kw_only=True):
    """SPDX names."""

    data: str = "CC-BY-4.0"
    code: str = "MIT"
    """Empty where the code that made the items is none of hansproof's."""


class AuditSettings(Record, frozen=True, kw_only=True):
    """How the subsets were audited; enough to repeat it."""

    protocol: str
    seed: Integer
    folds: Positive
    permutations: Positive
    splits: Positive
    """How often the items were split anew."""
    threshold: Share
    alpha: Share


class Manifest(Record, frozen=True, kw_only=True):
    """A whole release."""

    schema: str = SCHEMA
    dataset: str
    version: str
    title: str
    generator: str
    """`hansproof 0.1.0`: what made it; `version` above is the generator's own."""
    seed: Integer
    date: Date | None
    """YYYY-MM-DD if a date of release was given, else None; no clock is read."""
    licence: Licence = Licence()
    canary: str
    subsets: list[SubsetEntry]
    audit_settings: AuditSettings | None
    """None where no subset was audited."""
    versions: dict[str, str]
    """Libraries that the numbers of the audit depend on."""
    figures: list[FigureEntry] | msgspec.UnsetType = msgspec.UNSET
    """What the family promises of the release as a whole; unset where it promises nothing."""

    def subset(self, name: str) -> SubsetEntry | None:
        """The subset called `name`, or None."""
        return next((entry for entry in self.subsets if entry.name == name), None)


def rounded(value: float | None) -> float | None:
    """`value` to four decimals; None for None and NaN, and no -0.0."""
    return None if value is None or isnan(value) else round(value, 4) + 0.0


def encode(manifest: Manifest) -> bytes:
    """Indented JSON: keys in the order of the fields, whatever holds only scalars on one line, one final newline."""
    return (_laid_out(msgspec.to_builtins(manifest), "") + "\n").encode()


def decode(data: bytes, place: str) -> Manifest:
    """Read what `encode` wrote.

    Raises InputError at `place`: broken JSON, an unknown schema, a field that is missing, unknown or of another type
    (with its path), a file name that leads out of the folder, a subset or file named twice.
    """
    try:
        raw = msgspec.json.decode(data)
    except RecursionError as error:
        raise InputError(json_fault(error), place) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not JSON: {error}", place) from error
    schema = raw.get("schema") if isinstance(raw, dict) else None
    if schema != SCHEMA:
        raise InputError(f"its schema is {schema!r}; this version reads {SCHEMA!r}", place)
    try:
        manifest = msgspec.convert(raw, Manifest)
    except msgspec.ValidationError as error:
        raise InputError(f"not a manifest of schema {schema!r}: {error}", place) from error
    if not manifest.subsets:
        raise InputError("it has no subsets", place)
    for kind, field in (("subset", "name"), ("file", "file")):
        if (repeated := first_repeated([getattr(entry, field) for entry in manifest.subsets])) is not None:
            raise InputError(f"the {kind} {repeated!r} is listed twice", place)
    for entry in manifest.subsets:
        if not plain_name(entry.file):
            raise InputError(f"{entry.file!r} is not the name of a file in this folder", place)
    return manifest


def _laid_out(value: Any, indent: str) -> str:
    if isinstance(value, dict | list) and any(
        isinstance(part, dict | list) for part in (value.values() if isinstance(value, dict) else value)
    ):
        deeper = indent + "  "
        if isinstance(value, dict):
            lines = [f"{deeper}{_flat(key)}: {_laid_out(part, deeper)}" for key, part in value.items()]
            return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
        return "[\n" + ",\n".join(deeper + _laid_out(part, deeper) for part in value) + f"\n{indent}]"
    return _flat(value)


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
