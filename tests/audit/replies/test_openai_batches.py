"""The output of an OpenAI batch: answers by `custom_id`, which need their items."""

import json

import made_logs
import pytest

from hansproof import score
from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item

ROWS = [(str(n), f"Is {n} so?", "yes", "yes" if n % 3 else "no", bool(n % 3)) for n in range(6)]
DATA = {"dataset": "d", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": ["yes"]}
ITEMS = [Item(id, asked, ("yes", "no"), "yes", id, "", DATA) for id, asked, *_ in ROWS]


def test_a_batch_is_scored_by_its_custom_ids(tmp_path):
    path = made_logs.batch_output(tmp_path / "batch.jsonl", ROWS)
    (report,) = score(path, ITEMS)
    assert (report.model, report.lines[0].right.hits, report.lines[0].items) == ("gpt-4o-2024-08-06", 4, 6)
    with pytest.raises(InputError, match="do not hold what was asked, so the items are needed"):
        items_of_replies(list(read_replies(path)))


def test_choices_are_runs_and_failed_requests_have_no_reply(tmp_path):
    path = made_logs.batch_output(tmp_path / "batch.jsonl", ROWS[:2], choices=2)
    failed = {"id": "b", "custom_id": "5", "response": None, "error": {"code": "batch_expired", "message": "too late"}}
    refused = {"id": "b", "custom_id": "4", "response": {"status_code": 400, "body": {"error": {}}}, "error": None}
    path.write_text(path.read_text() + json.dumps(failed) + "\n" + json.dumps(refused) + "\n")
    assert [(reply.id, reply.run, reply.reply) for reply in read_replies(path)] == [
        ("0", "", "no"), ("0", "sample 2", "no"), ("1", "", "yes"), ("1", "sample 2", "yes"), ("5", "", None),
        ("4", "", None),
    ]  # fmt: skip


def test_the_other_endpoints_are_read_too(tmp_path):
    output = [{"type": "reasoning", "summary": []},
              {"type": "message", "content": [{"type": "output_text", "text": "yes"}]}]  # fmt: skip
    bodies = [{"output": output}, {"choices": [{"index": 0, "text": "no"}]}, {"choices": []}, {"output": 3}]
    rows = [{"custom_id": str(n), "response": {"body": body}, "error": None} for n, body in enumerate(bodies)]
    path = made_logs.lines(tmp_path / "batch.jsonl", rows)
    assert [reply.reply for reply in read_replies(path)] == ["yes", "no", None, None]
    path.write_text(2 * path.read_text() + '{"id": "x"}\n')
    with pytest.raises(
        InputError, match=r"batch\.jsonl: line 9: is no entry of OpenAI batch output, .* needs custom_id"
    ):
        list(read_replies(path))


@pytest.mark.parametrize("whole", ["items", "replies"])
def test_ids_that_a_table_has_made_floats_of_find_their_items(tmp_path, whole):
    path = tmp_path / "r.csv"
    point, plain = ("", ".0") if whole == "replies" else (".0", "")
    path.write_text("id,reply\n" + "".join(f"{id}{plain},{said}\n" for id, _, _, said, _ in ROWS))
    items = [Item(f"{item.id}{point}", *list(vars(item).values())[1:]) for item in ITEMS]
    reports = score(path, items)
    assert (reports[0].lines[0].right.hits, reports[0].lines[0].missing) == (4, 0)
    assert reports.joined.read.by_id == {"": 6}
    # Where both forms occur, each is its own, and a third belongs to neither.
    both = [*ITEMS, Item("1.0", "Is it?", ("yes", "no"), "yes", "g", "", DATA)]
    path.write_text("id,reply\n1.0,yes\n2,yes\n")
    outcomes = {each.item.id: each.missing for each in score(path, both)[0].outcomes}
    assert [id for id, missing in outcomes.items() if not missing] == ["2", "1.0"]


def test_ids_of_no_item_are_told_with_those_of_the_items(tmp_path):
    bench, path = tmp_path / "bench.csv", tmp_path / "r.csv"
    bench.write_text("Frage-ID,question,answer\n" + "".join(f"{id},{asked},{gold}\n" for id, asked, gold, *_ in ROWS))
    path.write_text("id,reply\n" + "".join(f"{id},{said}\n" for id, _, _, said, _ in ROWS))
    message = r"no item has the id '0'; its items have no ids, and are called such as 'bench.csv: line 2': name .*--id"
    with pytest.raises(InputError, match=message):
        score(path, bench)
    assert score(path, bench, item_columns={"id": "Frage-ID"})[0].lines[0].right.hits == 4
    path.write_text("id,reply\nx,yes\n")
    with pytest.raises(InputError, match=r"no item has the id 'x'; its items have ids such as '0'"):
        score(path, bench, item_columns={"id": "Frage-ID"})
