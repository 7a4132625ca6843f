"""`hansproof release`: parse, call, print."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from hansproof.terminal.outputs import check_folder
from hansproof.terminal.streams import say, tell

__all__ = ["release"]

_RELEASE_EPILOG = """\b
Examples:
  hansproof release planted-cues --version 2.0.0
  hansproof release knights-knaves --version 2.1.0 --date 2026-12-01
  hansproof release planted-cues --version 2.0.0 --card-only

\b
Exit codes:
  0  frozen
  1  refused: an undeclared shortcut, a wrong gold answer, a broken promise; nothing is left on disk
  2  could not run: an unknown dataset or version, one already frozen, faulty items or declarations
"""


@click.command(epilog=_RELEASE_EPILOG)
@click.argument("name")
@click.option("--version", required=True, metavar="V", help="Version of the generator, MAJOR.MINOR.PATCH.")
@click.option("--out", default="datasets", show_default=True, metavar="FOLDER", help="Folder for releases.")
@click.option("--cards", default="cards", show_default=True, metavar="FOLDER", help="Folder for cards.")
@click.option("--date", metavar="YYYY-MM-DD", help="Date of the release. Recorded only if you give it.")
@click.option("--card-only", is_flag=True, help="Only rewrite a frozen release's card; of an old version, its errata.")
@click.option("--permutations", default=999, show_default=True, help="Permutations behind each p-value.")
@click.option("--splits", default=10, show_default=True, help="How often each audit splits the items anew.")
@click.option("--workers", default=0, help="Number of threads; 0 means one per core. It does not change the bytes.")
def release(
    name: str,
    version: str,
    out: str,
    cards: str,
    card_only: bool,
    permutations: int,
    splits: int,
    workers: int,
    **options: Any,
) -> None:
    """Generate, audit and freeze the dataset NAME. A dataset with an undeclared shortcut is refused.

    Writes OUT/NAME/V/ (items, their manifest, details and digests) and CARDS/NAME-V.md with its figure.
    """
    check_folder(out, "--out")
    check_folder(cards, "--cards")
    if card_only:
        from hansproof.generators.registry import dataset
        from hansproof.release.card import write_card

        for path in write_card(Path(out) / name / version, dataset(name), cards):
            say(path)
        return
    from hansproof.release.objections import declared
    from hansproof.release.release import AuditOptions
    from hansproof.release.release import release as run
    from hansproof.terminal.streams import on_stderr

    folder = Path(out) / name / version
    before = os.path.lexists(folder)
    try:
        with on_stderr() as progress:
            audits = AuditOptions(permutations, splits, workers)
            outcome = run(name, version, out=out, cards=cards, audits=audits, progress=progress, **options)
    except KeyboardInterrupt:
        done = "is frozen; --card-only writes its card" if not before and folder.is_dir() else "was not frozen"
        tell(f"{folder} {done}")
        raise
    for subset in outcome.manifest.subsets if outcome.audited else ():
        design = " (by design)" if declared(subset) else ""
        why = f": {subset.audit.reason}" if subset.audit.verdict == "INCONCLUSIVE" else ""
        say(f"{subset.name}: {subset.rows:,} items, {subset.audit.verdict}{design}{why}")
    if outcome.refused:
        for reason in outcome.refused:
            tell(f"refused: {reason}")
        sys.exit(1)
    for path in (outcome.folder, *outcome.written):
        say(path)
