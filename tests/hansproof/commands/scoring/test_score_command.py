"""`hansproof score`: data on standard output, talk on standard error, one line per error."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset


@pytest.fixture
def there(tmp_path, monkeypatch):
    """A folder with items of two families and gold answers to them."""
    monkeypatch.chdir(tmp_path)
    puzzles = [dataset("knights-knaves").item("balanced", 5, index) for index in range(8)]
    cues = [dataset("planted-cues").item("none", 5, index) for index in range(20)]
    (tmp_path / "puzzles.jsonl").write_bytes(dump(puzzles))
    (tmp_path / "cues.jsonl").write_bytes(dump(cues))
    save("puzzle-answers.jsonl", [{"id": row.id, "reply": row.answer.replace("; ", "\n")} for row in puzzles])
    save("cue-answers.jsonl", [{"id": row.id, "completion": row.answer} for row in cues])
    return {"puzzles": puzzles, "cues": cues}


def save(path, records):
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def run(*arguments):
    return CliRunner(env={"COLUMNS": None}).invoke(command_line(), [str(argument) for argument in arguments])


def failed(done):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().split("\n")) == 1
    return done.stderr.strip()


@pytest.mark.usefixtures("there")
def test_a_table_says_what_a_model_got_and_what_guessing_gets(there):
    done = run("score", "puzzle-answers.jsonl", "--items", "puzzles.jsonl", "--all")
    assert (done.exit_code, done.stderr) == (0, "")
    _, *tables = done.stdout.partition("\n\n")
    title, header, _, row, *notes = filter(str.strip, "".join(tables).split("\n"))
    assert title.strip() == "Scores of the replies on knights-knaves@2.1.0, in per cent"
    assert " ".join(header.split()) == "Items of items right se characters unclear missing chance best blind"
    # Wilson, 8 of 8: low = 8 / (8 + 1.96^2) = 67.6 %. All characters are right, and a little less sure, because some
    # puzzles have more of them than others.
    words = row.split()
    assert words[:6] == ["all", "8", "100.0", "[67.6,", "100.0]", "0.0"]  # nothing varies
    assert words[6:11] == ["100.0", "[66.8,", "100.0]", "0", "0"]
    sizes = [item.answer.count(";") + 1 for item in there["puzzles"]]
    assert words[11] == f"{100 * sum(0.5**size for size in sizes) / len(sizes):.1f}"
    assert any(note.startswith(f"- best blind: {words[13]} ") for note in notes)
    shown = " ".join(done.stdout.split())
    assert re.search(r"The best of [0-9]+ is picked on these very items: luck alone may add up to", shown)


def test_every_number_is_in_the_json_and_the_file_has_each_item_too(there):
    done = run("score", "cue-answers.jsonl", "--items", "cues.jsonl", "--json", "--item-scores", "scores.json")
    assert done.exit_code == 0
    assert done.stderr.startswith("The replies: 100.0 % right [")  # the screen, because standard output is taken
    shown = json.loads(done.stdout)
    assert (shown["answers"], shown["items"], shown["level"]) == ("cue-answers.jsonl", "cues.jsonl", 0.95)
    (model,) = shown["models"]
    assert model["scorer"] == type(dataset("planted-cues").scorer).__module__
    assert (model["effects"], model["readings"]) == ([], [])
    line = model["lines"][0]
    assert line["right"] | {"low": 0} == {
        "hits": 20, "total": 20, "share": 1.0, "low": 0, "high": 1.0, "interval": "Wilson", "reason": ""
    }  # fmt: skip
    assert (line["chance"], line["matched"]) == ({"answer": 0.5}, None)
    assert [result["strategy"] for result in line["blind"]] == [
        strategy.name for strategy in dataset("planted-cues").scorer.blind
    ]
    assert set(line["blind"][0]) == {
        "strategy", "description", "part", "items", "answered", "share", "in_sample", "chance", "p", "p_holm", "reason",
        "better",
    }  # fmt: skip
    written = json.loads(Path("scores.json").read_text(encoding="utf-8"))
    scores = written["models"][0].pop("scores")
    assert written == shown
    assert [(score["id"], score["right"], score["unclear"], score["said"]) for score in scores] == [
        (row.id, True, False, row.answer) for row in there["cues"]
    ]


def test_each_model_has_a_table_and_missing_replies_are_counted(there):
    ids = [row.id for row in there["cues"]]
    answers = [{"id": ids[0], "reply": "yes [bold]", "model": "[red]a"}, {"id": ids[0], "reply": "?", "model": "b"}]
    save("two.jsonl", answers)
    done = run("score", "two.jsonl", "--items", "cues.jsonl", "--all")
    assert done.exit_code == 0
    assert done.stdout.count("planted-cues@") == 2
    assert "Scores of [red]a on planted-cues@" in done.stdout
    assert done.stderr == (
        "note: 1 of 2 replies are unclear, which counts as wrong. The first: two.jsonl: line 2: names no choice: '?'\n"
        "note: models [red]a; b: 1 of 20 items has a reply; the rest count as wrong: --skip-missing leaves them out\n"
    )
    models = json.loads(run("score", "two.jsonl", "--items", "cues.jsonl", "--json").stdout)["models"]
    assert [(model["model"], model["lines"][0]["missing"], model["lines"][0]["unclear"]) for model in models] == [
        ("[red]a", 19, 0), ("b", 19, 1)
    ]  # fmt: skip


def test_items_without_a_right_answer_show_their_measure_beside_chance(toy_bandit, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [toy_bandit.item("short", 1, index) for index in range(4)]
    Path("games.jsonl").write_bytes(dump(rows))
    save("runs.jsonl", [{"id": row.id, "reply": json.dumps(["B"] * 4)} for row in rows[:3]])
    done = run("score", "runs.jsonl", "--items", "games.jsonl", "--all")
    assert (done.exit_code, done.stderr) == (0, "note: 3 of 4 items have a reply; --skip-missing leaves the rest out\n")
    # Points are no shares: they are shown as they are, and the heading says so.
    headings = [" ".join(line.split()) for line in done.stdout.partition("\n\n")[2].split("\n")[1:3]]
    assert headings == ["reward", "Items of items not in % unclear missing chance best blind"]
    assert "reward: points per visit, higher is better" in done.stdout
    assert "best blind of reward: always-a always chooses machine A" in done.stdout
    every = json.loads(run("score", "runs.jsonl", "--items", "games.jsonl", "--json").stdout)["models"][0]["lines"][0]
    assert (every["right"], set(every["measures"])) == (None, {"reward"})
    assert f" {every['measures']['reward']['share']:.2f} [" in done.stdout


@pytest.mark.usefixtures("there")
def test_a_release_folder_is_scored_whole(tmp_path):
    folder = tmp_path / "release"
    folder.mkdir()
    (tmp_path / "cues.jsonl").rename(folder / "none.jsonl")
    done = run("score", "cue-answers.jsonl", "--items", "release", "--json")
    assert json.loads(done.stdout)["models"][0]["lines"][0]["right"]["hits"] == 20


@pytest.mark.usefixtures("there")
def test_an_id_that_no_item_has_is_one_line():
    message = failed(run("score", "puzzle-answers.jsonl", "--items", "cues.jsonl"))
    assert message == (
        "error: puzzle-answers.jsonl: line 1: none of the 8 replies belongs to an item of cues.jsonl; of the first, no "
        "item has the id 'knights-knaves/2.1.0/balanced/000000'; its items have ids such as "
        "'planted-cues/2.0.0/none/000000'"
    )


def test_other_faults_are_one_line_too(there):
    save("broken.jsonl", [{"id": there["cues"][0].id, "reply": "yes"}, {"id": there["cues"][1].id}])
    assert "broken.jsonl: line 2: has no reply" in failed(run("score", "broken.jsonl", "--items", "cues.jsonl"))
    assert "nothing.jsonl: cannot be read" in failed(run("score", "nothing.jsonl", "--items", "cues.jsonl"))
    assert "nothing: cannot be read" in failed(run("score", "cue-answers.jsonl", "--items", "nothing"))
    rows = []
    for row, version in zip(there["cues"], "12"):
        about = row.metadata | {"dataset": "cues", "version": version}
        rows.append(row.record() | {"id": f"cues/{version}/none/1", "metadata": about})
    save("both.jsonl", rows)
    mixed = failed(run("score", "cue-answers.jsonl", "--items", "both.jsonl"))
    assert mixed == "error: both.jsonl: has items of several releases: cues@1, cues@2; score one at a time"
    assert "so the items are needed: pass them with --items" in failed(run("score", "cue-answers.jsonl"))
    assert "--test needs the items" in failed(run("score", "cue-answers.jsonl", "--test", "mcnemar"))
    assert "--column needs ROLE=NAME" in failed(run("score", "x", "--items", "y", "--column", "reply"))
    save("nothin.jsonl", [])
    assert "nothing.jsonl: cannot be read: No such file or directory. Did you mean 'nothin.jsonl'?" in failed(
        run("score", "nothing.jsonl", "--items", "cues.jsonl")
    )
    assert "cues.jsonl: holds items and no replies: items belong behind --items. Columns:" in failed(
        run("score", "cues.jsonl", "--items", "cues.jsonl")
    )
    assert "--all is not for --test" in failed(run("score", "x", "--test", "mcnemar", "--all"))


def notes_of(done):
    """The table stands above them, because standard output is taken."""
    return [line for line in done.stderr.splitlines() if line.startswith("note: ")]


def test_replies_to_no_item_and_second_replies_are_counted_and_listed(there):
    id = there["cues"][0].id
    save(
        "odd.jsonl", [{"id": id, "reply": there["cues"][0].answer}, {"id": id, "reply": "?"}, {"id": "x", "reply": "?"}]
    )
    done = run("score", "odd.jsonl", "--items", "cues.jsonl", "--json")
    assert done.exit_code == 0
    assert notes_of(done) == [
        "note: 1 of 3 replies belong to no item and are left out: odd.jsonl: line 3: no item has the id 'x'",
        "note: 1 of 3 replies are given again for the same item, model, style and run; the first one counts: "
        f"odd.jsonl: line 2: another reply to {id!r}; the first one counts",
        "note: 1 of 20 items has a reply; the rest count as wrong: --skip-missing leaves them out",
    ]
    read = json.loads(done.stdout)["read"]
    assert (read["replies"], read["unmatched"]["count"], read["doubled"]["count"]) == (3, 1, 1)
    assert read["unmatched"]["first"] == [{"place": "odd.jsonl: line 3", "reason": "no item has the id 'x'"}]
    assert (read["missing"][0]["count"], len(read["missing"][0]["first"])) == (19, 19)


@pytest.mark.usefixtures("there")
def test_a_subset_without_any_reply_was_not_asked_and_is_in_no_number():
    family = dataset("planted-cues")
    rows = [family.item(subset, 5, index) for subset in ("none", "unigram") for index in range(10)]
    Path("two.jsonl").write_bytes(dump(rows[:10]) + dump(rows[10:]))
    save("some.jsonl", [{"id": row.id, "reply": row.answer} for row in rows[:9]])
    done = run("score", "some.jsonl", "--items", "two.jsonl", "--json")
    assert notes_of(done) == [
        "note: 9 of 10 items have a reply; the rest count as wrong: --skip-missing leaves them out",
        "note: not asked, and in no number: unigram (10 items)",
    ]
    (model,) = json.loads(done.stdout)["models"]
    assert model["not_asked"] == {"unigram": 10}
    every = model["lines"][0]
    assert (every["items"], every["missing"], every["right"]["hits"], every["right"]["share"]) == (10, 1, 9, 0.9)
    assert [line["name"] for line in model["lines"] if line["by"] == "subset"] == ["none"]


@pytest.mark.usefixtures("there")
def test_an_existing_file_is_overwritten_only_by_force():
    save("scores.json", [])
    arguments = ("score", "cue-answers.jsonl", "--items", "cues.jsonl", "--item-scores", "scores.json")
    assert failed(run(*arguments)).startswith("error: scores.json: exists; pass --force")
    assert run(*arguments, "--force").exit_code == 0


def test_half_a_surrogate_pair_in_a_reply_breaks_nothing(there):
    save("odd.jsonl", [{"id": there["cues"][0].id, "reply": "\ud800 yes"}])
    assert run("score", "odd.jsonl", "--items", "cues.jsonl", "--item-scores", "odd.json", "--json").exit_code == 0
    save("odd.jsonl", [{"id": "\ud800", "reply": "yes"}])
    assert "\\ud800" in failed(run("score", "odd.jsonl", "--items", "cues.jsonl"))


def test_the_help_page_has_an_example():
    done = run("score", "--help")
    assert done.exit_code == 0
    assert "hansproof score" in done.stdout.split("Example")[1]


@pytest.mark.usefixtures("there")
def test_replies_to_items_of_another_seed_are_refused():
    others = [dataset("knights-knaves").item("balanced", 6, index) for index in range(8)]
    Path("others.jsonl").write_bytes(dump(others))
    prompts = [json.loads(line) for line in run("prompts", "others.jsonl", "--style", "zero-shot").stdout.splitlines()]
    save("replies.jsonl", [{**prompt, "reply": "A"} for prompt in prompts])
    assert run("score", "replies.jsonl", "--items", "others.jsonl").exit_code == 0
    refusal = failed(run("score", "replies.jsonl", "--items", "puzzles.jsonl"))
    assert "replies are to other items with the same id as in puzzles.jsonl (another seed?)" in refusal


@pytest.mark.usefixtures("there")
def test_unclear_replies_are_said():
    items = [dataset("planted-cues").item("none", 5, index) for index in range(20)]
    Path("ours.jsonl").write_bytes(dump(items))
    said = [{"id": item.id, "reply": item.answer if at >= 3 else "That depends."} for at, item in enumerate(items)]
    Path("said.jsonl").write_text("".join(json.dumps(each) + "\n" for each in said), encoding="utf-8")
    done = run("score", "said.jsonl", "--items", "ours.jsonl")
    note = "3 of 20 replies are unclear, which counts as wrong. The first: said.jsonl: "
    assert done.stderr.count("unclear") == done.stderr.count(note) == 1
    assert "3 replies are unclear; 100.0 % of the 17 clear replies are right." in " ".join(done.stdout.split())
    Path("part.jsonl").write_text("".join(json.dumps(each) + "\n" for each in said[:8]), encoding="utf-8")
    part = run("score", "part.jsonl", "--items", "ours.jsonl").stderr
    assert "3 of 8 replies are unclear, which counts as wrong. The first: " in part


@pytest.mark.usefixtures("there")
def test_unclear_replies_are_listed_with_their_ends():
    items = [dataset("planted-cues").item("none", 5, index) for index in range(20)]
    Path("ours.jsonl").write_bytes(dump(items))
    replies = ["That depends."] * 2 + ["Well, " * 40 + "who knows?", ""] + [item.answer for item in items[4:]]
    said = [{"id": item.id, "reply": reply} for item, reply in zip(items, replies, strict=True)]
    Path("said.jsonl").write_text("".join(json.dumps(each) + "\n" for each in said), encoding="utf-8")
    unclear = json.loads(run("score", "said.jsonl", "--items", "ours.jsonl", "--json").stdout)["read"]["unclear"]
    assert (unclear["count"], [place["place"] for place in unclear["first"]]) == (
        3, [f"said.jsonl: line {line}" for line in (1, 2, 3)]
    )  # fmt: skip
    reasons = [place["reason"] for place in unclear["first"]]
    assert reasons[0] == "names no choice: 'That depends.'"
    assert reasons[2].endswith("Well, who knows?'")
    assert len(reasons[2]) < 100
