"""A made-up ladder on which one word is enough, and made-up partial inputs."""

from __future__ import annotations

from hansproof.audit.result.shortcuts import Ladder, PartialInput, PartialInputs, Rung, SingleNgram, Untried

__all__ = ["ladder", "partial", "rung"]


def rung(name: str, kappa: float | None, p: float | None = 0.004, sees: str = "") -> Rung:
    return Rung(
        name=name, label=name, sees=sees or f"what {name} sees", kappa=kappa,
        low=None if kappa is None or name == "constant" else round(kappa - 0.06, 4),
        high=None if kappa is None or name == "constant" else round(kappa + 0.06, 4),
        uniform=kappa, p=None if name == "constant" else p, splits=10,
    )  # fmt: skip


def ladder() -> Ladder:
    kappas = {
        "constant": 0.0, "length": 0.02, "ngram": 0.31, "format": 0.01, "partial": 0.3, "readability": 0.08,
        "unigrams": 0.32, "bigrams": 0.33,
    }  # fmt: skip
    rungs = [rung(name, kappa) for name, kappa in kappas.items()]
    return Ladder(
        sentence="One word is enough: “not” → “contradiction” (261 of 312 items with it), kappa .31 of .33.",
        enough="ngram", best="bigrams", rungs=rungs,
        ngram=SingleNgram(
            ngram="not", level="word", words=1, label="contradiction", count=312, count_label=261, chosen=0.96
        ),
    )  # fmt: skip


def partial() -> PartialInputs:
    def entry(name: str, kappa: float, p: float) -> PartialInput:
        return PartialInput(
            name=f"{name} only", sees=f"the {name} alone", named=True, filled=1600, vector="word 1-2-grams, presence",
            kappa=kappa, low=round(kappa - 0.07, 4), high=round(kappa + 0.07, 4), uniform=kappa, p=p,
        )  # fmt: skip

    return PartialInputs(
        how="The prompts were split at lines that begin with “Premise:” and “Hypothesis:”.", whole=0.33, splits=3,
        vectors=["word 1-2-grams, presence", "length"],
        inputs=[entry("premise", 0.012, 1.0), entry("hypothesis", 0.301, 0.004)],
        left_out=[Untried(name="first sentence only", reason="the same in nearly all items")],
    )  # fmt: skip
