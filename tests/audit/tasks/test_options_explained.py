"""What a report on options says besides: the ladder, parts of the question, single n-grams, saved effort."""

from io import StringIO

import made_options
import pytest
from rich.console import Console

import hansproof
from hansproof.audit.probes import folds
from hansproof.audit.report.audit_document import render
from hansproof.audit.report.audit_screen import show
from hansproof.audit.tasks.options.option_crossfit import OptionTask
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.views import tables

QUICK = {"permutations": 99, "splits": 1, "folds": 3, "workers": 1}


def surely(text):
    return f"{text} surely"


@pytest.fixture(scope="module")
def told():
    """The right option shares a word with the passage, not with the question; half of them have a word of their own."""
    rows = made_options.rows(120, surely, 0.5)
    for n, row in enumerate(rows):
        words = row["choices"][row["answer"]].split()[:2]
        row["passage"] = f"In a story of {n} there were {words[0]} and {words[1]}."
    return hansproof.audit(rows, template="{passage}\n{question}", **{**QUICK, "splits": 2})


def test_options_are_probed_alone_and_beside_each_part(told):
    parts = {entry.name: entry for entry in told.partial.inputs}
    assert list(parts) == ["options only", "options and passage", "options and question"]
    alone = parts["options only"].kappa
    assert 0.3 < alone < 0.7
    assert parts["options and passage"].kappa > 0.9
    assert parts["options and question"].kappa == pytest.approx(alone, abs=0.2)
    assert told.partial.whole > 0.8
    assert (told.partial.splits, told.schemes[0].splits) == (1, 2)


def test_the_ladder_and_the_ngrams_are_those_of_options(told):
    assert told.ladder.enough == told.ladder.best == "question"
    assert told.ladder.sentence.startswith("The words that option and question share are needed: kappa ")
    assert [rung.name for rung in told.ladder.rungs][:3] == ["constant", "position", "length"]
    assert told.ladder.ngram.ngram.strip() == "surely"
    ngrams = told.single_ngrams
    assert (ngrams.unit, ngrams.units) == ("item", 120)
    assert (ngrams.worst[0].ngram.strip(), ngrams.worst[0].label) == ("surely", "the right option")
    assert [label.base_rate for label in ngrams.labels] == pytest.approx([0.25, 0.75])


def test_the_verdict_says_what_is_reached_without_the_question(told):
    assert told.verdict == "LEAKS"
    assert "which words of an option the question has; without the question the best probe has kappa" in told.reason


def test_a_reader_sees_them(told):
    console = Console(width=130, record=True, file=StringIO())
    show(told, console)
    text, page = console.export_text(), render(told)
    for words in (
        "simplest",
        "likeness",
        "option and question",
        "options and passage ",
        "options and the whole question",
    ):
        assert words in text
    for words in (
        "What options beside parts of the question predict",
        "options that contain it are right",
        "a rule or a",
    ):
        assert words in page


def test_many_items_are_measured_with_less_repetition(monkeypatch):
    monkeypatch.setattr(folds, "FULL", 60)
    rows = made_options.rows(150)
    result = hansproof.audit(rows, **{**QUICK, "splits": 5})
    assert (result.effort.splits, result.schemes[0].splits) == (2, 2)
    assert any("refitting and injected cues were measured on 60 of the items" in note for note in result.notes)
    full = hansproof.audit(rows, **{**QUICK, "splits": 2}, thorough=True)
    assert full.effort is None
    assert result.ladder.rungs[0].splits == 2


def test_some_items_are_a_pool_of_their_own():
    made = made_options.benchmark([row for k in (2, 3, 5) for row in made_options.rows(8, k=k, seed=k)])
    pool = OptionPool.of(made, made.options)
    bed = OptionTask(tables(pool), pool)
    items = pool.strata.argsort(kind="stable")[5:15]
    items.sort()
    part = bed.taken(items)
    assert part.pool.n == 10
    assert [part.pool.texts[row] for row in part.pool.gold] == [pool.texts[row] for row in pool.gold[items]]
    assert part.pool.questions == [pool.questions[item] for item in items]
    assert (part.tables["option"].counts("word") != bed.tables["option"].counts("word")[pool.rows_of(items)]).nnz == 0


def test_the_most_predictable_items_are_listed_by_the_number_that_stands_beside_them():
    rows = made_options.rows(120, surely, 0.5)
    for n, row in enumerate(rows):
        if n % 3 == 0 and row["answer"] < 2:  # where there are two options, a smaller lead is a larger share
            row["choices"] = row["choices"][:2]
    result = hansproof.audit(rows, **QUICK)
    shown = [item.probability for item in result.giveaways]
    assert len(shown) == 10
    assert shown == sorted(shown, reverse=True)
    stream = StringIO()
    show(result, Console(file=stream, width=120))
    assert "probability by the probe of " in stream.getvalue()
    assert "These are the items whose right options stand out most from the wrong ones" in render(result)
