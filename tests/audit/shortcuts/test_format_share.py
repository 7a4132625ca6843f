import numpy as np
import pytest

from hansproof.audit.probes.crossfit import Fitting, crossfit
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.shortcuts.form import Folding, format_marks, format_share
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import by_name

WORDS = ["river", "stone", "cloud", "garden", "letter", "window", "bridge", "market"]
LABELS = ["False", "True"]
Y = np.arange(120) % 2
ALONE = np.arange(120)
FITTING = Fitting(3)


def texts(cue):
    rng = np.random.default_rng(2)
    return [cue(" ".join(rng.choice(WORDS, 6)), answer) for answer in Y]


def share(benchmark):
    vectors = [by_name("word-1-tf"), by_name("gpt2-1-tf"), by_name("format")]
    table = FeatureTable.build(benchmark, dense=["format"])
    scores = crossfit(LabelTask.of(table, Y, 2), ALONE, vectors, FITTING, scheme="random")
    return format_share(benchmark, Y, LABELS, scores, "gpt2-1-tf", FITTING, Folding(ALONE, "random"))


def test_a_cue_of_line_breaks_vanishes_from_clean_text_and_is_named():
    result = share(texts(lambda words, answer: f"{words}\n\n{words}" if answer else f"{words}\n\n\n\n{words}"))
    deciding, other = result.kappas
    assert (deciding.vector, other.vector) == ("gpt2-1-tf", "format")
    assert (deciding.raw, other.raw) == (1, 1)
    assert abs(deciding.clean) < 0.3
    assert other.clean == pytest.approx(0, abs=0.3)
    assert result.changed == 120
    mark = result.marks[0]
    assert (mark.mark, mark.label, mark.mean, mark.others) == ("number of line breaks", "False", 4, 2)
    assert len(result.marks) == 1  # longest run and empty lines say the same


def test_of_a_very_large_benchmark_both_kappas_are_of_probes_of_the_part_alone():
    benchmark = texts(lambda words, answer: f"{words} {'indeed' if answer else 'never'}")
    # Beyond the first 60 items the cue is the other way round, so probes of all items would be of no use in the part.
    benchmark = [*benchmark[:60], *(text.replace("indeed", "never") for text in benchmark[60:])]
    vectors = [by_name("word-1-tf"), by_name("gpt2-1-tf")]
    scores = crossfit(LabelTask.of(FeatureTable.build(benchmark), Y, 2), ALONE, vectors, FITTING, scheme="random")
    whole, part = (
        format_share(benchmark, Y, LABELS, scores, "gpt2-1-tf", FITTING, Folding(ALONE, "random"), part=rows).kappas[0]
        for rows in (None, np.arange(60))
    )
    assert whole.raw < 0.7
    assert (part.raw, part.clean) == (1, 1)


def test_a_cue_of_words_stays_on_clean_text():
    entry = share(texts(lambda words, answer: f"{words} {'indeed' if answer else 'never'}")).kappas[0]
    assert (entry.raw, entry.clean) == (1, 1)


def test_no_mark_is_named_by_chance_and_a_share_is_a_share():
    rng = np.random.default_rng(1)
    noise = [" ".join(rng.choice(WORDS, 6)) + "." * rng.integers(2) for _ in Y]
    assert format_marks(noise, Y, LABELS) == []
    ends = format_marks([f"a river{'.' if answer else ''}" for answer in Y], Y, LABELS)[0]
    assert (ends.mean, ends.others) == (1, 0)  # of two answers, the one that has more of it
    assert format_marks(["same"] * 120, Y, LABELS) == []


def test_an_unknown_vector_is_refused():
    with pytest.raises(ValueError, match="no scores of the vector 'length'"):
        format_share(["a"], Y[:1], LABELS, [], "length", FITTING, Folding(ALONE[:1], "random"))
