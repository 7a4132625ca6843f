"""Advice: what an author should change, from the numbers of the audit."""

from collections import Counter

import msgspec

from hansproof.audit.result.advice import advise_on_duplicates
from hansproof.audit.result.audit_result import Duplicates
from hansproof.audit.result.explanation import CleanKappa, Cue, FormatShare, Mentions
from hansproof.audit.tasks.label_advice import advise
from hansproof.audit.tasks.shape import Explanation
from hansproof.audit.verdict.rule import Judgement

LABELS = Counter(no=365, yes=125)
NOTHING = Explanation()


def cue(ngram, z, count=40):
    return Cue(
        ngram=ngram, level="word", label="yes", coefficient=1.0, count=count, count_label=count * 3 // 4, z=z, pmi=0.6,
        productivity=0.75, coverage=0.1,
    )  # fmt: skip


def advice(verdict, cues=(), vector="word-1-tf"):
    return advise(Judgement(verdict, "", vector, "grouped"), cues, LABELS, NOTHING)


def test_a_leak_names_its_four_strongest_clear_cues():
    cues = [
        cue("b", 3.0),
        cue("weak", 2.99),
        cue("few", 9.0, 4),
        *(cue(name, z) for name, z in zip("acde", (8, 7, 6, 5))),
    ]
    balance = advice("LEAKS", cues)[:-1]
    assert [line.partition(":")[0] for line in balance] == ["“a”", "“c”", "“d”", "“e”"]
    assert advice("LEAKS", cues[:3])[0] == (
        "“b”: 30 of 40 items with it have the answer “yes”; of all items, 26 % do. Use it equally often with every "
        "answer, or vary the wording."
    )
    assert len(advice("LEAKS", cues[1:3])) == 1


def test_a_cue_that_may_be_a_leak_is_to_be_balanced_until_more_items_settle_it():
    undecided = Judgement("INCONCLUSIVE", "", "word-1-tf", "grouped", undecided=True)
    first, last = advise(undecided, [cue("b", 5.0)], LABELS, NOTHING)
    assert first.startswith("“b”: 30 of 40 items")
    assert last.startswith("Add items and audit again")
    assert advise(undecided, [], LABELS, Explanation(length="longer texts are yes"))[0].endswith("balance the lengths.")
    assert len(advice("INCONCLUSIVE", [cue("b", 5.0)])) == 1


def test_white_space_is_drawn_in_advice():
    assert advice("TRACES", [cue("\n\n", 5.0)])[0].startswith("“⏎⏎”: 30 of 40 items")
    assert advice("TRACES", [cue(" more than", 5.0)])[0].startswith("“␣more than”: ")
    often = msgspec.structs.replace(cue("\n", 5.0), times=4)
    assert advice("TRACES", [often])[0].startswith("“⏎” 4 times or more: 30 of 40 items")


def test_format_is_named_where_it_decides_or_where_clean_text_halves_kappa():
    def with_share(raw, clean, verdict="LEAKS"):
        kappas = [CleanKappa(vector="word-1-tf", label="", raw=raw, clean=clean)]
        share = FormatShare(changed=9, kappas=kappas, marks=[])
        return advise(Judgement(verdict, "", "word-1-tf", "grouped"), [], LABELS, Explanation(format_share=share))[0]

    assert with_share(0.5, 0.24).startswith("The format of the text predicts the answer")
    assert with_share(0.5, 0.26).startswith("Write matched pairs")
    assert with_share(0.5, None).startswith("Write matched pairs")
    assert advice("LEAKS", vector="format")[0].startswith("The format of the text")
    kept = CleanKappa(vector="format", label="", raw=0.5, clean=0.41)  # the probe of format also sees lengths
    share = FormatShare(changed=9, kappas=[kept], marks=[])
    lines = advise(Judgement("LEAKS", "", "format", "grouped"), [], LABELS, Explanation(format_share=share))
    assert lines[0].startswith("Write matched pairs")
    assert with_share(0.5, 0.1, "INCONCLUSIVE").startswith("Add items")


def test_a_word_that_stays_on_clean_text_is_no_format_even_where_the_probe_of_format_is_the_strongest():
    kappas = [CleanKappa(vector=name, label="", raw=raw, clean=clean) for name, raw, clean in (
        ("format", 0.652, 0.2), ("word-1-tf", 0.649, 0.649))]  # fmt: skip
    share = FormatShare(changed=0, kappas=kappas, marks=[])
    leak = Judgement("LEAKS", "", "format", "grouped")
    assert advise(leak, [cue("often", 5.0)], LABELS, Explanation(format_share=share))[0].startswith("“often”")


def test_an_answer_that_stands_in_its_prompt_by_design_is_no_cue_to_take_out():
    cues = [cue("is Yes", 9.0), cue("never", 8.0)]
    mentions = Mentions(gold=9, others=9, rules=[])
    lines = advise(Judgement("TRACES", "", "word-1-tf", "grouped"), cues, LABELS, Explanation(mentions=mentions))
    assert [line.partition(":")[0] for line in lines] == ["The answers stand in their prompts", "“never”"]
    assert advise(Judgement("CLEAN", "", "word-1-tf", "grouped"), [], LABELS, Explanation(mentions=mentions)) == []


def test_a_leak_of_readability_asks_for_texts_of_one_length():
    assert advice("LEAKS", vector="readability")[0].startswith("The length and difficulty of the text predict")


def test_an_imbalance_names_the_answer_and_its_share():
    assert advice("IMBALANCED")[0].startswith("“no” is the answer to 365 of 490 items: balance the answers")


def test_every_verdict_but_clean_has_advice_and_duplicates_have_theirs():
    assert advice("CLEAN") == []
    assert advice("TEMPLATE-BOUND")[0].startswith("Use each template equally often with every answer")
    assert advice("INCONCLUSIVE")[0].startswith("Add items")
    twice = Duplicates(repeated_items=3, conflicting=[["a", "b"]], conflicting_sets=1, across_splits=2)
    assert advise_on_duplicates(twice) == [
        "1 text occurs with more than one gold answer: correct or remove the items.",
        "2 texts occur in more than one published split: keep each in a single split.",
    ]


def test_length_that_is_enough_is_what_the_advice_is_about():
    way = "longer texts have the answer “yes” more often (median 31 words, against 22 of the others)"
    leak = Judgement("LEAKS", "", "length", "grouped")
    lines = advise(leak, [cue("b", 5.0)], LABELS, Explanation(length=way), alone=False)
    assert lines[0] == f"L{way[1:]}: balance the lengths."
    assert lines[1].startswith("Write matched pairs")  # neither a second word on length nor an n-gram by chance
    assert advise(leak, [cue("b", 5.0)], LABELS, NOTHING)[0].startswith("“b”")
    assert advise(Judgement("CLEAN", "", "length", "grouped"), [], LABELS, Explanation(length=way)) == []
