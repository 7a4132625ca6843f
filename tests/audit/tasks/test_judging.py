"""The verdict on a published split, rule by rule, on made-up numbers."""

import pytest
from made_schemes import scheme

from hansproof.audit.result.tasks import SplitKappa
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.split_measurement import SplitProbes
from hansproof.audit.verdict.rule import Grouping

SETTINGS = make_settings(protocol="published")
GROUPS = Grouping(200, 180.0, 0.4)


def kept(name, kappa, fall_low=None, groups=150.0):
    return SplitKappa(items_kept=name, items=300, groups=groups, kappa=kappa, low=None, high=None, fall_low=fall_low)


def verdict(*kappas, strength=0.45, grouping=GROUPS):
    numbers = scheme("published", strength)
    of_split = SplitProbes(numbers, grouping, 3, SETTINGS, kappas_of=lambda *_: [kept("all", strength), *kappas])
    return of_split.judged()


def test_a_kappa_that_is_as_large_without_what_the_parts_share_leaks():
    judgement = verdict(kept("no near-duplicate", 0.44, -0.02), kept("new template", 0.43, -0.03))
    assert judgement.verdict == "LEAKS"
    assert "of the published test part, learnt on the training part," in judgement.reason
    assert (
        "It is .43 on the 300 test items with neither a copy nor a template in the training part." in judgement.reason
    )


def test_most_of_a_kappa_is_enough_even_if_the_fall_is_clear():
    assert verdict(kept("no near-duplicate", 0.36, 0.05), kept("new template", 0.25, 0.1)).verdict == "LEAKS"


@pytest.mark.parametrize("left", [0.02, 0.16])
def test_a_kappa_that_clearly_falls_below_the_threshold_is_bound_to_templates(left):
    judgement = verdict(kept("no near-duplicate", 0.4, -0.01), kept("new template", left, 0.1))
    assert judgement.verdict == "TEMPLATE-BOUND"
    assert f"but only {left:.2f}".replace("0.", ".") in judgement.reason


def test_copies_alone_make_it_template_bound_too():
    judgement = verdict(kept("no near-duplicate", 0.1, 0.2), kept("new template", 0.1, 0.2))
    assert judgement.verdict == "TEMPLATE-BOUND"


def test_a_fall_that_chance_may_explain_is_inconclusive():
    assert verdict(kept("no near-duplicate", 0.45, -0.1), kept("new template", 0.08, -0.02)).verdict == "INCONCLUSIVE"


def test_half_of_a_kappa_is_enough_where_chance_may_explain_the_fall():
    assert verdict(kept("no near-duplicate", 0.45, -0.1), kept("new template", 0.19, -0.01), strength=0.3).verdict == (
        "LEAKS"
    )


def test_too_few_items_with_new_templates_say_nothing():
    judgement = verdict(kept("no near-duplicate", 0.44, -0.02), kept("new template", None, groups=3.0))
    assert judgement.verdict == "INCONCLUSIVE"
    assert "(of 3 groups) share neither text nor template with the training part: too few" in judgement.reason


@pytest.mark.parametrize(("kappa", "word"), [(0.03, "TEMPLATE-BOUND"), (0.4, "LEAKS"), (0.19, "INCONCLUSIVE")])
def test_grouped_folds_over_both_parts_tell_where_the_split_cannot(kappa, word):
    few = kept("new template", None, groups=3.0)
    judgement = verdict(kept("no near-duplicate", 0.44, -0.02), few, kept("grouped folds", kappa))
    assert judgement.verdict == word
    assert "both parts are cross-fitted together" in judgement.reason


def test_too_few_groups_in_the_test_part_are_inconclusive():
    judgement = verdict(kept("new template", 0.45), grouping=Grouping(12, 9.0, 1.0))
    assert judgement.verdict == "INCONCLUSIVE"
    assert "12 groups: too few" in judgement.reason


def test_without_a_leak_the_words_are_those_of_the_other_protocols():
    assert verdict(strength=0.02).verdict in ("CLEAN", "INCONCLUSIVE")
    assert verdict(strength=0.13).verdict in ("TRACES", "INCONCLUSIVE")
