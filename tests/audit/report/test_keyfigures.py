"""The key figures at the head of a page."""

from __future__ import annotations

import msgspec

from hansproof.audit import notation
from hansproof.audit.report.findings import ArrangedResult, key_figures


def test_a_verdict_on_templates_leads_with_random_and_grouped_kappa_of_one_vector(results):
    result = results["template"]
    first, second, third, fourth = key_figures(ArrangedResult(result))
    grouped, random = (scheme.find(result.vector) for scheme in result.schemes)
    assert first[:2] == ("Kappa, random folds", notation.kappa(random.matched))
    assert first.note == "[.47, .58], moderate; word 1-2-grams, TF-IDF"
    assert second[:2] == ("Kappa, grouped folds", notation.kappa(grouped.matched))
    assert third[:2] == ("Accuracy", notation.per_cent(random.accuracy))
    assert fourth == ("Items", "1,600", "2 rows left out")


def test_a_leak_leads_with_grouped_folds_and_has_random_ones_beside(results):
    names = [figure.name for figure in key_figures(ArrangedResult(results["leaks"]))]
    assert names == ["Kappa, grouped folds", "Kappa, random folds", "Accuracy", "Items"]


def test_without_groups_there_is_one_kappa(make_result):
    grouped = make_result().schemes[0]
    same = [grouped, msgspec.structs.replace(grouped, scheme="random")]
    figures = key_figures(ArrangedResult(make_result(schemes=same, gap=None, groups=None)))
    cohen = [figure for figure in figures if figure.name.startswith("Kappa")]
    assert [figure.name for figure in cohen] == ["Kappa, out of fold"]


def test_a_kappa_below_zero_is_not_taken_for_a_missing_one(make_result, results):
    scheme = results["inconclusive"].schemes[0]
    below = [
        msgspec.structs.replace(vector, matched=-0.05, matched_low=-0.24, matched_high=0.14)
        for vector in scheme.vectors
    ]
    result = make_result(schemes=[msgspec.structs.replace(scheme, vectors=below)], gap=None)
    assert key_figures(ArrangedResult(result))[0].note == "[-.24, .14], nothing beyond chance; word 1-2-grams, TF-IDF"


def test_an_undefined_kappa_is_said_once(make_result):
    scheme = make_result().schemes[0]
    none = [
        msgspec.structs.replace(vector, matched=None, matched_low=None, matched_high=None) for vector in scheme.vectors
    ]
    first = key_figures(ArrangedResult(make_result(schemes=[msgspec.structs.replace(scheme, vectors=none)], gap=None)))[
        0
    ]
    assert first[1:] == ("undefined", "word 1-2-grams, TF-IDF")


def test_nothing_read_gives_no_figure(results):
    nothing = msgspec.structs.replace(results["unassessed"], items=0, labels=[])
    assert key_figures(ArrangedResult(nothing)) == []
