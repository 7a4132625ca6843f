"""The family knights-knaves."""

from __future__ import annotations

from generators.dataset import Dataset
from generators.knights_knaves.checking import check
from generators.knights_knaves.puzzles.designs import VERSION
from generators.knights_knaves.puzzles.puzzle import make
from generators.knights_knaves.replies.error_kinds import ERRORS
from generators.knights_knaves.replies.scorer import SCORER
from generators.knights_knaves.subsets import subsets

__all__ = ["DATASET"]

DATASET = Dataset(
    name="knights-knaves",
    version=VERSION,
    title="Knights and knaves",
    summary="Who tells the truth and who lies, from what each of them says? Puzzles after TruthQuest.",
    seed=20240618,
    subsets=subsets(),
    make=make,
    check=check,
    scorer=SCORER,
    factors=("opening", "line", "denial", "closing"),
    slices=(("set", "n"),),
    expertise="logic puzzles",
    errors=ERRORS,
)
