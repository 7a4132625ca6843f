"""COPA's XML, tables without a header line, and labels beside the items."""

import hashlib
import json
from contextlib import suppress

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.repair.harden import kept_rows
from hansproof.generators.errors import InputError
from hansproof.generators.input import ABSENT, recording

N = 12


def golds(benchmark):
    options = benchmark.options
    return [texts[gold] for texts, gold in zip(options.texts, options.gold)]


def copa(item, head=""):
    items = "".join(item.format(n=n, right=n % 2 + 1) for n in range(N))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}<copa-corpus version="1.0">{items}</copa-corpus>'


ITEM = (
    '<item id="{n}" asks-for="cause" most-plausible-alternative="{right}"><p>Fox {n} &amp; cub ran.</p>'
    "<a1>They heard {n} dogs.</a1>\n<a2>They slept.</a2></item>"
)


def test_copa_s_xml_has_the_columns_of_its_superglue_form(tmp_path):
    path = tmp_path / "copa-dev.xml"
    path.write_text(copa(ITEM, '<!DOCTYPE copa-corpus SYSTEM "copa.dtd">\n'), encoding="utf-8")
    benchmark = load(path, Columns(recipe="copa"))
    assert benchmark.prompts[0] == "Fox 0 & cub ran.\ncause"
    assert golds(benchmark)[:2] == ["They heard 0 dogs.", "They slept."]
    assert golds(load(path)) == golds(benchmark)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (copa(ITEM, '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n'), "declares entities"),
        (copa(ITEM, '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n'), "declares entities"),
        (copa(ITEM, '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1/x"> %a;]>\n'), "declares entities"),
        (copa(ITEM).replace("</copa-corpus>", ""), "broken XML: no element found"),
        (copa(ITEM).replace("&amp;", "&other;"), "broken XML: undefined entity"),
        ("<?xml version='1.0'?><fracas-problems><problem/></fracas-problems>", "of XML only COPA's is read"),
        ("<?xml version='1.0'?>" + "<copa-corpus>" * 100_000, "broken XML"),
        (
            '<?xml version="1.0" encoding="x-user"?><copa-corpus>\udcff</copa-corpus>',
            "broken XML: 'utf-8' codec can't decode",
        ),
        (copa("").replace("{n}", ""), "no rows"),
    ],
)
def test_hostile_and_foreign_xml_is_one_clear_line(text, fault, tmp_path):
    path = tmp_path / "copa.xml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=fault):
        load(path)


def test_a_copa_item_without_an_alternative_is_left_out(tmp_path):
    path = tmp_path / "copa.xml"
    path.write_text(copa(ITEM).replace('<a2>They slept.</a2></item><item id="5"', '</item><item id="5"'))
    benchmark = load(path)
    assert (len(benchmark.prompts), benchmark.left_out[0].place) == (N - 1, "item 5")


def test_cola_and_mmlu_without_a_header_line_have_their_columns(tmp_path):
    cola = tmp_path / "in_domain_train.tsv"
    cola.write_text("".join(f'fx04\t{n % 2}\t{"*" * (1 - n % 2)}\tFoxes {n} "runs.\n' for n in range(N)))
    benchmark = load(cola)
    assert (benchmark.prompts[0], benchmark.answers[:2]) == ('Foxes 0 "runs.', ["0", "1"])
    assert len(benchmark.prompts) == N  # the first line is an item, too
    assert any("no header line" in note for note in benchmark.notes)
    mmlu = tmp_path / "law_test.csv"
    mmlu.write_text("".join(f'"What, is {n}?",red,blue,pink,grey,{"ABCD"[n % 4]}\n' for n in range(N)))
    benchmark = load(mmlu, Columns(recipe="mmlu"))
    assert golds(benchmark)[:2] == ["red", "blue"]
    assert benchmark.places[0] == "line 1"


def test_a_table_that_has_a_header_keeps_it(tmp_path):
    path = tmp_path / "with.csv"
    path.write_text("question,A,B,C,D,answer\n" + "".join(f"Is {n}?,r,b,g,y,{'ABCD'[n % 4]}\n" for n in range(N)))
    assert len(load(path).prompts) == N


def test_the_minimal_pairs_of_blimp_and_the_stories_of_clutrr_need_no_columns_named(tmp_path):
    path = tmp_path / "agreement.jsonl"
    pair = '{{"sentence_good": "Fox {n} runs.", "sentence_bad": "Fox {n} run.", "linguistics_term": "agreement"}}\n'
    path.write_text("".join(pair.format(n=n) for n in range(N)))
    benchmark = load(path)
    assert golds(benchmark)[:2] == ["Fox 0 runs.", "Fox 1 runs."]
    assert not benchmark.options.ordered  # that the right one always stands first says nothing
    path = tmp_path / "1.2_test.csv"
    row = "{n},i{n},\"[Max] has aunt {n}.\",\"('Max', 'Ada')\",,{n},aunt,[Max] has aunt {n}.\n"
    header = ",id,story,query,text_query,target,text_target,clean_story\n"
    path.write_text(header + "".join(row.format(n=n % 3) for n in range(N)))
    assert load(path).prompts[0] == "[Max] has aunt 0.\n('Max', 'Ada')"


def piqa(folder, rows=N, labels=N):
    path = folder / "train.jsonl"
    items = ({"goal": f"Dry {n} socks.", "sol1": f"Sun {n}.", "sol2": "Rain."} for n in range(rows))
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    (folder / "train-labels.lst").write_text("".join(f"{n % 2}\n" for n in range(labels)), encoding="utf-8")
    return path


def test_labels_beside_the_items_are_joined_line_for_line_and_noted_as_read(tmp_path):
    path = piqa(tmp_path)
    with recording() as journal:
        benchmark = load(path, Columns(recipe="piqa"))
    assert golds(benchmark)[:2] == ["Sun 0.", "Rain."]
    assert "the labels are those of train-labels.lst, line for line" in benchmark.notes
    labels = tmp_path / "train-labels.lst"
    assert journal.digests[str(labels)] == hashlib.sha256(labels.read_bytes()).hexdigest()
    labels.unlink()
    with recording() as journal, suppress(InputError):
        load(path, Columns(recipe="piqa"))
    assert journal.digests[str(labels)] == ABSENT


def test_items_that_are_left_of_such_a_file_keep_their_labels(tmp_path):
    kept = kept_rows(str(piqa(tmp_path)), ["line 2", "line 4"]).decode().splitlines()
    assert [json.loads(line)["label"] for line in kept] == ["1", "1"]
    table = tmp_path / "law_test.csv"
    table.write_text("".join(f"Is {n}?,r,b,g,y,{'ABCD'[n % 4]}\n" for n in range(N)))
    assert kept_rows(str(table), ["line 1", "line 4"]) == b"Is 0?,r,b,g,y,A\nIs 3?,r,b,g,y,D\n"


def test_labels_follow_their_lines_where_a_line_is_broken(tmp_path):
    path = piqa(tmp_path, 20, 20)
    texts = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*texts[:4], "7\n", *texts[5:]]))
    benchmark = load(path, Columns(recipe="piqa"))
    assert (len(benchmark.prompts), golds(benchmark)[4]) == (19, "Rain.")  # line 6, after the broken fifth


def test_another_number_of_labels_is_refused_and_a_gold_of_its_own_wins(tmp_path):
    with pytest.raises(InputError, match=r"11 labels for 12 lines of train\.jsonl"):
        load(piqa(tmp_path, N, N - 1), Columns(recipe="piqa"))
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps({"question": f"q {n}", "answer": "yn"[n % 2]}) + "\n" for n in range(N)))
    assert load(path).answers[:2] == ["y", "n"]
