"""A release from end to end: generate, audit what was written, refuse or write manifest and card, freeze.

Takes a dataset of the registry, leaves `datasets/NAME/VERSION/` and `cards/NAME-VERSION.md` with its drawing. The
audit reads the very files that are frozen. Until nothing speaks against them they have no final name.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import date as calendar_date
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

import msgspec

from audit.result import AuditResult, SchemeResult
from audit.run import examine
from generators.dataset import Dataset, Subset
from generators.errors import InputError, UsageError
from generators.item import Item
from generators.jsonl import write_bytes
from generators.progress import Progress, unwatched
from generators.registry import dataset as registered
from hansproof.release.freeze import Staging, check_version, staging, subset_entry, write_subset, write_sums
from hansproof.release.manifest import (
    MANIFEST,
    AuditSettings,
    AuditSummary,
    Kappa,
    Manifest,
    SchemeKappas,
    SubsetEntry,
    encode,
)
from hansproof.release.verify import verify

__all__ = ["Outcome", "objections", "release", "summary", "write_card"]

BAD = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
"""Verdicts with which a subset is frozen only where its dataset says that they are expected."""


@dataclass(frozen=True)
class Outcome:
    """What came of a release."""

    folder: Path
    """Where the release is, or would be."""
    manifest: Manifest
    refused: list[str]
    """Why it was not frozen, a sentence each; empty where it was."""
    written: list[Path]
    """Card and drawing; empty where it was refused."""


def release(
    name: str,
    version: str,
    *,
    out: Path | str = "datasets",
    cards: Path | str = "cards",
    date: str | None = None,
    workers: int = 0,
    progress: Progress | None = None,
    **settings: Any,
) -> Outcome:
    """Generate, audit and freeze a dataset of the registry.

    `date` (YYYY-MM-DD) is recorded where it is given, no clock is read. `settings` are those of
    `audit.run.make_settings`. Raises UsageError for an unknown dataset, a version that is not the generator's or an
    impossible date, InputError where the version is frozen already.
    """
    say = progress or unwatched
    dataset = registered(name)
    check_version(dataset, version)
    _check_date(date)
    target = Path(out) / name / version
    with staging(target) as stage:
        manifest = _fill(stage, dataset, date, workers, say, settings)
        refused = objections(manifest)
        if not refused:
            say("verifying", 0, 1)
            found = verify(stage.folder, regenerate=False)
            refused = [fault for check in found.checks for fault in check.faults]
        if refused:
            return Outcome(target, manifest, refused, [])
        stage.commit()
    return Outcome(target, manifest, [], write_card(manifest, dataset, cards))


def write_card(manifest: Manifest, dataset: Dataset, cards: Path | str) -> list[Path]:
    """Write `NAME-VERSION.md` and the drawing beside it into `cards`, over earlier ones; the paths.

    The card is made from the manifest, the dataset and, where there is one, `NAME-VERSION.errata.md`: what was found
    wrong after the freeze.
    """
    from hansproof.cards.card import card, heat_map

    folder = Path(cards)
    stem = f"{manifest.dataset}-{manifest.version}"
    noted = folder / f"{stem}.errata.md"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        errata = noted.read_text(encoding="utf-8") if noted.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{folder}: the card cannot be written: {error}; repeat with --card-only") from error
    texts = {f"{stem}.md": card(manifest, dataset, errata), f"{stem}.svg": heat_map(manifest)}
    for name, text in texts.items():
        write_bytes(folder / name, text.encode(), overwrite=True)
    return [folder / name for name in texts]


def objections(manifest: Manifest) -> list[str]:
    """Why the release must not be frozen: a sentence for each subset with a shortcut that nobody announced."""
    return [
        f"{one.name}: {one.audit.verdict}: {one.audit.reason}"
        for one in manifest.subsets
        if one.audit.verdict in BAD and not one.known_leak
    ]


def _fill(
    stage: Staging, dataset: Dataset, date: str | None, workers: int, say: Progress, settings: dict[str, Any]
) -> Manifest:
    entries: list[SubsetEntry] = []
    results: list[AuditResult] = []
    for number, (name, subset) in enumerate(dataset.subsets.items()):
        say(f"generating {name}", number, len(dataset.subsets))
        items = write_subset(dataset, name, stage.folder)
        source = _source(stage.folder / f"{name}.jsonl", items, subset)
        if source is None:
            found = _open_answers(items)
        else:
            results.append(_audited(source, name, workers, say, settings))
            found = _about(summary(results[-1]), "" if subset.labels else subset.audited)
        entries.append(subset_entry(dataset, name, stage.folder, items, found))
    manifest = _manifest(dataset, date, entries, results)
    from hansproof.cards.croissant import CROISSANT, croissant

    write_bytes(stage.folder / MANIFEST, encode(manifest))
    write_bytes(stage.folder / CROISSANT, croissant(manifest, dataset))
    write_sums(stage.folder)
    return manifest


def _source(path: Path, items: list[Item], subset: Subset) -> str | list[dict[str, str]] | None:
    """What the audit reads: the file; or, where answers are open, its prompts beside the metadata to be predicted."""
    if subset.labels:
        return str(path)
    if not subset.audited:
        return None
    missing = next((item.id for item in items if subset.audited not in item.metadata), None)
    if missing is not None:
        raise InputError(f"item {missing!r} has no metadata.{subset.audited}, which the audit is to predict")
    return [
        {"prompt": item.prompt, "answer": str(item.metadata[subset.audited]), "group": item.group} for item in items
    ]


def _about(found: AuditSummary, key: str) -> AuditSummary:
    """The summary with what was predicted put into its reason, where that is not the answer."""
    if not key:
        return found
    reason = f"with metadata.{key} to be predicted in place of the open answers: {found.reason}"
    return msgspec.structs.replace(found, reason=reason)


def _audited(
    source: str | list[dict[str, str]], name: str, workers: int, say: Progress, settings: dict[str, Any]
) -> AuditResult:
    def step(stage: str, done: int, total: int) -> None:
        say(f"{name}: {stage}", done, total)

    # The dataset has said that its answers are labels, so the audit need not guess it.
    columns = {} if isinstance(source, str) else {one: one for one in ("prompt", "answer", "group")}
    settings = {**columns, **settings}
    return examine(source, name=name, task="fixed", workers=workers, progress=step, **settings).result


def _open_answers(items: list[Item]) -> AuditSummary:
    different = len({item.answer for item in items})
    reason = f"the answers are open, not a few labels ({different:,} different ones in {len(items):,} items)."
    return AuditSummary(
        verdict="NOT ASSESSED",
        reason=reason,
        vector=None,
        groups=None,
        majority_accuracy=None,
        majority_uniform=None,
        schemes=[],
    )


def summary(result: AuditResult) -> AuditSummary:
    """What the manifest keeps of an audit: the verdict and every kappa, rounded to four decimals."""
    first = result.schemes[0] if result.schemes else None
    return AuditSummary(
        verdict=result.verdict,
        reason=result.reason,
        vector=result.vector,
        groups=result.groups.count if result.groups else None,
        majority_accuracy=_rounded(first.majority_accuracy) if first else None,
        majority_uniform=_rounded(first.majority_uniform) if first else None,
        schemes=[_kappas(one) for one in result.schemes],
    )


def _kappas(scheme: SchemeResult) -> SchemeKappas:
    return SchemeKappas(
        scheme=scheme.scheme,
        headline=scheme.headline,
        detectable=_rounded(scheme.detectable),
        vectors={
            one.vector: Kappa(
                label=one.label,
                cohen=_rounded(one.cohen),
                cohen_low=_rounded(one.cohen_low),
                cohen_high=_rounded(one.cohen_high),
                uniform=_rounded(one.uniform),
                p_holm=_rounded(one.p_holm),
            )
            for one in scheme.vectors
            if one.counted
        },
    )


def _manifest(dataset: Dataset, date: str | None, entries: list[SubsetEntry], results: list[AuditResult]) -> Manifest:
    toolkit = installed("hansproof")
    versions = {"hansproof": toolkit, "python": ".".join(map(str, sys.version_info[:3]))}
    settings = None
    if results:
        versions = results[0].versions
        known = msgspec.structs.asdict(results[0].settings)
        settings = AuditSettings(**{key: known[key] for key in AuditSettings.__struct_fields__})
    return Manifest(
        dataset=dataset.name,
        version=dataset.version,
        title=dataset.title,
        generator=f"hansproof {toolkit}",
        seed=dataset.seed,
        date=date,
        canary=dataset.canary,
        subsets=entries,
        audit_settings=settings,
        versions=versions,
    )


def _rounded(value: float | None) -> float | None:
    # Adding nought turns -0.0, which would be written with its sign, into 0.0.
    return None if value is None else round(value, 4) + 0.0


def _check_date(date: str | None) -> None:
    try:
        good = date is None or calendar_date.fromisoformat(date).isoformat() == date
    except ValueError:
        good = False
    if not good:
        raise UsageError(f"{date!r} is no date; write it as YYYY-MM-DD")
