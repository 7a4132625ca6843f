"""A made-up survey of single n-grams, realistic in shape and size."""

from hansproof.audit.result.shortcuts import NgramLabel, NgramTest, SingleNgrams


def ngram(text, count, z, label="contradiction", also=()):
    return NgramTest(
        ngram=text, level="word", label=label, also=list(also), count=count, hits=0.8 * count, z=z, p=1e-9,
        p_corrected=1e-5, pmi=0.9, applicability=count - 1, productivity=0.81, coverage=(count - 1) / 160,
    )  # fmt: skip


def survey(worst=None, **changes):
    tests = [ngram("not", 120, 12.1, also=["is not", " not"]), ngram("\n\n", 31, 6.2, "neutral")]
    fields = {
        "unit": "group", "units": 160, "fewest": 5, "ngrams": 880, "tests": 2640, "alpha": 0.05,
        "significant": 2,
        "labels": [
            NgramLabel(label="entailment", base_rate=0.4, significant=0),
            NgramLabel(label="contradiction", base_rate=0.33, significant=1),
            NgramLabel(label="neutral", base_rate=0.27, significant=1),
        ],
        "worst": tests if worst is None else worst,
    }  # fmt: skip
    return SingleNgrams(**(fields | changes))
