"""What `score` says first: a sentence per model, which of two accuracies decides, and the weakest subsets."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from scored import score_models

from hansproof.audit.report.study_scores import headlines, weakest, weakest_table
from hansproof.command_line import command_line
from hansproof.generators.item import Item


def made(group, condition, subset):
    about = {"dataset": "made", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "x"}
    name = f"{subset}-{group}"
    prompt = f"Is {subset} {group} {condition} so?"
    return Item(
        f"made/1.0.0/{name}/{condition}", prompt, ("yes", "no"), ("yes", "no")[group % 2], name, condition, about
    )


def reports(subsets=2, groups=40, **models):
    """Items in pairs, and a model that is right where its function of (group, condition, subset) says "right"; it says
    "wrong" or "vague" otherwise, or None."""
    subset_names = [f"s{number:02d}" for number in range(subsets)]
    items = [made(g, c, s) for s in subset_names for g in range(groups) for c in ("original", "changed")]
    said = {}
    for name, behave in models.items():
        said[name] = {}
        for item in items:
            how = behave(int(item.group.rpartition("-")[2]), item.condition, item.metadata["subset"])
            other = {"yes": "no", "no": "yes"}[item.answer]
            said[name][item.id] = {"right": item.answer, "wrong": other, "vague": "well", None: None}[how]
    return score_models(items, said)


def test_a_headline_names_chance_the_best_strategy_and_no_second_accuracy_where_all_is_clear():
    (sentence, guesses) = headlines(reports(a=lambda group, condition, subset: "right"))
    # Wilson's interval of 80 of 80 groups: 80 / (80 + 1.96^2).
    assert (
        sentence
        == "a: 100.0 % right [95.4, 100.0] of 160 items. No matched change is shown to move accuracy (2 tested)."
    )
    assert guesses.startswith("A uniform guess gets 50.0 %; the best blind strategy, ")


def test_the_largest_cost_that_is_shown_is_named():
    def losing(group, condition, subset):
        share = {"s00": 4, "s01": 2}[subset]
        return "wrong" if condition == "changed" and group % share == 0 else "right"

    sentence = headlines(reports(a=losing))[0]
    # A quarter of the pairs of s00 and half of those of s01 are lost by the change.
    assert "Of 2 matched changes, 2 are shown to move accuracy, most of all s01: " in sentence
    assert "s01: original - changed: 50.0 [" in sentence
    assert sentence.endswith("] points (Holm p <.001).")


def test_a_change_that_helps_is_named_too():
    """A follower of a cue is wrong where the cue is, and right where it has gone."""

    def following(group, condition, subset):
        return "right" if condition == "changed" else "wrong"

    sentence = headlines(reports(a=following))[0]
    assert (
        "Of 2 matched changes, 2 are shown to move accuracy, most of all s00: original - changed: -100.0 [" in sentence
    )


def test_a_cost_that_unclear_replies_make_is_none():
    def vague(group, condition, subset):
        return "vague" if condition == "changed" and group % 2 else "right"

    first, *_, last = headlines(reports(a=vague))
    assert "No matched change is shown to move accuracy (2 tested)." in first
    assert "40 replies are unclear; 100.0 % of the 120 clear replies are right." in first
    assert last.startswith("Of two accuracies the one of all items decides, with unclear replies as wrong")


@pytest.mark.parametrize(("vague", "two"), [(3, False), (4, True)])  # of 160 replies: 1.9 and 2.5 %
def test_two_accuracies_stand_only_where_more_than_2_per_cent_are_unclear(vague, two):
    def some(group, condition, subset):
        return "vague" if subset == "s00" and condition == "changed" and group < vague else "right"

    said = headlines(reports(a=some))
    assert ("replies are unclear" in said[0]) is two
    assert said[-1].startswith("Of two accuracies") is two


def test_of_many_subsets_the_weakest_ten_stand_first_to_last():
    def by_subset(group, condition, subset):
        return "right" if group >= int(subset[1:]) else "wrong"  # s14 is the weakest

    every = reports(15, a=by_subset, b=by_subset)
    names = [f"s{number:02d}" for number in range(14, 4, -1)]
    assert [name for _, name in weakest(every)][:10] == names
    table = weakest_table(every)
    assert table.title == "15 subsets: the 10 weakest"
    assert [row[0].text for row in table.rows] == ["all", *names]
    assert [column.title for column in table.columns[1:4]] == ["items", "a\nright", "b\nright"]
    assert table.rows[1][2].text == "65.0"  # 26 of 40


def test_what_guesses_get_stands_only_where_it_is_the_same_for_all_models():
    items, said = [], {"a": {}, "b": {}}
    for item in (made(g, c, s) for s in ("s00", "s01") for g in range(40) for c in ("original", "changed")):
        items.append(item)
        said["a"][item.id] = item.answer
        said["b"][item.id] = None if item.group.startswith("s01-1") else item.answer
    table = weakest_table(score_models(items, said, skip_missing=True))
    shown = {row[0].text: (row[1].text, row[4].text) for row in table.rows}
    assert shown == {"all": ("", "50.0"), "s00": ("80", "50.0"), "s01": ("", "50.0")}


def test_chance_of_a_measure_that_is_no_share_is_no_per_cent(toy_bandit):
    items = [toy_bandit.item(subset, 3, index) for subset in ("short", "again") for index in range(2)]
    (report,) = made = score_models(items, {"a": {item.id: json.dumps(["B"] * 4) for item in items}})
    (name, kind), line = next(iter(report.measures.items())), report.lines[0]
    assert not kind.share
    table = weakest_table(made)
    shown = {column.title: cell.text for column, cell in zip(table.columns, table.rows[0], strict=True)}
    assert shown["chance"] == f"{line.chance[name]:.2f}"


def test_without_all_the_screen_is_short_and_says_where_the_rest_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [made(g, c, f"s{s}") for s in range(12) for g in range(4) for c in ("original", "changed")]
    rows = [{"id": i.id, "prompt": i.prompt, "answer": i.answer, "topic": i.metadata["subset"]} for i in items]
    Path("items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    said = [{"id": i.id, "model": m, "reply": i.answer} for m in "ab" for i in items]
    Path("said.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said), "utf-8")

    def screen(*more):
        command = ["score", "said.jsonl", "--items", "items.jsonl", "--subset", "topic", *more]
        return CliRunner(env={"COLUMNS": "80"}).invoke(command_line(), command).stdout

    short, long = screen(), screen("--all")
    assert short.count("\n") < 40 < long.count("\n")
    assert short.splitlines()[-1].startswith("--all prints every table")
    assert short.partition("\n\n")[0] == long.partition("\n\n")[0]  # both begin with the sentences
    assert "Differences on common items" in long
