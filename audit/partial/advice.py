"""What it means that a part of the prompt predicts the answer, and what to do about it."""

from __future__ import annotations

from audit.notation import interval, kappa
from audit.result.audit_result import Settings
from audit.result.shortcuts import PartialInputs

__all__ = ["advise_on_parts"]

_MOST = 2


def advise_on_parts(partial: PartialInputs | None, settings: Settings) -> list[str]:
    """Advice on parts with a name that predict the answers significantly, with kappa of at least half the threshold.

    Mere sentences give none: the first sentence of a story may well be all that a question is about.
    """
    if partial is None:
        return []
    strong = [
        entry
        for entry in partial.inputs
        if entry.named and (entry.kappa or 0.0) >= settings.margin and entry.p is not None and entry.p < settings.alpha
    ]
    strong.sort(key=lambda entry: -(entry.kappa or 0.0))
    return [
        f"{entry.sees[:1].upper()}{entry.sees[1:]} predicts the answers, kappa {kappa(entry.kappa)} "
        f"{interval(entry.low, entry.high)}: a high score does not show that a model relates the parts of the prompt. "
        f"Report this baseline beside every score, and use each part with different answers (Gururangan et al. 2018; "
        f"Poliak et al. 2018)."
        for entry in strong[:_MOST]
    ]
