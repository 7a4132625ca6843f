"""Counting: shares with exact intervals, coverage, stability, aims, and the tables and figure made of them."""

import csv
import importlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def rooms(scripts):
    def room(name):
        return importlib.import_module(f"error_rates.{name}")

    return room


@pytest.fixture
def scenarios(rooms):
    texts = rooms("texts").Texts("some", ["text"] * 2000, [], None)
    return {scenario.name: scenario for scenario in rooms("catalogue").catalogue([texts])}


def records(rooms, name, *verdicts, vectors=({},)):
    make = rooms("records").Record
    return [make(name, i, verdict, "", 300 + i, 1.0, vectors[i % len(vectors)]) for i, verdict in enumerate(verdicts)]


WEAK = "cue: one word/balanced/kappa 0.1/n 300/some"
STRONG = "cue: one word/balanced/kappa 0.3/n 1000/some"
NULL = "answers permuted over items/k = 2, balanced/n 300/some"


def test_none_of_200_is_below_1_8_percent(rooms):
    # Clopper & Pearson: 1 - (.05 / 2) ** (1 / 200) = .0183.
    assert rooms("rates").Rate(0, 200).interval == pytest.approx((0, 0.01828), abs=1e-4)
    assert rooms("rates").Rate(5, 10).interval == pytest.approx((0.1871, 0.8129), abs=1e-4)


def test_leaks_is_wrong_at_point_one_and_right_at_point_three(rooms, scenarios):
    weak, strong = scenarios[WEAK].expected, scenarios[STRONG].expected
    assert "LEAKS" in weak.wrong
    assert ("LEAKS" in strong.right, "CLEAN" in strong.wrong) == (True, True)
    assert not weak.target.met(0.02)
    assert weak.target.met(0.01)
    assert strong.target.met(0.95)
    assert not strong.target.met(0.94)


def test_no_verdict_is_both_right_and_tolerable_and_inconclusive_is_never_wrong(scenarios):
    for scenario in scenarios.values():
        assert not scenario.expected.right & scenario.expected.tolerable
        assert "INCONCLUSIVE" not in scenario.expected.wrong


def test_aims_say_what_was_measured_and_whether_it_suffices(rooms, scenarios):
    made = [
        *records(rooms, NULL, "CLEAN", "CLEAN", "TRACES", "INCONCLUSIVE"),
        *records(rooms, WEAK, "TRACES", "CLEAN"),
        *records(rooms, STRONG, "LEAKS", "LEAKS", "LEAKS", "TRACES"),
    ]
    made += records(rooms, STRONG.replace("one word", "10 synonyms"), "LEAKS", "TRACES", "INCONCLUSIVE")
    bound = "one answer per template/equal sizes, groups found/n 600/made: template-only"
    made += records(rooms, bound, "TEMPLATE-BOUND", "INCONCLUSIVE", "LEAKS", "TRACES")
    table = rooms("tables").aims(list(scenarios.values()), made)
    assert table.splitlines()[2:] == [
        "| false alarms, answers permuted, n = 300 | <= 2 % | 25 | 0.6 to 80.6 | 4 | no |",
        "| LEAKS, one word of kappa .1, n = 300 | <= 1 % | 0 | 0.0 to 84.2 | 2 | not shown |",
        "| LEAKS, one word of kappa .3, n = 1,000 | >= 95 % | 75 | 19.4 to 99.4 | 4 | no |",
        "| LEAKS, 10 synonyms of kappa .3, n = 1,000 |  | 33 | 0.8 to 90.6 | 3 |  |",
        "| CLEAN, any cue of kappa .3 | <= 20 % | 0 | 0.0 to 41.0 | 7 | not shown |",
        "| one answer per template told from a leak, groups found, templates that detection was developed on | "
        ">= 85 % | 50 | 6.8 to 93.2 | 4 | no |",
    ]


def test_coverage_is_of_the_mean_over_redraws(rooms, scenarios):
    # Means .2 and 0; the second vector's intervals miss in a quarter of the redraws.
    vectors = [
        {"word-1-presence": (0.1, 0.0, 0.3), "word-2-tf": (-0.1, -0.3, 0.1)},
        {"word-1-presence": (0.3, 0.1, 0.5), "word-2-tf": (0.1, 0.05, 0.3)},
        {"word-1-presence": (0.1, 0.0, 0.3), "word-2-tf": (-0.1, -0.3, 0.1)},
        {"word-1-presence": (0.3, 0.1, 0.5), "word-2-tf": (0.1, -0.1, 0.3)},
    ]
    made = records(rooms, STRONG, *["LEAKS"] * 16, vectors=vectors)
    [coverage] = rooms("rates").coverages(list(scenarios.values()), made)
    assert (coverage.fixed.count, coverage.fixed.total) == (16, 16)
    assert (coverage.every.count, coverage.every.total) == (28, 32)
    # True sd .1033; reported .35 / 3.92 = .0893 and .3625 / 3.92 = .0925.
    assert coverage.spread == pytest.approx((0.1033 / 0.0893 + 0.1033 / 0.0925) / 2, abs=0.002)
    assert rooms("rates").coverages(list(scenarios.values()), made[:14]) == []


def test_coverage_of_the_strongest_vector_knows_that_it_was_chosen(rooms, scenarios):
    # Means .3 and .15; whichever vector is larger by chance has an interval above its mean.
    vectors = [
        {"word-1-presence": (0.5, 0.4, 0.6), "word-2-tf": (0.0, -0.1, 0.2)},
        {"word-1-presence": (0.1, 0.0, 0.4), "word-2-tf": (0.3, 0.2, 0.4)},
    ]
    made = records(rooms, STRONG, *["LEAKS"] * 16, vectors=vectors)
    [coverage] = rooms("rates").coverages(list(scenarios.values()), made)
    assert (coverage.strongest.count, coverage.strongest.total) == (0, 16)
    assert (coverage.fixed.count, coverage.every.count) == (8, 16)


def test_stability_is_the_share_of_the_most_frequent_verdict(rooms, scenarios):
    name = "same items, other seeds and orders/answers planted/kappa 0.25/n 400/some"
    [stable] = rooms("rates").stabilities(list(scenarios.values()), records(rooms, name, "LEAKS", "TRACES", "LEAKS"))
    assert (stable.verdict, stable.rate.share, stable.others) == ("LEAKS", pytest.approx(2 / 3), {"TRACES": 1})
    assert rooms("rates").cases(list(scenarios.values()), records(rooms, name, "LEAKS")) == []


def test_real_texts_are_pooled_and_made_ones_stand_apart(rooms):
    texts = [rooms("texts").Texts(name, ["text"] * 300, [], None) for name in ("first", "second")]
    scenarios = rooms("catalogue").catalogue(texts)
    made = [
        record
        for scenario in scenarios
        if scenario.name.startswith((NULL[:-4], "one answer per template/equal sizes, groups given"))
        for record in records(rooms, scenario.name, "CLEAN", "LEAKS")
    ]
    rows = rooms("rates").cases(scenarios, made)
    assert [(row.texts, row.total) for row in rows if "permuted" in row.family] == [(("first", "second"), 4)]
    assert all(len(row.texts) == 1 for row in rows if "template" in row.family)
    assert {row.items for row in rows} == {300}  # the mean of 300 and 301, rounded to even


def test_the_figure_has_a_point_per_strength_and_size_and_fetches_nothing(rooms, scenarios):
    made = [*records(rooms, WEAK, "TRACES"), *records(rooms, STRONG, "LEAKS"),
            *records(rooms, STRONG.replace("0.3", "0.1"), "LEAKS", "TRACES")]  # fmt: skip
    svg = rooms("curves").power_curves(rooms("rates").cases(list(scenarios.values()), made))
    tree = ElementTree.fromstring(svg)
    points = tree.findall(".//{*}circle")
    assert len(points) == 3
    # 1,000 items: half at .1 and all at .3, from a plot that is 190 high.
    [weak, strong] = sorted(points, key=lambda point: float(point.get("cy")))[::-1][-2:]
    assert float(weak.get("cy")) - float(strong.get("cy")) == pytest.approx(95)
    assert svg.count("http") == 1


def test_a_line_that_was_cut_off_is_done_again(rooms, tmp_path):
    room, path = rooms("records"), tmp_path / "records.jsonl"
    assert room.start(path, {"seed": 1}, resume=True) == []
    kept = records(rooms, NULL, "CLEAN", vectors=({"word-1-tf": (0.1, None, None)},))
    room.append(path, kept)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"scenario": "half')
    assert room.start(path, {"seed": 1}, resume=True) == kept
    room.append(path, kept)
    assert room.read_records(path)[1] == kept * 2


def test_the_run_list_leaves_out_what_is_done(rooms, scenarios):
    chosen = rooms("catalogue").chosen(list(scenarios.values()), ["cue: *kappa 0.1/n 300"], 3)
    done = records(rooms, WEAK, "CLEAN", "CLEAN")
    assert rooms("running").tasks(chosen, done) == [(WEAK, 2)]


def test_a_share_of_the_repeats_is_kept_and_important_scenarios_come_first_in_turn(rooms, scenarios):
    catalogue = rooms("catalogue")
    chosen = catalogue.chosen(
        list(scenarios.values()), ["kappa 0.1/n 300/", "kappa 0.3/n 1000/", "kappa 0.2/n 300"], None, 0.02
    )
    repeats = {scenario.name: scenario.repeats for scenario in chosen}
    assert repeats[WEAK] == 4  # of 200
    assert repeats[STRONG] == 1  # of 30
    tasks = rooms("running").tasks(chosen, [])
    assert tasks[:5] == [(WEAK, 0), (WEAK, 1), (STRONG, 0), (WEAK, 2), (WEAK, 3)]
    ranks = [catalogue.rank(scenarios[name]) for name, _ in tasks]
    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2}


def tabled(rooms):
    """The published cases of answers as labels, as they were counted."""
    with (ROOT / "benchmarks/error_rates/published/labels-cases.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    rows = []
    for cells in lines:
        items = int(cells["n"].replace(",", ""))
        counts = {name: int(cells[name] or 0) for name in rooms("scenario").VERDICTS if name in cells}
        assert sum(counts.values()) == int(cells["audits"])
        rows.append(rooms("rates").Case(
            cells["planted"], cells["case"], float(cells["kappa"]) if cells["kappa"] else None,
            items, items, tuple(cells["texts"].split(", ")), rooms("scenario").Expected(frozenset()), counts,
        ))  # fmt: skip
    return rows


@pytest.mark.parametrize(
    ("line", "family", "kappa", "n"),
    [
        ("LEAKS, one word of kappa .1, n = 300", "cue: one word", 0.1, 300),
        ("LEAKS, one word of kappa .3, n = 1,000", "cue: one word", 0.3, 1000),
        ("LEAKS, 10 synonyms of kappa .3, n = 1,000", "cue: 10 synonyms", 0.3, 1000),
        ("LEAKS, 50 synonyms of kappa .3, n = 300", "cue: 50 synonyms", 0.3, 300),
        ("LEAKS, capitals of kappa .3, n = 600", "cue: capitals", 0.3, 600),
    ],
)
def test_the_published_aims_are_those_of_the_published_cases(rooms, line, family, kappa, n):
    rows = [row for row in tabled(rooms) if row.family == family and row.kappa == kappa and row.n == n]
    rate = rooms("rates").pooled(rows, {"LEAKS"})
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    [cells] = [row.split("|") for row in page.splitlines() if row.startswith(f"| {line} |")]
    shown = [cell.strip() for cell in cells[3:6]]
    low, high = rate.interval
    assert shown == [rooms("tables")._percent(rate.share), f"{100 * low:.1f} to {100 * high:.1f}", f"{rate.total}"]


def test_the_shipped_figure_is_what_todays_code_draws_of_the_published_table(rooms, scenarios):
    # Panels stand in the order of the scenarios; those with templates, which these texts lack, come last.
    order = [*dict.fromkeys(scenario.family for scenario in scenarios.values()), "cue: one word, in templates"]
    rows = [row for row in tabled(rooms) if row.family.startswith("cue: ")]
    drawn = rooms("curves").power_curves(sorted(rows, key=lambda row: order.index(row.family)))
    assert (ROOT / "docs" / "error-rates.svg").read_text(encoding="utf-8") == drawn


def test_no_key_of_the_shipped_figure_runs_into_the_next():
    texts = ElementTree.parse(ROOT / "docs" / "error-rates.svg").getroot().findall(".//{*}text")
    keys = [(float(text.get("y")), float(text.get("x")), text.text) for text in texts if text.text.startswith("n = ")]
    beside = [(a, b) for a, b in zip(sorted(keys), sorted(keys)[1:]) if a[0] == b[0]]
    assert beside
    for (_, left, text), (_, right, _) in beside:
        # A letter is up to 7 wide, and the line of the next key starts 29 before its text.
        assert left + 7 * len(text) <= right - 29
