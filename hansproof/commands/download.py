"""`hansproof download`: parse, call, print. Standard output is paths, standard error is talk."""

from __future__ import annotations

import click

__all__ = ["download"]

_DOWNLOAD_EPILOG = """\b
Examples:
  hansproof download planted-cues@1.0.0 --from https://example.org/datasets
  hansproof download planted-cues --from /media/copy/datasets --to data
  hansproof download planted-cues@1.0.0 --offline

\b
Where from: --from, else HANSPROOF_BASE_URL, else the addresses of the index (the shipped one has
none until the releases are published). NAME/VERSION/FILE is put behind the address.
Where to: --cache, else HANSPROOF_CACHE, else the platform's folder for caches.

\b
Exit codes:
  0  every file is there and has the size and SHA-256 of the index
  2  could not be fetched, or was not what the index says
"""


@click.command(epilog=_DOWNLOAD_EPILOG)
@click.argument("name", metavar="NAME[@VERSION]")
@click.option("--from", "source", metavar="URL|DIR", help="A mirror: an http(s) address, or a folder.")
@click.option("--cache", metavar="DIR", help="Where downloads are kept.")
@click.option("--offline", is_flag=True, help="Use the cache alone; fail where it is not whole.")
@click.option("--to", metavar="FOLDER", help="Put a copy there, as FOLDER/NAME/VERSION.")
@click.option("--index", metavar="FILE", help="Trust the digests of this index instead of the shipped one.")
@click.option("--force", is_flag=True, help="With --to: replace files that differ.")
@click.option("--quiet", is_flag=True, help="Print the folder alone.")
def download(
    name: str,
    source: str | None,
    cache: str | None,
    offline: bool,
    to: str | None,
    index: str | None,
    force: bool,
    quiet: bool,
) -> None:
    """Fetch a frozen release, check it, and print the folder in which it is.

    What is there already and right is kept; a download that broke off is gone on with. Without a version the newest
    release is taken.
    """
    from hansproof.fetch.download import download as fetch

    def report(line: str) -> None:
        if not quiet:
            click.echo(line, err=True)

    folder = fetch(name, source=source, cache=cache, offline=offline, to=to, force=force, index=index, report=report)
    click.echo(folder)
