"""The command that repeats an audit."""

from __future__ import annotations

import shlex

import msgspec

from hansproof.audit.report.audit_sentences import command


def test_the_command_repeats_the_audit_and_is_quoted_for_the_shell(make_result):
    result = make_result(source="my bench; rm -rf ~.jsonl")
    assert shlex.split(command(result)) == [
        "hansproof", "audit", "my bench; rm -rf ~.jsonl", "--prompt", "input", "--answer", "ideal", "--group",
        "problem_id", "--protocol", "grouped", "--seed", "42", "--folds", "5",
        "--splits", "10", "--permutations", "999", "--threshold", "0.2", "--alpha", "0.05",
    ]  # fmt: skip


def test_the_command_names_how_groups_were_had(make_result):
    settings = msgspec.structs.replace(make_result().settings, groups="none")
    line = command(make_result(settings=settings))
    assert "--groups none" in line
    assert "problem_id" not in line


def test_the_command_of_a_paper_run_names_the_protocol_and_the_flag(results):
    assert command(results["paper"]).endswith(
        "--protocol paper --seed 42 --threshold 0.2 --alpha 0.05 --upstream-counts"
    )


def test_an_optional_probe_is_asked_for_again(make_result):
    settings = msgspec.structs.replace(make_result().settings, grades=True, trees=True)
    assert command(make_result(settings=settings)).endswith("--trees --grades")


def test_a_guessed_group_is_guessed_again(make_result):
    # Several columns that repeat are guessed together: `--group` could not name them.
    mapping = msgspec.structs.replace(make_result().mapping, group="premise1, premise2", guessed=["group"])
    assert "--group" not in command(make_result(mapping=mapping))
