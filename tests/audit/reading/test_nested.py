"""Questions nested in passages, as their authors release them; the texts are ours."""

import json

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError

N = 12


def written(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def squad(articles):
    return {
        "version": "v2.0",
        "data": [
            {
                "title": f"Foxes {number}",
                "paragraphs": [
                    {
                        "context": f"Fox {number} sleeps in a den.",
                        "qas": [
                            {
                                "id": f"{number}a",
                                "question": "Where?",
                                "answers": [{"text": "a den", "answer_start": 17}],
                            },
                            {"id": f"{number}b", "question": "Why?", "answers": [], "is_impossible": True},
                        ],
                    }
                ],
            }
            for number in range(articles)
        ],
    }


def test_the_articles_of_squad_give_one_item_per_question_and_keep_an_article_together(tmp_path):
    benchmark = load(written(tmp_path / "dev.json", squad(6)))
    assert benchmark.mapping.format == "SQuAD JSON"
    assert benchmark.prompts[:2] == ["Fox 0 sleeps in a den.\nWhere?", "Fox 0 sleeps in a den.\nWhy?"]
    assert benchmark.answers[:2] == ["a den", "unanswerable"]
    assert benchmark.groups[:3] == ["Foxes 0", "Foxes 0", "Foxes 1"]
    assert benchmark.ids[:2] == ["0a", "0b"]
    assert benchmark.notes == ("6 questions have no answer on purpose; their gold is 'unanswerable'",)
    assert load(tmp_path / "dev.json", Columns(recipe="squad-2")).answers == benchmark.answers


def test_the_passages_of_drop_are_named_by_their_keys(tmp_path):
    passages = {
        f"nfl_{n}": {
            "passage": f"They won {n} games.",
            "qa_pairs": [
                {"question": "How many?", "answer": {"number": str(n), "date": {}, "spans": []}, "query_id": "q"}
            ],
        }
        for n in range(N)
    }
    benchmark = load(written(tmp_path / "drop.json", passages), Columns(recipe="drop"))
    assert benchmark.answers[:3] == ["0", "1", "2"]
    assert benchmark.groups[:2] == ["nfl_0", "nfl_1"]
    assert benchmark.prompts[1] == "They won 1 games.\nHow many?"


def race(number):
    return {
        "id": f"high{number}.txt", "article": f"Fox {number} runs.", "questions": ["Who?", "What next?"],
        "options": [["it", "she", "he", "they"], ["rest", "eat", "play", "hide"]], "answers": ["A", "D"],
    }  # fmt: skip


def test_the_parallel_lists_of_a_race_passage_become_items_with_options(tmp_path):
    for path in (written(tmp_path / "1.txt", race(1)), lines(tmp_path / "all.jsonl", map(race, range(N)))):
        benchmark = load(path, Columns(recipe="race"))
        options = benchmark.options
        assert [texts[gold] for texts, gold in zip(options.texts, options.gold)][:2] == ["it", "hide"]
        assert benchmark.groups[0] == benchmark.groups[1]
    assert load(tmp_path / "all.jsonl").prompts[3] == "Fox 1 runs.\nWhat next?"


def test_the_theories_of_proof_writer_and_rule_taker_become_items(tmp_path):
    asked = {"Q1": {"question": "Red?", "answer": True, "QDep": 0}, "Q2": {"question": "Big?", "answer": "Unknown"}}
    theories = [{"id": f"t{n}", "theory": f"Fox {n} is red.", "questions": asked} for n in range(N)]
    benchmark = load(lines(tmp_path / "meta.jsonl", theories))
    assert benchmark.answers[:2] == ["true", "Unknown"]
    assert (benchmark.groups[:2], benchmark.ids[1]) == (["t0", "t0"], "t0-Q2")
    asked = [{"id": "a", "text": "Red?", "label": True}, {"id": "b", "text": "Big?", "label": False}]
    theories = [{"id": f"t{n}", "context": f"Fox {n} is red.", "questions": asked} for n in range(N)]
    benchmark = load(lines(tmp_path / "rules.jsonl", theories))
    assert benchmark.prompts[1] == "Fox 0 is red.\nBig?"
    assert benchmark.answers[:2] == ["true", "false"]


def pronto(number):
    worked = {"question": "Each wug is red.", "query": "True or false: it is.", "answer": "True"}
    return {"in_context_example0": worked, "test_example": {
        "question": f"Each zup {number} is big.", "query": "True or false: Max is big.", "chain_of_thought": ["x"],
        "answer": ("True", "False")[number % 2]}}  # fmt: skip


def test_of_each_example_of_pronto_qa_the_last_question_is_read(tmp_path):
    path = written(tmp_path / "1hop.json", {f"example{n}": pronto(n) for n in range(1, N + 1)})
    benchmark = load(path, Columns(recipe="prontoqa"))
    assert benchmark.prompts[0] == "Each zup 1 is big.\nTrue or false: Max is big."
    assert benchmark.answers[:2] == ["False", "True"]
    assert benchmark.ids[0] == "example1"
    assert load(path).prompts == benchmark.prompts


@pytest.mark.parametrize(
    "broken",
    [None, 7, [], {}, {"title": "t"}, {"title": "t", "paragraphs": [{"context": "c"}]}, {"paragraphs": [[["x"]]]},
     {"paragraphs": [{"context": "c", "qas": [{"question": "q"}]}]}],
)  # fmt: skip
def test_an_article_that_cannot_be_read_is_left_out_and_listed(broken, tmp_path):
    value = squad(15)
    value["data"].insert(9, broken)
    benchmark = load(written(tmp_path / "dev.json", value))
    assert len(benchmark.prompts) == 30
    assert len(benchmark.left_out) <= 1
    for row in benchmark.left_out:
        assert row.place.startswith("article 10, paragraph 1")
        assert row.reason in ("a passage whose questions cannot be read", "no answer")


def test_lists_of_unequal_length_in_a_passage_are_a_fault_and_no_shorter_passage(tmp_path):
    rows = [race(n) for n in range(N)]
    rows[4]["answers"].append("B")
    benchmark = load(lines(tmp_path / "all.jsonl", rows), Columns(recipe="race"))
    assert len(benchmark.prompts) == 2 * (N - 1)
    assert benchmark.left_out[0].place == "line 5"


def test_an_object_of_records_by_name_is_not_a_table_of_columns(tmp_path):
    named = {f"q{n}": {"question": f"Is {n} odd?", "answer": ("no", "yes")[n % 2]} for n in range(N)}
    benchmark = load(written(tmp_path / "named.json", named))
    assert benchmark.mapping.format == "JSON, records by name"
    assert (benchmark.ids[1], benchmark.prompts[1], benchmark.answers[1]) == ("q1", "Is 1 odd?", "yes")
    columns = {
        "question": {str(n): f"Is {n} odd?" for n in range(N)},
        "answer": {str(n): "yn"[n % 2] for n in range(N)},
    }
    assert load(written(tmp_path / "columns.json", columns)).mapping.format == "JSON, columns by index"


def test_columns_by_split_are_items_with_a_split_and_not_three_records(tmp_path):
    columns = {"text": [f"Fox {n} runs." for n in range(N)], "label": ["yn"[n % 2] for n in range(N)]}
    benchmark = load(written(tmp_path / "splits.json", {"train": columns, "dev": columns, "test": columns}))
    assert (len(benchmark.prompts), benchmark.splits[N], benchmark.prompts[N]) == (3 * N, "dev", "Fox 0 runs.")


def test_a_document_nested_a_million_deep_is_one_clear_line(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text('{"data": [' + "[" * 10**6 + "]" * 10**6 + "]}", encoding="utf-8")
    with pytest.raises(InputError, match=r"nested too deeply|without a list of records"):
        load(path)
