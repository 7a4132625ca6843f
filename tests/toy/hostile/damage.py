"""Damaged benchmarks: good files of each format with some bytes changed, cut out, doubled or cut off."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hansproof.audit.reading.loading import load
from hansproof.generators.errors import HansproofError
from hansproof.generators.stream import Stream

__all__ = ["COUNT", "KINDS", "OFTEN", "damaged", "outcome_of"]

ROWS: Final = [{"prompt": f"Is item {n} a good one, or “not”?", "answer": ("yes", "no")[n % 2]} for n in range(60)]


def _parquet() -> bytes:
    import polars as pl

    data = io.BytesIO()
    pl.DataFrame([row | {"more": {"n": n, "list": [n]}} for n, row in enumerate(ROWS)]).write_parquet(data)
    return data.getvalue()


def _jsonl() -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode()


def _csv() -> bytes:
    return ("prompt,answer\n" + "".join(f'"{row["prompt"]}",{row["answer"]}\n' for row in ROWS)).encode()


KINDS: Final = {
    "parquet": _parquet,
    "jsonl": _jsonl,
    "json": lambda: json.dumps(ROWS).encode(),
    "csv": _csv,
    "gzip": lambda: gzip.compress(_jsonl(), mtime=0),
}
"""Format -> a good file of it."""


COUNT: Final = 60
"""Damaged files of each format that the tests try."""
OFTEN: Final = 4000
"""The same of the longer run."""


def damaged(count: int, seed: int) -> Iterator[tuple[str, int, bytes]]:
    """(format, number, bytes) of `count` damaged files of each format, always the same for a seed."""
    for kind, make in KINDS.items():
        whole = make()
        for number in range(count):
            yield kind, number, _damaged(whole, Stream(seed, "hostile", kind).child(number))


def _damaged(whole: bytes, draws: Stream) -> bytes:
    data = bytearray(whole)
    for _ in range(1 + draws.below(6)):
        place = draws.below(len(data)) if data else 0
        what = draws.below(6)
        if what < 3 and data:
            data[place] = draws.below(256)
        elif what == 3:
            del data[place : place + 1 + draws.below(64)]
        elif what == 4:
            data[place:place] = data[place : place + 1 + draws.below(64)]
        else:
            del data[len(data) - draws.below(1 + len(data) // 4) :]
    return bytes(data)


def outcome_of(data: bytes, path: Path) -> str:
    """`read`, `refused` in printable lines, or what is wrong with how the file `path` with these bytes is read."""
    path.write_bytes(data)
    try:
        load(path)
    except HansproofError as error:
        lines = str(error).splitlines()
        return "refused" if len(lines) <= 21 and all(map(str.isprintable, lines)) else f"says {str(error)[:200]!r}"
    except BaseException as error:
        return f"raised {type(error).__name__}: {str(error)[:200]}"
    return "read"
