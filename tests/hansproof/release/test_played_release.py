"""A family whose items are played, in matched groups and with measures of all kinds, through every command."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from scored import score_models
from toy_bandit.dataset import Bandit, BanditScorer

from hansproof.command_line import command_line
from hansproof.generators.answering.scorer import Measure, MeasureKind
from hansproof.generators.dataset import MatchedConditions
from hansproof.release.release import release
from hansproof.release.verify import verify

CARD = """Two machines.
## Fields
- `visits`: number of choices
- `rewards_a`: what machine A pays
- `rewards_b`: what machine B pays
## Uses
Tests.
## Misuses
All else.
## Citation
Nobody.
"""


class Measured(BanditScorer):
    """Beside the reward, what was lost (less is better) and how often machine A was chosen (nothing is better)."""

    measures = {  # noqa: RUF012
        "lost": MeasureKind("points below the best run", "lower", share=False),
        "share-a": MeasureKind("share of visits to machine A", "neither"),
    }

    @property
    def blind(self):
        (always_a,) = super().blind
        always_b = replace(
            always_a, name="always-b", guesses=lambda learned, asked: [json.dumps(["B"] * 4)] * len(asked)
        )
        return (always_a, always_b)

    def score(self, item, reading):
        score = super().score(item, reading)
        if not score.measures:
            return score
        actions = json.loads(reading.said)
        best = sum(map(max, item.metadata["rewards_a"], item.metadata["rewards_b"]))
        lost = best - 4 * score.measures["reward"].value
        return replace(score, measures={"lost": Measure(lost), "share-a": Measure(actions.count("A") / 4)})

    def chance(self, item):
        every = item.metadata["rewards_a"], item.metadata["rewards_b"]
        return {"lost": sum(map(max, *every)) - sum(map(sum, every)) / 2, "share-a": 0.5}


@pytest.fixture
def games(toy_bandit, register):
    """Pairs of games with one story: `rich` and `poor`, in which machine A always pays 90 and B 10."""

    def make(stream, subset, index):
        group, place = divmod(index, 2)
        draft = toy_bandit.make(stream, subset, group)
        rich = stream.child("rich").child(group).below(10)
        rewards = {"rewards_a": [90 + rich] * 4, "rewards_b": [10 + place] * 4}
        return replace(draft, prompt="A game.", group=f"g{group}", condition=("rich", "poor")[place],
                       metadata={**draft.metadata, **rewards, "visits": 4 + group})  # fmt: skip

    subset = replace(toy_bandit.subsets["short"], rows=20, matched=MatchedConditions("rich", ("poor",)))
    games = replace(toy_bandit, name="games", subsets={"short": subset}, make=make, scorer=Measured(),
                    check=lambda item: [], episode=Bandit)  # fmt: skip
    return register(games, CARD)


def test_its_card_says_what_is_better_and_speaks_of_no_answers(games, tmp_path):
    outcome = release("games", "1.0.0", out=tmp_path / "datasets", cards=tmp_path / "cards")
    assert outcome.refused == []  # one story twenty times is no repetition: the rewards differ
    text = (outcome.folder / "DETAILS.md").read_text("utf-8")
    assert "| `short` | 20 | 10 | none is right |" in text
    assert "There are no answers to predict" in text
    assert "For `lost` lower values are better, so bold there means below chance." in text
    assert "No value of `share-a` is better than another" in text
    # A is best in every game and loses nothing; by chance half of the 4 * (90 - 10) is lost: far above 1.
    row = next(line for line in text.splitlines() if line.startswith("| `short` | `always-a`"))
    assert row.startswith("| `short` | `always-a` .00")
    assert row.endswith("chance 166.60 |")  # no column for the part of which no value is the better one
    assert "Chance is defined for 2 shares, and 0 of them beat it in this sense." in text
    tried = [line for line in text.splitlines() if line.startswith("| `always-")]
    assert [line.rpartition("|")[0].rpartition("|")[2].strip() for line in tried] == ["1.00", ".00"]
    notes = {check.name: check.note for check in verify(outcome.folder).checks}
    assert notes["gold"] == "20 items without a right answer by the family's own check"
    assert notes["duplicates"] == "ids and prompts in 1 file"


def test_a_card_tells_games_from_questions_subset_by_subset(games, register, tmp_path):
    def make(stream, subset, index):
        draft = games.make(stream, subset, index)
        return draft if subset == "short" else replace(draft, prompt=f"A game {index}.", answer="A")

    both = {"short": games.subsets["short"], "asked": games.subsets["short"]}
    register(replace(games, make=make, subsets=both), CARD)
    outcome = release("games", "1.0.0", out=tmp_path / "datasets", cards=tmp_path / "cards")
    text = (outcome.folder / "DETAILS.md").read_text("utf-8")
    assert "| `short` | 20 | 10 | none is right |" in text
    assert "| `asked` | 20 | 10 | open |" in text
    assert "There are no answers to predict" not in text


def test_a_game_in_which_the_same_can_happen_is_a_repetition(games, register, tmp_path):
    def again(stream, subset, index):
        draft = games.make(stream, subset, index)
        return replace(draft, metadata={**games.make(stream, subset, 0).metadata, "visits": 4})

    register(replace(games, make=again), CARD)
    outcome = release("games", "1.0.0", out=tmp_path / "datasets", cards=tmp_path / "cards")
    assert outcome.refused[0] == "short.jsonl.gz: line 3: has the same prompt and draws as line 1"


def test_its_best_strategy_is_the_best_one_and_missing_effects_are_explained(games, tmp_path, monkeypatch):
    items = [games.item("short", 1, index) for index in range(6)]
    replies = {item.id: json.dumps(["A", "B", "A", "A"]) for item in items}
    (report,) = score_models(items, {"": replies})
    every = report.lines[0]
    assert every.best_blind("lost").strategy == "always-a"
    assert every.best_blind("share-a") is None
    assert (report.effects, report.without_effects) == ((), ("short",))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_bytes(b"".join(item.line() for item in items))
    lines = [json.dumps({"id": id, "reply": reply}) for id, reply in replies.items()]
    (tmp_path / "runs.jsonl").write_text("\n".join(lines), "utf-8")
    done = CliRunner().invoke(command_line(), ["score", "runs.jsonl", "--items", "items.jsonl", "--all"])
    said = " ".join(done.output.split())
    assert "no effects in short: no answer is right there" in said
    assert "lost: points below the best run, lower is better; share-a: share of visits to machine A, neither" in said
    assert "75.0" in said  # a share in per cent; points as they are
    assert f"{every.measures['lost'].share:.2f}" in said


def test_no_file_of_prompts_can_ask_it(games, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_bytes(games.item("short", 1, 0).line())
    for style in ("zero-shot", "direct", "few-shot", "two-turn-cot"):
        done = CliRunner().invoke(command_line(), ["prompts", str(path), "--style", style])
        assert done.exit_code == 2
        assert "games/short is played, not answered" in done.output
