"""Verifying a release: digests, rows, gold answers, blind strategies, and every line made again.

`verify` does not stop at the first fault: each check reports what it found, so one run shows the whole damage. Checks
that need the generator are not made where this installation does not have the dataset in that version.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import UNSET

from audit.notation import things
from generators.dataset import Dataset
from generators.errors import Fault, Progress, unwatched
from generators.registry import MODULES
from generators.registry import dataset as registered
from hansproof.manifests.blind import UNMEASURABLE, blind_faults
from hansproof.manifests.figures import figure_faults
from hansproof.manifests.manifest import FIRST_SCHEMA, MANIFEST, Manifest
from hansproof.release.verification.checks import Check, Verification
from hansproof.release.verification.inventory import take_inventory
from hansproof.release.verification.regeneration import design_faults, first_difference, gold_faults
from hansproof.release.verification.rows import CheckedRows, asked, check_rows

__all__ = ["verify"]


def verify(folder: Path | str, *, regenerate: bool = True, progress: Progress = unwatched) -> Verification:
    """Check the release in `folder`; with `regenerate=False` without making every line again.

    Raises InputError where there is no release to check or a file cannot be read.
    """
    folder = Path(folder)
    progress("checksums", 0, 1)
    inventory = take_inventory(folder)
    manifest = inventory.manifest
    if manifest is None:
        undone = ("rows", "ids", "duplicates", "gold", "blind", "regenerated")
        rest = [Check(name, "the manifest cannot be read", done=False) for name in undone]
        return Verification(str(folder), "", inventory.checks + rest)
    dataset, reason = _dataset(manifest)
    files = {entry.name: folder / entry.file for entry in manifest.subsets if entry.file in inventory.digests}
    rows: dict[str, CheckedRows] = {}
    for entry in manifest.subsets:
        if entry.name in files:
            progress("reading rows", len(rows), len(files))
            subset = dataset.subsets.get(entry.name) if dataset else None
            limit, told_apart = (subset.limit if subset else None), (dataset.told_apart if dataset else asked)
            if subset and subset.copies > 1:
                limit = entry.rows // subset.copies
            labels = subset.labels if subset else entry.answers is not None
            rows[entry.name] = check_rows(files[entry.name], entry, manifest, labels, limit, told_apart)
    checks = [*inventory.checks, *_row_checks(rows)]
    if dataset is None:
        checks += [Check(name, reason, done=False) for name in ("gold", "blind", "regenerated")]
    else:
        checks += [
            _gold(rows, files, dataset, regenerate, progress),
            *([] if manifest.schema == FIRST_SCHEMA else [_blind(manifest, rows, dataset, progress)]),
            *([] if manifest.figures is UNSET else [_figures(manifest, rows, dataset, progress)]),
            _regenerated(manifest, files, dataset, regenerate, progress),
        ]
    return Verification(str(folder), f"{manifest.dataset} {manifest.version}", checks)


def _dataset(manifest: Manifest) -> tuple[Dataset | None, str]:
    """The dataset that made the release, or None and the reason why there is none."""
    if manifest.dataset not in MODULES:
        return None, f"this installation has no generator {manifest.dataset!r}"
    current = registered(manifest.dataset)
    dataset = current.at(manifest.version)
    if dataset is None:
        return None, (
            f"this installation makes {current.name} {current.version}; {manifest.generator} made {manifest.version}"
        )
    return dataset, ""


def _row_checks(rows: Mapping[str, CheckedRows]) -> list[Check]:
    total = sum(len(checked.items) for checked in rows.values())
    files = "1 file" if len(rows) == 1 else f"each of {len(rows)} files"
    broken = [name for name, checked in rows.items() if not checked.items]
    but = f", except in {', '.join(map(repr, broken))}" if broken else ""
    return [
        Check("rows", f"{total:,} valid items", tuple(fault for checked in rows.values() for fault in checked.schema)),
        Check("ids", f"ids and their order{but}", tuple(fault for checked in rows.values() for fault in checked.ids)),
        Check(
            "duplicates",
            f"ids and prompts in {files}{but}",
            tuple(fault for checked in rows.values() for fault in checked.duplicates),
        ),
    ]


def _gold(
    rows: Mapping[str, CheckedRows], files: Mapping[str, Path], dataset: Dataset, regenerate: bool, progress: Progress
) -> Check:
    faults: list[Fault] = []
    for number, (name, checked) in enumerate(rows.items()):
        progress("checking gold answers", number, len(rows))
        faults += gold_faults(files[name].name, checked.items, dataset)
    golds = [item.answer for checked in rows.values() for item in checked.items]
    without = golds.count(None)
    notes = []
    if len(golds) > without and dataset.unproved:
        proof = "they are made again below" if regenerate else "only making them again proves them, which was skipped"
        notes.append(f"{things(len(golds) - without, 'gold answer')}: {dataset.unproved}; {proof}")
    elif len(golds) > without:
        notes.append(f"{things(len(golds) - without, 'gold answer')} checked by a second method")
    notes += [f"{things(without, 'item')} without a right answer by the family's own check"] if without else []
    proved = regenerate or not dataset.unproved
    return Check("gold", ", ".join(notes) or "no items to check", tuple(faults), done=proved)


def _blind(manifest: Manifest, rows: Mapping[str, CheckedRows], dataset: Dataset, progress: Progress) -> Check:
    readable = [entry for entry in manifest.subsets if entry.name in rows and rows[entry.name].items]
    faults: list[Fault] = []
    for number, entry in enumerate(readable):
        progress("measuring blind strategies", number, len(readable))
        faults += blind_faults(entry, rows[entry.name].items, dataset)
    return Check("blind", f"strategies measured again on {things(len(readable), 'subset')}", tuple(faults))


def _figures(manifest: Manifest, rows: Mapping[str, CheckedRows], dataset: Dataset, progress: Progress) -> Check:
    progress("measuring figures", 0, 1)
    items = {name: checked.items for name, checked in rows.items()}
    try:
        faults = figure_faults(manifest, dataset, items)
    except UNMEASURABLE as error:
        faults = [Fault(f"its figures cannot be measured: {type(error).__name__}: {error}", MANIFEST)]
    return Check("figures", "what the release promises as a whole, measured again", tuple(faults))


def _regenerated(
    manifest: Manifest, files: Mapping[str, Path], dataset: Dataset, regenerate: bool, progress: Progress
) -> Check:
    faults = design_faults(manifest, dataset)
    if not regenerate:
        return Check("regenerated", "skipped on request", tuple(faults), done=False)
    known = [name for name in files if name in dataset.subsets]
    for number, name in enumerate(known):
        progress("regenerating every line", number, len(known))
        difference = first_difference(files[name], name, dataset)
        faults += [difference] if difference else []
    return Check("regenerated", f"{things(len(known), 'file')} regenerated with seed {dataset.seed}", tuple(faults))
