"""The rule that turns numbers into a word, case by case."""

import msgspec
import pytest
from made_verdicts import FEW, GROUPED, LEAK, PLAIN, QUIET, SETTINGS, WEAK, WIDE_GAP, check, cue, judge, scheme, vector

from hansproof.audit.result.audit_result import SchemeGap
from hansproof.audit.verdict.rule import Grouping, Probes, strongest_suspect, suspects


def test_the_gap_of_another_vector_makes_no_template():
    # The second vector leaks in random folds and keeps .29 of .30 in grouped ones; the gap of .5 is that of the first.
    first, second = vector("char-3-tf", 0.55, 0.1, 1.0, 0.05, 0.01), vector("word-1-tf", 0.3, 0.2, 0.4, 0.15, 0.01)
    random = scheme(first, second, name="random")
    grouped = scheme(vector("char-3-tf", 0.0), vector("word-1-tf", 0.29, 0.01, 0.5, 0.05, 0.01))
    gap = SchemeGap(vector="char-3-tf", gap=0.55, low=0.2, high=0.9)
    assert judge(grouped, random, gap, GROUPED).verdict == "INCONCLUSIVE"
    assert strongest_suspect(random, SETTINGS) == "word-1-tf"  # so the gap that is measured is that of the second
    assert strongest_suspect(grouped, SETTINGS) == "word-1-tf"  # no suspect: the largest kappa
    gone = scheme(vector("char-3-tf", 0.0), vector("word-1-tf", 0.05))  # not even then, for its own gap is unknown
    assert judge(gone, random, gap, GROUPED).verdict == "CLEAN"
    assert strongest_suspect(scheme(first, QUIET), SETTINGS) == "char-3-tf"


def test_a_significant_kappa_whose_bound_exceeds_the_margin_leaks():
    judgement = judge(scheme(QUIET, LEAK))
    assert (judgement.verdict, judgement.vector, judgement.scheme) == ("LEAKS", "gpt2-1-tf", "grouped")
    assert judgement.reason == (
        "the probe of gpt2-1-tf predicts the answers of items that it was not trained on with kappa .30 (95 % "
        "interval [.20, .40], corrected p = .010). Allowing for the choice of the strongest feature vector, kappa is "
        "at least .15. This may also be templates that were not detected; name them with --group."
    )
    better = msgspec.structs.replace(LEAK, accuracy=0.65)
    both = "The probe is right for 65.0 % of the items, always giving the most common answer for 50.0 %."
    assert both in judge(scheme(better)).reason
    strongest = vector("word-2-tf", 0.5, 0.4, 0.6, 0.3, 0.01)
    assert "of groups of items that it was not trained on" in judge(scheme(LEAK), grouping=GROUPED).reason
    assert "2 of 2 feature vectors leak" in judge(scheme(LEAK, strongest)).reason


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "LEAKS"),
        ({"matched": 0.2}, "LEAKS"),
        ({"matched": 0.19999999999999996}, "LEAKS"),  # (.6 - .5) / .5 in floating point
        ({"matched": 0.1999}, "INCONCLUSIVE"),  # the interval goes up to .45
        ({"matched": 0.1999, "high": 0.1999}, "TRACES"),
        ({"bound": 0.1001}, "LEAKS"),
        ({"bound": 0.1}, "INCONCLUSIVE"),
        ({"bound": None, "p": None}, "INCONCLUSIVE"),
        ({"p": 0.0499}, "LEAKS"),
        ({"p": 0.05}, "INCONCLUSIVE"),
    ],
)
def test_a_leak_needs_the_threshold_the_bound_and_the_p(changes, verdict):
    fields = {"matched": 0.3, "low": 0.15, "high": 0.45, "bound": 0.12, "p": 0.01} | changes
    measured = scheme(vector(**fields))
    assert judge(measured).verdict == verdict
    assert len(suspects(measured, SETTINGS)) == (verdict == "LEAKS")


def test_suspects_come_strongest_first_and_a_vector_that_is_not_counted_never_decides():
    outside = vector("grades", 0.9, 0.8, 1.0, 0.7, 0.001, counted=False)
    best = vector("word-2-tf", 0.5, 0.4, 0.6, 0.3, 0.01)
    assert [suspect.vector for suspect in suspects(scheme(LEAK, best, outside), SETTINGS)] == ["word-2-tf", "gpt2-1-tf"]
    assert judge(scheme(QUIET, outside)).verdict == "CLEAN"


def test_the_verdict_looks_at_matched_kappa_and_not_at_that_of_the_most_probable_answer():
    assert (LEAK.cohen, judge(scheme(LEAK)).verdict) == (0, "LEAKS")


def test_a_cue_that_reaches_the_threshold_but_may_be_as_small_as_the_margin_is_undecided():
    judgement = judge(scheme(QUIET, vector("word-2-tf", 0.25, 0.12, 0.38, 0.04, 0.01)))
    assert (judgement.verdict, judgement.vector) == ("INCONCLUSIVE", "word-2-tf")
    assert "there is a cue, but these items cannot show whether it is a leak" in judgement.reason
    assert judgement.reason.endswith("kappa may be as small as .04. More items would settle it.")


def test_a_leak_under_random_folds_alone_is_template_bound():
    judgement = judge(scheme(QUIET, vector("gpt2-1-tf", 0.02)), scheme(LEAK, name="random"), WIDE_GAP, GROUPED)
    assert (judgement.verdict, judgement.vector, judgement.scheme) == ("TEMPLATE-BOUND", "gpt2-1-tf", "random")
    assert "With each group kept together, kappa is .02" in judgement.reason
    assert "There are only" not in judgement.reason


@pytest.mark.parametrize(
    ("gap", "grouping", "verdict"),
    [
        (WIDE_GAP, GROUPED, "TEMPLATE-BOUND"),
        (SchemeGap(vector="gpt2-1-tf", gap=0.1, low=0.0, high=0.2), GROUPED, "CLEAN"),  # two sides of one threshold
        (None, GROUPED, "CLEAN"),
        (WIDE_GAP, Grouping(count=500, effective=450.0, share=0.2), "TEMPLATE-BOUND"),
        (WIDE_GAP, Grouping(count=500, effective=450.0, share=0.19), "CLEAN"),  # hardly anything belongs together
    ],
)
def test_template_bound_needs_a_gap_and_items_that_belong_together(gap, grouping, verdict):
    assert judge(scheme(QUIET), scheme(LEAK, name="random"), gap, grouping).verdict == verdict


def test_a_leak_that_holds_among_similar_texts_stays_one():
    assert judge(scheme(LEAK), clusters=[check(0.28, True), check(0.2, True)]).verdict == "LEAKS"


def test_a_leak_that_vanishes_among_similar_texts_is_template_bound():
    checks = [check(0.28, True), check(0.09, False), check(0.1, False, "frame")]
    judgement = judge(scheme(LEAK), clusters=checks)
    assert (judgement.verdict, judgement.vector, judgement.scheme) == ("TEMPLATE-BOUND", "gpt2-1-tf", "grouped")
    assert "but only .09 is left if texts of similar wording stay together (55 clusters)" in judgement.reason
    assert "templates that were not detected as groups" in judgement.reason
    declared = Grouping(count=100, effective=80.0, share=0.9, declared=True)
    assert "templates that no declared group covers" in judge(scheme(LEAK), None, None, declared, checks).reason


def test_a_leak_of_which_something_is_left_among_similar_texts_is_inconclusive():
    judgement = judge(scheme(LEAK), clusters=[check(0.1001, False)])
    assert judgement.verdict == "INCONCLUSIVE"
    assert "what is a cue and what are templates, only more varied texts can show" in judgement.reason
    assert judge(scheme(LEAK), clusters=[check(0.1, False)]).verdict == "TEMPLATE-BOUND"


def test_a_collapse_in_fewer_than_ten_clusters_leaves_it_open_whether_it_was_a_cue():
    few, many = check(-0.2, False, effective=9.9), check(-0.1, False, "frame", effective=10.0)
    assert judge(scheme(LEAK), clusters=[few]).verdict == "INCONCLUSIVE"
    assert "only -.10 is left" in judge(scheme(LEAK), clusters=[few, many]).reason


def test_a_weaker_suspect_that_holds_among_similar_texts_leaks():
    second = vector("word-1-tf", 0.25, 0.2, 0.3, 0.15, 0.01)
    checks = [check(0.0, False), check(0.24, True, vector="word-1-tf")]
    judgement = judge(scheme(LEAK, second), clusters=checks)
    assert (judgement.verdict, judgement.vector) == ("LEAKS", "word-1-tf")
    assert judge(scheme(LEAK, second), clusters=checks[:1]).verdict == "TEMPLATE-BOUND"  # the second was not tried


@pytest.mark.parametrize("measured", [scheme(LEAK), scheme(QUIET), scheme(WEAK), scheme(QUIET, majority=0.7)])
def test_few_groups_show_neither_a_leak_nor_its_absence(measured):
    judgement = judge(measured, grouping=FEW)
    assert judgement.verdict == "INCONCLUSIVE"
    assert "the items come in 40 groups, so unequal that they count as fewer: too few to say" in judgement.reason
    assert judgement.reason.endswith("At least 30 groups of similar size are needed.")
    four = judge(measured, grouping=Grouping(count=4, effective=4.0, share=1.0))
    assert "the items come in 4 groups: too few to say" in four.reason
    assert judge(scheme(LEAK), grouping=Grouping(count=40, effective=30.0, share=0.9)).verdict == "LEAKS"


def test_few_groups_can_still_be_bound_to_their_templates():
    judgement = judge(scheme(vector(LEAK.vector, p=0.2)), scheme(LEAK, name="random"), WIDE_GAP, FEW)
    assert judgement.verdict == "TEMPLATE-BOUND"
    assert judgement.reason.endswith("There are only 40 groups.")
    # A third of the kappa that is shown to be left without the templates is no template.
    for left, p, verdict in ((0.2, 0.01, "INCONCLUSIVE"), (0.11, 0.01, "TRACES"), (0.1, 0.01, "TEMPLATE-BOUND")):
        grouped = scheme(vector(LEAK.vector, left, high=left, p=p))
        assert judge(grouped, scheme(LEAK, name="random"), WIDE_GAP, GROUPED).verdict == verdict


def test_a_majority_that_beats_uniform_chance_is_imbalanced_unless_it_leaks():
    assert judge(scheme(QUIET, majority=0.6)).verdict == "IMBALANCED"
    assert judge(scheme(QUIET, majority=0.599)).verdict == "CLEAN"
    assert judge(scheme(LEAK, majority=0.7)).verdict == "LEAKS"


def test_imbalance_says_what_is_known_besides():
    def imbalanced(*vectors, findable=()):
        judgement = judge(scheme(*vectors, majority=0.7), findable=findable)
        assert judgement.verdict == "IMBALANCED"
        return judgement.reason.partition("No probe was shown to leak, ")[2]

    assert imbalanced(QUIET, WEAK).startswith("but there is a weaker cue: the probe of gpt2")
    assert "but these items cannot rule out a leak: word-1-tf has kappa" in imbalanced(vector(high=0.3))
    assert "but these items cannot rule out a leak: a cue of fifty words" in imbalanced(QUIET, findable=[cue(None)])


def test_only_a_significant_probe_at_the_threshold_keeps_imbalance_from_being_called_all_there_is():
    noise = judge(scheme(QUIET, vector("word-2-tf", 0.27, -0.1, 0.6, -0.2, 0.3), majority=0.7))
    assert noise.verdict == "IMBALANCED"
    assert "these items cannot rule out a leak" in noise.reason
    cue = vector("word-2-tf", 0.27, 0.05, 0.5, 0.05, 0.01)
    assert judge(scheme(QUIET, cue, majority=0.7)).verdict == "INCONCLUSIVE"


def test_a_significant_kappa_below_the_threshold_is_a_trace():
    sure = judge(scheme(QUIET, WEAK))
    assert (sure.verdict, sure.vector, sure.scheme) == ("TRACES", "gpt2-1-tf", "grouped")
    assert "there is a cue, weaker than the threshold of .20" in sure.reason
    assert sure.reason.endswith("1 of 2 feature vectors is significant.")


def test_a_cue_that_may_be_a_leak_is_no_trace():
    unsure = judge(scheme(QUIET, vector("word-2-tf", 0.15, 0.05, 0.2, 0.01, 0.01)))
    assert (unsure.verdict, unsure.vector, unsure.cued) == ("INCONCLUSIVE", "word-2-tf", True)
    assert unsure.reason == (
        "there is a cue, but these items cannot show whether it is a leak: the probe of word-2-tf predicts the answers "
        "with kappa .15 (95 % interval [.05, .20], corrected p = .010), so kappa may be as large as the threshold of "
        ".20. More items would settle it."
    )
    # Rare answers: the interval ends at .18, but a kappa of .20 would have a larger error.
    assert judge(scheme(QUIET, vector("word-2-tf", 0.12, 0.06, 0.18, 0.02, 0.01, upper=0.2))).verdict == "INCONCLUSIVE"


@pytest.mark.parametrize("others", [[], [vector("word-1-tf", high=0.2)], [vector("word-1-tf", matched=None)]])
@pytest.mark.parametrize("findable", [[], [cue(0.3)], [cue(0.31)], [cue(None)]])
def test_a_weak_cue_passes_only_where_no_cue_would(others, findable):
    # Otherwise to find a cue would make a gate easier to pass.
    without = judge(scheme(QUIET, *others), findable=findable).verdict
    with_cue = judge(scheme(QUIET, WEAK, *others), findable=findable)
    assert with_cue.verdict == {"CLEAN": "TRACES", "INCONCLUSIVE": "INCONCLUSIVE"}[without]
    if without == "INCONCLUSIVE":
        assert with_cue.reason.startswith("there is a cue, and a leak cannot be ruled out: the probe of gpt2-1-tf")
        assert with_cue.reason.endswith(". More items would settle it.")


@pytest.mark.parametrize(
    ("quiet", "words"),
    [
        (vector(high=0.1, upper=0.2), "may have as much as .20, which includes the threshold of .20"),
        (vector(matched=0.5, low=-0.2, high=0.9, p=0.2), "word-1-tf has kappa .50 and may have as much as .90"),
        (vector(matched=None, low=None, high=None, bound=None, p=None), "kappa is undefined for word-1-tf"),
    ],
)
def test_clean_is_never_said_of_a_leak_that_could_be_there(quiet, words):
    judgement = judge(scheme(QUIET, quiet))
    assert judgement.verdict == "INCONCLUSIVE"
    assert words in judgement.reason


@pytest.mark.parametrize(("kappa", "verdict"), [(0.3, "CLEAN"), (0.3001, "INCONCLUSIVE"), (None, "INCONCLUSIVE")])
def test_clean_needs_that_every_kind_of_cue_would_have_been_found(kappa, verdict):
    judgement = judge(scheme(QUIET), findable=[cue(0.12, "1 word per answer"), cue(kappa)])
    assert judgement.verdict == verdict
    assert ("More items would settle it." in judgement.reason) == (kappa is None)
    assert ("About 870 items like these" in judgement.reason) == (verdict != "CLEAN" and kappa is not None)
    assert ("kappa .30 is required" in judgement.reason) == (verdict != "CLEAN")
    if kappa is None:
        assert "a cue of fifty words per answer would not be found, however strong" in judgement.reason


def test_an_open_question_says_how_many_items_would_settle_it():
    # Half an interval of .21 must shrink to .1: 4.41 times as many; fifty words from .9 to .3, and a fifth: 12.96.
    wide = vector(matched=0.0, low=-0.21, high=0.21)
    assert scheme(QUIET, wide).scored == 600
    assert "About 2,700 items like these would rule one out, if there is none." in judge(scheme(QUIET, wide)).reason
    reason = judge(scheme(QUIET, wide), findable=[cue(0.2, "1 word per answer"), cue(0.9)]).reason
    assert reason.endswith("About 7,800 items like these would rule one out, if there is none.")
    assert judge(scheme(QUIET, wide), findable=[cue(None)]).reason.endswith("More items would settle it.")


def test_clean_names_the_highest_upper_bound_and_what_would_have_been_found():
    judgement = judge(scheme(QUIET, vector("word-2-tf", high=0.17)), findable=[cue(0.25)])
    assert (judgement.verdict, judgement.vector, judgement.scheme) == ("CLEAN", "word-1-tf", "grouped")
    assert "none of 2 probes trained on these items predicts the 2 answers" in judgement.reason
    assert ".17 (word-2-tf), below the threshold of .20" in judgement.reason
    assert "fifty words per answer is the hardest to find: the audit finds it from kappa .25" in judgement.reason


def test_a_leak_over_groups_that_were_only_detected_says_that_it_may_be_templates_too():
    said = " This may also be templates that were not detected; name them with --group."
    assert judge(scheme(LEAK), grouping=GROUPED).reason.endswith(said)
    declared = msgspec.structs.replace(LEAK, accuracy=0.775)
    reason = judge(scheme(declared, majority=0.768), grouping=Grouping(100, 80.0, 0.9, declared=True)).reason
    assert said.strip() not in reason
    assert "). The probe is right for 77.5 % of the items, always giving the most common answer for 76.8 %. " in reason
    # Options: kappa is accuracy beyond guessing, and no answer is the most common one.
    options = msgspec.structs.replace(LEAK, cohen=None)
    assert "most common" not in judge(scheme(options)).reason


def test_clean_says_that_combinations_of_words_were_not_tried_unless_trees_tried_them():
    said = "Combinations of words other than neighbours were not tried (--trees tries them)."
    assert judge(scheme(QUIET)).reason.endswith(f"below the threshold of .20. {said}")
    trees = msgspec.structs.replace(SETTINGS, trees=True)
    assert Probes(scheme(QUIET), PLAIN, 2, trees).judged().reason.endswith("below the threshold of .20.")


@pytest.mark.parametrize("findable", [[], [cue(None)]])
def test_nothing_hides_where_no_text_can_give_its_answer_away(findable):
    def judged(measured, grouping=PLAIN):
        return Probes(measured, grouping, 2, SETTINGS, findable=findable, unpredictable="no text can.").judged()

    wide = vector("word-2-tf", high=0.3)
    clean = judged(scheme(QUIET, wide))
    assert (clean.verdict, clean.reason) == ("CLEAN", "no text can.")
    assert judged(scheme(WEAK)).verdict == ("INCONCLUSIVE" if findable else "TRACES")
    assert judged(scheme(WEAK, wide)).verdict == "INCONCLUSIVE"
    assert judged(scheme(QUIET, majority=0.7)).verdict == "IMBALANCED"
    assert judged(scheme(QUIET), FEW).verdict == "INCONCLUSIVE"


def test_a_leak_without_groups_says_that_it_may_be_templates():
    settings = msgspec.structs.replace(SETTINGS, groups="none")
    judgement = Probes(scheme(LEAK), Grouping(100, 100.0, 0.0), 2, settings).judged()
    assert judgement.verdict == "LEAKS"
    assert judgement.reason.endswith(
        " Groups were switched off (--groups none): this audit cannot tell a leak from templates."
    )
