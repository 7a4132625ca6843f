"""Verifying a release: digests, rows, gold answers, and every line made again.

`verify` never stops at the first fault: each check says what it found, so that one run shows what happened. What
needs the generator is left out, with the reason, where this installation does not have the dataset in that version.
"""

from __future__ import annotations

from pathlib import Path

from generators.dataset import Dataset
from generators.progress import Progress, unwatched
from generators.registry import MODULES
from generators.registry import dataset as registered
from hansproof.release.checks import Check, Verification
from hansproof.release.inventory import take_inventory
from hansproof.release.known_shortcuts import shortcut_faults
from hansproof.release.manifest import Manifest
from hansproof.release.regeneration import design_faults, first_difference, gold_faults
from hansproof.release.rows import Rows, read_rows

__all__ = ["verify"]


def verify(folder: Path | str, *, regenerate: bool = True, progress: Progress | None = None) -> Verification:
    """Check the release in `folder`; `regenerate=False` leaves out making every line again.

    Raises InputError where there is no release to check or a file cannot be read.
    """
    say = progress or unwatched
    folder = Path(folder)
    say("checksums", 0, 1)
    inventory = take_inventory(folder)
    manifest = inventory.manifest
    if manifest is None:
        reason = "the manifest cannot be read"
        rest = [Check(name, reason, done=False) for name in ("rows", "ids", "duplicates", "gold", "regenerated")]
        return Verification(str(folder), "", inventory.checks + rest)
    dataset, reason = _dataset(manifest)
    files = {one.name: folder / one.file for one in manifest.subsets if (folder / one.file).is_file()}
    found: dict[str, Rows] = {}
    for entry in manifest.subsets:
        if entry.name in files:
            say("reading rows", len(found), len(files))
            subset = dataset.subsets.get(entry.name) if dataset else None
            found[entry.name] = read_rows(files[entry.name], entry, manifest, subset.limit if subset else None)
    checks = [*inventory.checks, *_row_checks(found)]
    if dataset is None:
        checks += [Check("gold", reason, done=False), Check("regenerated", f"not regenerated: {reason}", done=False)]
    else:
        checks.append(_gold(found, files, dataset, say))
        if dataset.shortcuts or any(one.shortcuts for one in manifest.subsets):
            checks.append(_shortcuts(manifest, found, dataset))
        checks.append(_regenerated(manifest, files, dataset, regenerate, say))
    return Verification(str(folder), f"{manifest.dataset} {manifest.version}", checks)


def _dataset(manifest: Manifest) -> tuple[Dataset | None, str]:
    """The dataset that made the release, or None and the reason why there is none."""
    if manifest.dataset not in MODULES:
        return None, f"no generator is called {manifest.dataset!r} here"
    dataset = registered(manifest.dataset)
    if dataset.version != manifest.version:
        return None, (
            f"the generator here makes {dataset.name} {dataset.version}; {manifest.generator} makes {manifest.version}"
        )
    return dataset, ""


def _row_checks(found: dict[str, Rows]) -> list[Check]:
    rows = sum(len(one.items) for one in found.values())
    broken = [name for name, one in found.items() if not one.items]
    but = f", not of {', '.join(broken)}" if broken else ""
    return [
        Check("rows", f"{rows:,} valid items", tuple(fault for one in found.values() for fault in one.schema)),
        Check("ids", f"names and order{but}", tuple(fault for one in found.values() for fault in one.ids)),
        Check(
            "duplicates",
            f"ids and prompts within each of {len(found)} files{but}",
            tuple(fault for one in found.values() for fault in one.duplicates),
        ),
    ]


def _gold(found: dict[str, Rows], files: dict[str, Path], dataset: Dataset, say: Progress) -> Check:
    faults: list[str] = []
    for number, (name, rows) in enumerate(found.items()):
        say("checking gold answers", number, len(found))
        faults += gold_faults(files[name].name, rows.items, dataset)
    total = sum(len(rows.items) for rows in found.values())
    return Check("gold", f"{total:,} answers by a second method", tuple(faults))


def _shortcuts(manifest: Manifest, found: dict[str, Rows], dataset: Dataset) -> Check:
    known = [entry for entry in manifest.subsets if entry.name in found and found[entry.name].items]
    faults = [fault for entry in known for fault in shortcut_faults(entry, found[entry.name].items, dataset)]
    return Check("shortcuts", f"of {len(known)} subsets computed again", tuple(faults))


def _regenerated(
    manifest: Manifest, files: dict[str, Path], dataset: Dataset, regenerate: bool, say: Progress
) -> Check:
    faults = design_faults(manifest, dataset)
    if not regenerate:
        return Check("regenerated", "not regenerated: not asked for", tuple(faults), done=False)
    known = [name for name in files if name in dataset.subsets]
    for number, name in enumerate(known):
        say("making it again", number, len(known))
        difference = first_difference(files[name], name, dataset)
        faults += [difference] if difference else []
    return Check("regenerated", f"{len(known)} files made again with seed {dataset.seed}", tuple(faults))
