"""--breakdown is a breakdown: it adds numbers by subset, and changes no others; it tears no matched items apart."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line

TOPICS = ("geo", "bio", "math")


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    """120 items in pairs; a pair stands in one topic, or in two. The second model has no reply to one topic."""
    monkeypatch.chdir(tmp_path)
    items, replies = [], []
    for at in range(120):
        pair, arm = at // 2, ("plain", "changed")[at % 2]
        topic = TOPICS[pair % 3] if pair < 45 else TOPICS[at % 2]
        gold = ("yes", "no")[at * 7 % 3 == 0]
        items.append(
            {
                "id": f"q{at}",
                "prompt": f"Is {at * 7919} so?",
                "answer": gold,
                "topic": topic,
                "pair": f"p{pair}",
                "arm": arm,
            }
        )
        for model, every in (("first", 5), ("second", 3)):
            if model == "first" or topic != "geo":
                said = gold if at * 11 % every else {"yes": "no", "no": "yes"}[gold]
                replies.append({"id": f"q{at}", "model": model, "reply": said})
    for name, rows in (("items.jsonl", items), ("replies.jsonl", replies)):
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


READ = ("replies.jsonl", "--items", "items.jsonl", "--groups", "none")
PAIRED = ("--group", "pair", "--condition", "arm")


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), list(arguments))
    assert done.exit_code == 0, done.output
    return done


def json_of(*arguments):
    return json.loads(run(*arguments, "--json", "-").stdout)


@pytest.mark.parametrize("more", [(), ("--skip-missing",)])
@pytest.mark.parametrize("column", ["topic", "arm"])
def test_a_breakdown_changes_no_number_of_score_but_those_by_subset(column, more):
    plain = json_of("score", *READ, *PAIRED, *more)
    cut = json_of("score", *READ, *PAIRED, *more, "--breakdown", column)
    assert cut["differences"] == plain["differences"]
    for without, by in zip(plain["models"], cut["models"], strict=True):
        assert by["lines"][0] == without["lines"][0]  # with chance and blind strategies
        assert [each for each in by["effects"] if each["by"] != "subset"] == without["effects"]
        assert (by["not_asked"], by["skipped"]) == (without["not_asked"], without["skipped"])
        names = {each["name"] for each in by["lines"] if each["by"] == "subset"}
        assert names <= {*TOPICS, "plain", "changed"}
        assert len(names) >= 2
    missing = cut["models"][1]["lines"][0]["missing"]
    assert missing == (0 if more else 45)  # 15 pairs, and one of each of 15 pairs: not asked they would be in no number


def test_a_topic_without_a_reply_is_missing_in_score_and_in_compare_alike():
    second = json_of("score", *READ, "--breakdown", "topic")["models"][1]
    geo = next(line for line in second["lines"] if line["name"] == "geo")
    assert (geo["items"], geo["missing"], geo["right"]["share"]) == (45, 45, 0)
    for more in ((), ("--skip-missing",)):
        plain, cut = (json_of("compare", *READ, *more, *named) for named in ((), ("--breakdown", "topic")))
        assert cut["parts"][0] == plain["parts"][0]
        assert (cut["left_out"], cut["skipped"]) == (plain["left_out"], plain["skipped"])
        assert {part["name"] for part in cut["parts"] if part["by"] == "subset"} == {*TOPICS[bool(more) :]}


def test_effects_pair_over_the_whole_benchmark_and_are_cut_after():
    (first, second) = json_of("analyse", *READ, *PAIRED, "--by", "effects", "--breakdown", "topic")["models"]
    whole, *slices = first["effects"]
    assert (whole["by"], whole["difference"]["items"], whole["left_out"]) == ("", 60, 0)
    assert [(each["by"], each["name"], each["difference"]["items"]) for each in slices] == [
        ("subset", "geo", 15), ("subset", "bio", 15), ("subset", "math", 15), ("subset", "geo / bio", 15)
    ]  # fmt: skip
    for number in ("a_only", "b_only"):
        assert sum(each["difference"][number] for each in slices) == whole["difference"][number]
    # A pair with one reply is in the effect as without a breakdown; both of a topic without any are no effect of it.
    assert [each["name"] for each in second["effects"][1:]] == ["bio", "math"]


def test_a_breakdown_by_the_condition_itself_keeps_every_effect():
    plain = run("analyse", *READ, *PAIRED, "--by", "effects")
    cut = run("analyse", *READ, *PAIRED, "--by", "effects", "--breakdown", "arm")
    assert cut.stdout == plain.stdout
    assert "plain − changed" in cut.stdout
    scores = run("score", *READ, *PAIRED, "--breakdown", "arm", "--all").stdout
    # 48 of 60 are right in both arms; the second model is right on 30 plain and on 25 changed items.
    effects = scores[scores.index("\nplain − changed") :].splitlines()[2:4]
    assert [line.split()[1] for line in effects] == ["0.0", "+8.3"]


def test_subsets_that_would_have_one_name_stay_apart():
    rows = Path("items.jsonl").read_text(encoding="utf-8").replace('"math"', '"geo / bio"')
    Path("items.jsonl").write_text(rows, encoding="utf-8")
    options = {"groups": "none", "item_columns": {"group": "pair", "condition": "arm", "subset": "topic"}}
    first = hansproof.score("replies.jsonl", "items.jsonl", **options)[0]
    assert [(each.name, each.difference.items) for each in first.effects if each.by] == [
        ("geo", 15), ("bio", 15), ("geo / bio", 15), ("geo / bio", 15)
    ]  # fmt: skip
