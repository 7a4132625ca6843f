"""Items without a gold answer: made, written, played, stopped, resumed and scored, by a toy family of the tests."""

import json
from dataclasses import replace

import pytest
from playing import play

from hansproof.generators.episode import Transcript, replay
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump, read
from hansproof.generators.production import Stretch, items, produce
from hansproof.generators.registry import dataset

VISITS = 4


@pytest.fixture
def game(toy_bandit):
    return toy_bandit.item("short", 7, 3)


def test_a_family_is_one_folder_and_one_line(toy_bandit):
    assert dataset("toy-bandit") is toy_bandit
    lines = b"".join(produce("toy-bandit", [Stretch("short", 0, 5)], 7))
    assert lines == dump(items(toy_bandit, Stretch("short", 0, 5), 7))


def test_an_item_without_a_gold_answer_is_written_and_read_back(toy_bandit, tmp_path):
    made = list(items(toy_bandit, Stretch("short", 0, 3), 7))
    path = tmp_path / "short.jsonl"
    path.write_bytes(dump(made))
    assert read(path) == made
    assert b'"answer":null' in path.read_bytes()
    assert made[0].answer is None


def test_an_empty_answer_is_still_a_fault(game):
    with pytest.raises(InputError, match="answer is empty"):
        replace(game, answer="").line()
    with pytest.raises(InputError, match="lacks 'answer'"):
        Item.from_record({key: value for key, value in game.record().items() if key != "answer"}, "here")


def test_a_prompt_shows_what_was_earned_and_never_what_was_not(toy_bandit, game):
    told = replace(game, metadata={**game.metadata, "rewards_a": [11, 12, 13, 14], "rewards_b": [21, 22, 23, 24]})
    episode = toy_bandit.episode(told)
    for action in ("A", "B"):
        episode.step(action)
    assert "won 11." in episode.prompt
    assert "won 22." in episode.prompt
    assert not [number for number in ("12", "13", "14", "21", "23", "24") if number in episode.prompt]


def test_a_run_can_stop_at_any_point_and_go_on_from_its_transcript(toy_bandit, game):
    whole = play(toy_bandit.episode(game), lambda prompt: "B" if prompt.count("won") % 2 else "A")
    assert whole == Transcript(game.id, ("A", "B", "A", "B"))
    for turn in range(VISITS + 1):
        stopped = replay(toy_bandit.episode, game, Transcript(game.id, whole.actions[:turn]))
        assert stopped.done is (turn == VISITS)
        assert play(stopped, lambda prompt: "B" if prompt.count("won") % 2 else "A") == whole


def test_an_illegal_action_is_refused_and_changes_nothing(toy_bandit, game):
    episode = toy_bandit.episode(game)
    before = episode.prompt
    with pytest.raises(InputError, match="'C' is not a legal action; choose A or B"):
        episode.step("C")
    assert (episode.prompt, episode.transcript.actions) == (before, ())


def test_a_transcript_that_does_not_fit_names_the_action(toy_bandit, game):
    with pytest.raises(InputError, match=rf"^transcript of {game.id}: action 2: 'Z' is not a legal action"):
        replay(toy_bandit.episode, game, Transcript(game.id, ("A", "Z")))
    with pytest.raises(InputError, match="action 5: the episode is over"):
        replay(toy_bandit.episode, game, Transcript(game.id, ("A",) * 5))
    with pytest.raises(InputError, match=r"is a run of 'other', not of 'toy-bandit/1\.0\.0/short/000003'"):
        replay(toy_bandit.episode, game, Transcript("other", ()))


def test_a_finished_run_has_measures_and_no_right_or_wrong(toy_bandit, game):
    told = replace(game, metadata={**game.metadata, "rewards_a": [10, 20, 30, 40], "rewards_b": [0, 0, 0, 2]})
    scorer = toy_bandit.scorer
    score = scorer.score(told, scorer.read(told, json.dumps(["A", "A", "A", "B"])))
    assert score.right is None
    assert score.measures["reward"].value == 15.5  # (10 + 20 + 30 + 2) / 4
    assert scorer.chance(told) == {"reward": 12.75}  # (100 + 2) / 8
    unfinished = scorer.read(told, json.dumps(["A"]))
    assert (unfinished.said, unfinished.reason) == (None, "stops after 1 of 4 visits")
    assert scorer.score(told, unfinished).measures == {}


def test_rows_without_answers_load_as_tables(toy_bandit, tmp_path):
    import datasets
    import polars

    path = tmp_path / "short.jsonl"
    path.write_bytes(dump(items(toy_bandit, Stretch("short", 0, 3), 7)))
    frame = polars.read_ndjson(path, infer_schema_length=None)
    assert frame["answer"].is_null().all()
    table = datasets.Dataset.from_list([item.record() for item in read(path)])
    assert table["answer"][:] == [None, None, None]
    assert table[0]["metadata"]["visits"] == VISITS
