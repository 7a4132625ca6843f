"""Probabilistic reasoning: how near to Bayes, and what weighs more, the prior or the ball. Dasgupta et al. (2020).

An estimate follows logit(estimate) = b1 logit(prior) + b2 logit(likelihood); a Bayesian has b1 = b2 = 1, and who
neglects the base rate has b1 < b2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from hansproof.audit.notation import kappa
from hansproof.audit.phenotype.metric import (
    Floats,
    Metric,
    Statistic,
    TaskStatistics,
    coefficient,
    mean_over_rows,
    metrics_of,
)
from hansproof.audit.phenotype.task_records import TaskTable

__all__ = ["METRICS", "measure"]

_EDGE: Final = 1e-5
"""Estimates of 0 and 1 are moved by so much, as published: their logits are infinite."""
_LEANING: Final = 0.1
"""A larger change of a weight by the intercept is worth a note."""

METRICS: Final = metrics_of(
    "probabilistic-reasoning",
    Metric(
        "posterior-accuracy",
        "performance",
        "Posterior accuracy",
        "1 minus the mean distance between the estimates and Bayes' posterior",
        human=0.9796,
        random=0.6512,
        random_published=0.6559,
        caution="CogBench's human value, .8277, was computed with a coding error (likelihood reversed twice); "
        "we use the corrected .9796",
    ),
    Metric(
        "prior-weighting",
        "behaviour",
        "Prior weighting",
        "weight of the prior in the log odds of the estimates (no intercept); 1 for a Bayesian",
        human=0.8764,
        random=0.0,
        random_published=-0.0036,
    ),
    Metric(
        "likelihood-weighting",
        "behaviour",
        "Likelihood weighting",
        "weight of the likelihood in the log odds of the estimates (no intercept); 1 for a Bayesian",
        human=0.9128,
        random=0.0,
        random_published=0.0193,
    ),
    Metric(
        "posterior-accuracy-published-reference",
        "performance",
        "Posterior accuracy, published human value",
        "the same number beside the human value as published",
        human=0.8277,
        random=0.6512,
        random_published=0.6559,
        variant_of="posterior-accuracy",
        caution="the human value was computed with a coding error (likelihood reversed twice)",
    ),
    Metric(
        "prior-weighting-intercept",
        "behaviour",
        "Prior weighting, with intercept",
        "weight of the prior, fitted with the intercept of the paper's formula",
        variant_of="prior-weighting",
    ),
    Metric(
        "likelihood-weighting-intercept",
        "behaviour",
        "Likelihood weighting, with intercept",
        "weight of the likelihood, fitted with the intercept of the paper's formula",
        variant_of="likelihood-weighting",
    ),
)


def measure(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task; `as_published` clips the estimates before their distance to Bayes, too."""
    prior, red = table.columns["prior"], table.columns["red"] > 0
    likelihood = np.where(red, table.columns["likelihood"], 1 - table.columns["likelihood"])
    clipped = np.clip(table.columns["estimate"], _EDGE, 1 - _EDGE)
    posterior = prior * likelihood / (prior * likelihood + (1 - prior) * (1 - likelihood))
    distance = np.abs(posterior - (clipped if as_published else table.columns["estimate"]))
    sums = table.sums(distance, np.ones(len(distance)))
    accuracy = mean_over_rows(sums[:, 1] - sums[:, 0], sums[:, 1], "no estimates", (0.0, 1.0))
    design = np.stack([_logit(prior), _logit(likelihood)], axis=1)
    wider = np.column_stack([design, np.ones(len(design))])

    outcome, runs = _logit(clipped), len(table.runs)
    statistics = {
        "posterior-accuracy": accuracy,
        "posterior-accuracy-published-reference": accuracy,
        "prior-weighting": coefficient(design, outcome, table.run, runs, 0),
        "likelihood-weighting": coefficient(design, outcome, table.run, runs, 1),
        "prior-weighting-intercept": coefficient(wider, outcome, table.run, runs, 0),
        "likelihood-weighting-intercept": coefficient(wider, outcome, table.run, runs, 1),
    }
    return TaskStatistics(statistics, cautions=_leaning(statistics))


def _leaning(statistics: Mapping[str, Statistic]) -> dict[str, str]:
    """Cautions for weights that an intercept changes: the estimates lean to one urn whatever is seen."""
    said = {}
    for name in ("prior-weighting", "likelihood-weighting"):
        plain, wider = (statistics[each].value()[0] for each in (name, f"{name}-intercept"))
        if abs(plain - wider) > _LEANING:
            said[name] = (
                f"estimates lean to one side; with an intercept, see the variant, the weight is {kappa(wider, 3)}"
            )
    return said


def _logit(share: Floats) -> Floats:
    return np.asarray(np.log(share / (1 - share)))
