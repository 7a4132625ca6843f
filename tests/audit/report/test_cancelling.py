"""A standard error that is far smaller than its interval says so."""

import csv

import pytest
from scored import score_models

from hansproof.audit.notation import csv_text
from hansproof.audit.report.score_rows import score_rows
from hansproof.audit.report.study_reading import series_notes
from hansproof.audit.report.study_scores import cancelling_note, score_notes
from hansproof.audit.statistics.permutation import seeded
from hansproof.generators.item import Item


def scored(right, size=2, groups=30, subsets=("s",)):
    """The report on groups of `size` items; `right(group, place)` says whether an item is answered right."""
    items = [
        Item(
            id=f"q{group}-{place}",
            prompt=f"Question {group}, {place}?",
            answer="yes",
            choices=("yes", "no"),
            condition="",
            group=f"g{group}",
            metadata={
                "dataset": "made",
                "version": "1",
                "subset": subsets[group % len(subsets)],
                "seed": 0,
                "canary": "",
            },
        )
        for group in range(groups)
        for place in range(size)
    ]
    places = [(group, place) for group in range(groups) for place in range(size)]
    replies = {item.id: "yes" if right(*at) else "no" for item, at in zip(items, places, strict=True)}
    (report,) = score_models(items, {"": replies})
    return report


def test_cancelling_answers_are_noted_on_screen_and_page():
    # Of each pair one is right, but of two pairs both and none.
    report = scored(lambda group, place: group == 0 or (group != 1 and place == 0))
    line = report.lines[0]
    # Miller (2024): residuals of 1/2 whose sum is 1 in two groups and 0 in the others.
    assert line.se == pytest.approx((15 / 59 / 60 + (2 - 15) / 60**2) ** 0.5)
    assert line.right.high - line.right.share > 5 * line.se
    note = cancelling_note(report)
    assert note.startswith("se is much smaller than the interval, because right and wrong cancel within groups")
    assert note.endswith(": all")
    assert note in series_notes(report)
    assert note in score_notes([report])[0]
    # The CSV says it in the row of each line.
    rows = csv.DictReader(csv_text(score_rows([report])).splitlines())
    assert [(row["by"], row["note"]) for row in rows] == [(by, note.removesuffix(": all")) for by in ("all", "subset")]


def test_every_line_that_cancels_is_named():
    # In both subsets, and so in all, a pair has one right answer.
    report = scored(lambda group, place: place == 0, subsets=("a", "b"))
    note = cancelling_note(report)
    assert note.endswith("go by the interval: all; subset a; subset b")
    assert note in series_notes(report)
    assert note in score_notes([report])[0]
    rows = list(csv.DictReader(csv_text(score_rows([report])).splitlines()))
    assert [(row["name"], row["note"]) for row in rows] == [(name, note.split(": all")[0]) for name in ("", "a", "b")]


@pytest.mark.parametrize(
    "right",
    [
        lambda group, place: group % 2,  # alike within groups
        lambda group, place: (3 * group + 5 * place) % 7 < 3,  # as good as independent
        lambda group, place: True,  # no spread at all
    ],
)
def test_other_answers_have_no_note(right):
    report = scored(right)
    assert cancelling_note(report) == ""
    assert [row["note"] for row in csv.DictReader(csv_text(score_rows([report])).splitlines())] == ["", ""]


def test_items_of_their_own_have_no_note():
    assert cancelling_note(scored(lambda group, place: group % 2, size=1)) == ""


@pytest.mark.parametrize(("groups", "size"), [(3, 20), (6, 20), (10, 20), (30, 5)])
def test_independent_items_of_few_groups_are_seldom_noted(groups, size):
    random = seeded(1, "independent", groups)
    told = 0
    for _ in range(30):
        drawn = random.random((groups, size)) < 0.6
        told += cancelling_note(scored(lambda group, place, drawn=drawn: drawn[group, place], size, groups)) != ""
    assert told <= 2  # 1 in 100 is meant; without the count of groups 75, 68, 31 and some in 100 were
