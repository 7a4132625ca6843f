"""Results in scripts and notebooks: a headline, a table, and every number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from hansproof.audit.result.record import json_bytes
from hansproof.generators.jsonl import write_bytes

if TYPE_CHECKING:
    import pandas

__all__ = ["PAGES", "Rows", "Shown"]

Rows: TypeAlias = Sequence[Sequence[str | float | None]]
"""A table, its headings first."""


_SHOWN: Final = 20
"""Rows in a notebook."""


PAGES: Final[dict[type, Callable[[Any], str]]] = {}
"""What draws the page of records that know no renderer; the front door of `audit` names it."""


class Shown:
    """What `audit`, `score`, `compare`, `analyse` and `phenotype` return, beside the fields of each."""

    __slots__ = ()

    def headline(self) -> str:
        """What was found, in a sentence."""
        raise NotImplementedError

    def rows(self) -> Rows:
        """What the command writes with `--csv`."""
        raise NotImplementedError

    def record(self) -> Any:
        """What the command writes with `--json`; undefined numbers are still NaN."""
        return self

    def page(self) -> str:
        """What the command writes with `--html`."""
        return PAGES[type(self)](self)

    def to_html(self, file: str | PathLike[str], *, force: bool = False) -> None:
        """Write the page, as the command does with `--html FILE`.

        Raises InputError if the file exists, unless `force`, and if it cannot be written.
        """
        write_bytes(fspath(file), self.page().encode(), overwrite=force)

    def to_dict(self) -> dict[str, Any]:
        """The JSON record of the command, with None for what is undefined."""
        made: dict[str, Any] = msgspec.json.decode(json_bytes(self.record(), indent=None))
        return made

    def to_frame(self) -> pandas.DataFrame:
        """A pandas frame with a row per line of the CSV."""
        import pandas

        names, *rows = self.rows()
        return pandas.DataFrame(rows, columns=list(names))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.headline()}>"

    def _repr_html_(self) -> str:
        frame = self.to_frame().dropna(axis="columns", how="all")
        table = frame.to_html(index=False, na_rep="", max_rows=_SHOWN, show_dimensions=len(frame) > _SHOWN)
        return f"<p><strong>{escape(self.headline())}</strong></p>\n{table}"
