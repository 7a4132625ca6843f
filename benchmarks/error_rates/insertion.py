"""Text that a script keeps up to date inside a page that people write: the part between two markers."""

from __future__ import annotations

from pathlib import Path

from generators.errors import InputError

__all__ = ["insert_between"]


def insert_between(page: Path, name: str, text: str) -> None:
    """Replace what stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->` in a page.

    Raises InputError unless both markers stand there once, in this order.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    content = page.read_text(encoding="utf-8")
    if content.count(begin) != 1 or content.count(end) != 1 or content.index(begin) > content.index(end):
        raise InputError(f"needs the markers {begin} and {end}, once each and in this order", str(page))
    before, after = content.split(begin)[0], content.split(end)[1]
    page.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")
