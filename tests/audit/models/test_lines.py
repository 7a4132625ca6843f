"""Lines of a report: what holds whatever a model replies is measured once."""

from scored import score_models

from hansproof.audit.models.blind import Attempts
from hansproof.generators.item import Item

ITEMS = [
    Item(
        id=f"q{n}",
        prompt=f"Question {n}?",
        answer="yes" if n % 3 else "no",
        choices=("yes", "no"),
        condition="",
        group=f"q{n}",
        metadata={"dataset": "made", "version": "1", "subset": "s", "seed": 0, "canary": ""},
    )
    for n in range(12)
]


def test_blind_strategies_are_measured_once_for_all_models(monkeypatch):
    measured, results = [], Attempts.results
    monkeypatch.setattr(Attempts, "results", lambda *of: measured.append(of) or results(*of))
    replies = {name: {item.id: name for item in ITEMS} for name in ("yes", "no")}
    first, second = score_models(ITEMS, replies)
    assert len(measured) == 1  # all items; the one subset is all of them again
    assert first.lines[0].blind == second.lines[0].blind
    assert (first.lines[0].right.hits, second.lines[0].right.hits) == (8, 4)


def test_the_one_subset_has_the_numbers_of_all_items():
    (report,) = score_models(ITEMS, {"": {item.id: "yes" for item in ITEMS}})
    whole, subset = report.lines
    assert (whole.by, whole.name, subset.by, subset.name) == ("all", "", "subset", "s")
    assert {**vars(whole), "by": 0, "name": 0} == {**vars(subset), "by": 0, "name": 0}
