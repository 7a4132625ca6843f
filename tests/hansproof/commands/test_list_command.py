"""`hansproof list`: families alone, one family's subsets, and both as JSON."""

import json

from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.generators.planted_cues.design import SUBSETS, VERSION
from hansproof.generators.registry import MODULES, dataset

ROWS = sum(planted.rows for planted in SUBSETS.values())


def run(*arguments):
    return CliRunner().invoke(command_line(), ["list", *arguments], env={"COLUMNS": "250"})


def test_the_list_has_one_row_per_family_and_no_subsets():
    done = run()
    assert (done.exit_code, done.stderr) == (0, "")
    header, _, *rows = [line.split() for line in done.stdout.splitlines() if line.strip()]
    assert header[:3] == ["dataset", "version", "items"]
    assert [row[:3] for row in rows if row[0] in MODULES] == [
        [name, family.version, f"{sum(subset.rows for subset in family.subsets.values()):,}"]
        for name, family in ((name, dataset(name)) for name in MODULES)
    ]
    assert not {"unigram", "S-3", "consistency"} & {row[0] for row in rows}


def test_a_family_lists_its_subsets_with_their_items():
    done = run("planted-cues")
    assert (done.exit_code, done.stderr) == (0, "")
    listed, _, knobs = done.stdout.partition("Difficulty: ")
    title, _, *rows = [line for line in listed.splitlines() if line.strip()]
    assert "unigram          0 to 100" in knobs
    assert title == f"planted-cues {VERSION}: Planted cues, {ROWS:,} items"
    assert [row.split()[:2] for row in rows if row.split()[0] in SUBSETS] == [
        [name, f"{planted.rows:,}"] for name, planted in SUBSETS.items()
    ]


def test_the_families_as_json():
    documents = json.loads(run("--json").stdout)
    assert [document["name"] for document in documents] == list(MODULES)
    (planted,) = [document for document in documents if document["name"] == "planted-cues"]
    assert [planted[key] for key in ("version", "title", "rows", "seed")] == [VERSION, "Planted cues", ROWS, 1]
    assert "subsets" not in planted


def test_a_family_as_json_has_its_subsets():
    planted = json.loads(run("planted-cues", "--json").stdout)
    assert (planted["name"], planted["rows"]) == ("planted-cues", ROWS)
    assert [subset["name"] for subset in planted["subsets"]] == list(SUBSETS)
    first = planted["subsets"][0]
    assert (first["rows"], first["description"], first["limit"]) == (600, SUBSETS["none"].description, None)


def test_a_family_lists_the_agents_that_come_with_it_and_their_parameters():
    family = dataset("cognitive-tasks")
    lines = run("cognitive-tasks").stdout.splitlines()
    start = lines.index("Agents that play without a language model: hansproof run --agent AGENT")
    rows = [line.split()[0] for line in lines[start + 3 :] if line[:1].strip()]
    assert rows == list(family.players)
    (learner,) = [line for line in lines[start:] if line.startswith("rescorla-wagner")]
    assert learner.rstrip().endswith("alpha_plus=0.4, alpha_minus=0.2, beta=5")
    assert not [line for line in run("planted-cues").stdout.splitlines() if "Agents" in line]
    players = json.loads(run("cognitive-tasks", "--json").stdout)["players"]
    assert [player["name"] for player in players] == list(family.players)
    assert players[0]["parameters"] == []


def test_a_family_that_cannot_be_loaded_hides_no_other(monkeypatch):
    monkeypatch.setitem(MODULES, "broken", "generators.no_such_family")
    done = run("--json")
    assert "planted-cues" in [document["name"] for document in json.loads(done.stdout)]
    assert done.stderr == "warning: broken: cannot be loaded: No module named 'generators.no_such_family'\n"
    alone = run("broken")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert alone.stderr == "error: broken: cannot be loaded: No module named 'generators.no_such_family'\n"


def test_an_unknown_family_is_answered_with_the_known_ones():
    done = run("planted-cue")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "'planted-cue'" in done.stderr
    assert "Did you mean 'planted-cues'?" in done.stderr


def test_each_hypothesis_has_the_subsets_that_it_is_tested_on():
    table = run("token-bias").stdout.partition("tested on the subsets")[2]
    rows = [" ".join(line.split()) for line in table.splitlines()[2:]]
    assert rows[0].startswith("H1, H2 conjunction-persona, conjunction-story-to,")
    assert [row for row in rows if row.endswith("syllogism")][-2:] == [
        "H4-balanced, H6-balanced balanced-syllogism",
        "H5-balanced balanced-framed-syllogism",
    ]
