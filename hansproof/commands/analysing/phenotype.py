"""`--by phenotype`, which is `hansproof phenotype`: how models decide, from runs of the cognitive tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generators.errors import UsageError
from hansproof.commands.analysing.kind import AnalysisKind, Given
from hansproof.commands.options.replies import named_files
from hansproof.commands.playing.measuring import measured
from hansproof.terminal.reports import Made

__all__ = ["PHENOTYPE"]


def _reads(given: Given) -> list[str]:
    if len(given["sources"]) > 1:
        raise UsageError("name the items that were played once, or leave them out: --items SOURCE")
    return [*named_files(given["answers"]), *given["sources"]]


def _make(given: Given, wanted: Sequence[str]) -> Made:
    from hansproof.participants.measuring import Measuring

    how = Measuring(models=given["models"], styles=given["styles"], seed=given["seed"] or 0)
    return measured(how, given["answers"], items=next(iter(given["sources"]), None), wanted=wanted)


PHENOTYPE: Final = AnalysisKind("phenotype", ("models", "styles", "seed", "figure"), _reads, _make)
