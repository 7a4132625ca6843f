"""`hansproof prompts`: one line an item, the second turn from replies, every refusal one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from hansproof import score
from hansproof.command_line import COMMANDS, command_line
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset
from hansproof.generators.styles.exemplars import exemplars
from hansproof.generators.styles.rendering import follow_up, render
from hansproof.generators.styles.style import STYLES, asking_of, suitable_styles


@pytest.fixture(autouse=True)
def _in_the_table(monkeypatch):
    monkeypatch.setitem(COMMANDS, "prompts", "hansproof.commands.prompts:prompts")


def sum_item(index):
    data = {"dataset": "sums", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "canary-7"}
    name = f"sums/1.0.0/s/{index:06d}"
    return Item(name, f"What is {index} + 1 in Köln?", None, "quincunx", name, "c", data)


@pytest.fixture
def items(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sums = [sum_item(index) for index in range(3)]
    Path("items.jsonl").write_bytes(dump(sums))
    return sums


def save(path, records):
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def run(*arguments):
    return CliRunner().invoke(command_line(), ["prompts", *map(str, arguments)])


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def failed(done):
    assert done.exit_code == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().split("\n")) == 1
    return done.stderr.strip()


@pytest.mark.parametrize("style", suitable_styles(asking_of(sum_item(0))))
def test_each_item_is_one_line_in_its_order(items, style):
    done = run("items.jsonl", "--style", style)
    assert (done.exit_code, done.stderr) == (0, "")
    assert rows(done.stdout) == [
        {"id": item.id, "item_digest": item.digest(), "prompt": render(item, style, chat=False), "style": style}
        for item in items
    ]
    done = run("items.jsonl", "--style", style, "--chat")
    if STYLES[style].completion:
        assert failed(done).startswith(f"error: {style} is a text for a base model to continue, which a chat is not")
        return
    chat = rows(done.stdout)
    assert [row["messages"] for row in chat] == [render(item, style, chat=True) for item in items]


def test_only_the_subsets_that_are_named_become_prompts(items):
    others = [
        replace(item, id=item.id.replace("/s/", "/t/"), metadata={**item.metadata, "subset": "t"}) for item in items
    ]
    Path("items.jsonl").write_bytes(dump([*items, *others]))
    lines = run("items.jsonl", "--style", "zero-shot", "--subset", "t").stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [item.id for item in others]
    both = run("items.jsonl", "--style", "zero-shot", "-s", "t", "-s", "s").stdout
    assert both == run("items.jsonl", "--style", "zero-shot").stdout
    done = run("items.jsonl", "--style", "zero-shot", "--subset", "u")
    assert done.exit_code == 2
    assert "'u'" in done.stderr
    assert "Known: s, t" in done.stderr


def test_neither_gold_nor_metadata_is_written(items):
    out = run("items.jsonl", "--style", "two-turn-cot").stdout
    assert "quincunx" not in out
    assert "canary-7" not in out
    assert "Köln" in out


def test_a_file_holds_what_standard_output_would(items):
    done = run("items.jsonl", "--style", "direct", "--out", "prompts.jsonl")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "prompts.jsonl: 3 prompts\n")
    assert Path("prompts.jsonl").read_bytes() == run("items.jsonl", "--style", "direct").stdout_bytes
    message = failed(run("items.jsonl", "--style", "direct", "--out", "prompts.jsonl"))
    assert message == "error: prompts.jsonl: exists; pass --force to overwrite it, or name another file"
    assert run("items.jsonl", "--style", "direct", "--out", "prompts.jsonl", "--force").exit_code == 0


@pytest.mark.parametrize("chat", [False, True])
def test_replies_give_the_second_turn(items, chat):
    save("first.jsonl", [{"id": item.id, "reply": f"It is {i}."} for i, item in enumerate(items)])
    done = run("items.jsonl", "--style", "two-turn-cot", "--replies", "first.jsonl", *["--chat"] * chat)
    assert (done.exit_code, done.stderr) == (0, "")
    key = "messages" if chat else "prompt"
    wanted = [follow_up(item, "two-turn-cot", f"It is {i}.", chat=chat) for i, item in enumerate(items)]
    assert [row[key] for row in rows(done.stdout)] == wanted


def test_items_without_a_reply_are_left_out_and_counted(items):
    save("first.jsonl", [{"id": items[0].id, "reply": " "}, {"id": items[1].id, "reply": "5 \ud800"}])
    done = run("items.jsonl", "--style", "two-turn-cot", "--replies", "first.jsonl")
    assert [row["id"] for row in rows(done.stdout)] == [items[1].id]
    assert done.stderr == "note: left out 2 of 3 items, which have no reply\n"


def test_of_several_models_one_is_named(items):
    save("first.jsonl", [{"id": items[0].id, "reply": name, "model": name} for name in ("ape", "bee")])
    arguments = ("items.jsonl", "--style", "two-turn-cot", "--replies", "first.jsonl")
    assert "first.jsonl: has replies of 2 models; pass --model with one of: 'ape', 'bee'" in failed(run(*arguments))
    assert "first.jsonl has no model 'cat'. Known: ape, bee" in failed(run(*arguments, "--model", "cat"))
    assert "bee" in rows(run(*arguments, "--model", "bee").stdout)[0]["prompt"]


def test_exemplars_of_a_registered_family_come_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    family = dataset("planted-cues")
    items = [family.item("none", 5, index) for index in range(2)]
    Path("cues.jsonl").write_bytes(dump(items))
    done = run("cues.jsonl", "--style", "few-shot", "--shots", 2, "--seed", 9)
    shown = exemplars(family, "none", 2, 9)
    assert [row["prompt"] for row in rows(done.stdout)] == [
        render(item, "few-shot", chat=False, exemplars=shown) for item in items
    ]
    assert rows(run("cues.jsonl", "--style", "few-shot", "--chat").stdout)[0]["messages"][7]["role"] == "assistant"
    message = failed(run("cues.jsonl", "--style", "few-shot-cot"))
    assert message.startswith(
        "error: few-shot-cot does not suit planted-cues/none: there is no worked reasoning for answers of the form "
        "'option'. Use one of: zero-shot, zero-shot-cot, few-shot, step-back, "
    )


def test_solved_puzzles_are_answered_as_the_prompt_asks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    puzzle = dataset("knights-knaves").item("set-S", 5, 0)
    Path("puzzles.jsonl").write_bytes(dump([puzzle]))
    (row,) = rows(run("puzzles.jsonl", "--style", "few-shot", "--shots", 1).stdout)
    (shown,) = exemplars(dataset("knights-knaves"), "set-S", 1, 0)
    assert f"Answer:\nCONCLUSION:\n{shown.answer.replace('; ', chr(10))}\n" in row["prompt"]


def test_solved_problems_show_their_steps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sums.jsonl").write_bytes(dump([dataset("word-problems").item("carry", 5, 0)]))
    (row,) = rows(run("sums.jsonl", "--style", "few-shot-cot", "--shots", 1, "--chat").stdout)
    (shown,) = exemplars(dataset("word-problems"), "carry", 1, 0)
    assert row["messages"][1]["content"] == f"{shown.metadata['steps'][0]}\n\n{shown.answer}"


def test_a_famous_example_is_shown_as_such(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("pairs.jsonl").write_bytes(dump([dataset("token-bias").item("conjunction-story-to", 5, 0)]))
    (linda,) = rows(run("pairs.jsonl", "--style", "one-shot-linda", "--chat").stdout)
    (bob,) = rows(run("pairs.jsonl", "--style", "one-shot-bob", "--chat").stdout)
    assert [message["content"].split()[0] for message in linda["messages"][:2]] == ["Linda", "(a)"]
    assert [message["content"].split()[0] for message in bob["messages"][:2]] == ["Bob", "(a)"]
    assert linda["messages"][2] == bob["messages"][2]


def test_the_styles_are_listed_with_a_sentence_each():
    done = run("--list-styles")
    assert done.exit_code == 0
    first_words = [line.split()[0] for line in done.stdout.splitlines() if line[:1].strip()]
    assert [word for word in first_words if word in STYLES] == list(STYLES)
    assert "Asks for the answer alone, without reasoning." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--style", "two-turn"], "there is no prompt style 'two-turn'. Did you mean 'two-turn-cot'?"),
        (["--style", "one-shot-bob", "--shots", 2], "one-shot-bob shows one example, always the same, so --shots has "),
        (["--style", "direct", "--shots", 2], "direct shows no solved examples, so --shots has no effect; few-shot, "),
        (
            ["--style", "direct", "--replies", "x"],
            "direct has only one turn, so --replies has no effect; two-turn-cot, ",
        ),
        (["--style", "two-turn-cot", "--model", "x"], "--model selects among the --replies; pass those too"),
        (["--style", "two-turn-cot", "--replies", "no.jsonl"], "no.jsonl: cannot be read: No such file"),
        (
            ["--style", "few-shot"],
            "few-shot does not suit sums/s: only a registered dataset can make solved examples. Use",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(items, arguments, message):
    assert failed(run("items.jsonl", *arguments)).startswith(f"error: {message}")


def test_replies_that_belong_nowhere_or_say_nothing_are_refused(items):
    arguments = ("items.jsonl", "--style", "two-turn-cot", "--replies", "first.jsonl")
    save("first.jsonl", [{"id": "nobody", "reply": "5"}])
    assert "a reply has an id that no item of items.jsonl has" in failed(run(*arguments))
    save("first.jsonl", [{"id": items[0].id, "reply": ""}])
    assert "every reply is empty" in failed(run(*arguments))
    save("empty.jsonl", [])
    assert "empty.jsonl: has no items" in failed(run("empty.jsonl", "--style", "direct"))


def test_the_help_has_examples():
    done = run("--help-all")
    assert done.exit_code == 0
    assert "hansproof prompts items.jsonl --style two-turn-cot --replies replies.jsonl" in done.output


@pytest.mark.parametrize(("style", "shots"), [("completion", ()), ("few-shot-completion", ("--shots", 2))])
@pytest.mark.parametrize("prompts", [False, True])
def test_what_a_base_model_writes_after_its_answer_does_not_count(tmp_path, monkeypatch, style, shots, prompts):
    monkeypatch.chdir(tmp_path)
    made = [dataset("word-problems").item("consistency", 5, index) for index in range(12)]
    Path("problems.jsonl").write_bytes(dump(made))
    asked = rows(run("problems.jsonl", "--style", style, *shots).stdout)
    assert all(row["prompt"].endswith(f"Q: {item.prompt}\nA:") for row, item in zip(asked, made, strict=True))
    # As base models go on: with the next question, its answer, and more; every third answer is wrong.
    replies = [
        {"prompt" if prompts else "id": row["prompt"] if prompts else row["id"], "style": row["style"],
         "reply": f" {int(item.answer) + (at % 3 == 0)}.\n\nQ: Logan has 14 soaps. He buys 3.\nA: 17.\n\nQ:"}
        for at, (row, item) in enumerate(zip(asked, made, strict=True))
    ]  # fmt: skip
    Path("replies.jsonl").write_text("".join(json.dumps(reply) + "\n" for reply in replies), encoding="utf-8")
    (report,) = score("replies.jsonl", items="problems.jsonl")
    line = report.lines[0]
    assert (line.items, line.right.hits, line.unclear, line.missing) == (12, 8, 0, 0)
