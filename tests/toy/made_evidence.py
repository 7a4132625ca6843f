"""Made-up n-grams and predictable items of a spatial inference benchmark."""

from __future__ import annotations

from hansproof.audit.result.audit_result import Cue, Giveaway, Occurrence

__all__ = ["cues", "giveaways"]

PROMPTS = [
    "Premise: The cat is under the table.\nHypothesis: The table is above the cat.",
    "Premise: John has hidden Mary's book behind the shelf in the library.\nHypothesis: The book is not "
    "in the library, and it is certainly not behind the shelf.",
    "Premise: All of the marbles rolled off the desk and into the box.\nHypothesis: No marble is on the desk.",
    "Premise: The train left the tunnel and crossed the bridge.\nHypothesis: The train is on the bridge.",
]


def cues() -> list[Cue]:
    rows = [
        ("not", "contradiction", 2.814, 312, 261), ("never", "contradiction", 2.143, 71, 66),
        ("is not", "contradiction", 1.872, 188, 151), ("certainly", "contradiction", 1.204, 40, 36),
        ("no one", "contradiction", 0.977, 25, 23), ("above", "entailment", 1.944, 214, 163),
        ("is above the", "entailment", 1.511, 96, 78), ("from inside", "entailment", 1.103, 52, 44),
        ("has been", "entailment", 0.861, 61, 47), ("maybe", "neutral", 1.702, 58, 51),
        ("wants to", "neutral", 1.366, 47, 40), ("tomorrow", "neutral", 0.913, 33, 28),
    ]  # fmt: skip
    return [
        Cue(
            ngram=ngram, level="gpt2" if ngram == "certainly" else "word", label=label, coefficient=weight,
            count=total, count_label=hits, z=round(hits / total * 20, 2), pmi=round(weight / 2.1, 3),
            productivity=round(hits / total, 4), coverage=round(total / 1600, 4),
        )
        for ngram, label, weight, total, hits in rows
    ]  # fmt: skip


def giveaways() -> list[Giveaway]:
    items = []
    for index in range(10):
        prompt = PROMPTS[index % len(PROMPTS)]
        marks = []
        for gram, label, weight in (
            ("is not", "contradiction", 0.21), ("not", "contradiction", 0.48), ("above", "entailment", 0.62),
            ("is above the", "entailment", 0.2), ("the", "neutral", 0.04), ("No", "contradiction", 0.7),
            ("on the bridge", "neutral", 0.3),
        ):  # fmt: skip
            start = prompt.find(gram)
            if start >= 0:
                marks.append(Occurrence(start=start, end=start + len(gram), label=label, weight=weight))
        answer = ["entailment", "contradiction", "contradiction", "neutral"][index % 4]
        items.append(
            Giveaway(
                id=f"line {17 * index + 4}", prompt=prompt, answer=answer, predicted=answer,
                probability=round(0.991 - 0.0123 * index, 4), cues=marks,
            )
        )  # fmt: skip
    return items
