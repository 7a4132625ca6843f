"""`hansproof score` and `compare` on tasks as lm-evaluation-harness logs them: the numbers of the harness come out, or
a note says why not."""

import json

import pytest
from click.testing import CliRunner
from made_logs import lm_eval

import hansproof
from hansproof.audit.statistics.kappa import cohen
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError

N = 20


def run(command, *arguments):
    return CliRunner(env={"COLUMNS": "180"}).invoke(command_line(), [command, *map(str, arguments)])


def hits(report):
    """Subset -> (right, items) of a report; the empty name is all of them."""
    return {
        line.name: line.right and (line.right.hits, line.right.total)
        for line in report.lines
        if line.by in ("all", "subset")
    }


def sides(comparison):
    """(items, accuracy of A, accuracy of B) of a comparison."""
    difference = comparison.whole.difference
    return difference.items, difference.a, difference.b


def theirs(rows, filter):
    """How many documents the harness finds right, counted in its own rows."""
    return sum(row[row["metrics"][0]] in (1, True) for row in rows if row["filter"] == filter)


@pytest.mark.parametrize(
    ("make", "filter", "said"),
    [
        (lm_eval.gsm8k, "strict-match", "gsm: the gold answers are worked solutions, of which what stands after ####"),
        (lm_eval.triviaqa, "remove_whitespace", ""),
        (lm_eval.winogrande, "none", "gsm: its log has no gold answers: the verdicts of the harness count"),
        (lm_eval.ifeval, "none", "gsm: the gold answer of every item is '0', a placeholder: the verdicts of the"),
        (lm_eval.choice, "none", ""),
    ],
)
def test_our_reading_finds_what_the_harness_finds(tmp_path, make, filter, said):
    rows = make(N)
    path = lm_eval.task(tmp_path, "gsm", rows)
    for judged in ("reply", "harness"):
        (report,) = hansproof.score(path, judged=judged)
        assert (report.title, report.style) == ("org/m", "")
        assert hits(report)[""] == (theirs(rows, filter), N)
    done = run("score", path)
    assert (done.exit_code, "AT ODDS" in done.stderr) == (0, False)
    assert f"note: {said}" in done.stderr if said else "harness count" not in done.stderr


def test_the_filter_that_is_asked_for_counts_and_one_note_names_the_others(tmp_path):
    rows = lm_eval.gsm8k(N)
    for name in ("gsm8k", "gsm8k_de"):
        lm_eval.task(tmp_path / "org__m", name, rows)
    lm_eval.task(tmp_path / "org__m", "last", lm_eval.choice(N))
    done = run("score", tmp_path)
    note = (
        "note: gsm8k; gsm8k_de: the logs have each reply once per filter; those of strict-match count, the first of "
        "the log, and not those of flexible-extract (--style flexible-extract)"
    )
    assert done.stderr.count(note) == 1
    assert done.stdout.count("% [95 % interval]") == 1  # one model
    chosen = run("score", tmp_path, "--style", "flexible-extract", "--json")
    (model,) = json.loads(chosen.stdout)["models"]
    assert (model["style"], model["lines"][0]["right"]["hits"]) == (
        "flexible-extract",
        2 * theirs(rows, "flexible-extract"),
    )
    assert "once per filter" not in chosen.stderr
    both = hansproof.score(tmp_path, styles=["strict-match", "flexible-extract"])
    assert [report.title for report in both] == ["org/m, strict-match", "org/m, flexible-extract"]


def test_a_model_is_one_side_over_all_its_tasks_and_filters_can_still_be_compared(tmp_path):
    for model, right in (("a", 15), ("b", 4)):
        folder = tmp_path / f"org__{model}"
        lm_eval.task(folder, "gsm8k", lm_eval.gsm8k(N, flexible=right), model=f"org/{model}")
        lm_eval.task(folder, "triviaqa", lm_eval.triviaqa(N, right), model=f"org/{model}")
        lm_eval.task(folder, "choice", lm_eval.choice(N, right), model=f"org/{model}")
    compared = hansproof.compare(tmp_path)
    # Strict: 6 and 4 right, as the others are not in the form that it wants.
    assert sides(compared) == (3 * N, 36 / 60, 12 / 60)
    between = hansproof.compare(tmp_path, models=["org/a"], a_name="strict-match", b_name="org/a, flexible-extract")
    assert sides(between) == (N, 6 / N, 15 / N)


def test_logs_that_begin_with_different_filters_are_told(tmp_path):
    rows = lm_eval.gsm8k(N)
    lm_eval.task(tmp_path / "org__a", "gsm8k", rows, model="org/a")
    lm_eval.task(tmp_path / "org__b", "gsm8k", [row for row in rows if row["filter"] != "strict-match"], model="org/b")
    said = run("score", tmp_path).stderr
    assert (
        "note: gsm8k: some logs begin with the replies of the filter strict-match, others with those of "
        "flexible-extract, and these count as one: choose a filter that all have with --style"
    ) in said


def test_marks_that_are_shares_are_in_no_number(tmp_path):
    path = lm_eval.task(tmp_path, "truthfulqa_mc2", lm_eval.truthfulqa_mc2(N))
    alone = run("score", path)
    assert alone.exit_code == 2
    assert (
        "truthfulqa_mc2: in no number: its marks are shares, such as '0.5', so that no reply is right" in alone.stderr
    )
    lm_eval.task(tmp_path, "choice", lm_eval.choice(N))
    for judged in ("reply", "harness"):
        (report,) = hansproof.score(tmp_path, judged=judged)
        assert hits(report) == {"": (15, N), "choice": (15, N)}
        assert (report.lines[0].items, report.not_asked) == (N, {})
    done = run("score", tmp_path)
    assert "note: truthfulqa_mc2: in no number: its marks are shares" in done.stderr
    assert "belong to no item" not in done.stderr


def test_tasks_of_all_kinds_are_one_number_of_all_items(tmp_path):
    made = {
        "gsm8k": lm_eval.gsm8k,
        "winogrande": lm_eval.winogrande,
        "choice": lm_eval.choice,
        "ifeval": lm_eval.ifeval,
    }
    for name, make in made.items():
        lm_eval.task(tmp_path, name, make(N))
    (report,) = hansproof.score(tmp_path)
    right = {"gsm8k": 6, "winogrande": 11, "choice": 15, "ifeval": 13}
    assert hits(report) == {"": (sum(right.values()), 4 * N)} | {name: (count, N) for name, count in right.items()}
    # A document of ifeval without a reply is wrong, as it would be with a gold.
    lines = (tmp_path / f"samples_ifeval_{lm_eval.DATE}.jsonl").read_text(encoding="utf-8").splitlines()
    others = tmp_path / "other"
    lm_eval.task(others, "ifeval", [json.loads(line) for line in lines[2:]], model="org/other")
    reports = {each.title: each for each in hansproof.score(tmp_path)}
    assert hits(reports["org/other"])["ifeval"] == (11, N)
    assert reports["org/other"].lines[0].missing == 2


def test_a_reading_far_from_the_harness_is_told_first_with_the_remedy(tmp_path):
    path = lm_eval.task(tmp_path, "minerva_math", lm_eval.minerva(N))
    done = run("score", path, "--all")
    first = done.stderr.splitlines()[0]
    rates = "0.0 % right by our reading, 75.0 % by the harness, of 20"
    assert first.startswith(f"note: AT ODDS WITH THE HARNESS: minerva_math, org/m ({rates}). Look at")
    assert "--judged harness takes the verdicts of the harness" in first
    assert "--answer-part REGEX" in first
    assert "kappa 0.000: --judged harness takes the verdicts of the harness" in " ".join(done.stdout.split())
    taken = run("score", path, "--judged", "harness")
    assert " 75.0 " in taken.stdout
    assert "AT ODDS" not in taken.stderr
    for name, right in (("a", 15), ("b", 5)):
        lm_eval.task(tmp_path / "x" / name, "minerva_math", lm_eval.minerva(N, right), model=f"org/{name}")
    compared = run("compare", tmp_path / "x", "--a", "org/a", "--b", "org/b")
    assert f"note: AT ODDS WITH THE HARNESS: minerva_math, org/a ({rates})" in compared.stderr
    assert hansproof.score(path)[0].harness.kappa == cohen([[5, 15], [0, 0]]) == 0


def test_a_part_of_the_golds_of_logs_is_chosen_without_items(tmp_path):
    rows = []
    for n in range(N):
        gold, said = f"Reasons. Answer={n} (as said)", str(n if n < 12 else 99)
        rows += lm_eval.generated(n, f"What is {n}?", gold, said, {"none": (said, float(n < 12))})
    path = lm_eval.task(tmp_path, "own", rows)
    lm_eval.task(tmp_path, "choice", lm_eval.choice(N))
    assert hits(hansproof.score(path)[0])[""] == (0, N)
    (report,) = hansproof.score(path, item_columns={"answer_part": r"Answer=(\d+)"})
    assert hits(report)[""] == (12, N)
    # Tasks none of whose golds has the part stay as they are.
    done = run("score", tmp_path, "--answer-part", r"Answer=(\d+)", "--json")
    assert [line["right"]["hits"] for line in json.loads(done.stdout)["models"][0]["lines"]] == [27, 15, 12]
    with pytest.raises(InputError, match="no gold answer in the logs has the part that --answer-part names"):
        hansproof.score(path, item_columns={"answer_part": "Solution=(.*)"})
    bad = run("score", path, "--answer-part", "(")
    assert (bad.exit_code, "answer part '('" in bad.stderr) == (2, True)


def test_long_golds_that_no_reply_repeats_are_told_even_without_verdicts(tmp_path):
    rows = []
    for n in range(N):
        gold = f"There are many reasons for number {n}, and the first of them is of course that it is so."
        (row,) = lm_eval.generated(n, f"Why {n}?", gold, f"Because {n}.", {"none": (f"Because {n}.", None)})
        rows.append(row)
    said = run("score", lm_eval.task(tmp_path, "why", rows)).stderr
    assert "note: why: no reply is right, and the gold answers are texts of 19 words, which no reply is likely" in said
    assert "--answer-part REGEX" in said
