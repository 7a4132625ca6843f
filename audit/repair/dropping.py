"""Items that are left out before anything is repaired: a table of ids, such as the CSV of `analyse --by items`."""

from __future__ import annotations

from typing import Any

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import armed, first_of
from hansproof.audit.reading.loading import hold, read_table
from hansproof.audit.repair.records import Removal
from hansproof.generators.errors import InputError

__all__ = ["dropped"]


def dropped(benchmark: Benchmark, listed: Any) -> tuple[Benchmark, list[Removal]]:
    """The benchmark without the items that a table lists by `id`, and a record of each with its reason.

    Where the table has a column `flags`, only rows with a flag count; `reasons` say why. Raises InputError for a table
    that cannot be read, has no ids, is about several benchmarks, or names what is no item.
    """
    table, name = read_table(hold(listed)), str(listed)
    ids, why = set(benchmark.ids), dict[str, str]()
    for row in table.rows:
        if "id" not in row.values:
            raise InputError("has no column id: name the items to drop", f"{name}: {row.place}")
        flags = row.values.get("flags", "listed")
        if flags:
            key = str(row.values["id"])
            why[key if key in ids else armed(key)] = str(row.values.get("reasons") or flags)
    about = {str(row.values["benchmark"]): None for row in table.rows if row.values.get("benchmark")}
    if len(about) > 1:
        raise InputError(f"is about several benchmarks ({first_of([*about])}); keep the rows of one", name)
    strange = [key for key in why if key not in ids]
    if strange:
        named = first_of([repr(id) for id in strange])
        raise InputError(f"no item is called {named}. The first item is {benchmark.ids[0]!r}", name)
    places, gone = benchmark.places, [at for at, id in enumerate(benchmark.ids) if id in why]
    removed = [
        Removal(id=id, place=places[at] if places else None, part="dropped", step=None, why=why[id])
        for at, id in ((at, benchmark.ids[at]) for at in gone)
    ]
    return benchmark.taken(sorted({*range(len(benchmark.ids))} - {*gone})), removed
