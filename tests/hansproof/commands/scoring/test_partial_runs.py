"""A run that broke off: what counts as wrong is said, and --skip-missing leaves it out of every number alike."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from read_pages import tables

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset


def run(*arguments):
    return CliRunner(env={"COLUMNS": "200"}).invoke(command_line(), arguments)


def save(items):
    """`whole` answers all, right two times of three; `part` answers the first 45, all but 5 right, and 3 with null."""
    Path("items.jsonl").write_bytes(dump(items))
    Path("asked.jsonl").write_bytes(dump(items[:45]))
    replies = []
    for index, item in enumerate(items):
        wrong = next(choice for choice in item.choices if choice != item.answer)
        replies.append({"id": item.id, "reply": item.answer if index % 3 else wrong, "model": "whole"})
        if index < 48:
            said = None if index > 44 else wrong if index < 5 else item.answer
            replies.append({"id": item.id, "reply": said, "model": "part"})
    Path("replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
    part = [reply for reply in replies if reply["model"] == "part" and reply["reply"]]
    Path("part.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in part), encoding="utf-8")
    return items


@pytest.fixture
def there(tmp_path, monkeypatch):
    """120 matched items, all answers of one model, and those of a partial run."""
    monkeypatch.chdir(tmp_path)
    return save([dataset("token-bias").item("syllogism", 8, index) for index in range(120)])


SAID = ("replies.jsonl", "--items", "items.jsonl")


def json_of(*arguments):
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.usefixtures("there")
def test_without_the_option_the_share_of_the_replies_stands_beside_and_one_line_says_so():
    done = run("score", *SAID, "--all")
    assert (
        "note: model part: 45 of 120 items have a reply; the rest count as wrong: --skip-missing leaves them out"
        in (done.stderr.split("\n"))
    )
    assert "note: 3 of 168 replies are empty (null, or no text), so they count as missing" in done.stderr
    head = next(line for line in done.stdout.split("\n") if "replied" in line)
    assert "missing" in head
    scores = done.stdout[done.stdout.index("Scores of part") :]
    row = next(line for line in scores.split("\n") if line.startswith("all")).split()
    assert (row[1], row[2], row[6]) == ("120", "33.3", "88.9")  # 40 of 120, and 40 of 45
    assert "missing replies count as wrong here, too" in done.stdout
    whole, part = json_of("score", *SAID)["models"]
    assert whole["lines"][0]["replied"] == whole["lines"][0]["right"]
    assert (part["lines"][0]["replied"]["hits"], part["lines"][0]["replied"]["total"], part["skipped"]) == (40, 45, 0)


@pytest.mark.usefixtures("there")
def test_with_the_option_every_number_is_that_of_the_items_with_a_reply():
    done = json_of("score", *SAID, "--skip-missing")
    assert done["skip_missing"] is True
    whole, part = done["models"]
    alone = json_of("score", "part.jsonl", "--items", "asked.jsonl")["models"][0]
    for line in (*part["lines"], *alone["lines"]):
        del line["skipped"]
    assert {name: value for name, value in part.items() if name != "skipped"} == {
        name: value for name, value in alone.items() if name != "skipped"
    }
    assert (part["skipped"], whole["skipped"], alone["skipped"]) == (75, 0, 0)
    apart = done["differences"][0]["difference"]
    assert (apart["items"], apart["b"]) == (45, pytest.approx(40 / 45))
    compared = hansproof.compare("replies.jsonl", items="items.jsonl", a_name="whole", b_name="part", skip_missing=True)
    assert (apart["difference"], apart["p"]) == pytest.approx(
        (compared.whole.difference.difference, compared.whole.difference.p)
    )
    note = "note: model part: 45 of 120 items have a reply; the rest are left out (--skip-missing)"
    assert note in run("score", *SAID, "--skip-missing").stderr.split("\n")


@pytest.mark.usefixtures("there")
def test_table_and_page_say_and_count_what_is_left_out():
    done = run("score", *SAID, "--skip-missing", "--csv", "table.csv", "--html", "page.html")
    assert done.exit_code == 0
    assert "replied" not in done.stdout
    rows = [row for row in csv.DictReader(io.StringIO(Path("table.csv").read_text())) if row["by"] == "all"]
    assert [(row["model"], row["items"], row["skipped"], row["missing"]) for row in rows] == [
        ("whole", "120", "0", "0"), ("part", "45", "75", "0")
    ]  # fmt: skip
    page = Path("page.html").read_text(encoding="utf-8")
    read = tables(page)["What became of the answers"]
    assert [(row[0], len(row), row[6]) for row in read] == [("whole", 8, "0"), ("part", 8, "75")]
    assert ">Left out</th>" in page
    assert (
        'part: 45 of 120 items have a reply; the rest are left out (<code class="nowrap">--skip-missing</code>)' in page
    )
    assert "75 missing, which are left out" in page
    assert "on the items that both have replied to: the difficulty" in page
    run("score", *SAID, "--csv", "all.csv", "--html", "all.html")
    rows = [row for row in csv.DictReader(io.StringIO(Path("all.csv").read_text())) if row["by"] == "all"]
    assert [row["replied"] for row in rows] == ["120", "45"]
    assert [float(row["accuracy_replied"]) for row in rows] == pytest.approx([80 / 120, 40 / 45])
    page = Path("all.html").read_text(encoding="utf-8")
    assert ">Left out</th>" not in page
    assert ">Right of replied</th>" in page
    assert "on the items that both were asked: the difficulty" in page
    assert "missing replies count as wrong here, too" in page
    accuracy = tables(page)["Right answers in per cent"]
    assert [row[0] for row in accuracy if row[1].endswith("of 120, 75 missing")] == ["part"]


@pytest.mark.usefixtures("there")
def test_effects_and_the_study_take_it_too():
    whole, part = json_of("analyse", *SAID, "--by", "effects", "--skip-missing")["models"]
    by_score = json_of("score", *SAID, "--skip-missing")["models"]
    assert [whole["effects"], part["effects"]] == [each["effects"] for each in by_score]
    assert whole["effects"][0]["difference"]["items"] > part["effects"][0]["difference"]["items"]
    assert part["effects"][0]["missing"][0] == part["effects"][0]["missing"][1] == 0
    for by in ("hypotheses", "phenotype"):
        refused = run("analyse", *SAID, "--by", by, "--skip-missing")
        assert (refused.exit_code, refused.stderr) == (2, f"error: --skip-missing does not go with --by {by}\n")


def test_the_study_leaves_out_and_counts_by_pair(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save([dataset("planted-cues").item("unigram", 8, index) for index in range(120)])
    done = run("analyse", *SAID, "--splits", "2", "--permutations", "99", "--html", "page.html")
    assert "note: planted-cues, part: 45 of 120 items have a reply; the rest count as wrong" in done.stderr
    pairs = done.stdout[done.stdout.index("Right answers in per cent") :].split("\n")
    assert next(line.split() for line in pairs if line.startswith("part"))[1:5] == ["120", "0", "+", "75"]
    assert "unclear and missing replies count as wrong" in " ".join(" ".join(pairs).split())
    (shown,) = [
        table
        for caption, table in tables(Path("page.html").read_text(encoding="utf-8")).items()
        if caption.startswith("Right answers in per cent, also where the probe is right")
    ]
    assert [row[:3] for row in shown if len(row) > 1] == [["whole", "120", ""], ["part", "120", "0 + 75"]]
    kept = hansproof.analyse("replies.jsonl", items="items.jsonl", splits=2, permutations=99, skip_missing=True)
    (pair,) = [pair for pair in kept.pairs if pair.model == "part"]
    assert pair.items == 45
    (part,) = [each for each in kept.answered[0].series if each.model == "part"]
    assert (part.asked, part.skipped, part.missing) == (45, 75, 0)
    assert [(accuracy.items, accuracy.right, accuracy.share_replied) for accuracy in part.accuracies] == [
        (45, 40, pytest.approx(40 / 45))
    ]


def test_where_nothing_has_a_reply_there_is_nothing_to_score(there):
    nulls = [json.dumps({"id": item.id, "reply": None}) + "\n" for item in there]
    Path("nulls.jsonl").write_text("".join(nulls), encoding="utf-8")
    refused = run("score", "nulls.jsonl", "--items", "items.jsonl", "--skip-missing")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "error: items.jsonl: no item has a reply, so nothing is left; where missing replies are not left out, they "
        "count as wrong\n"
    )  # fmt: skip
    assert run("score", "nulls.jsonl", "--items", "items.jsonl").exit_code == 0


@pytest.fixture
def grouped(tmp_path, monkeypatch):
    """24 rows in 12 groups of the topics z, a, m; `late` lacks the first two of z, `early` the last five rows."""
    monkeypatch.chdir(tmp_path)
    topics = ["z", "z", "a", "m"] * 6
    rows = [f"q{k},Is {k} so?,{('yes', 'no')[k % 2]},{topics[k]},{k // 2}" for k in range(24)]
    Path("bench.csv").write_text("\n".join(["id,question,answer,topic,pair", *rows, ""]), encoding="utf-8")
    kept = {"late": range(2, 24), "early": range(19)}
    replies = [{"id": f"q{k}", "reply": "yes", "model": model} for model, places in kept.items() for k in places]
    Path("r.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
    return ("score", "r.jsonl", "--items", "bench.csv", "--breakdown", "topic", "--group", "pair", "--skip-missing")


def test_subsets_stand_in_the_order_of_the_items_and_say_what_they_skip(grouped):
    done = run(*grouped, "--all", "--csv", "s.csv", "--html", "s.html", "--json", "s.json")
    assert done.exit_code == 0, done.stderr
    with Path("s.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["model"], row["name"], row["items"], row["skipped"]) for row in csv.DictReader(file)]
    assert rows == [
        ("late", "", "22", "2"), ("late", "z", "10", "2"), ("late", "a", "6", "0"), ("late", "m", "6", "0"),
        ("early", "", "19", "5"), ("early", "z", "10", "2"), ("early", "a", "5", "1"), ("early", "m", "4", "2"),
        ("", "late - early", "17", ""),
    ]  # fmt: skip
    models = json.loads(Path("s.json").read_text(encoding="utf-8"))["models"]
    assert [[line["name"] for line in model["lines"]] for model in models] == [["", "z", "a", "m"]] * 2
    assert [model["skipped"] for model in models] == [
        line["skipped"] for model in models for line in model["lines"][:1]
    ]
    parts = done.stdout[done.stdout.index("Scores of late") : done.stdout.index("Differences")].splitlines()
    assert [line.split()[0] for line in parts if line.startswith(("z ", "a ", "m "))] == ["z", "a", "m"] * 2


def test_a_note_says_the_groups_of_what_is_left(grouped):
    each = "11 groups of 22 items for late; 10 groups of 19 items for early"
    note = f"of the items that are in the numbers, these count: {each}"
    done = run(*grouped, "--html", "s.html")
    assert f"note: {note}" in done.stderr.splitlines()
    assert "count 12 groups, not 24 items" in done.stderr
    assert note in Path("s.html").read_text(encoding="utf-8")
    assert "these count" not in run(*grouped[:-1]).stderr
    assert "these count" not in run(*grouped, "--groups", "none").stderr
