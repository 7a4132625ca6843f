"""What is said of the single n-grams."""

from made_ngrams import survey

from hansproof.audit.report.audit_sentences import ngram_sentences


def test_the_number_the_family_the_answers_and_the_clearest():
    assert ngram_sentences(survey()) == [
        "2 of 880 n-grams in at least 5 groups go with an answer (Holm over 2,640 tests, alpha .05): contradiction 1, "
        "neutral 1.",
        "Clearest: “not” in 120 groups, 80 % with the answer contradiction (base rate 33 %, z 12.1).",
    ]


def test_none_is_said_to_be_none():
    (sentence,) = ngram_sentences(survey([], significant=0, unit="item"))
    assert sentence.startswith("None of 880 n-grams in at least 5 items goes with an answer significantly")
