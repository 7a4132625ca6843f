"""Mixed fits beside another maximiser, statsmodels' logistic regressions, and what is known to be true."""

import dataclasses

import numpy as np
import pytest
import statsmodels.api as statsmodels
from scipy.optimize import minimize
from scipy.special import log_expit, logsumexp
from statsmodels.discrete.conditional_models import ConditionalLogit

from hansproof.audit.models.reliance.likelihood import answers_of, beside_others, fitted, plain
from tests.audit.models.studies import parted


def only(each, family=None):
    (block,) = plain(answers_of(each), family)
    return block


def with_one_gold(**changes):
    """A block with a constant for each model."""
    each = parted(**changes)
    return only(dataclasses.replace(each, gold=np.zeros_like(each.gold)))


def test_estimates_are_those_of_another_maximiser_on_61_fixed_nodes():
    block = with_one_gold(models=3, families=3, items=120)
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)

    def minus(at):
        eta = at[2:][None, :, None] + at[0] * block.probe[:, None, None] + at[1] * nodes
        answers = np.where(block.right[:, :, None] > 0, log_expit(eta), log_expit(-eta)).sum(axis=1)
        return -logsumexp(answers + np.log(weights / weights.sum()), axis=1).sum()

    other = minimize(minus, [0.0, 1.0, 0.0, 0.0, 0.0], method="BFGS")
    fit = fitted([block])
    assert fit.value == pytest.approx(-other.fun, abs=1e-5)
    assert fit.parameters[0] == pytest.approx(other.x, abs=1e-3)
    assert fit.information == pytest.approx(1 / other.hess_inv[0, 0], rel=0.1)


def logit(block):
    """statsmodels' fit of the same answers, with errors robust to groups."""
    item, model = np.nonzero(block.known)
    design = [block.probe[item]] + ([] if block.difficulty is None else [block.difficulty[item]])
    design = np.column_stack([*design, block.constants[block.stratum[item], model]])
    return statsmodels.Logit(block.right[item, model], design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": block.groups[item]}
    )


@pytest.mark.parametrize("group", [1, 3])
def test_with_one_answer_to_an_item_it_is_statsmodels_logistic_regression(group):
    each = parted(models=4, families=4, group=group)
    for block in [only(each, "family-2"), *beside_others(answers_of(each), "family-2", ())]:
        assert not block.random
        fit, other = fitted([block]), logit(block)
        assert fit.parameters[0] == pytest.approx(other.params, abs=1e-4)
        assert fit.estimate.se == pytest.approx(other.bse[0], rel=0.04)


def test_items_that_do_not_differ_have_no_spread_and_the_fit_is_statsmodels():
    block = only(parted(models=6, spread=0.0, items=400, seed=4))
    fit, other = fitted([block]), logit(block)
    assert block.random
    assert fit.parameters[0][1] == pytest.approx(0, abs=0.25)
    assert fit.estimate.value == pytest.approx(other.params[0], abs=0.02)


def test_models_differ_within_items_as_in_a_conditional_logistic_regression():
    # Given how many answers to an item are right, its easiness does not matter: what models differ by is left.
    block = with_one_gold(models=4, families=1, items=600)
    differ = (block.right.sum(axis=1) % 4 > 0)[:, None]
    item, model = np.nonzero(block.known * differ)
    columns = np.eye(4)[model][:, 1:]
    other = ConditionalLogit(block.right[item, model], columns, groups=item).fit(disp=0)
    constants = fitted([block]).parameters[0][2:]
    assert constants[1:] - constants[0] == pytest.approx(other.params, abs=0.1)


def test_it_recovers_the_advantage_and_the_spread_of_items():
    fits = [fitted([only(parted(seed, items=400, labels=4, spread=1.5))]) for seed in range(6)]
    assert np.mean([fit.estimate.value for fit in fits]) == pytest.approx(1.0, abs=0.2)
    assert np.mean([abs(fit.parameters[0][1]) for fit in fits]) == pytest.approx(1.5, abs=0.15)


def test_errors_are_those_of_the_curvature_where_items_are_apart_and_larger_in_groups():
    apart, grouped = (fitted([only(parted(group=group, items=800))]) for group in (1, 8))
    assert apart.estimate.se == pytest.approx(apart.information**-0.5, rel=0.1)
    assert grouped.estimate.se > 1.5 * grouped.information**-0.5
    assert grouped.estimate.degrees < 100


def test_blocks_share_the_coefficient_and_nothing_else():
    blocks = [only(parted(seed, easier=easier)) for seed, easier in ((0, 0.5), (1, 1.5))]
    blocks[1] = blocks[1]._replace(groups=blocks[1].groups + 1000)
    alone = [fitted([block]) for block in blocks]
    both = fitted(blocks)
    assert both.parameters[0][0] == both.parameters[1][0] == both.estimate.value
    low, high = sorted(fit.estimate.value for fit in alone)
    assert low < both.estimate.value < high
    assert both.information == pytest.approx(sum(fit.information for fit in alone), rel=0.1)
    assert both.value < sum(fit.value for fit in alone)


def test_models_that_answer_alike_leave_a_finite_spread():
    block = only(parted(models=2, families=2))
    copies = block._replace(right=np.repeat(block.right[:, :1], 2, axis=1))
    fit = fitted([copies])
    assert abs(fit.parameters[0][1]) == pytest.approx(4, abs=0.3)
    # Two equal answers tell no more than one.
    single = fitted([only(parted(models=2, families=2), "family-0")])
    ratios = [each.estimate.value / each.estimate.se for each in (fit, single)]
    assert ratios[0] == pytest.approx(ratios[1], rel=0.15)


def test_what_cannot_be_fitted_has_a_reason():
    block = only(parted())
    one_sided = fitted([block._replace(probe=np.ones_like(block.probe))])
    assert one_sided.reason == "the probe is right, or wrong, on all items with the same gold answer"
    separated = block._replace(right=np.where(block.probe[:, None] > 0, 1.0, block.right))
    assert fitted([separated]).reason.startswith("the answers are separated")
    same = fitted([block._replace(groups=np.zeros_like(block.groups))])
    assert (same.estimate, same.reason) == (None, "too few groups of items for an interval")
