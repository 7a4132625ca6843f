"""The card defines the metrics that the phenotype measures, with the same values of people and of random choices."""

import re

import pytest

from hansproof.audit.phenotype.measuring import METRICS
from hansproof.generators.registry import prose

TEXT = " ".join(prose("cognitive-tasks").details.split())


def bare(value):
    """As the card writes it: .3258, -.0444, 12.8."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:g}" if abs(value) >= 1e-3 else f"{value:f}".rstrip("0"))


@pytest.mark.parametrize(
    "metric", [metric for metric in METRICS if not metric.variant_of], ids=lambda metric: metric.name
)
def test_the_card_has_every_metric_of_the_profile_with_its_references(metric):
    after = TEXT.partition(f"`{metric.name}` (")[2].partition(")")[0]
    assert re.findall(r"-?\d*\.\d+", after)[:2] == [bare(metric.human), bare(metric.random_published)]


def test_every_other_metric_that_the_card_names_is_one():
    named = set(re.findall(r"`((?:metacognition|discounting|risk-taking|directed|random|optimism)[\w-]*)`", TEXT))
    assert named <= {metric.name for metric in METRICS}
    assert {"metacognition-unscaled", "discounting-gains", "discounting-losses", "risk-taking-adjusted-8"} <= named
