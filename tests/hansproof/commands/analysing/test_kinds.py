"""All kinds of analysis go one way: they say which options they take, and the command refuses the others."""

import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.commands.analysing.analyse import analyse
from hansproof.commands.analysing.kinds import KINDS

ALWAYS = {"answers", "sources", "by", "json_", "csv_", "html", "force"}
OPTIONS = {option.name: option for option in analyse.params if option.name not in ALWAYS}
VALUES = {"judged": "harness", "groups": "none", "threshold": "0.3", "shift": "3"}


def test_every_option_belongs_to_a_kind_and_every_kind_takes_options_that_exist():
    taken = {name: set(kind.takes) for name, kind in KINDS.items()}
    assert set().union(*taken.values()) == set(OPTIONS)
    assert list(KINDS) == list(next(option for option in analyse.params if option.name == "by").type.choices)
    assert [name for name, kind in KINDS.items() if kind.name != name] == []


@pytest.mark.parametrize(
    ("by", "name"), [(by, name) for by, kind in KINDS.items() for name in OPTIONS if name not in kind.takes]
)
def test_an_option_of_another_kind_is_refused_before_anything_is_read(by, name):
    option = OPTIONS[name]
    value = () if option.is_flag else (VALUES.get(name, "1"),)
    done = CliRunner().invoke(command_line(), ["analyse", "nothing.jsonl", "--by", by, option.opts[-1], *value])
    assert (done.exit_code, done.stderr) == (2, f"error: {option.opts[-1]} does not go with --by {by}\n")


@pytest.mark.parametrize("by", KINDS)
def test_an_option_of_the_kind_itself_is_not(by):
    for name in KINDS[by].takes:
        option = OPTIONS[name]
        value = () if option.is_flag else (VALUES.get(name, "1"),)
        done = CliRunner().invoke(command_line(), ["analyse", "nothing.jsonl", "--by", by, option.opts[-1], *value])
        assert "does not go with" not in done.stderr
        assert done.exit_code == 2
