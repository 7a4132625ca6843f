"""The table of scores: shares in per cent with their intervals, beside what guessing gets."""

from dataclasses import replace

from scored import score_models

from hansproof.audit.report.study_scores import blind_note, score_table
from hansproof.generators.item import Item


def item(index, subset="one", answer="yes"):
    metadata = {"dataset": "mine", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "x"}
    return Item(
        f"mine/1.0.0/{subset}/{index:06d}", f"Is it {index}?", ("yes", "no"), answer, f"g{index}", "c", metadata
    )


def report(items, right):
    replies = {item.id: "yes" if place < right else "no" for place, item in enumerate(items)}
    return score_models(items, {"": replies})[0]


def cells(table):
    return [[column.on_screen(cell) for column, cell in zip(table.columns, row, strict=False)] for row in table.rows]


def test_a_share_has_both_ends_of_its_interval():
    # Wilson, 6 of 8: (.75 + .2401) / 1.4802 -+ 1.96 / 1.4802 * sqrt(.0234 + .0150) = .669 -+ .260.
    table = score_table(report([item(index) for index in range(8)], 6))
    assert cells(table)[0][:4] == ["all", "8", "75.0 [40.9, 92.9]", "16.4"]  # sqrt(.75 * .25 / 7)


def test_a_subset_has_a_line_only_where_there_are_several():
    alone = score_table(report([item(index) for index in range(4)], 4))
    assert [row[0] for row in cells(alone)] == ["all"]
    both = score_table(report([item(index, subset) for subset in ("a", "b") for index in range(4)], 4))
    assert [row[0] for row in cells(both)] == ["all", "by subset", "a", "b"]


def test_the_best_blind_strategy_stands_beside_the_model_and_is_explained_below():
    scored = report([item(index) for index in range(8)], 6)
    header = [column.title for column in score_table(scored).columns]
    row = dict(zip(header, cells(score_table(scored))[0], strict=True))
    assert (row["chance"], row["best blind"]) == ("50.0", "100.0 constant")
    # The constant has 8 of 8, Wilson's interval for 8 / 2.25 trials (it learns): .4807 to 1, so a standard error of
    # .1325; the best of 5: sqrt(2 ln 5) = 1.794 of them.
    assert blind_note(scored) == (
        "best blind: constant always gives the most common answer. The best of 5 is picked on these very items: luck "
        "alone may add up to 23.8 points to its share, and more on the lines with fewer items"
    )


def test_a_strategy_that_seldom_answers_is_shown_with_how_often_it_does_and_wins_only_if_it_does():
    scored = report([item(index) for index in range(8)], 6)
    (every,) = (line for line in scored.lines if line.by == "all")
    share = every.best_blind().share
    half = replace(every.best_blind(), strategy="half", answered=4)
    assert (half.share.share, half.worth) == (1.0, 0.75)  # half of them right, half of the others guessed
    steady = replace(half, strategy="steady", answered=8, share=replace(share, share=0.7))
    lucky = replace(half, strategy="lucky", answered=1)  # 1/8 right, half of 7/8 guessed: .5625
    for blind, shown in (((lucky, steady, half), "100.0 half (50.0 %)"), ((lucky, steady), "70.0 steady")):
        made = replace(scored, lines=(replace(every, blind=blind),))
        header = [column.title for column in score_table(made).columns]
        assert dict(zip(header, cells(score_table(made))[0], strict=True))["best blind"] == shown
        number, _, below = shown.partition(" ")
        (cell,) = (cell for cell in score_table(made).rows[0] if cell.text == number and cell.below)
        assert cell.below == below


def test_a_best_blind_strategy_below_chance_is_no_mistake():
    scored = report([item(index, answer=("yes", "no")[index % 2]) for index in range(8)], 6)
    every = scored.lines[0]
    assert every.best_blind().share.share == every.chance["answer"] == 0.5
    above = replace(scored, lines=(replace(every, chance={"answer": 0.6}),))
    assert "None of them" not in blind_note(scored)
    assert ". None of them is better than chance here" in blind_note(above)
