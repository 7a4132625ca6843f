import os

import pytest

from hansproof.audit.run import audit
from hansproof.audit.tasks.labels import affordable, check_answers
from hansproof.generators.errors import NotAssessedError


@pytest.mark.parametrize(
    ("labels", "items"), [(2, 1_000_000), (20, 1_000_000), (150, 20_000), (300, 5_000), (1_000, 20_000)]
)
def test_so_many_answers_are_probed(labels: int, items: int) -> None:
    check_answers(labels, items)


def test_more_answers_than_fit_in_memory_are_refused_before_anything_is_counted_and_told_what_to_do() -> None:
    with pytest.raises(NotAssessedError, match=r"1,001 different answers for 5,000 items are too .* --answer-part"):
        check_answers(1_001, 5_000)
    with pytest.raises(NotAssessedError, match=r"200 different answers for 200,000 items .* with --max-rows 100000"):
        check_answers(200, 200_000)


def test_threads_are_as_many_as_have_room() -> None:
    assert [affordable(64, labels, 20_000) for labels in (2, 20, 150, 1_000)] == [64, 15, 2, 1]
    assert affordable(1, 2, 100) == 1
    assert affordable(0, 2, 100) == (os.cpu_count() or 1)


def test_an_audit_of_too_many_answers_is_not_assessed() -> None:
    rows = [{"question": f"is {i % 40} with {i}?", "label": f"intent {i // 2}"} for i in range(2_100)]
    result = audit(rows, task="fixed", prompt="question", answer="label")
    assert result.verdict == "NOT ASSESSED"
    assert result.reason.startswith("1,050 different answers for 2,100 items are too many to be probed as labels")
