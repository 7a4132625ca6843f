"""`hansproof release`: parse, call, print. Exit 0 frozen, 1 refused, 2 could not run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

__all__ = ["release"]

_EPILOG = """\b
Examples:
  hansproof release planted-cues --version 1.0.0
  hansproof release knights-knaves --version 1.0.0 --date 2026-12-01
  hansproof release planted-cues --version 1.0.0 --card-only

\b
Exit codes:
  0  frozen
  1  refused: a subset gives its answers away, or its items are faulty; nothing is left on the disk
  2  could not run: an unknown dataset, another version than the generator's, a version frozen already
"""


@click.command(epilog=_EPILOG)
@click.argument("name")
@click.option("--version", required=True, metavar="V", help="The version of the generator, MAJOR.MINOR.PATCH.")
@click.option("--out", default="datasets", show_default=True, metavar="FOLDER", help="Where releases are.")
@click.option("--cards", default="cards", show_default=True, metavar="FOLDER", help="Where the cards are.")
@click.option("--date", metavar="YYYY-MM-DD", help="Date of release, recorded only if it is given.")
@click.option("--card-only", is_flag=True, help="Write the card of a frozen release anew, for errata.")
@click.option("--permutations", type=int, default=999, show_default=True, help="Relabelings for the audit's p.")
@click.option("--bootstrap", type=int, default=1000, show_default=True, help="Draws for the audit's intervals.")
@click.option("--workers", type=int, default=0, help="Threads; 0 is one a core. The bytes do not depend on it.")
def release(
    name: str,
    version: str,
    out: str,
    cards: str,
    date: str | None,
    card_only: bool,
    permutations: int,
    bootstrap: int,
    workers: int,
) -> None:
    """Generate, audit and freeze the dataset NAME; refuse where the audit finds a shortcut nobody announced.

    Writes OUT/NAME/V/ (items, manifest.json, croissant.json, SHA256SUMS) and CARDS/NAME-V.md with its drawing.
    """
    if card_only:
        for path in _card_again(name, version, Path(out), cards):
            click.echo(path)
        return
    from hansproof.release.release import release as run
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress:
        found = run(
            name,
            version,
            out=out,
            cards=cards,
            date=date,
            workers=workers,
            progress=progress,
            permutations=permutations,
            bootstrap=bootstrap,
        )
    for one in found.manifest.subsets:
        known = " (announced)" if one.known_leak else ""
        click.echo(f"{one.name}: {one.rows:,} items, {one.audit.verdict}{known}")
    if found.refused:
        for reason in found.refused:
            click.echo(f"refused: {reason}", err=True)
        sys.exit(1)
    for path in (found.folder, *found.written):
        click.echo(path)


def _card_again(name: str, version: str, out: Path, cards: str) -> list[Path]:
    from generators.errors import InputError
    from generators.registry import dataset as registered
    from hansproof.release.freeze import check_version
    from hansproof.release.manifest import MANIFEST, decode
    from hansproof.release.release import write_card

    dataset = registered(name)
    check_version(dataset, version)
    path = out / name / version / MANIFEST
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    return write_card(decode(data, str(path)), dataset, cards)
