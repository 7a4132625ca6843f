"""Help pages are short: what everybody needs, at most sixty lines of eighty columns; `--help-all` has the rest."""

import re

import click
import pytest
from click.testing import CliRunner

from hansproof.command_line import COMMANDS, GROUPS, RARE, command_line


def asked(*words):
    done = CliRunner().invoke(command_line(), [*words], terminal_width=80)
    assert done.exit_code == 0, done.output
    return done.output


def options_of(name):
    root = command_line()
    command = root.get_command(click.Context(root), name)
    return {option for param in command.params for option in (*param.opts, *param.secondary_opts) if option[0] == "-"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_has_sixty_lines_at_most(name):
    assert len(asked(name, "--help").splitlines()) <= 60


@pytest.mark.parametrize("name", [name for name in RARE if RARE[name]])
def test_rare_options_stand_on_the_long_page_only_and_work_all_the_same(name):
    rare = RARE[name].split()
    assert set(rare) <= options_of(name)
    for _ in range(2):  # the long page changes nothing of the short one
        short, long = asked(name, "--help"), asked(name, "--help-all")
        shown = {line.split()[0].rstrip(",") for line in short.splitlines() if line.startswith("  -")}
        assert not shown & set(rare)
        assert all(re.search(rf"(?:  |, ){option}\b", long) for option in rare)


def test_the_commands_stand_by_what_they_are_for():
    page = asked("--help")
    places = [page.index(f"\n{group}:") for group in GROUPS]
    assert places == sorted(places)
    assert sorted(COMMANDS) == sorted(name for names in GROUPS.values() for name in names)


def test_a_mistyped_command_is_answered_with_the_near_one():
    done = CliRunner().invoke(command_line(), ["adit", "x.csv"])
    assert done.exit_code == 2
    assert "there is no command 'adit'. Did you mean 'audit'?" in done.output
