"""Spellings of one answer are not several ways of being wrong."""

from collections import Counter

import hansproof
from hansproof.audit.tasks.label_advice import advise, minding_spellings, spellings_of
from hansproof.audit.tasks.shape import Explanation
from hansproof.audit.verdict.rule import Judgement

COUNTS = {"no": 41, "yes": 28, "No": 5, "Yes": 3, "yse": 1}
IMBALANCED = Judgement("IMBALANCED", "always giving it is right.", "length", "grouped")
SENTENCE = (
    "5 answers, but 'No'/'no' and 'Yes'/'yes' differ only in case or white space, and 'yse' ('yes'?) occurs once: "
    "merge them and audit again (this verdict counts them apart)."
)


def answers(counts):
    return [label for label, count in counts.items() for _ in range(count)]


def test_an_imbalance_that_is_gone_once_spellings_are_merged_is_inconclusive():
    assert spellings_of(COUNTS).merged == [46, 32]
    judgement = minding_spellings(IMBALANCED, answers(COUNTS), 0.2)
    # 41 of 78, chance 1/5: .407; 46 of 78, chance 1/2: .179.
    assert (judgement.verdict, ".41; merged, of .18," in judgement.reason) == ("INCONCLUSIVE", True)


def test_an_imbalance_that_merging_leaves_stands_and_says_so():
    assert minding_spellings(IMBALANCED, answers(COUNTS), 0.17).verdict == "IMBALANCED"
    plain = {"no": 60, "yes": 18}
    assert minding_spellings(IMBALANCED, answers(plain), 0.2) is IMBALANCED
    leak = Judgement("LEAKS", "", "length", "grouped")
    assert minding_spellings(leak, answers(COUNTS), 0.2) is leak


def test_only_a_single_word_a_letter_away_from_a_common_one_is_a_slip():
    assert spellings_of({"no": 41, "yes": 28}) is None
    assert spellings_of({"entailment": 40, "entailmnet": 1}).slips == [("entailmnet", "entailment")]
    assert spellings_of({"entailment": 40, "entailmnet": 2}) is None  # twice is no slip
    assert spellings_of({"cat": 9, "car": 1}) is None
    assert spellings_of({"cat": 10, "car": 1}).slips == [("car", "cat")]
    assert spellings_of({"A": 40, "B": 1, "100": 40, "101": 1, "up": 50, "us": 1}) is None


def test_spellings_are_the_first_advice_whatever_the_verdict():
    for verdict in ("LEAKS", "INCONCLUSIVE", "CLEAN"):
        assert advise(Judgement(verdict, "", "length", "grouped"), [], Counter(COUNTS), Explanation())[0] == SENTENCE


def test_an_audit_withholds_the_verdict():
    rows = [
        {"prompt": f"Is item {n} of kind {n * 7919 % 78} fine?", "answer": a} for n, a in enumerate(answers(COUNTS))
    ]
    result = hansproof.audit(rows, splits=1, permutations=99, folds=3, groups="none", workers=1)
    assert result.verdict == "INCONCLUSIVE"
    assert result.reason.startswith("there are 5 answers, but")
