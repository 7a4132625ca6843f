"""The verdict on a published split, rule by rule, on made-up numbers."""

import msgspec
import pytest
from made_schemes import scheme

from hansproof.audit.result.audit_result import ClusterCheck
from hansproof.audit.result.tasks import SplitKappa
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.split_measurement import SplitProbes
from hansproof.audit.verdict.reasons import ALIKE
from hansproof.audit.verdict.rule import Grouping

SETTINGS = make_settings(protocol="published")
GROUPS = Grouping(200, 180.0, 0.4)


def kept(name, kappa, fall_low=None, groups=150.0):
    return SplitKappa(items_kept=name, items=300, groups=groups, kappa=kappa, low=None, high=None, fall_low=fall_low)


def verdict(*kappas, strength=0.45, grouping=GROUPS, apart=()):
    numbers = scheme("published", strength)
    every = [kept("all", strength), *kappas]
    return SplitProbes(
        numbers, grouping, 3, SETTINGS, kappas_of=lambda *_: every, apart_of=lambda of: [say(of[0]) for say in apart]
    ).judged()


def left(kappa, held):
    """A check of a suspect with similar texts of both parts kept together."""
    return lambda suspect: ClusterCheck(
        vector=suspect.name, alike="wording", clusters=90, largest=9, effective=60.0, kappa=kappa, held=held
    )


def test_a_kappa_that_is_as_large_without_what_the_parts_share_leaks():
    judgement = verdict(kept("no near-duplicate", 0.44, -0.02), kept("new template", 0.43, -0.03))
    assert judgement.verdict == "LEAKS"
    assert "of the published test part, learnt on the training part," in judgement.reason
    assert (
        "It is .43 on the 300 test items with neither a copy nor a template in the training part." in judgement.reason
    )


def test_most_of_a_kappa_is_enough_even_if_the_fall_is_clear():
    assert verdict(kept("no near-duplicate", 0.36, 0.05), kept("new template", 0.25, 0.1)).verdict == "LEAKS"


@pytest.mark.parametrize(("kappa", "held", "word"), [(0.4, True, "LEAKS"), (0.05, False, "TEMPLATE-BOUND")])
def test_a_leak_must_also_carry_over_to_texts_that_are_not_alike(kappa, held, word):
    parts = kept("no near-duplicate", 0.44, -0.02), kept("new template", 0.43, -0.03)
    judgement = verdict(*parts, apart=[left(0.42, True), left(kappa, held)])
    assert judgement.verdict == word
    assert (f"but only .05 is left if texts {ALIKE['wording']} stay together (90 clusters)" in judgement.reason) != held


@pytest.mark.parametrize("high", [-0.3, 0.1])
def test_the_opposite_of_what_was_learnt_is_no_clean_split_unless_copies_are_the_reason(high):
    apart = msgspec.structs.replace(kept("no near-duplicate", -0.4), low=-0.5, high=high)
    judgement = verdict(apart, strength=-0.5)
    assert judgement.verdict == ("INCONCLUSIVE" if high < 0 else "CLEAN")
    asked = "kappa -.40 [-.50, -.30]. Do both parts name their answers alike?"
    assert judgement.reason.endswith(asked) == (high < 0)


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
