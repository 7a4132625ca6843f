"""A folder of benchmarks: every file is tried, and a failure keeps its place."""

from audit.loading import expand
from audit.scan import scan

ITEMS = "question,label\n" + "".join(f"Is number {n} odd?,{('yes', 'no')[n % 2]}\n" for n in range(20))


def test_a_file_that_cannot_be_read_is_listed_with_its_place_and_stops_nothing(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"question": "x"}\n{"question" "y"}\n', encoding="utf-8")
    (tmp_path / "b.csv").write_text(ITEMS, encoding="utf-8")
    (tmp_path / "c.csv").write_text("only one column\n1\n", encoding="utf-8")
    outcome = scan(str(tmp_path), expand(str(tmp_path)))
    assert [result.name for result in outcome.results] == ["b"]
    broken, without_columns = outcome.failures
    assert broken.place == f"{tmp_path}/a.jsonl: line 2 column 13"
    assert broken.reason == "broken JSON: expecting ':' delimiter"
    assert without_columns.place == f"{tmp_path}/c.csv"
    assert without_columns.reason.startswith("no column is recognised as the answer")
