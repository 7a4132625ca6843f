"""The figure of z against count: labels never overlap, positions follow the numbers."""

import numpy as np
import pytest
from made_ngrams import ngram, survey

from hansproof.audit.report.audit_figures import HEIGHT, scatter

LETTER = 7.2  # of 12-pixel monospace type


def boxes(drawing, layout, width):
    for label in drawing.labels:
        if label.layout == layout:
            x = float(label.x.rstrip("%")) / 100 * width + label.shift
            size = LETTER * len(label.text)
            yield x - (size if label.anchor == "end" else 0), label.y - 10, size


@pytest.mark.parametrize(("layout", "widths"), [("narrow", (235, 300, 600)), ("wide", (560, 900, 1200))])
@pytest.mark.parametrize("seed", range(8))
def test_labels_overlap_at_no_width(layout, widths, seed):
    random = np.random.RandomState(seed)
    words = ["usually", "is not", "w", "a very long pair of words"]
    counts, zs = random.randint(5, 5000, 20), random.uniform(4, 6 + 4 * seed, 20)
    drawing = scatter(survey([ngram(words[k % 4], int(counts[k]), float(zs[k])) for k in range(20)]))
    for width in widths:
        placed = list(boxes(drawing, layout, width))
        assert len(placed) >= 3
        for k, (left, top, size) in enumerate(placed):
            assert left >= 0
            assert left + size <= width
            for other_left, other_top, other_size in placed[:k]:
                apart = left + size <= other_left or other_left + other_size <= left or abs(top - other_top) >= 12
                assert apart


def test_counts_are_on_a_logarithmic_axis_and_z_grows_upwards():
    drawing = scatter(survey())
    x = {tick.text: float(tick.at.rstrip("%")) for tick in drawing.across}
    assert x["20"] - x["10"] == pytest.approx(x["100"] - x["50"], abs=0.02)
    worst, second = drawing.rings
    assert worst.y < second.y < HEIGHT
    assert float(worst.x.rstrip("%")) > float(second.x.rstrip("%"))
    assert float(drawing.up[0].at) == HEIGHT


def test_the_curve_is_drawn_even_if_no_ngram_reaches_it():
    clean = survey([], significant=0, cells=survey().cells[:2])
    (points,) = scatter(clean).curves
    assert len(points.split()) == 3
    assert all(0 <= float(pair.split(",")[1]) <= HEIGHT for pair in points.split())


def test_white_space_is_drawn_in_labels():
    assert {label.text for label in scatter(survey()).labels} == {"not", "⏎⏎"}


def test_no_ngrams_give_no_figure():
    assert scatter(survey([], cells=[], curves=[])) is None
