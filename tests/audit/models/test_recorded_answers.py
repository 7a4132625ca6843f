"""The study on recorded answers of four models to two yes/no benchmarks, beside plain counting of the same replies."""

from pathlib import Path

import numpy as np
import pytest

from hansproof.audit.models.reliance.pairs import pairs_of
from hansproof.audit.models.reliance.parts import grids_of, part, rows_of
from hansproof.audit.replies.grid import RIGHT
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.run import examine
from hansproof.audit.settings import make_settings
from hansproof.scoring import join_answers

RESPONSES = Path(__file__).resolve().parents[4] / "shared" / "data" / "responses"
pytestmark = pytest.mark.skipif(not RESPONSES.is_dir(), reason="recorded answers of others are not part of the project")


@pytest.fixture(scope="module")
def moral():
    """The grid of the moral dilemmas, and their audit."""
    joined = join_answers(read_replies([str(RESPONSES / "moral_permissibility")]))
    (grid,) = grids_of(joined)
    return grid, examine(rows_of(grid), settings=make_settings(splits=2, permutations=99), name=grid.benchmark)


@pytest.mark.slow
def test_what_is_left_at_equal_gold_answers_is_far_less_than_the_raw_difference(moral):
    # This model and the probe both say No most of the time, which alone makes them right on the same dilemmas.
    grid, examination = moral
    pairs = {pair.record.model: pair.record for pair in pairs_of(part(grid, examination))}
    record = pairs["text-davinci-003"]
    assert record.raw.estimate > 0.4
    assert abs(record.equal_gold.estimate) < record.raw.estimate / 3


@pytest.mark.slow
def test_accuracies_and_differences_are_those_of_counting(moral):
    grid, examination = moral
    scores = {score.id: score for score in examination.item_scores()}
    for place, pair in enumerate(pairs_of(part(grid, examination))):
        rows = [(scores[item.id], int(code == RIGHT)) for item, code in zip(grid.items, grid.outcomes[:, place])]
        shares = {hit: np.mean([right for score, right in rows if score.correct == hit]) for hit in (True, False)}
        assert pair.record.on_right.share == pytest.approx(shares[True])
        assert pair.record.on_wrong.share == pytest.approx(shares[False])
        assert pair.record.raw.estimate == pytest.approx(shares[True] - shares[False])
        total = weights = 0.0
        for gold in ("Yes", "No"):
            ones = [right for score, right in rows if score.answer == gold and score.correct]
            zeros = [right for score, right in rows if score.answer == gold and not score.correct]
            if ones and zeros:
                weight = len(ones) * len(zeros) / (len(ones) + len(zeros))
                total, weights = total + weight * (np.mean(ones) - np.mean(zeros)), weights + weight
        assert pair.record.equal_gold.estimate == pytest.approx(total / weights)
