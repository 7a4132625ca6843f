"""A dataset's tasks are played in their standard story, unless you ask for more."""

import re
from pathlib import Path

import pytest

import hansproof
from hansproof.generators.registry import dataset
from hansproof.generators.styles.style import STYLES
from hansproof.runs.asking import asker
from hansproof.runs.games import games

PLAYING = Path(__file__).resolve().parents[3] / "docs" / "playing.md"

STANDARD = {
    *("probabilistic-reasoning", "horizon", "restless-bandit", "instrumental-learning", "two-step"),
    *("temporal-discounting", "balloons"),
}


@pytest.mark.parametrize(
    ("options", "subsets"), [({}, STANDARD), ({"subsets": ["horizon-points"]}, {"horizon-points"})]
)
def test_each_task_is_played_in_its_standard_story_unless_another_is_named(options, subsets):
    assert {item.metadata["subset"] for item in games("cognitive-tasks", count=1, **options).items} == subsets


def test_every_story_is_played_where_it_is_asked_for():
    played = games("cognitive-tasks", count=1, variants=True).items
    assert len(played) == 15
    assert {item.metadata["task"] for item in played} == STANDARD


def test_an_unknown_style_is_answered_with_those_that_suit_episodes():
    with pytest.raises(Exception, match="no prompt style 'nope'") as raised:
        asker(games("cognitive-tasks", count=1), "nope")
    named = [name for name in STYLES if re.search(rf"[ ,]{name}(,|$)", str(raised.value))]
    assert "zero-shot-cot" in named
    assert len(named) < len(STYLES) / 2


def test_the_calls_that_the_page_states_are_those_of_the_tasks():
    rows = re.findall(
        r"^\| `([a-z-]+)` \| ([a-z0-9 ]+) \| (\d+) \| ([\d,]+) (?:to ([\d,]+) )?\|$", PLAYING.read_text(), re.M
    )
    assert {row[0] for row in rows} == STANDARD
    least, most = (sum(int((row[end] or row[3]).replace(",", "")) for row in rows) for end in (3, 4))
    assert (least, most) == (12_070, 13_470)
    stated = {name: int(calls) for name, calls, *_ in rows if calls.isdigit()}
    family = dataset("cognitive-tasks")
    played = games("cognitive-tasks", list(stated), 1)
    play = family.players["random"].make({})
    assert {item.metadata["subset"]: len(play(item, 0).actions) for item in played.items} == stated


def test_a_run_is_extended_by_a_second_file(there, agent):
    hansproof.run("toy-bandit", agent, subset="short", count=2, out="r.jsonl")
    with pytest.raises(hansproof.InputError, match="for more episodes, write a second file with another --seed"):
        hansproof.run("toy-bandit", agent, subset="short", count=3, out="r.jsonl", resume=True)
