"""Real run logs of two models, compared: the numbers by a second way, straight from the verdicts in the logs."""

import json
from pathlib import Path

import pytest
from scipy import stats

import hansproof

RESPONSES = Path(__file__).resolve().parents[3] / "shared" / "data" / "responses"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not RESPONSES.is_dir(), reason="third-party run logs are not part of the project"),
]


def verdicts(path):
    """Sample -> whether the harness called the answer right."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {row["sample_id"]: row["data"]["correct"] for row in rows if row.get("type") == "match"}


@pytest.mark.parametrize(
    ("benchmark", "items", "verdict"),
    [("causal_judgment", 186, "no difference shown"), ("moral_permissibility", 338, "A better")],
)
def test_gpt_4_against_gpt_3_5(benchmark, items, verdict):
    paths = [RESPONSES / benchmark / f"{name}.jsonl" for name in ("gpt-4-0613", "gpt-3.5-turbo-0613")]
    compared = hansproof.compare(*paths, judged="harness", groups="none")
    a, b = map(verdicts, paths)
    a_only, b_only = sum(a[key] and not b[key] for key in a), sum(b[key] and not a[key] for key in a)
    measured = compared.whole.difference
    assert (measured.items, measured.a_only, measured.b_only) == (items, a_only, b_only)
    assert measured.p == pytest.approx(stats.binomtest(a_only, a_only + b_only).pvalue)
    assert compared.whole.verdict == verdict
    assert {change.id for change in compared.a_better} == {key for key in a if a[key] and not b[key]}
    read = hansproof.compare(*paths)
    assert read.whole.verdict == verdict
    assert measured.groups == items > read.whole.difference.groups  # items alike count once, unless told not to
    assert abs(read.whole.difference.difference - measured.difference) < 0.03


def test_gpt_3_5_is_behind_by_unclear_replies_alone():
    scores = hansproof.score(RESPONSES)
    said = {report.model: {each.item.id: each.record() for each in report.outcomes} for report in scores}
    first, second = said["gpt-3.5-turbo-0613"], said["text-ada-001"]
    clear = [id for id in first if not (first[id]["unclear"] or second[id]["unclear"])]

    def points(ids):
        return 100 * sum(first[id]["right"] - second[id]["right"] for id in ids) / len(ids)

    assert (len(first), len(clear), points(first), points(clear)) == (
        524, 239, pytest.approx(-23.1, abs=0.05), pytest.approx(8.8, abs=0.05),
    )  # fmt: skip
    each = next(
        each for each in scores.differences if (each.first, each.second) == ("gpt-3.5-turbo-0613", "text-ada-001")
    )
    assert (100 * each.difference.difference, 100 * each.clear.difference) == (
        pytest.approx(points(first)), pytest.approx(points(clear)),
    )  # fmt: skip
    assert (each.clear.items, each.unclear, each.p_holm < 0.05, each.clear_p_holm < 0.05) == (
        239,
        (285, 0),
        True,
        False,
    )
    told = "gpt-3.5-turbo-0613 - text-ada-001 (-23.1 on all, +8.8 on 239 clear items; unclear: 285/0)"
    assert told in scores.page()
