"""The verdict of one random split."""

import pytest
from made_verdicts import LEAK, QUIET, SETTINGS, WEAK, scheme, vector

from hansproof.audit.verdict.rule import decide_paper


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (scheme(QUIET, LEAK, name="paper"), "LEAKS"),
        (scheme(vector(matched=0.3, high=0.5, bound=-0.1, p=0.01), name="paper"), "LEAKS"),  # as published: no bound
        (scheme(vector(matched=0.3, high=0.5, p=0.06), name="paper"), "INCONCLUSIVE"),
        (scheme(QUIET, name="paper", majority=0.745), "IMBALANCED"),
        (scheme(WEAK, name="paper"), "TRACES"),
        (scheme(vector(high=0.0, upper=0.3), name="paper"), "INCONCLUSIVE"),  # predictions that never vary
        (scheme(QUIET, name="paper"), "CLEAN"),
    ],
)
def test_the_papers_protocol_judges_by_the_same_steps(measured, verdict):
    judgement = decide_paper(measured, SETTINGS)
    assert (judgement.verdict, judgement.scheme) == (verdict, "paper")
    assert ("one random split" in judgement.reason) == (verdict in ("LEAKS", "CLEAN"))
