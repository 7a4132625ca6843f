"""The figures: SVG that parses, a dot per pair, boxes at the quartiles, and names of strangers."""

import dataclasses
from xml.etree import ElementTree

import numpy as np
import pytest
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.pairs import study
from hansproof.audit.replies.grid import Series
from hansproof.audit.report.study_figures import boxes, scatter

SVG = "{http://www.w3.org/2000/svg}"


def made(**changes):
    return study(simulated(World(benchmarks=5, models=3, families=3, **changes), np.random.default_rng(1)))


def nodes(drawing, tag, css):
    root = ElementTree.fromstring(drawing)
    return [node for node in root.iter(f"{SVG}{tag}") if css in (node.get("class") or "").split()]


def test_the_scatter_plot_has_a_dot_for_each_model_and_benchmark():
    result = made()
    dots = [node for node in nodes(scatter(result), "circle", "dot") if node.find(f"{SVG}title") is not None]
    assert len(dots) == 15
    assert dots[0].find(f"{SVG}title").text.startswith("model-0, simulated-0: ")
    assert {node.get("class") for node in dots} == {"dot h4"}


def test_a_higher_difference_stands_higher():
    result = made()
    dots = [node for node in nodes(scatter(result), "circle", "dot") if node.find(f"{SVG}title") is not None]
    heights = [float(dot.get("cy").rstrip("%")) for dot in dots]
    differences = [(pair.on_right.share - pair.on_wrong.share) for pair in result.pairs]
    assert np.corrcoef(heights, differences)[0, 1] == pytest.approx(-1)


def test_boxes_span_the_quartiles():
    result = made()
    drawing = boxes(result)
    rectangles = [node for node in nodes(drawing, "rect", "right") if "%" in node.get("y")]
    assert len(rectangles) == 3
    heights = [float(node.get("height").rstrip("%")) for node in rectangles]
    others = [
        np.percentile([p.on_right.share for p in result.pairs if p.model == f"model-{m}"], (25, 75)) for m in (0, 1, 2)
    ]
    spans = [top - bottom for bottom, top in others]
    assert np.array(heights) / heights[0] == pytest.approx(np.array(spans) / spans[0], rel=0.02)


def test_slanted_names_stay_inside_the_figure():
    each = simulated(World(models=12, families=3), np.random.default_rng(1))
    named = [
        dataclasses.replace(parted, series=tuple(Series(f"{place:02d}" * 20) for place in range(12))) for parted in each
    ]
    root = ElementTree.fromstring(boxes(study(named)))
    labels = [node for node in root.iter(f"{SVG}g") if "rotate" in (node.get("transform") or "")]
    assert len(labels) == 12
    for node in labels:
        x, y = map(float, node.get("transform").split("(")[1].split(")")[0].split())
        reach = 0.77 * 6.2 * len(node[0].text)  # at 40 degrees
        assert x + reach < float(root.get("width"))
        assert y + 0.65 * 6.2 * len(node[0].text) < float(root.get("height"))


def test_names_of_strangers_are_shown_and_do_nothing():
    each = simulated(World(models=3, families=3), np.random.default_rng(1))
    names = ("<script>x</script>", "a\u202eb\x1b[31m\ud800", "&" * 500)
    hostile = [dataclasses.replace(parted, series=tuple(Series(name) for name in names)) for parted in each]
    for drawing in (scatter(study(hostile)), boxes(study(hostile))):
        root = ElementTree.fromstring(drawing.encode())
        assert not list(root.iter(f"{SVG}script"))
        assert "\x1b" not in drawing


def test_axes_are_in_points_and_per_cent_as_tables_are():
    result = made()
    drawing = scatter(result)
    ticks = [node.text for node in nodes(drawing, "text", "quiet") if node.get("text-anchor") in ("end", "middle")]
    assert {"0", "30"} <= set(ticks)
    assert not any("." in tick for tick in ticks)
    pair = result.pairs[0]
    apart = f"{100 * (pair.on_right.share - pair.on_wrong.share):+.1f} points"
    assert f"<title>model-0, simulated-0: {apart}, kappa " in drawing
    assert "in points: probe right less probe wrong" in drawing
    assert ">accuracy in %<" in boxes(result)


@pytest.mark.parametrize("draw", [scatter, boxes])
def test_no_title_is_cut_however_little_there_is_to_draw(draw):
    for drawing in (draw(study([])), draw(made())):
        root = ElementTree.fromstring(drawing)
        for node, letter in ((*nodes(drawing, "text", "title"), 8.2), (nodes(drawing, "text", "quiet")[0], 5.8)):
            assert float(node.get("x")) + letter * len(node.text) < float(root.get("width"))


def test_nothing_to_draw_is_said():
    empty = study([])
    assert "No model answered items of both parts." in scatter(empty)
    assert "No benchmark has a shortcut." in boxes(empty)
