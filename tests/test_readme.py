"""The commands of the README and of the pages in docs/, run as they stand there, on files made for them."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import documented_files
import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {"README.md": README, "AGENTS.md": (ROOT / "AGENTS.md").read_text(encoding="utf-8")} | {
    f"docs/{name}.md": (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    for name in ("auditing", "answers", "playing", "reliability", "integrations")
}
BLOCKS = [block for page in PAGES.values() for block in re.findall(r"```(\w+)\n(.*?)```", page, flags=re.DOTALL)]
LINES = [
    line.split("  #")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith(("hansproof", "cat "))
]
COMMANDS = list(dict.fromkeys(LINES))
LISTS = [command for command in COMMANDS if "--list-recipes" in command]
AUDITS = [command for command in COMMANDS if "hansproof audit" in command and command not in LISTS]
OTHERS = [command for command in COMMANDS if command not in (*AUDITS, *LISTS)]
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def audited():
    import hansproof
    from hansproof.audit.result.document import encode

    return encode(hansproof.audit(ROOT / "datasets/planted-cues/2.0.0/unigram.jsonl.gz", splits=2, permutations=199))


@pytest.fixture
def folder(tmp_path, audited):
    documented_files.write(tmp_path, audited)
    return tmp_path


def run(command, folder):
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    shell = ["bash", "-c", f"set -o pipefail; {command}"]
    return subprocess.run(shell, cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path})


def test_the_readme_has_the_commands_that_are_run_here():
    assert len(AUDITS) == 21
    assert sum("hf://" in command for command in AUDITS) == 1
    served = {
        "harden",
        "diff",
        "list",
        "generate",
        "release",
        "verify",
        "download",
        "export",
        "score",
        "analyse",
        "annotate",
        "prompts",
        "run",
        "phenotype",
        "compare",
    }
    assert {command.split()[1] for command in OTHERS} == served


@pytest.mark.slow
@pytest.mark.parametrize("command", [command for command in AUDITS if not re.search("hf://|--dask", command)])
def test_a_command_of_the_readme_finds_the_planted_shortcut(command, folder):
    done = run(command, folder)
    assert done.returncode == 1, done.stderr
    assert "LEAKS" in done.stdout + done.stderr
    words = shlex.split(command)
    for flag in ("--html", "--json"):
        if flag in words and words[words.index(flag) + 1] != "-":
            assert (folder / words[words.index(flag) + 1]).stat().st_size > 1000
    if "--json -" in command:
        assert json.loads(done.stdout)["verdict"] == "LEAKS"


@pytest.mark.slow
def test_the_cluster_of_the_readme_finds_the_planted_shortcut(folder):
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    (command,) = [command for command in AUDITS if "--dask" in command]
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50) as local:
        done = run(command.replace("tcp://127.0.0.1:8786", local.scheduler_address), folder)
    assert done.returncode == 1, done.stderr
    assert "LEAKS" in done.stdout


@pytest.mark.parametrize("command", LISTS)
def test_the_recipes_of_the_readme_are_listed(command, folder):
    done = run(command, folder)
    assert done.returncode == 0, done.stderr
    assert "hellaswag" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_has_options_that_exist(command):
    from hansproof.command_line import command_line

    root = command_line()
    called = [part for part in re.split(r"\||&&|>", command) if part.strip().startswith("hansproof ")]
    assert called
    for part in called:
        _, name, *words = shlex.split(part, comments=True)
        known = root.get_command(click.Context(root), name)
        if isinstance(known, click.Group):
            name, *words = words
            known = known.commands[name]
        eager = {flag for option in known.params if option.is_eager for flag in option.opts}
        assert known.make_context(name, [word for word in words if word not in eager]).params


def test_the_readme_counts_the_recipes():
    from hansproof.audit.reading.recipes import all_recipes

    assert f"There are {len(all_recipes())}: the nineteen of Pacchiardi et al. (2024)" in PAGES["docs/auditing.md"]


def write_pairs(folder):
    """Forty matched pairs of a benchmark of one's own, and replies to them in two styles."""
    items = ["id,question,label,pair,arm,topic"]
    replies = []
    for place in range(80):
        arm = ("original", "perturbed")[place % 2]
        items.append(f"p{place},Is number {place} even?,{('yes', 'no')[place % 2]},{place // 2},{arm},{place % 4 // 2}")
        for style in ("direct", "zero-shot-cot"):
            reply = "yes" if place % 3 else "no"
            replies.append(json.dumps({"id": f"p{place}", "model": "m", "style": style, "reply": reply}) + "\n")
    (folder / "matched.csv").write_text("\n".join(items) + "\n", encoding="utf-8")
    (folder / "paired.jsonl").write_text("".join(replies), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("command", OTHERS)
def test_a_command_of_the_readme_that_makes_or_serves_succeeds(command, folder, audited):
    if "new.json" in command:
        (folder / "new.json").write_bytes(audited)
    if ("hansproof phenotype" in command and "--models" not in command) or "--resume" in command:
        (begin,) = [command for command in OTHERS if "--agent mine:reply" in command and "--resume" not in command]
        assert run(begin, folder).returncode == 0
        (folder / "random.jsonl").write_bytes((folder / "runs.jsonl").read_bytes().replace(b"mine:reply", b"random"))
    if "--models" in command:
        rows = [f"m{place},b{place % 5},{place},{50 + place % 3}" for place in range(12)]
        table = "\n".join(["model,base_model,parameters,horizon-reward", *rows, ""])
        (folder / "models.csv").write_text(table, encoding="utf-8")
    if "matched.csv" in command:
        write_pairs(folder)
    if "--by experiment" in command:
        asked = run("hansproof prompts quiz.csv --style direct --part 'question only'", folder).stdout.splitlines()
        lines = [{**json.loads(line), "reply": "yes"} for line in asked]
        (folder / "asked.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = run(f"HANSPROOF_CACHE=cache {command}", folder)
    assert done.returncode == 0, done.stderr
    words = shlex.split(command)
    for flag in ("--out", "--cards", "--figure", "--csv"):
        if flag in words:
            assert (folder / words[words.index(flag) + 1]).exists()


@pytest.mark.slow
def test_the_hypotheses_of_the_readme_are_tested_and_what_is_not_is_said(folder):
    commands = [command for command in OTHERS if "--by hypotheses" in command and "token-bias" in command]
    assert len(commands) == 2
    for command in commands:
        said = " ".join(run(command, folder).stdout.split())
        assert "H4: The quantifiers of an invalid syllogism become synonyms." in said
        assert [untested in said for untested in ("H1 is not tested", "H2 is not tested")] == [True, True]


def test_load_as_the_readme_has_it():
    import hansproof

    rows = hansproof.load("knights-knaves@2.1.0", subset="set-S", source=str(ROOT / "datasets"), as_="pandas")
    assert len(rows) == 1926


def test_the_hub_command_fails_in_one_line_where_there_is_no_network(folder):
    command = next(command for command in AUDITS if "hf://" in command)
    done = run(f"HF_HUB_OFFLINE=1 HF_HOME={folder} {command}", folder)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_first_command_audits_the_sample_that_ships():
    line = next(line for line in README.splitlines() if line.startswith("python3 -m venv") and "audit" in line)
    sample = line.split("hansproof audit ")[1]
    done = run(f"hansproof audit {sample}", ROOT)
    assert done.returncode == 1
    assert "LEAKS" in done.stdout


@pytest.mark.slow
def test_the_python_example_runs(folder):
    code = next(block for language, block in BLOCKS if language == "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("LEAKS ")


def test_every_help_page_has_an_example():
    from click.testing import CliRunner

    from hansproof.command_line import COMMANDS, command_line

    for name in [None, *COMMANDS]:
        output = CliRunner().invoke(command_line(), [*([name] if name else []), "--help"]).output
        assert "hansproof" in output.split("Example", 1)[1], name
