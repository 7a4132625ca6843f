"""From strategies to one word: each question of the rule, at its limits."""

import pytest
from made_open import decided_open as decided

from hansproof.audit.result.numbers import ClusterCheck
from hansproof.audit.result.tasks import PartAudit, StrategyResult, TemplateResult


def way(name="sum", advantage=0.0, *, kind="fixed", bound=None, p=1.0, high=0.05, f1=0.0):
    return StrategyResult(
        name=name, description=f"what {name} gives", kind=kind, answered=1.0, exact=max(advantage, 0.0), f1=f1,
        advantage=advantage, low=advantage - 0.05, high=max(high, advantage), bound=bound, p_corrected=p,
    )  # fmt: skip


def leak(name="sum", advantage=0.5, **more):
    return way(name, advantage, **{"bound": advantage - 0.1, "p": 0.001, **more})


def check(name, advantage, *, held=False, effective=25.0, alike="wording"):
    return ClusterCheck(
        vector=name, alike=alike, clusters=30, largest=4, effective=effective, kappa=advantage, held=held
    )


def templates(advantage=0.8, *, bound=0.7, p=0.001, how="groups", effective=60.0):
    return TemplateResult(
        how=how, count=60, effective=effective, share=1.0,
        exact=advantage, advantage=advantage, low=advantage - 0.1, high=1.0, bound=bound, p_corrected=p,
    )  # fmt: skip


def test_a_leak_holds_if_no_cluster_of_similar_texts_takes_it_away():
    assert decided(leak(kind="learnt"), clusters=[check("sum", 0.45, held=True)]).verdict == "LEAKS"
    assert decided(leak()).verdict == "LEAKS"  # no cluster to try


def test_a_leak_says_whether_it_may_be_templates():
    assert "templates" not in decided(leak()).reason
    said = "This may also be templates that were not detected; name them with --group."
    assert decided(leak(), detected=True).reason.endswith(said)


def test_a_leak_that_is_lost_without_similar_texts_is_template_bound_among_many_clusters_and_open_among_few():
    lost = decided(leak("place", kind="learnt"), clusters=[check("place", 0.02)])
    assert (lost.verdict, lost.vector) == ("TEMPLATE-BOUND", "place")
    assert "only .02 is left if these stay together" in lost.reason
    few, much = check("place", 0.02, effective=9.0), check("place", 0.2)  # less than half is left, more than a third
    for left in (few, much):
        assert decided(leak("place", kind="learnt"), clusters=[left]).verdict == "INCONCLUSIVE"


def test_the_second_suspect_leaks_where_the_first_does_not_hold():
    first, clusters = leak("place", 0.5, kind="learnt"), [check("place", 0.02), check("cue", 0.4, held=True)]
    verdict = decided(first, leak("cue", 0.4, kind="learnt"), clusters=clusters)
    assert (verdict.verdict, verdict.vector) == ("LEAKS", "cue")
    # What learns nothing cannot remember a text, so nothing is checked of it.
    verdict = decided(first, leak("sum", 0.4), clusters=clusters[:1])
    assert (verdict.verdict, verdict.vector) == ("LEAKS", "sum")


def test_remembering_templates_is_template_bound():
    assert decided(way(), templates=templates()).verdict == "TEMPLATE-BOUND"
    # Few groups do not hide it, and nor do weaker traces.
    assert decided(way(), templates=templates(effective=8.0), effective=8.0, groups=8).verdict == "TEMPLATE-BOUND"
    assert decided(way(advantage=0.1, p=0.01), templates=templates()).verdict == "TEMPLATE-BOUND"


@pytest.mark.parametrize("weaker", [templates(0.19, bound=0.15), templates(0.3, bound=0.09), templates(0.3, bound=0.2)])
def test_it_must_be_large_sure_and_more_than_what_is_shown_without_it(weaker):
    # The last: the interval of a strategy that remembers nothing begins at .11, more than a third of .3.
    assert decided(way(advantage=0.16, p=0.01), templates=weaker).verdict == "TRACES"
    assert decided(way(advantage=0.16, p=0.01), templates=templates(0.4)).verdict == "TEMPLATE-BOUND"


def test_a_leak_that_few_groups_leave_open_is_no_template():
    # The interval of the rule begins at .75: it needs no template.
    known = decided(leak(advantage=0.8), templates=templates(effective=8.0), effective=8.0, groups=8)
    assert known.verdict == "INCONCLUSIVE"


def test_a_leak_goes_before_templates():
    assert decided(leak(), templates=templates()).verdict == "LEAKS"


def test_clean_is_not_said_of_shared_words_nor_of_words_that_cannot_be_read():
    clean = decided(way())
    assert (clean.verdict, "is .05 (sum), below the threshold of .20." in clean.reason) == ("CLEAN", True)
    shared = decided(way("last sentence", f1=0.6), chance_f1=0.1)
    assert (shared.verdict, "mean token F1 .60, against .10" in shared.reason) == ("INCONCLUSIVE", True)
    assert decided(way(f1=0.2), chance_f1=0.1).verdict == "CLEAN"  # (.2 - .1) / .9 = .11
    assert decided(way("place", f1=0.6, kind="learnt"), chance_f1=0.1).verdict == "CLEAN"  # golds share words
    assert decided(way(), language="without blanks").verdict == "INCONCLUSIVE"
    assert decided(way(), language="without blanks", answers="numbers").verdict == "CLEAN"


def test_few_groups_are_said_to_be_too_few():
    reason = decided(way(), groups=3, effective=3.0, detected=True).reason
    assert reason == (
        "the items come in 3 groups: too few to say whether a strategy works on other groups. At least 30 groups of "
        "similar size are needed; if that is not how they were made, name yours with --group."
    )
    assert decided(way(), groups=3, effective=3.0).reason.endswith("size are needed.")


def part(verdict, *, option="key:a", kappa=0.4):
    return PartAudit(
        part="a", option=option, items=300, labels=["x", "y"], verdict=verdict, reason="the probe says so.",
        vector="word-1-tf", kappa=kappa, low=kappa - 0.1, high=kappa + 0.1,
    )  # fmt: skip


def test_a_shortcut_that_may_be_a_leak_is_no_trace():
    weak = way("sum", 0.1, p=0.01, high=0.19)
    assert decided(weak).verdict == "TRACES"
    unsure = decided(way("sum", 0.1, p=0.01, high=0.2))
    assert (unsure.verdict, unsure.vector) == ("INCONCLUSIVE", "sum")
    assert decided(weak, way("place", high=0.2, kind="learnt")).verdict == "INCONCLUSIVE"  # another one may leak
    assert decided(weak, language="without blanks").verdict == "INCONCLUSIVE"  # as without the weak one


def test_the_sentence_names_the_strategy_of_the_verdict_and_quotes_the_numbers_of_its_row():
    # The best of what learns nothing goes before the best of all, if within a tenth of it.
    learnt, plain = (
        way(name, 0.1, p=0.012, high=0.19, kind=kind) for name, kind in (("place", "learnt"), ("sum", "fixed"))
    )
    traces = decided(learnt, plain)
    assert (traces.verdict, traces.vector) == ("TRACES", "sum")
    quoted = (
        "the strategy “sum” (what sum gives) is right for 10.0 % of the items, against 1.0 % for the best constant "
        "(“7”): advantage .10 (95 % interval [.05, .19], corrected p = .012)"
    )
    assert quoted in traces.reason
    assert quoted in decided(learnt, plain, constant_exact=0.3).reason  # IMBALANCED
    assert quoted in decided(learnt, plain, language="without blanks").reason


def test_a_part_that_leaks_does_not_pass_where_a_part_that_is_open_fails():
    weak = way("sum", 0.1, p=0.01, high=0.19)
    for ways, passes in (((way(),), "CLEAN"), ((weak,), "TRACES")):
        assert decided(*ways, parts=[part("CLEAN")]).verdict == passes
        assert decided(*ways, parts=[part("TRACES", kappa=0.1)]).verdict == "TRACES"
        for verdict in ("INCONCLUSIVE", "LEAKS", "TEMPLATE-BOUND"):
            judged = decided(*ways, parts=[part(verdict)])
            assert (judged.verdict, "the probe says so." in judged.reason) == ("INCONCLUSIVE", True)
