"""score, compare and analyse refuse a model or a style that does not occur, also beside one that does."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof.audit.replies.reply_files import read_replies
from hansproof.command_line import command_line
from hansproof.generators.errors import UsageError


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    """40 items in pairs; two models, the second in a style of its own, with no reply to every fourth item."""
    monkeypatch.chdir(tmp_path)
    rows = {"items": [], "both": [], "gpt": [], "llama": [], "bare": []}
    for at in range(40):
        gold = ("yes", "no")[at % 3 == 0]
        rows["items"].append(
            {
                "id": f"q{at}",
                "prompt": f"Is {at * 7919} so?",
                "answer": gold,
                "pair": f"p{at // 2}",
                "arm": "ab"[at % 2],
            }
        )
        for model, style in (("gpt", "direct"), ("llama", "cot")):
            reply = {"id": f"q{at}", "reply": "yes", "model": model, "style": style}
            if model == "gpt" or at % 4:
                rows[model].append(reply)
                rows["both"].append(reply)
        rows["bare"].append({"id": f"q{at}", "reply": "yes"})
    for name, lines in rows.items():
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")


ITEMS = ("--items", "items.jsonl", "--groups", "none")


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), list(arguments))


@pytest.mark.parametrize("command", ["score", "compare", "analyse"])
@pytest.mark.parametrize(
    ("names", "why"),
    [
        (
            ("--model", "gpt", "--model", "lama"),
            "both.jsonl has no model 'lama'. Did you mean 'llama'? Known: gpt, llama",
        ),
        (("--model", "lama", "--model", "gpt"), "both.jsonl has no model 'lama'"),
        (("--style", "cot", "--style", "dirct"), "has no style 'dirct'. Did you mean 'direct'? Known: direct, cot"),
        (("--model", "gpt", "--style", "cot"), "both.jsonl has no style 'cot'. Known: direct"),  # llama's alone
    ],
)
def test_a_name_that_does_not_occur_is_refused_beside_one_that_does(command, names, why):
    done = run(command, "both.jsonl", *ITEMS, *names)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr


def test_a_style_is_not_called_none_where_there_are_none():
    done = run("score", "bare.jsonl", *ITEMS, "--style", "cot")
    assert done.exit_code == 2
    assert "error: bare.jsonl: no reply names its style, so none is of 'cot': leave out --style" in done.stderr


def test_two_sources_hold_the_names_together():
    names = ("--model", "gpt", "--model", "llama")
    done = run("compare", "gpt.jsonl", "llama.jsonl", *ITEMS, *names)
    assert done.exit_code == 0, done.stderr
    strange = run("compare", "gpt.jsonl", "llama.jsonl", *ITEMS, *names, "--model", "lama")
    assert (strange.exit_code, "has no model 'lama'. Did you mean 'llama'? Known: gpt, llama" in strange.stderr) == (
        2,
        True,
    )
    read = read_replies("both.jsonl", models=["gpt", "lama"])
    for _ in range(2):  # each iteration reads the file again
        with pytest.raises(UsageError, match="no model 'lama'"):
            list(read)


@pytest.mark.parametrize("command", ["score", "compare", "analyse"])
@pytest.mark.parametrize("option", ["--breakdown", "--group", "--prompt", "--condition"])
def test_a_column_is_named_once(command, option):
    done = run(command, "both.jsonl", *ITEMS, option, "pair", option, "arm")
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"error: {option}: is given 2 times, as 'pair' and 'arm'; give it once" in done.stderr


def test_effects_say_how_many_items_have_a_reply_as_score_does():
    named = (*ITEMS, "--group", "pair", "--condition", "arm", "--model", "llama")
    skipped = run("analyse", "both.jsonl", "--by", "effects", *named, "--skip-missing")
    said = "30 of 40 items have a reply; the rest are left out (--skip-missing)"
    assert said in skipped.stderr
    assert said in run("score", "both.jsonl", *named, "--skip-missing").stderr
    said = "groups without exactly one item of each condition that counts, left out: 10"
    assert said in " ".join(skipped.stdout.split())
    whole = run("analyse", "both.jsonl", "--by", "effects", *named)
    assert "30 of 40 items have a reply; the rest count as wrong: --skip-missing leaves them out" in whole.stderr
    assert "left out:" not in whole.stdout
    # One reply to each pair, now of this arm and now of that.
    lines = Path("gpt.jsonl").read_text(encoding="utf-8").splitlines()
    few = [line for at, line in enumerate(lines) if at // 2 % 2 == at % 2]
    Path("few.jsonl").write_text("\n".join(few), encoding="utf-8")
    none = run("analyse", "few.jsonl", "--by", "effects", *named[:-2], "--skip-missing")
    assert none.exit_code == 2
    assert "there are matched conditions, but no model has replies to both of any two" in none.stderr
