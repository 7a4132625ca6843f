"""An option that takes one value is refused where it is given twice, in every command; others repeat as before."""

import click
import pytest
from click.testing import CliRunner

from hansproof.command_line import COMMANDS, command_line
from hansproof.commands.options import refuse_repeated
from hansproof.generators.errors import UsageError


def run(*arguments):
    return CliRunner().invoke(command_line(), list(arguments))


def every():
    """(words that lead to a command, option) of all commands, those inside others too."""
    root = command_line()
    left = [((name,), root.get_command(None, name)) for name in COMMANDS]
    while left:
        words, command = left.pop(0)
        if isinstance(command, click.Group):
            left += [((*words, name), inner) for name, inner in command.commands.items()]
        for option in command.params:
            if isinstance(option, click.Option):
                yield words, option


def test_every_option_with_one_value_is_refused_where_it_is_given_twice():
    asked = [(words, option) for words, option in every() if not (option.multiple or option.count or option.is_flag)]
    asked = [(words, option) for words, option in asked if option.nargs == 1]
    assert len(asked) > 150
    for words, option in asked:
        for name in option.opts:
            done = run(*words, name, "first", name, "second")
            said = f"error: {option.opts[-1]}: is given 2 times, as 'first' and 'second'; give it once\n"
            assert (done.exit_code, done.stderr) == (2, said), (words, name)


def test_an_option_with_two_values_is_refused_where_it_is_given_twice():
    done = run("audit", "--croissant", "a", "b", "--croissant", "c", "d")
    assert (done.exit_code, done.stderr) == (2, "error: --croissant: is given 2 times; give it once\n")


def test_options_that_may_repeat_and_flags_that_say_the_same_again_are_not():
    asked = [(words, option) for words, option in every() if option.multiple or option.is_flag]
    assert len(asked) > 40
    for words, option in asked:
        value = [] if option.is_flag else ["a"]
        done = run(*words, option.opts[-1], *value, option.opts[-1], *value)
        assert "is given" not in done.stderr
        assert "contradict" not in done.stderr


@click.group()
def outer():
    pass


@outer.command()
@click.argument("files", nargs=-1)
@click.option("-s", "--seed", type=int)
@click.option("--on/--off", default=None)
@click.option("--json", "json_", is_flag=False, flag_value="-")
@click.option("-v", "loud", count=True)
@click.option("--name", multiple=True)
def inner(**given):
    pass


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-s", "1", "--seed=2"], "--seed: is given 2 times, as '1' and '2'; give it once"),
        (["-s1", "file", "-s", "1"], "--seed: is given 2 times, as '1' and '1'; give it once"),
        (["-s", "1", "-s", "2", "-s", "x" * 99], f"--seed: is given 3 times, as '1' and '2' and '{'x' * 80}...'; give"),
        (["--on", "--off"], "--on and --off: contradict each other; give one of them"),
        (["--json", "--json", "a"], "--json: is given 2 times; give it once"),
        (["--on", "--on", "-vv", "--name", "a", "--name", "b", "--json", "a", "--", "--seed", "1", "--seed", "2"], ""),
        (["--seed", "1", "--seed", "2", "--help"], ""),
        (["--seed", "1", "--nope", "--seed", "2"], ""),  # what is worse is told by the command itself
        (["--seed", "1", "--seed"], ""),
        ([], ""),
    ],
)
def test_short_and_long_names_and_commands_in_commands(arguments, message):
    if not message:
        assert refuse_repeated(outer, ["inner", *arguments], None) is None
        return
    with pytest.raises(UsageError) as caught:
        refuse_repeated(outer, ["inner", *arguments], None)
    assert str(caught.value).startswith(message)


def test_the_first_of_two_values_does_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("generate", "planted-cues", "-n", "3", "--seed", "1", "--seed", "2", "--out", "new.jsonl")
    assert (done.exit_code, done.stdout) == (2, "")
    assert list(tmp_path.iterdir()) == []
