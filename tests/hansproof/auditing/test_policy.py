"""The policy of a project: defaults, ignored rules and columns, each with its place where it is wrong."""

import csv
import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.auditing.policy import find_policy
from hansproof.command_line import command_line

ROOT = Path(__file__).resolve().parents[3]
LEAKY = "".join(
    f"case {n % 83} of {n % 7} {('left', 'right')[n % 2]} things,{('yes', 'no')[n % 2]}\n" for n in range(160)
)


def run(*arguments):
    return CliRunner().invoke(command_line(), ["audit", *map(str, arguments)])


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with one benchmark that leaks, in columns that nobody would guess, and a policy for it."""
    (tmp_path / "bench").mkdir()
    (tmp_path / "bench" / "leaky.csv").write_text("alpha,beta\n" + LEAKY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def write(text, name="hansproof.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")

    write('fast = true\ngroups = "none"\n[files."bench/*.csv"]\nprompt = "alpha"\nanswer = "beta"\n')
    return write


POLICY = Path("hansproof.toml")


def test_columns_and_defaults_come_from_the_file_and_the_command_line_wins(project):
    done = run("bench/leaky.csv", "--json", "out.json", "--threshold", "0.25")
    assert done.exit_code == 1, done.output
    result = json.loads(Path("out.json").read_text())
    assert result["policy"]["used"] == {"fast": "true", "groups": "none", "prompt": "alpha", "answer": "beta"}
    assert (result["settings"]["fast"], result["settings"]["threshold"]) == (True, 0.25)
    assert "policy     hansproof.toml: " in done.output
    assert run("bench/leaky.csv", "--config", "none").exit_code == 2  # nobody guesses alpha and beta
    assert run("bench/leaky.csv", "--prompt", "gamma").exit_code == 2


def used(*options):
    """What an audit of the benchmark takes from the policy."""
    done = run("bench/leaky.csv", *options, "--json", "out.json", "--force")
    assert done.exit_code == 1, done.output
    result = json.loads(Path("out.json").read_text())
    return result["policy"]["used"], result["mapping"], result["settings"]


def test_what_the_command_line_overrides_is_not_said_to_be_used(project):
    rows = "".join(f"{row},{row.rsplit(',')[1].upper()}\n" for row in LEAKY.splitlines())
    Path("bench/leaky.csv").write_text("alpha,beta,gamma\n" + rows)
    said, mapping, _ = used("--answer", "gamma")
    assert said == {"fast": "true", "groups": "none", "prompt": "alpha"}
    assert mapping["answer"] == "gamma"


def test_a_template_on_the_command_line_takes_the_place_of_the_prompt_of_the_file(project):
    said, mapping, _ = used("--template", "Is it {alpha}")
    assert said == {"fast": "true", "groups": "none", "answer": "beta"}
    assert mapping["prompt"] == "Is it {alpha}"
    project(POLICY.read_text().replace('prompt = "alpha"', 'template = "{alpha}?"'))
    said, mapping, _ = used("--prompt", "alpha")
    assert (mapping["prompt"], "template" in said) == ("alpha", False)


def test_an_option_drops_what_it_excludes_in_the_file_and_a_flag_can_be_turned_off(project):
    few = ("--splits", "2", "--permutations", "99", "--alpha", "0.1")
    for options in (("--no-fast", *few), ("--trees", *few)):
        said, _, settings = used(*options)
        assert (settings["fast"], "fast" in said) == (False, False)
        assert settings["trees"] is ("--trees" in options)
    project(POLICY.read_text().replace("fast = true", "thorough = true"))
    said, _, settings = used("--fast")
    assert (settings["fast"], settings["thorough"], said["groups"]) == (True, False, "none")


def test_an_error_names_the_file_where_it_speaks_of_what_came_from_there(project):
    project(POLICY.read_text().replace("fast = true", "alpha = 0.01").replace('"alpha"', '"alfa"'))
    assert "there is no column 'alfa'" in (said := run("bench/leaky.csv").output)
    assert "(hansproof.toml says: prompt alfa)" in said
    said = run("bench/leaky.csv", "--permutations", "99").output
    assert "permutations is 99" in said
    assert "(hansproof.toml says: alpha 0.01)" in said
    assert "hansproof.toml" not in run("bench/none.csv").output


def test_a_pattern_without_files_is_said_and_a_byte_order_mark_is_no_fault(project):
    project("\ufeff" + POLICY.read_text() + '[files."leaky.csv"]\ngroup = "g"\n')
    with pytest.warns(match="hansproof.toml: files.'leaky.csv' matches no file in '.'"):
        done = run("bench/leaky.csv")
    assert done.exit_code == 1


def test_an_ignored_rule_stays_in_sight_and_changes_no_exit_code(project):
    project(POLICY.read_text() + '[ignore]\nLEAK001 = "a toy"\n')
    done = run("bench/leaky.csv", "--sarif", "out.sarif", "--html", "out.html")
    assert done.exit_code == 0, done.output
    assert "LEAKS" in done.output
    assert "Ignored (LEAK001: a toy)" in done.output
    assert "Ignored (LEAK001: a toy)" in Path("out.html").read_text()
    results = json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
    suppressed = {entry["ruleId"]: entry.get("suppressions") for entry in results}
    assert suppressed["LEAK001"] == [{"kind": "external", "justification": "a toy"}]
    assert suppressed["LEAK004"] is None


def test_rules_can_be_ignored_in_some_files_only(project):
    Path("bench/other.csv").write_text(Path("bench/leaky.csv").read_text())
    project(POLICY.read_text() + '[files."bench/leaky.csv".ignore]\nLEAK001 = "a toy"\n')
    done = run("bench", "--csv", "all.csv", "--json", "all.json")
    assert done.exit_code == 1, done.output
    table = list(csv.DictReader(Path("all.csv").read_text().splitlines()))
    assert {row["name"]: row["exit"] for row in table} == {"leaky": "0", "other": "1"}
    assert json.loads(Path("all.json").read_text())["exits"] == [0, 1]
    assert "0 ignored" in done.output
    assert "exit       1, because of LEAKS (1)" in done.output
    assert "ignores LEAK001 in bench/leaky.csv (a toy)" in " ".join(done.output.split())


def test_the_table_of_a_folder_has_the_worst_first_and_failures_in_it(project):
    fair = "".join(f"case {n} of {n * 37 % 101} things,{('yes', 'no')[n * n % 7 % 2]}\n" for n in range(120))
    Path("bench/a.csv").write_text("alpha,beta\n" + fair)
    Path("bench/broken.csv").write_text("only\n1\n")
    done = run("bench", "--csv", "all.csv")
    table = list(csv.DictReader(Path("all.csv").read_text().splitlines()))
    assert table[0]["name"] == "leaky"
    assert table[-1]["verdict"] == "FAILED"
    assert [row["path"] for row in table] == ["bench/leaky.csv", "bench/a.csv", "bench/broken.csv"]
    assert "exit 1, because of IMBALANCED (1), LEAKS (1); otherwise 2, because of FAILED (1)" in " ".join(
        done.output.split()
    )
    assert done.output.index("leaky") < done.output.index("bench/broken.csv")
    assert table[-1]["reason"].startswith("there is no column 'alpha'")
    assert table[-1]["reason"].endswith("(hansproof.toml says: prompt alpha)")
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("treshold = 0.3", "hansproof.toml: there is no key 'treshold'. Did you mean 'threshold'?"),
        ('threshold = "0.3"', "hansproof.toml: threshold: must be a number, not '0.3'"),
        ("threshold = true", "hansproof.toml: threshold: must be a number, not True"),
        ("threshold = 4", "hansproof.toml: threshold is 4.0; it must lie between 0 and 1"),
        ("splits = 2.5", "hansproof.toml: splits: must be a whole number"),
        ("fast = 1", "hansproof.toml: fast: must be true or false"),
        ('task = "foxed"', "hansproof.toml: task: must be one of auto, fixed, open"),
        ('fail-on = ["leeks"]', "hansproof.toml: --fail-on has no verdict 'leeks'. Did you mean 'leaks'?"),
        ('[ignore]\nLEAK01 = "x"', "hansproof.toml: ignore: there is no rule 'LEAK01'. Did you mean"),
        ('[ignore]\nLEAK001 = " "', "hansproof.toml: ignore: LEAK001: needs a reason"),
        ("ignore = []", "hansproof.toml: ignore: must be a table, not []"),
        ('[files."a.csv"]\npromt = "q"', "hansproof.toml: files.'a.csv': there is no key 'promt'. Did you mean"),
        ('[files."a.csv"]\nprompt = 1', "hansproof.toml: files.'a.csv': prompt: must be a text"),
        ('[files."../a.csv"]\nprompt = "q"', "is no pattern of files below the folder of the policy"),
        ("files = 3", "hansproof.toml: files: must be a table"),
        ("threshold = ", "hansproof.toml: not TOML"),
        (f"folds = {'9' * 5000}", "hansproof.toml: not TOML"),
        (
            '[tool.hansproof]\n[ignore]\nLEAK001 = "x"',
            "hansproof.toml: has 'ignore' beside [tool.hansproof]; put all in",
        ),
        ("[tool.hansproof]\n[tool.black]\n", "hansproof.toml: has 'black' beside [tool.hansproof]"),
        ("tool = 3", "hansproof.toml: has no table [tool.hansproof]"),
        ('[files."a**"]\nprompt = "q"', "hansproof.toml: files.'a**': is no pattern of files"),
        (
            '[files."bench/*.csv"]\nprompt = "q"\ntemplate = "{q}"',
            "name one of them (hansproof.toml says: prompt q, template {q})",
        ),
        (
            '[files."bench/*.csv"]\nprompt = ""',
            "prompt is empty; name a column, or leave the option out (hansproof.toml",
        ),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_key(project, text, said):
    project(text)
    done = run("bench/leaky.csv")
    assert said in str(done.exception) + done.output
    assert done.exit_code == 2


def test_the_nearest_file_is_taken_up_to_the_root_of_the_repository(tmp_path):
    inner = tmp_path / "repository" / "data"
    inner.mkdir(parents=True)
    (tmp_path / "hansproof.toml").write_text("fast = true")
    assert find_policy(inner) is None
    (tmp_path / "repository" / ".git").mkdir()
    assert find_policy(inner) is None  # the one above the repository is not its own
    pyproject = tmp_path / "repository" / "pyproject.toml"
    pyproject.write_text("[tool.other]\nx = 1\n")
    assert find_policy(inner) is None
    pyproject.write_text("[tool.hansproof]\nfast = true\n")
    assert find_policy(inner) == pyproject
    (inner / "hansproof.toml").write_text("")
    assert find_policy(inner) == inner / "hansproof.toml"


@pytest.mark.filterwarnings("default")
def test_the_example_of_the_documentation_is_a_policy(project):
    text = (ROOT / "docs" / "auditing.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    assert set(tomllib.loads(example)["tool"]["hansproof"]) == {"threshold", "fail-on", "ignore", "files"}
    Path("hansproof.toml").unlink()
    project(example, "pyproject.toml")
    done = run("bench/leaky.csv", "--fast", "--groups", "none", "--prompt", "alpha", "--answer", "beta")
    said = " ".join(done.output.split())
    assert "policy pyproject.toml: threshold 0.25, fail-on leaks,template-bound" in said
