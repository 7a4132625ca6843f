"""A result arranged for showing: the same for terminal and page."""

from __future__ import annotations

import msgspec

from hansproof.audit.report.findings import ArrangedResult


def test_a_feature_vector_that_was_not_run_keeps_its_stable_name(make_result):
    assert ArrangedResult(make_result()).label_of("word-2-tfidf") == "word 1-2-grams, TF-IDF"
    assert ArrangedResult(make_result()).label_of("made-up") == "made-up"


def test_random_folds_repeat_grouped_ones_only_if_every_number_is_the_same(results, make_result):
    grouped = make_result().schemes[0]
    same = [grouped, msgspec.structs.replace(grouped, scheme="random")]
    repeated = ArrangedResult(make_result(schemes=same, gap=None))
    assert (repeated.ungrouped, repeated.second) == (True, None)
    assert not any(ArrangedResult(result).ungrouped for result in results.values())
    assert ArrangedResult(make_result()).second is not None


def test_the_thirteen_come_first_whatever_their_order_in_the_result(make_result):
    grouped, random = make_result().schemes
    turned = msgspec.structs.replace(grouped, vectors=[grouped.vectors[-1], *grouped.vectors[:-1]])
    probes = ArrangedResult(make_result(schemes=[turned, random])).probes
    assert [probe.vector.vector for probe in probes] == [vector.vector for vector in grouped.vectors]
    assert [probe.vector.counted for probe in probes] == [True] * 13 + [False]


def test_a_probe_has_the_kappa_that_decides_and_the_one_beside_it(results):
    grouped, random = results["leaks"].schemes
    for probe, inside, outside in zip(
        ArrangedResult(results["leaks"]).probes, grouped.vectors, random.vectors, strict=True
    ):
        assert (probe.kappa, probe.beside) == (inside.matched, outside.matched)
    paper = results["paper"].schemes[0]
    assert [(probe.kappa, probe.beside) for probe in ArrangedResult(results["paper"]).probes] == [
        (vector.uniform, None) for vector in paper.vectors
    ]


def test_cues_are_listed_by_answer_and_roles_say_what_was_guessed(make_result):
    findings = ArrangedResult(make_result())
    assert {label: len(cues) for label, cues in findings.cues.items()} == {
        "contradiction": 5, "entailment": 4, "neutral": 3,
    }  # fmt: skip
    assert findings.roles == [("prompt", "input", True), ("answer", "ideal", True), ("group", "problem_id", False)]


def test_the_verdict_is_about_random_folds_only_where_it_is_bound_to_templates(results):
    about = {name: getattr(result.deciding_scheme, "scheme", None) for name, result in results.items()}
    assert about == {
        "leaks": "grouped", "template": "random", "imbalanced": "grouped", "traces": "grouped", "clean": "grouped",
        "inconclusive": "grouped", "unassessed": None, "paper": "paper",
    }  # fmt: skip
