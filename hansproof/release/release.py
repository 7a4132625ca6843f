"""A release from end to end: write items, audit what was written, refuse it or freeze it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date as calendar_date
from functools import partial
from hashlib import sha256
from importlib.metadata import version as installed
from pathlib import Path

import msgspec

from hansproof.audit.reading.loading import load
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.result.audit_result import AuditResult, SchemeResult
from hansproof.audit.run import audit
from hansproof.audit.settings import check_workers, make_settings
from hansproof.generators.dataset import Dataset, Subset
from hansproof.generators.errors import Fault, HansproofError, InputError, Progress, UsageError, refused, unwatched
from hansproof.generators.input import recording
from hansproof.generators.item import Item
from hansproof.generators.jsonl import PACKED, dump, pack, read_bytes, write_bytes
from hansproof.generators.output import make_folders, preparing, remove_folder
from hansproof.generators.production import items as produced
from hansproof.generators.production import release_stretch
from hansproof.generators.registry import MODULES, prose
from hansproof.generators.registry import dataset as registered
from hansproof.release.arms import arm_entries
from hansproof.release.card import DETAILS, details, write_card
from hansproof.release.checksums import SUMS, digest_of, order_digest, sums
from hansproof.release.croissant import CROISSANT, croissant
from hansproof.release.declarations import declaration_faults
from hansproof.release.manifest import (
    MANIFEST,
    AuditSettings,
    AuditSummary,
    Licence,
    Manifest,
    SchemeKappas,
    SubsetEntry,
    VectorKappas,
    encode,
    rounded,
)
from hansproof.release.objections import blind_entries, counts, figure_entries, majority, objections
from hansproof.release.verify import verify

__all__ = ["AuditOptions", "release", "summary"]

# Until the commit nothing has its final name, and whatever is not committed is removed.


@dataclass
class Staging:
    """A release in the making: fill `folder`, then `commit`."""

    folder: Path
    """Where the files are written, on the same disk as `target`."""
    target: Path
    """`datasets/NAME/VERSION`."""

    def commit(self) -> None:
        """Move the folder to its final name. Raises InputError if that exists by now or the system refuses."""
        _refuse_frozen(self.target)
        try:
            # A rename replaces no folder that has files, so a second process that was quicker keeps its release.
            os.rename(self.folder, self.target)  # noqa: PTH104
        except OSError as error:
            raise refused("written", error, str(self.target)) from error


@contextmanager
def staging(target: Path) -> Iterator[Staging]:
    """A folder in which to prepare the release `target`; it is removed with its contents unless you commit it, and so
    are the folders that were made above it.

    Raises InputError where `target` exists: a frozen version is never overwritten.
    """
    _refuse_frozen(target)
    with ExitStack() as undo:
        for made in reversed(make_folders(target.parents[1], target.parent)):
            undo.callback(remove_folder, made)
        with preparing(target.parent) as beside:
            # The folder beside is private to its owner; the one inside has the usual permissions.
            folder = beside / target.name
            try:
                folder.mkdir()
            except OSError as error:
                raise refused("written", error, str(target)) from error
            yield Staging(folder, target)


def _refuse_frozen(target: Path) -> None:
    if os.path.lexists(target):
        raise InputError("is frozen and is never overwritten; a changed dataset needs a new version", str(target))


def check_version(dataset: Dataset, version: str) -> None:
    """Raises UsageError unless `version` is the generator's: another one would name bytes that it does not make."""
    if version != dataset.version:
        raise UsageError(
            f"{dataset.name} is at version {dataset.version}, not {version}; the generator sets the version, "
            "which changes whenever its output does"
        )


def write_subset(dataset: Dataset, name: str, folder: Path) -> list[Item]:
    """Generate one subset into `folder` as NAME.jsonl.gz; the items. Raises InputError for faulty items."""
    items = list(produced(dataset, release_stretch(dataset, name), dataset.seed))
    write_bytes(_file(folder, name), pack(dump(items)))
    return items


def _file(folder: Path, subset: str) -> Path:
    return folder / f"{subset}.jsonl{PACKED}"


def subset_entry(dataset: Dataset, name: str, folder: Path, items: list[Item], audit: AuditSummary) -> SubsetEntry:
    """What the manifest says about the file that `write_subset` wrote, its audit and its blind strategies."""
    path, subset = _file(folder, name), dataset.subset(name)
    lines = read_bytes(path)
    return SubsetEntry(
        name=name,
        file=path.name,
        **counts(items, len(lines), labels=subset.labels),
        sha256=sha256(lines).hexdigest(),
        order_sha256=order_digest(item.id for item in items),
        exploit=subset.exploit,
        balanced=subset.balanced,
        audited="" if subset.labels else subset.audit_target,
        arms=arm_entries(items),
        blind=blind_entries(dataset, items),
        audit=audit,
    )


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS over every file in `folder`."""
    digests = {path.name: digest_of(path) for path in folder.iterdir() if path.name != SUMS}
    write_bytes(folder / SUMS, sums(digests), overwrite=True)


# The audit reads the very file that is frozen. Where answers are open, it predicts the key of the metadata that the
# family names.

NO_ANSWER = "nothing is right here: the items have no gold answer that a probe could predict"
OPEN = "the answers are open, not a few labels"


@dataclass(frozen=True)
class AuditOptions:
    """What may be chosen about the audits of a release; everything else is the audit's default."""

    permutations: int = 999
    """Relabelings for the p-values."""
    splits: int = 10
    """How often the items are split into folds anew."""
    workers: int = 0
    """Threads; 0 is one per core. No number depends on it."""


@dataclass(frozen=True)
class SubsetAudit:
    """What came of one audit."""

    summary: AuditSummary
    result: AuditResult | None = None
    """None where there was nothing to audit."""
    by_option: AuditSummary | None = None
    """Of the options that stand in the prompts; None where none do."""


def audit_subset(
    path: Path, subset: Subset, items: Sequence[Item], options: AuditOptions, progress: Progress
) -> SubsetAudit:
    """Audit the items in `path`: labels as labels, options as `hansproof audit` does, or the target of open answers."""
    name = path.name.partition(".")[0]
    target = "" if subset.labels else subset.audit_target
    source: str | list[dict[str, str]]
    if target:
        source = _targets(items, target)
    elif any(item.answer is None for item in items):
        return SubsetAudit(_not_assessed(NO_ANSWER))
    elif subset.labels and len({item.answer for item in items}) == 1:
        return SubsetAudit(_one_answer(items))
    elif subset.labels:
        source = str(path)
    else:
        different = len({item.answer for item in items})
        return SubsetAudit(_not_assessed(f"{OPEN} ({different:,} different ones in {len(items):,} items)"))

    def step(stage: str, done: int, total: int, /) -> None:
        progress(f"{name}: {stage}", done, total)

    run = partial(
        audit,
        source,
        prompt="prompt" if target else None,
        answer="answer" if target else None,
        group="group" if target else None,
        name=name,
        workers=options.workers,
        progress=step,
        permutations=options.permutations,
        splits=options.splits,
    )
    by_option = not target and kind(load(source, predicted=False)).name == "per-item"  # as `hansproof audit` sees it
    if by_option and len({frozenset(item.choices or ()) for item in items}) > 1:
        # Options that differ are no labels: nothing can be said of one beyond its own item.
        result = run()
        share, uniform = majority([str(item.answer) for item in items])
        kept = msgspec.structs.replace(summary(result), majority_accuracy=share, majority_uniform=uniform)
        return SubsetAudit(kept, result)
    result = run(task="fixed")  # the family has said that its answers are labels, so the audit need not infer it
    kept = summary(result)
    if target:
        reason = f"the answers are open, so the probes predict metadata.{target} instead: {kept.reason}"
        kept = msgspec.structs.replace(kept, reason=reason)
    return SubsetAudit(kept, result, summary(run()) if by_option else None)


def _targets(items: Sequence[Item], target: str) -> list[dict[str, str]]:
    """Rows for the audit: each prompt with the metadata that is to be predicted."""
    return [{"prompt": item.prompt, "answer": str(item.metadata[target]), "group": item.group} for item in items]


def _not_assessed(reason: str) -> AuditSummary:
    return AuditSummary(
        verdict="NOT ASSESSED",
        reason=f"{reason}.",
        vector=None,
        groups=None,
        majority_accuracy=None,
        majority_uniform=None,
        schemes=[],
    )


def _one_answer(items: Sequence[Item]) -> AuditSummary:
    """Where every answer is the same, there is nothing to probe: saying it is a shortcut to all of them."""
    reason = f"all {len(items):,} answers are {items[0].answer!r}: whoever always says so gets every item right"
    return msgspec.structs.replace(_not_assessed(reason), verdict="IMBALANCED", majority_accuracy=1.0)


def summary(result: AuditResult) -> AuditSummary:
    """What the manifest keeps of an audit: the verdict and every kappa, to four decimals."""
    first = result.schemes[0] if result.schemes else None
    return AuditSummary(
        verdict=result.verdict,
        reason=result.reason,
        vector=result.vector,
        groups=result.groups.count if result.groups else None,
        majority_accuracy=rounded(first.majority_accuracy) if first else None,
        majority_uniform=rounded(first.majority_uniform) if first else None,
        schemes=[_kappas(scheme) for scheme in result.schemes],
        findable={cue.kind: rounded(cue.kappa) for cue in result.findable},
    )


def _kappas(scheme: SchemeResult) -> SchemeKappas:
    return SchemeKappas(
        scheme=scheme.scheme,
        headline=scheme.headline,
        vectors={
            vector.vector: VectorKappas(
                label=vector.label, **{name: rounded(getattr(vector, name)) for name in _KEPT_KAPPAS}
            )
            for vector in scheme.vectors
            if vector.counted
        },
    )


_KEPT_KAPPAS = (
    "cohen", "cohen_low", "cohen_high", "uniform", "matched", "matched_low", "matched_high", "p_corrected",
)  # fmt: skip


@dataclass(frozen=True)
class Finished:
    """What came of a release."""

    folder: Path
    """Where the release is, or would be."""
    manifest: Manifest
    refused: list[str]
    """Why it was not frozen, one sentence each; empty where it was."""
    written: list[Path]
    """Card and drawing; empty where it was refused."""
    audited: bool = True
    """False where it was refused before any audit."""


def release(
    name: str,
    version: str,
    *,
    out: Path | str = "datasets",
    cards: Path | str = "cards",
    date: str | None = None,
    audits: AuditOptions | None = None,
    progress: Progress = unwatched,
) -> Finished:
    """Generate, audit and freeze a registered dataset.

    `date` (YYYY-MM-DD) is recorded if you give it; no clock is read. Raises UsageError for an unknown dataset,
    a version other than the generator's and an impossible date, InputError where the version is frozen, and where its
    card cannot be written, which says that the release itself is frozen.
    """
    dataset = registered(name)
    check_version(dataset, version)
    _check_date(date)
    audits = audits or AuditOptions()
    make_settings(permutations=audits.permutations, splits=audits.splits)  # before any folder is made
    check_workers(audits.workers)
    target = Path(out) / name / version
    with staging(target) as stage:
        finished = _fill(stage, dataset, date, audits, progress)
        if finished.refused:
            return finished
        stage.commit()
    try:
        return replace(finished, written=write_card(target, dataset, cards))
    except HansproofError as error:
        frozen = Fault("is frozen; only its card is missing, and --card-only writes it", str(target))
        raise InputError.of([*error.faults, frozen]) from error


def _fill(stage: Staging, dataset: Dataset, date: str | None, options: AuditOptions, progress: Progress) -> Finished:
    """Write every file of the release: what came of it, not committed yet.

    What costs seconds is looked at first: where items repeat each other or are wrong, a promise is broken or a blind
    strategy beats chance, nothing is audited.
    """
    folder, pending = stage.folder, _not_assessed("not audited yet")
    every: dict[str, list[Item]] = {}
    for number, name in enumerate(dataset.subsets):
        progress(f"generating {name}", number, len(dataset.subsets))
        every[name] = write_subset(dataset, name, folder)
    if wrong := declaration_faults(dataset, every, prose(dataset.name).fields):
        raise InputError.of([Fault(reason, dataset.name) for reason in wrong])
    entries = [subset_entry(dataset, name, folder, items, pending) for name, items in every.items()]
    manifest = Manifest(
        dataset=dataset.name,
        version=dataset.version,
        title=dataset.title,
        generator=f"hansproof {installed('hansproof')}",
        seed=dataset.seed,
        date=date,
        canary=dataset.canary,
        licence=Licence(data=dataset.licence, code="MIT" if dataset.name in MODULES else ""),
        subsets=entries,
        audit_settings=None,
        versions={},
        figures=figure_entries(dataset, every),
    )
    with recording(aside=True):  # what is read here is written again below
        _describe(folder, manifest, dataset)
        refused = objections(manifest)
        checks = [] if refused else verify(folder, regenerate=False, progress=progress).checks
    refused += [str(fault) for check in checks for fault in check.faults]
    if refused:
        return Finished(stage.target, manifest, refused, [], audited=False)
    results = []
    for at, (name, subset) in enumerate(dataset.subsets.items()):
        audited = audit_subset(_file(folder, name), subset, every[name], options, progress)
        entries[at] = msgspec.structs.replace(entries[at], audit=audited.summary, by_option=audited.by_option)
        results += [audited.result] if audited.result else []
    settings, versions = _circumstances(results)
    manifest = msgspec.structs.replace(manifest, subsets=entries, audit_settings=settings, versions=versions)
    _describe(folder, manifest, dataset)
    return Finished(stage.target, manifest, objections(manifest), [])


def _describe(folder: Path, manifest: Manifest, dataset: Dataset) -> None:
    """Write the files that say what the items are, in place of earlier ones."""
    about = prose(dataset.name)
    write_bytes(folder / MANIFEST, encode(manifest), overwrite=True)
    write_bytes(folder / CROISSANT, croissant(manifest, dataset, about, folder), overwrite=True)
    write_bytes(folder / DETAILS, details(manifest, dataset, about).encode(), overwrite=True)
    write_sums(folder)


def _circumstances(results: list[AuditResult]) -> tuple[AuditSettings | None, dict[str, str]]:
    """Settings of the audits, if there were any, and versions of the libraries."""
    if not results:
        return None, {"hansproof": installed("hansproof"), "python": ".".join(map(str, sys.version_info[:3]))}
    settings = msgspec.structs.asdict(results[0].settings)
    kept = {key: settings[key] for key in AuditSettings.__struct_fields__ if key in settings}
    return AuditSettings(**kept), results[0].versions


def _check_date(date: str | None) -> None:
    try:
        valid = date is None or calendar_date.fromisoformat(date).isoformat() == date
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(f"{date!r} is not a date; write it as YYYY-MM-DD")
