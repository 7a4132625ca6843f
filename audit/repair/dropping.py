"""Items that are left out before anything is repaired: a table of ids, such as the CSV of `analyse --by items`."""

from __future__ import annotations

from typing import Any

import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.reading.loading import hold, read_table
from hansproof.audit.repair.records import Removal
from hansproof.generators.errors import InputError

__all__ = ["dropped"]


def dropped(benchmark: Benchmark, listed: Any) -> tuple[Benchmark, list[Removal]]:
    """The benchmark without the items that a table lists by `id`, and a record of each with its reason.

    Where the table has a column `flags`, only rows with a flag count; `reasons` say why. Raises InputError for a table
    that cannot be read or has no ids, and where it names no item.
    """
    table, name = read_table(hold(listed)), str(listed)
    why: dict[str, str] = {}
    for row in table.rows:
        if "id" not in row.values:
            raise InputError("has no column id: name the items to drop", f"{name}: {row.place}")
        flags = row.values.get("flags", "listed")
        if flags:
            why[str(row.values["id"])] = str(row.values.get("reasons") or flags)
    gone = np.array([id in why for id in benchmark.ids], dtype=np.bool_)
    if why and not gone.any():
        raise InputError(
            f"none of its {len(why):,} ids is that of an item; the first item is {benchmark.ids[0]!r}", name
        )
    removed = [
        Removal(
            id=benchmark.ids[place],
            place=None if benchmark.places is None else benchmark.places[place],
            part="dropped",
            step=None,
            why=why[benchmark.ids[place]],
        )
        for place in np.flatnonzero(gone).tolist()
    ]
    return benchmark.taken(np.flatnonzero(~gone).tolist()), removed
