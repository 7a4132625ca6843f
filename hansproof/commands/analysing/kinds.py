"""The table of kinds: a new one is a file beside this one, and a line here."""

from __future__ import annotations

from typing import Final

from hansproof.commands.analysing.effects import EFFECTS
from hansproof.commands.analysing.hypotheses import HYPOTHESES
from hansproof.commands.analysing.kind import AnalysisKind
from hansproof.commands.analysing.phenotype import PHENOTYPE
from hansproof.commands.analysing.shortcut import SHORTCUT

__all__ = ["KINDS"]

KINDS: Final[dict[str, AnalysisKind]] = {kind.name: kind for kind in (SHORTCUT, HYPOTHESES, EFFECTS, PHENOTYPE)}
"""What --by names -> the kind, in the order of the help; the first is the default."""
