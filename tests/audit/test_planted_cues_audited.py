"""The shipped sample, end to end: every planted cue is found where it was planted, and nowhere else."""

from functools import cache
from pathlib import Path

import pytest

import hansproof

pytestmark = pytest.mark.slow  # whole audits, each in seconds

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "planted-cues" / "2.0.0"
STRENGTH = 0.6
QUICK = {"permutations": 299, "splits": 2}


@pytest.fixture(scope="module")
def results():
    """The result of a subset, audited when a test first asks for it."""
    return cache(lambda subset: hansproof.audit(SAMPLE / f"{subset}.jsonl.gz", **QUICK))


def kappa(result, vector, scheme="grouped"):
    return result.scheme(scheme).find(vector).matched


@pytest.mark.parametrize(
    ("subset", "verdict"),
    [
        ("none", "INCONCLUSIVE"),  # 600 items: fifty words per answer are found from too large a kappa only
        ("unigram", "LEAKS"),
        ("bigram", "LEAKS"),
        ("length", "LEAKS"),
        ("readability", "LEAKS"),
        ("template-only", "TEMPLATE-BOUND"),
        ("imbalance", "IMBALANCED"),
    ],
)
def test_the_verdict_is_what_was_planted(results, subset, verdict):
    assert results(subset).verdict == verdict, results(subset).reason


def test_nothing_is_found_where_nothing_is(results):
    assert results("none").reason.startswith("no probe is significant, but a leak cannot be ruled out: ")
    assert max(abs(vector.cohen) for vector in results("none").scheme("grouped").vectors) < 0.15


def test_a_word_is_found_by_unigrams_with_the_strength_it_was_planted_with(results):
    result = results("unigram")
    presence = result.scheme("grouped").find("word-1-presence")
    assert presence.matched_low < STRENGTH < presence.matched_high
    first = {cue.label: cue.ngram.strip() for cue in reversed(result.cues)}
    assert set(first.values()) == {"usually", "often"}
    assert all("usually" in item.prompt or "often" in item.prompt for item in result.giveaways)


def test_a_word_pair_is_found_by_pairs_alone(results):
    assert abs(kappa(results("bigram"), "word-1-presence")) < 0.15
    assert kappa(results("bigram"), "word-2-presence") > 0.45


def test_length_and_readability_are_found_by_their_own_vector(results):
    assert kappa(results("readability"), "readability") > 0.45
    assert kappa(results("length"), "readability") > 0.45
    assert kappa(results("length"), "length") > 0.45


@pytest.mark.parametrize("groups", ["auto", "found"])
def test_templates_are_seen_through_with_and_without_the_authors_groups(groups):
    result = hansproof.audit(SAMPLE / "template-only.jsonl.gz", **QUICK, groups=groups)
    assert result.verdict == "TEMPLATE-BOUND"
    assert result.groups.count == 100
    assert result.groups.source == ("column" if groups == "auto" else "found")
    assert result.gap.low > 0.5
    assert kappa(result, "word-2-presence", "random") > 0.8


def test_imbalance_alone_scores_by_uniform_chance_and_not_by_cohen(results):
    scheme = results("imbalance").scheme("grouped")
    assert scheme.majority_accuracy == 0.75
    assert scheme.majority_uniform == 0.5
    assert max(vector.cohen for vector in scheme.vectors) < 0.2
    assert max(vector.uniform for vector in scheme.vectors) > 0.4


def test_the_papers_protocol_scores_a_fifth_of_the_items():
    result = hansproof.audit(SAMPLE / "unigram.jsonl.gz", protocol="paper", **QUICK)
    assert result.verdict == "LEAKS"
    scheme = result.scheme("paper")
    assert scheme.scored == 120
    assert len(scheme.vectors) == 13
    assert result.scheme("grouped") is None


def test_a_result_says_the_numbers_of_its_verdict(results):
    result = results("unigram")
    vector = result.deciding_scheme.find(result.vector)
    assert (result.kappa, result.p) == (vector.matched, vector.p_corrected)
    assert result.low < result.kappa < result.high
    few = hansproof.audit([{"prompt": f"Is it {n}?", "answer": ("yes", "no")[n % 2]} for n in range(12)])
    assert (few.verdict, few.kappa, few.p) == ("NOT ASSESSED", None, None)
