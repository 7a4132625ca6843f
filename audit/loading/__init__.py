"""From a source to a `Benchmark`.

Read `source` first, then along the data: `folder` and `content` (bytes), `formats` and the readers it chooses
from (`json_rows`, `delimited`, `parquet`, `logs`, `hub` by `hub_connection`, `frames`), `table` (rows with their
places), `roles`, `guesses` and `usual_names` (which column is what), `cells` (one value), `items` (rows to items),
`remarks` (its notes), and `kind`.
"""

from __future__ import annotations

__all__: list[str] = []
