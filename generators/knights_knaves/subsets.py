"""The visible table of rooms: all subsets of the family, in the order of the release.

| subset | puzzles | what varies within the file (keys of the metadata) |
|---|---|---|
| `set-S`, `set-I`, `set-E` | the paper's sets: 200 puzzles a size (S with three characters: 70) | `n`, `terminology` |
| `balanced` | who is what? 4 to 6 characters; no blind strategy tells | `n` |
| `character` | the same with accusations, asked about two characters in turn | `n`, `asked` |
| `number` | no, one or several solutions: how many? | `n`, `outcome` |
| `solutions` | no, one or several solutions: which? | `n`, `outcome` |
| `ladder` | 3 to 40 characters, by the suppositions that a solution takes | `n`, `rung` |
| `memorisation` | one word changed, so that the answer changes or does not | `n`, `condition` |
| `logicians` | agents who infer, and agents who never answer | `n` |

A room is a folder: `sets` has the first seven subsets, `planted` the next two. No two puzzles of the release have the
same canonical form, except the three vocabularies of one puzzle: see `puzzles.distinct` and `sets.cells`.
"""

from __future__ import annotations

from generators.knights_knaves.logicians.logicians import LOGICIANS
from generators.knights_knaves.plan import Room
from generators.knights_knaves.planted.ladder import LADDER
from generators.knights_knaves.planted.memorisation import MEMORISATION
from generators.knights_knaves.sets.balanced import BALANCED
from generators.knights_knaves.sets.counts import COUNTS
from generators.knights_knaves.sets.faithful import FAITHFUL

__all__ = ["PLANS"]

PLANS: Room = {**FAITHFUL, **BALANCED, **COUNTS, **LADDER, **MEMORISATION, **LOGICIANS}
"""One room after the other."""
