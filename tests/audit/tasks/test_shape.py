"""A fourth shape of benchmark is one class, which the driver takes to a result."""

import msgspec
import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.shape import Assessed, Found, Guess, Shape, assess, not_assessed, result_of
from hansproof.audit.verdict.rule import Judgement
from hansproof.generators.errors import NotAssessedError


class Even(Shape):
    """Judges nothing, and says of every second item what its answer is."""

    unused = ("trees", "fast")
    why_unused = "nothing is fitted"

    def ordered(self, benchmark):
        return benchmark.in_text_order()

    def measure(self):
        return Assessed([], Judgement("TRACES", "so it is.", "even", "grouped"))

    def tell(self):
        return Found(advice=["do it"], notes=["mind it"])

    def guesses(self):
        for at, answer in enumerate(self.items.answers):
            if at % 2 == 0:
                yield at, Guess(answer, True, None, {})


def rows(n=12):
    made = [{"prompt": f"what is {k}?", "answer": "ab"[k % 2], "pair": f"g{k // 3}"} for k in range(n)]
    return [*made, {**made[0], "answer": "b"}]


def audited(settings, data=None):
    benchmark = load(data or rows(), Columns(group="pair"))
    return assess(Even, Even.noted(benchmark, settings), settings)


def test_groups_duplicates_notes_and_scores_come_from_the_driver():
    audit = audited(make_settings(trees=True))
    result = result_of(audit)
    assert (result.verdict, result.reason, result.vector, result.schemes) == ("TRACES", "so it is.", None, [])
    assert (result.groups.count, result.duplicates.conflicting_sets) == (4, 1)
    assert result.advice == ["do it", "1 text occurs with more than one gold answer: correct or remove the items."]
    assert result.notes[-2:] == ["not used: trees, because nothing is fitted", "mind it"]
    assert [(entry.label, entry.count) for entry in result.labels] == [("b", 7), ("a", 6)]
    scores = audit.item_scores()
    ids = [f"row {k}" for k in range(1, 14)]
    assert [score.id for score in scores] == [id for id in ids if id in {score.id for score in scores}]
    assert len(scores) == 7
    assert {score.vector for score in scores} == {"even"}
    assert msgspec.json.decode(msgspec.json.encode(scores))[0]["correct"] is True


def test_all_items_in_one_group_are_refused():
    data = [{**row, "pair": "all"} for row in rows()]
    with pytest.raises(NotAssessedError, match="All 13 items belong to one group"):
        audited(make_settings(), data)
    result = not_assessed(load(rows(), Columns()), "no.", make_settings(fast=True))
    assert (result.verdict, result.evidence_scheme, result.duplicates, result.notes) == ("NOT ASSESSED", None, None, [])


def test_clean_names_the_columns_that_were_not_read():
    """A cue that stands in them makes it false."""

    class Blameless(Even):
        def measure(self):
            return Assessed([], Judgement("CLEAN", "nothing was found.", "even", "grouped"))

    data = [{**row, "ans0": f"a long text of the row number {at}"} for at, row in enumerate(rows())]
    benchmark = load(data, Columns(group="pair"))
    result = result_of(assess(Blameless, benchmark, make_settings()))
    assert result.reason == "this is without the columns that were not read: ans0. Nothing was found."
