"""Many options and long ones: memory grows with what is there, and working in blocks changes no number."""

import tracemalloc

import made_options
import numpy as np
import pytest

from hansproof.audit.benchmark import LONGEST
from hansproof.audit.reading.loading import load
from hansproof.audit.tasks.options import option_rows, views
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.option_shortcuts import judged, rules_on
from hansproof.audit.tasks.options.views import form_values, tables
from hansproof.audit.texts.grouping import no_groups


def pool_of(rows):
    made = made_options.benchmark(rows)
    return OptionPool.of(made, made.options)


def test_a_long_option_takes_the_room_of_one_and_not_of_all():
    # 800 options of up to 50,000 characters: as an array of texts they would take 800 x 200 kB = 160 MB.
    rows = made_options.rows(200)
    rows[7]["choices"][2] = "word " * 10_000

    def measured(pool):
        option_rows.joined_by_options(pool, no_groups(200))
        values = np.hstack([views.cue_values(pool), form_values(pool)])
        for rule in rules_on(pool, values, np.arange(200) % 5, ordered=True):
            judged(rule, pool, np.arange(200))

    measured(pool_of(rows))  # whatever is loaded on first use
    pool = pool_of(rows)
    tracemalloc.start()
    measured(pool)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16_000_000


def test_questions_are_not_copied_for_every_option(monkeypatch):
    # 16 options beside a question of 3,000 different words: as one matrix that would be 100 x 16 x 3,000 x 12 bytes.
    rows = made_options.rows(100, k=16)
    for n, row in enumerate(rows):
        row["question"] = " ".join(f"q{(n * 31 + place) % 9000}" for place in range(3000))
    pool = pool_of(rows)
    options, questions, rarity = views._counted(pool.texts, pool.questions, pool.item)
    monkeypatch.setattr(views, "_BLOCK", 4)
    tracemalloc.start()
    views.likeness(options, questions, rarity, pool)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


def test_blocks_change_no_number(monkeypatch):
    rows = [row for k in (2, 3, 5) for row in made_options.rows(15, k=k, seed=k)]
    for place in (3, 20, 40):
        rows[place]["choices"][:2] = ["a red barn", "a blue barn"]
    pool = pool_of(rows)
    values, groups = views.cue_values(pool), option_rows.joined_by_options(pool, no_groups(45)).index
    alone = tables(pool)["question"].numbers["question-cues"]
    for room in (views, option_rows):
        monkeypatch.setattr(room, "_BLOCK", 4)
    assert (views.cue_values(pool) == values).all()
    assert (option_rows.joined_by_options(pool, no_groups(45)).index == groups).all()
    assert (tables(pool)["question"].numbers["question-cues"] == alone).all()


@pytest.mark.parametrize(
    ("characters", "fault"), [(LONGEST, ""), (LONGEST + 1, "an option has more than 100,000 characters")]
)
def test_an_option_longer_than_any_is_left_out(characters, fault):
    rows = made_options.rows(40)
    rows[5]["choices"][1] = "x" * characters
    assert load(rows).options.faults[5] == fault
