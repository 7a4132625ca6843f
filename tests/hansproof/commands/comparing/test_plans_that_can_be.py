"""`compare --plan` says the share of items that each row was reckoned with, and refuses what cannot be."""

import json

import pytest
from click.testing import CliRunner

from hansproof.audit.models.planning import discordance
from hansproof.command_line import command_line


def run(*arguments):
    return CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), ["compare", "--plan", *arguments])


def plans_of(*arguments):
    return json.loads(run(*arguments, "--json", "-").stdout)["plans"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("--difference 3 --accuracy 99", "--difference: 3 points cannot be at a mean accuracy of 99 %: at most 2"),
        ("--difference 3 --accuracy 1", "at most 2, with one side at 0 %"),
        (
            "--count 10 --discordant 20",
            "--count: 10 show no difference that can be: with 20 % of items right with only one side",
        ),
        ("--count 20 --accuracy 95", "at a mean accuracy of 95 % it is at most 10 points, and takes more items"),
        ("--accuracy 100", "--accuracy: must be above 0 and below 100 per cent, not 100"),
        ("--accuracy 0", "--accuracy: must be above 0 and below 100 per cent, not 0"),
        ("--accuracy 99.9", "say which difference: --difference 0.1%"),
        ("--discordant 0.4%", "say which difference: --difference 0.2%"),
        (
            "--difference 1 --accuracy 99 --correlation -.9",
            "--correlation: -0.9 cannot be at accuracies of 99.5 and 98.5",
        ),
        ("--group-size 1000001 --icc .1", "--group-size: must be from 1 to 1,000,000, not 1,000,001"),
    ],
)
def test_what_cannot_be_is_refused(options, why):
    done = run(*options.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr


def test_what_is_advised_can_be():
    assert run("--accuracy", "99.9", "--difference", "0.1%").exit_code == 0
    assert run("--discordant", "0.4%", "--difference", "0.2%").exit_code == 0
    assert run("--accuracy", "99", "--difference", "2").exit_code == 0


def test_rows_of_a_guess_say_their_own_share():
    done = run("--accuracy", "97")
    rows = plans_of("--accuracy", "97")
    assert [row["difference"] for row in rows] == [0.01, 0.02, 0.03, 0.05]  # 10 points would take 102 % right
    for row in rows:
        share = discordance(0.97, row["difference"], 0.0)
        assert row["discordant_used"] == pytest.approx(share)
        assert f"{100 * share:.1f}" in done.stdout
    assert "items right with only one of the two: reckoned from" in done.stdout


@pytest.mark.parametrize("accuracy", ["50", "70", "97"])
def test_items_and_differences_of_a_guess_are_each_other_s_answer(accuracy):
    (row,) = plans_of("--count", "900", "--accuracy", accuracy)
    (back,) = plans_of("--difference", f"{100 * row['difference']:.12f}", "--accuracy", accuracy)
    assert back["items"] in (900, 901)
    assert back["discordant_used"] == pytest.approx(row["discordant_used"])
    assert row["discordant_used"] == pytest.approx(discordance(float(accuracy) / 100, row["difference"], 0.0))
