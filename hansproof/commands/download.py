"""`hansproof download`: parse, call, print. Standard output is the folder, standard error is talk."""

from __future__ import annotations

from typing import Any

import click

from hansproof.terminal.streams import say, tell

__all__ = ["download"]

_DOWNLOAD_EPILOG = """\b
Examples:
  hansproof download planted-cues@2.0.0 --from https://example.org/datasets
  hansproof download planted-cues --from /media/copy/datasets --to data
  hansproof download planted-cues@2.0.0 --offline

\b
Where from: --from, else HANSPROOF_BASE_URL, else the addresses in the index. The index that ships with
the package has no address until the releases are published. NAME/VERSION/FILE is appended to the address.
Where to: --cache, else HANSPROOF_CACHE, else the platform's cache folder.

\b
Exit codes:
  0  every file is in place, with the size and SHA-256 that the index lists
  2  a file could not be downloaded, or is not what the index lists
"""


@click.command(epilog=_DOWNLOAD_EPILOG)
@click.argument("name", metavar="NAME[@VERSION]")
@click.option("--from", "source", metavar="URL|DIR", help="A mirror: an http(s) address or a folder.")
@click.option("--cache", metavar="DIR", help="Where downloads are kept.")
@click.option("--offline", is_flag=True, help="Use only the cache; fail if it is incomplete.")
@click.option("--to", metavar="FOLDER", help="Also put a copy into FOLDER/NAME/VERSION.")
@click.option("--index", metavar="FILE", help="Trust the digests in this index instead of those in the package.")
@click.option("--force", is_flag=True, help="With --to: overwrite files that differ.")
@click.option("--quiet", is_flag=True, help="Print only the folder.")
def download(name: str, cache: str | None, to: str | None, quiet: bool, **options: Any) -> None:
    """Download a frozen release, check it, and print the folder that holds it.

    Files that are already correct are kept; an interrupted download resumes. Without a version you get the newest
    release.
    """
    from hansproof.fetch.download import download as fetch
    from hansproof.terminal.outputs import check_folder

    for option, folder in (("--to", to), ("--cache", cache)):
        if folder is not None:
            check_folder(folder, option)

    def report(line: str) -> None:
        if not quiet:
            tell(line)

    say(fetch(name, cache=cache, to=to, report=report, **options))
