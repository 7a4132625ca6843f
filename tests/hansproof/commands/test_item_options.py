"""score, compare and analyse read a benchmark with the options of audit, and name only options that they have."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line, renamed
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

COMMANDS = ("score", "compare", "analyse")
NOUNS = ["river", "kettle", "garden", "ladder", "planet", "window", "carpet", "hammer", "bottle", "market"]


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), list(arguments))


def options(command):
    return {option for parameter in command_line().get_command(None, command).params for option in parameter.opts}


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    """A benchmark with odd columns, four templates of ten items in pairs, and a wide table of two models."""
    monkeypatch.chdir(tmp_path)
    frames = [
        "Long ago a {} stood beside the old mill of the village. Did it stand there in {} light?",
        "Because every {} was sold out, the shop closed an hour early in {} weather. Was it open late?",
        "If a {} falls from the roof, nobody in the {} house will hear it at night. Will they hear it?",
        "Neither the {} nor the box that came with it was {} when they met us. Had we met before?",
    ]
    rows = ["nr;frage;loesung;paar;arm"]
    replies = ["nr,gpt,llama"]
    for frame, text in enumerate(frames):
        for at, noun in enumerate(NOUNS):
            number, gold = f"{frame}{at}", "yes" if (frame + at // 2) % 2 else "no"
            prompt = text.format(noun, ("plain", "changed")[at % 2])
            rows.append(f"{number};{prompt};{gold};{frame}-{at // 2};{('plain', 'changed')[at % 2]}")
            replies.append(f"{number},{gold},{gold if at % 3 else 'no'}")
    Path("bench.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    Path("wide.csv").write_text("\n".join(replies) + "\n", encoding="utf-8")


WIDE = ("wide.csv", "--items", "bench.csv", "--column", "id=nr", "--reply-columns", "gpt,llama")
ODD = ("--prompt", "frage", "--answer", "loesung", "--id", "nr")
QUICK = ("--splits", "1", "--permutations", "99")


def test_the_options_are_those_of_audit_in_all_three():
    roles = {
        "--prompt",
        "--answer",
        "--template",
        "--group",
        "--split",
        "--id",
        "--choices",
        "--answer-part",
        "--recipe",
    }
    for command in COMMANDS:
        assert options(command) >= roles | {"--groups", "--condition", "--breakdown"}
    assert options("audit") >= roles | {"--groups"}


@pytest.mark.parametrize("command", COMMANDS)
def test_an_error_names_only_options_that_are_there(command):
    done = run(command, *WIDE)
    assert done.exit_code == 2
    named = set(re.findall(r"--[a-z-]+", done.stderr))
    assert {"--prompt", "--answer"} <= named <= options(command)
    assert run(command, *WIDE, *ODD, *(QUICK if command == "analyse" else ())).exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_groups_count_in_each_command_and_a_note_says_so(command):
    quick = QUICK if command == "analyse" else ()
    notes = {mode: run(command, *WIDE, *ODD, *quick, "--groups", mode).stderr for mode in ("auto", "found", "none")} | {
        "column": run(command, *WIDE, *ODD, *quick, "--group", "paar").stderr
    }
    count = hansproof.audit("bench.csv", prompt="frage", answer="loesung", splits=1, permutations=99).groups.count
    assert count < 40
    detected = f"intervals, standard errors and p count {count:,} groups, not 40 items. Detected"
    assert (detected in notes["auto"], detected in notes["found"]) == (True, True)
    assert "No groups, as requested: every item stands alone." in notes["none"]
    assert "count 20 groups, not 40 items. The column 'paar' declares 20 groups." in notes["column"]


def test_intervals_are_wider_where_groups_count():
    def width(*more):
        part = json.loads(run("compare", *WIDE, *ODD, "--json", "-", *more).stdout)["parts"][0]["difference"]
        return part["high"] - part["low"], part["groups"]

    (narrow, alone), (wide, pairs) = width("--groups", "none"), width("--group", "paar")
    assert (alone, pairs) == (40, 20)
    assert narrow != pytest.approx(wide)


def test_a_condition_column_gives_a_pair_accuracy_and_a_flip_rate():
    done = run("score", *WIDE, *ODD, "--group", "paar", "--condition", "arm", "--json")
    first, second = json.loads(done.stdout)["models"]
    line = first["lines"][0]
    assert (line["matched"]["hits"], line["matched"]["total"], line["flips"]["hits"]) == (20, 20, 0)
    # The second model says no to every third item: it is wrong where the gold is yes.
    wrong = {(frame, at // 2) for frame in range(4) for at in range(0, 10, 3) if (frame + at // 2) % 2}
    line = second["lines"][0]
    assert (line["matched"]["hits"], line["flips"]["hits"]) == (20 - len(wrong), len(wrong))
    assert {each["name"] for each in second["lines"] if each["by"] == "condition"} == {"plain", "changed"}
    assert run("compare", *WIDE, *ODD, "--group", "paar", "--condition", "arm").stdout.count("condition") >= 2


def test_a_column_of_subsets_gives_numbers_by_subset_in_each_command():
    named = (*WIDE, *ODD, "--breakdown", "arm")
    done = run("score", *named, "--all", "--csv", "scores.csv")
    with Path("scores.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["model"] == "llama"]
    assert [(row["by"], row["name"], row["items"]) for row in rows] == [
        ("all", "", "40"), ("subset", "plain", "20"), ("subset", "changed", "20")
    ]  # fmt: skip
    shares = [float(row["accuracy"]) for row in rows]
    assert shares[0] == pytest.approx((shares[1] + shares[2]) / 2)
    shown = next(line for line in done.stdout.splitlines()[::-1] if line.startswith("plain ")).split()
    low, high, se = (100 * float(rows[1][name]) for name in ("low", "high", "se"))
    assert shown[1:6] == ["20", f"{100 * shares[1]:.1f}", f"[{low:.1f},", f"{high:.1f}]", f"{se:.1f}"]
    assert run("compare", *named).stdout.count("subset ") >= 2
    page = run("analyse", *named, *QUICK, "--html", "page.html")
    assert page.exit_code == 0
    assert "auditing bench.csv, 40 items ..." in page.stderr
    assert ">plain</th>" in Path("page.html").read_text(encoding="utf-8")
    run("score", *WIDE, *ODD, "--csv", "none.csv")
    assert '"subset"' not in Path("none.csv").read_text(encoding="utf-8")  # it would repeat the row of all items


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("score", "r.jsonl", "--prompt", "x"),
            "items that logs hold have no columns: pass the benchmark itself with --items",
        ),
        (("compare", "--plan", "--groups", "none"), "--groups says how --items are read"),
        (("analyse", "r.jsonl", "--by", "phenotype", "--id", "x"), "--id does not go with --by phenotype"),
        (("score", *WIDE, *ODD, "--condition", "arm"), "name the column of the groups with --group"),
        (
            ("score", *WIDE, *ODD, "--group", "paar", "--condition", "amr"),
            "there is no column 'amr'. Did you mean 'arm'",
        ),
        (("score", *WIDE, *ODD, "--groups", "column"), "'column' is not one of"),
    ],
)
def test_what_cannot_be_is_one_line(arguments, said):
    Path("r.jsonl").write_text('{"id": "00", "reply": "no"}\n', encoding="utf-8")
    done = run(*arguments)
    assert (done.exit_code, said in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr


def test_items_of_our_own_say_themselves_what_they_are():
    items = [dataset("planted-cues").item("none", 5, index) for index in range(4)]
    Path("own.jsonl").write_bytes(dump(items))
    Path("r.jsonl").write_text(json.dumps({"id": items[0].id, "reply": "no"}) + "\n", encoding="utf-8")
    done = run("score", "r.jsonl", "--items", "own.jsonl", "--group", "pair")
    assert (done.exit_code, "--group is not for items of hansproof's own format" in done.stderr) == (2, True)
    assert run("score", "r.jsonl", "--items", "own.jsonl").exit_code == 0


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_second_source_of_items_is_refused_with_what_to_write(command):
    done = run(command, *WIDE, *ODD, "--items", "other bench.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"error: --items: {command} takes one benchmark, and 2 are given: run it once for each, beginning with --items "
        "bench.csv; `hansproof analyse` takes all: --items bench.csv --items 'other bench.csv'\n"
    )


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_folder_of_benchmarks_is_refused_with_what_to_write(command):
    Path("both").mkdir()
    for name in ("a", "b"):
        Path("both", f"{name}.csv").write_bytes(Path("bench.csv").read_bytes())
    done = run(command, "wide.csv", "--items", "both", *WIDE[3:], *ODD)
    first, second = (str(Path("both", f"{name}.csv")) for name in "ab")
    assert (done.exit_code, done.stderr) == (
        2,
        f"error: both: a folder of 2 benchmarks: score and compare take one of its files, such as --items {first}; "
        f"`hansproof analyse` takes all: --items {first} --items {second}\n",
    )


def test_old_names_of_options_still_work_and_say_the_new_one():
    before = ["score", "--out=a.json", "x", "--figure", "b.svg", "--", "--subset"]
    assert renamed("score", before[1:]) == ["--item-scores=a.json", "x", "--svg", "b.svg", "--", "--subset"]
    assert renamed("export", ["--out", "folder"]) == ["--out", "folder"]
