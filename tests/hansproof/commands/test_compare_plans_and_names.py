"""`hansproof compare`: plans without answers, and what two sources are called."""

import csv
import io
import json
import re
from dataclasses import replace

import made_logs
import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

ITEMS = [dataset("planted-cues").item("none", 5, index) for index in range(40)]


def run(*arguments):
    return CliRunner().invoke(command_line(), ["compare", *map(str, arguments)], env={"COLUMNS": "160"})


def test_a_plan_needs_no_answers():
    done = run("--plan", "--difference", "3", "--discordant", "20", "--json")
    (row,) = json.loads(done.stdout)["plans"]
    assert (row["items"], row["difference"]) == (1742, 0.03)
    grouped = run("--plan", "--difference", "3", "--discordant", "20", "--group-size", "2", "--icc", ".3")
    assert "2,347" in grouped.stdout
    assert "1,174" in grouped.stdout
    assert "1.30 times the variance" in grouped.stdout
    guessed = run("--plan", "--count", "1742", "--accuracy", "70", "--correlation", ".5257")
    assert " 3 " in guessed.stdout  # 71.5 and 68.5 %: .42045 - .5257 * 2 * .20969 = .2
    assert "20.0 %, reckoned from an accuracy of 70 % and a correlation of 0.5257" in guessed.stdout


def test_a_guess_is_cautious_and_says_so():
    def items(*more):
        done = run("--plan", "--difference", "3", "--json", *more)
        return json.loads(done.stdout)["plans"][0]["items"], " ".join(done.stderr.split())

    (cautious, said), (alike, _) = items(), items("--correlation", ".5")
    # 2 * .7 * .3 = 42 % of items discordant, and .03^2 less twice .015^2 for accuracies of 68.5 and 71.5 %.
    assert (cautious, alike) == (items("--correlation", "0")[0], 1836)
    assert cautious > 3515  # what two recorded models took
    assert "guessed from an accuracy of 70 % and a correlation of 0 of the two scores, which asks for the most" in said
    assert "reckoned from an accuracy of 70 % and a correlation of 0" in items("--accuracy", "70")[1]
    assert run("--plan", "--difference", "50").exit_code == 0  # a guess grows with the difference


@pytest.mark.parametrize("form", ["lm-eval", "run log", "own", "table"])
def test_two_sources_have_the_names_that_score_gives_them(tmp_path, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    sources = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        rows = [(item.id, item.prompt, item.answer, item.answer, True) for item in ITEMS]
        if form == "lm-eval":
            made_logs.lines(
                folder / "samples_mine.jsonl", [made_logs.lm_eval_sample(*each) for each in enumerate(rows)]
            )
            sources.append(name)
        elif form == "run log":  # one model twice: the second log is a run of its own
            sources.append(str(made_logs.run_log(folder / "log.jsonl", rows, run=f"run-{name}")))
        elif form == "own":
            made_logs.lines(folder / "said.jsonl", [{"id": id, "reply": said} for id, _, _, said, _ in rows])
            sources.append(f"{name}/said.jsonl")
        else:
            (folder / "said.csv").write_text("id,response\n" + "".join(f"{id},{said}\n" for id, *_, said, _ in rows))
            sources.append(f"{name}/said.csv")
    (tmp_path / "items.jsonl").write_bytes(dump(ITEMS))
    compared = json.loads(run(*sources, "--items", "items.jsonl", "--json", "-").stdout)
    scored = [report.title for report in hansproof.score(sources, "items.jsonl")]
    assert [compared["a"], compared["b"]] == scored
    assert len(set(scored)) == 2
    expected = {"lm-eval": ["first", "second"], "run log": ["gpt-x", "gpt-x, run-second"]}
    assert scored == expected.get(form, ["first/said", "second/said"])


def replies_of(model, period, items=ITEMS, **more):
    wrong = {item.id: next(choice for choice in item.choices if choice != item.answer) for item in items}
    return [
        {"id": item.id, "reply": wrong[item.id] if place % period == 0 else item.answer, "model": model, **more}
        for place, item in enumerate(items)
    ]


@pytest.fixture
def asked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_bytes(dump(ITEMS))
    return tmp_path


def test_a_plan_is_written_as_a_table_and_a_page_too(asked):
    made_logs.lines(asked / "both.jsonl", [*replies_of("good", 5), *replies_of("poor", 2)])
    outputs = ("--csv", "plan.csv", "--html", "plan.html", "--json", "plan.json")
    done = run("both.jsonl", "--items", "items.jsonl", "--plan", "--difference", "4", *outputs)
    assert done.exit_code == 0, done.stderr
    (row,) = csv.DictReader(io.StringIO((asked / "plan.csv").read_text()))
    (planned,) = json.loads((asked / "plan.json").read_text())["plans"]
    assert (float(row["items"]), float(row["low"]), float(row["high"])) == (
        planned["items"], planned["low"], planned["high"],
    )  # fmt: skip
    assert f"{planned['items']:,}" in done.stdout
    page = (asked / "plan.html").read_text()
    assert f"{planned['items']:,}" in page
    assert "both.jsonl" in page
    alone = run("--plan", "--difference", "4", "--csv", "supposed.csv")
    assert alone.exit_code == 0, alone.stderr
    (row,) = csv.DictReader(io.StringIO((asked / "supposed.csv").read_text()))
    assert row["discordant_low"] == ""
    for option in ("--csv", "--html", "--json"):
        refused = run("both.jsonl", "--items", "items.jsonl", "--plan", option, "both.jsonl", "--force")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "is an input of this command" in refused.stderr


def test_the_page_of_a_plan_begins_with_its_numbers_and_keeps_options_in_one_piece(asked):
    assert run("--plan", "--difference", "3", "--html", "one.html").exit_code == 0
    page = (asked / "one.html").read_text()
    said = " ".join(run("--plan", "--difference", "3").stdout.split())
    (items,) = re.findall(r" 3 ([\d,]+) ", said)
    head = page[page.index('class="facts"') : page.index("<table")]
    assert re.findall(r"<dt>(.*?)</dt><dd><span class=\"big\">(.*?)</span>", head) == [
        ("To find 3 points", f"{items} items")
    ]
    assert 'need fewer (<code class="nowrap">--correlation</code>)' in page
    grouped = ("--plan", "--count", "500", "--group-size", "2", "--icc", ".3", "--html", "two.html")
    assert run(*grouped).exit_code == 0
    page = (asked / "two.html").read_text()
    head = page[page.index('class="facts"') : page.index("<table")]
    figures = re.findall(r"<dt>(.*?)</dt><dd><span class=\"big\">(.*?)</span><span class=\"note\">(.*?)</span>", head)
    assert [figure[0] for figure in figures][-1] == "500 items find"
    assert re.fullmatch(r"[\d.]+ points", figures[-1][1])
    assert figures[-1][2] == "in 250 groups"


def test_a_share_in_the_table_has_no_noise_in_its_last_digits(asked):
    assert run("--plan", "--difference", "3", "--csv", "plan.csv").exit_code == 0
    (row,) = csv.DictReader(io.StringIO((asked / "plan.csv").read_text()))
    # 68.5 and 71.5 %: .685 * .285 + .715 * .315 = .42045
    assert (row["discordant_used"], row["difference"], row["items"].isdigit()) == ("0.42045", "0.03", True)


def test_a_pilot_of_few_items_is_warned_of_before_its_numbers(asked):
    made_logs.lines(asked / "few.jsonl", [*replies_of("good", 5, ITEMS[:12]), *replies_of("poor", 2, ITEMS[:12])])
    done = run("few.jsonl", "--items", "items.jsonl", "--plan", "--skip-missing")
    assert done.stdout.startswith("Warning: this pilot says little: `between` says how far off it may be. It has 12")
    lacking = run("few.jsonl", "--items", "items.jsonl", "--plan").stdout
    assert lacking.startswith("Warning: 28 of 40 items of the pilot lack a reply and count as wrong")
    compared = run("few.jsonl", "--items", "items.jsonl", "--skip-missing").stdout
    assert compared.startswith("INCONCLUSIVE: fewer than 30 items in common")
    for absent in ("equal p", "detectable", "p: exact", "McNemar"):  # there is no such column
        assert absent not in compared


def test_notes_count_the_replies_of_the_two_that_are_compared(asked):
    rows = [*replies_of("good", 5), *replies_of("poor", 2), *replies_of("third", 3), *replies_of("third", 3)]
    rows += [{"id": "nobody", "reply": "yes", "model": "third"}, {"id": "nobody", "reply": "yes", "model": "poor"}]
    made_logs.lines(asked / "three.jsonl", rows)
    done = run("three.jsonl", "--items", "items.jsonl", "--a", "good", "--b", "poor")
    assert done.exit_code == 0, done.stderr
    said = done.stderr.splitlines()
    assert len(said) == 2
    assert said[0].startswith("note: 1 of 81 replies belong to no item and are left out: three.jsonl: line 162")
    assert said[1] == "note: 81 of 162 replies are of models, styles or runs that are not compared"
    made_logs.lines(asked / "two.jsonl", rows[:80])
    alone = run("two.jsonl", "--items", "items.jsonl")
    assert (alone.stdout, alone.stderr) == (done.stdout, "")


def test_a_side_of_several_runs_stays_whole_where_others_are_left_out(asked):
    rows = [reply for run in ("1", "2") for reply in replies_of("good", 4 + int(run), run=run)]
    made_logs.lines(asked / "runs.jsonl", [*rows, *replies_of("third", 3), *replies_of("poor", 2)])
    compared = json.loads(
        run("runs.jsonl", "--items", "items.jsonl", "--a", "good, 2 runs", "--b", "poor", "--json").stdout
    )
    assert (compared["a"], compared["runs"]) == ("good, 2 runs", [2, 1])
    made_logs.lines(asked / "poor.jsonl", replies_of("poor", 2))
    apart = run("runs.jsonl", "poor.jsonl", "--items", "items.jsonl", "--a", "good", "--json")
    assert json.loads(apart.stdout)["parts"] == compared["parts"]
    assert "80 of 200 replies are of models, styles or runs that are not compared" in apart.stderr


def test_models_and_styles_are_chosen_among_what_a_file_holds(asked):
    rows = [*replies_of("good", 5, style="direct"), *replies_of("good", 2, style="cot")]
    made_logs.lines(asked / "own.jsonl", rows)
    rows += [*replies_of("third", 3, style="direct"), *replies_of("third", 4, style="cot")]
    made_logs.lines(asked / "styles.jsonl", rows)
    both = ("--items", "items.jsonl", "--a", "direct", "--b", "cot")
    refused = run("styles.jsonl", *both)
    assert (refused.exit_code, "'direct' fits 2 series" in refused.stderr) == (2, True)
    done = run("styles.jsonl", *both, "--model", "good")
    assert (done.exit_code, done.stdout) == (0, run("own.jsonl", *both).stdout)
    models = run("styles.jsonl", "--items", "items.jsonl", "--style", "cot", "--a", "good", "--b", "third")
    assert "A = good, cot, B = third, cot" in models.stdout
    strange = run("styles.jsonl", *both, "--model", "goed")
    assert (strange.exit_code, "Did you mean 'good'" in strange.stderr) == (2, True)
    whole = run("styles.jsonl", "--items", "items.jsonl", "--a", "good, cott", "--b", "third")
    assert "in full: 'good, direct'; 'good, cot'; 'third, direct'; 'third, cot'" in whole.stderr


def test_a_note_speaks_of_mcnemar_only_where_its_column_is(asked):
    items = [replace(item, group=f"g{place // 2}") for place, item in enumerate(ITEMS)]
    (asked / "grouped.jsonl").write_bytes(dump(items))
    runs = [reply for name in ("1", "2") for reply in replies_of("good", 4 + int(name), run=name)]
    made_logs.lines(asked / "runs.jsonl", [*runs, *replies_of("poor", 2)])
    made_logs.lines(asked / "single.jsonl", [*replies_of("good", 5), *replies_of("poor", 2)])
    single = run("single.jsonl", "--items", "grouped.jsonl").stdout
    several = run("runs.jsonl", "--items", "grouped.jsonl", "--a", "good", "--b", "poor").stdout
    assert "McNemar p takes items" in single
    assert "sign-flip test over groups); intervals and se count groups" in " ".join(several.split())
    assert "McNemar p" not in several
