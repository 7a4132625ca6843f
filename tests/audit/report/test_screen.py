"""One screen: complete, within its width and characters, and safe whatever benchmarks say."""

from __future__ import annotations

import io
import re

import msgspec
import pytest
from rich.console import Console

from hansproof.audit import notation
from hansproof.audit.report import words
from hansproof.audit.report.audit_screen import show, show_scan, show_short, show_verdict, show_verdicts
from hansproof.audit.result.audit_result import MappingUsed


def printed(what, *, width=100, encoding="utf-8", how=show, **options):
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    how(what, Console(file=stream, width=width, **options))
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)


def test_a_full_result_fits_one_screen(make_result):
    lines = printed(make_result()).splitlines()
    assert len(lines) <= 140
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("name", ["leaks", "template", "imbalanced", "clean", "inconclusive", "paper"])
def test_what_decides_are_twenty_lines_that_begin_and_end_with_the_verdict(results, name):
    result = results[name]
    lines = printed(result, width=80, how=show_short).splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80
    assert lines[0] == lines[-1]
    assert result.verdict in lines[0]
    assert any(line.startswith("size") and "threshold .20" in line for line in lines)
    assert any(line.startswith("do first") for line in lines) is bool(result.advice)
    assert any("--full" in line for line in lines)


def test_the_longest_texts_are_cut_at_the_end_of_a_sentence(make_result):
    reason = "kappa is .52. " + "It was measured with care. " * 100
    text = printed(make_result(reason=reason, advice=["Do this. " * 100]), width=80, how=show_short)
    assert len(text.splitlines()) <= 20
    assert "…" not in text


def test_the_verdict_its_reason_and_the_mapping_come_first(make_result):
    lines = printed(make_result()).splitlines()
    assert "LEAKS" in lines[0]
    assert lines[1].strip().startswith("Word 1-2-grams (TF-IDF) reach a kappa of .52")
    assert "prompt = input (guessed); answer = ideal (guessed); group =" in "\n".join(lines)


@pytest.mark.parametrize("name", ["leaks", "template", "imbalanced", "clean", "inconclusive"])
def test_every_kappa_of_both_schemes_stands_in_its_row(results, name):
    result = results[name]
    lines = printed(result).splitlines()
    for index, vector in enumerate(result.schemes[0].vectors):
        row = next(line for line in lines if line[2:].startswith(f"{vector.label} "))
        cells = row[2 + len(vector.label) :].replace("*", "").replace("] ", "] ").split()
        expected = [notation.kappa(vector.matched), *notation.interval(vector.matched_low, vector.matched_high).split()]
        expected += [notation.p_value(vector.p_corrected)] if vector.counted else []
        expected += [notation.kappa(scheme.vectors[index].matched) for scheme in result.schemes[1:]]
        assert cells == [*expected, notation.kappa(vector.cohen), notation.kappa(vector.uniform)]


def test_the_paper_protocol_shows_uniform_chance_cohen_and_validation_accuracy(results):
    text = printed(results["paper"])
    assert "grouped" not in text
    for vector in results["paper"].schemes[0].vectors:
        row = next(line for line in text.splitlines() if line[2:].startswith(f"{vector.label} "))
        cells = row[2 + len(vector.label) :].replace("*", "").split()
        assert cells == [
            notation.kappa(vector.uniform),
            notation.kappa(vector.cohen),
            *notation.interval(vector.matched_low, vector.matched_high).split(),
            *notation.per_cent(vector.validation).split(),
        ]


def test_the_vector_of_the_verdict_and_the_chosen_one_have_marks_of_their_own(results):
    text = printed(results["template"])
    rows = [row for row in text.splitlines() if row[:2] in ("▸ ", "• ") and ".53*" in row]
    assert [row[:26].strip() for row in rows] == ["▸ word 1-2-grams, TF-IDF", "• GPT-2 1-2-grams, TF-IDF"]
    legend = " ".join(text.split())
    assert "▸ what the verdict is about (random folds); • chosen by validation; * at least .20" in legend


def test_one_mark_serves_where_validation_chose_the_vector_of_the_verdict(results):
    grouped = results["leaks"].schemes[0]
    text = printed(msgspec.structs.replace(results["leaks"], vector=grouped.headline))
    assert "•" not in text
    assert "▸ what the verdict is about (grouped folds); also chosen by validation" in text


def test_without_groups_random_folds_are_not_shown_a_second_time(make_result):
    grouped = make_result().schemes[0]
    same = [grouped, msgspec.structs.replace(grouped, scheme="random")]
    text = printed(make_result(schemes=same, gap=None, groups=None))
    assert "kappa: Cohen's kappa (0 chance, 1 perfect)" in " ".join(text.split())
    assert "random" not in text[text.index("feature vector") :].splitlines()[0]


def test_the_vector_outside_the_thirteen_is_marked_and_comes_last(make_result):
    rows = [line for line in printed(make_result()).splitlines() if line.startswith("+ ")]
    assert rows[0].startswith("+ readability grades (textstat)")


@pytest.mark.parametrize("width", [60, 80, 100, 140])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_no_line_is_wider_than_the_console_in_any_encoding(results, poison, scan, width, encoding):
    for result in [*results.values(), poison(results["leaks"])]:
        assert max(map(len, printed(result, width=width, encoding=encoding).splitlines())) <= width
    text = printed(scan, width=width, encoding=encoding, how=show_scan)
    assert max(map(len, text.splitlines())) <= width


def test_eighty_columns_cut_no_number(results):
    text = printed(results["leaks"], width=80, encoding="ascii")
    for vector in results["leaks"].schemes[0].vectors:
        assert notation.interval(vector.matched_low, vector.matched_high) in text


def known_numbers(result):
    """Every number that a row of a table may hold, as it is written in full."""
    numbers = set()
    for vector in (vector for scheme in result.schemes for vector in scheme.vectors):
        numbers |= {notation.kappa(number) for number in (vector.matched, vector.cohen, vector.uniform)}
        numbers |= {
            notation.interval(vector.matched_low, vector.matched_high),
            notation.p_value(vector.p_corrected),
            notation.per_cent(vector.validation),
        }
    return numbers | {notation.count(result.items), notation.count(result.groups.count) if result.groups else ""}


@pytest.mark.parametrize("width", [20, 30, 41, 50, 56, 60, 65, 70, 77, 79])
def test_narrow_columns_leave_out_whole_columns_and_cut_no_number(results, scan, width):
    for name in ("leaks", "template", "inconclusive", "paper"):
        whole = printed(results[name], width=width)
        whole = whole[whole.index("feature vect") :]
        table = whole[whole.index("─\n") + 2 :].splitlines()[: len(results[name].schemes[0].vectors)]
        for row in table:
            numbers = re.findall(r"(?<=  )(?:\[.*?\]|[-<]?[\d.]+(?: %)?)(?=[ *]|$)", row)
            assert numbers
            assert set(numbers) <= known_numbers(results[name])
    whole = printed(scan, width=width, how=show_scan)
    table = whole[whole.index("─\n") + 2 :].splitlines()[: len(scan.results)]
    for row, place in zip(table, scan.ranked(), strict=True):
        result = scan.results[place]
        assert result.verdict in row
        said = row.replace("*", "").split(result.verdict)[1].split()
        assert {part for part in said if re.fullmatch(r"[\[\]\d.,-]+", part)} <= {
            part for number in known_numbers(result) for part in number.split()
        }


def test_uniform_goes_first_then_random_unless_the_verdict_stands_on_it(results):
    def titles(name, width):
        line = next(line for line in printed(results[name], width=width).splitlines() if "feature vector" in line)
        return line.replace("95 %", "95").split()[2:]

    assert titles("leaks", 100) == ["grouped", "95", "p", "random", "Cohen", "uniform"]
    assert titles("leaks", 69) == ["grouped", "95", "p", "random"]
    assert titles("leaks", 61) == ["grouped", "95", "p"]
    assert titles("leaks", 54) == ["grouped", "95"]
    assert titles("template", 54) == ["grouped", "random"]
    assert "this window is too narrow for the columns random, Cohen, uniform; --json and --html have them" in " ".join(
        printed(results["leaks"], width=61).split()
    )


def test_what_was_never_read_has_no_line_to_itself(results):
    nothing = msgspec.structs.replace(
        results["unassessed"], sha256="", items=0, labels=[], left_out=[], left_out_count=0,
        mapping=msgspec.structs.replace(results["unassessed"].mapping, format="", prompt="", answer="", group=None),
    )  # fmt: skip
    lines = printed(nothing).splitlines()
    facts = [line.split()[0] for line in lines[2:] if line and not line.startswith(" ")]
    assert facts == ["What", "source", "How", "versions"]


def test_without_colour_there_is_no_escape(make_result):
    assert "\x1b" not in printed(make_result(), no_color=True)


def test_on_a_terminal_the_only_escapes_are_our_own_styles(make_result, poison):
    text = printed(poison(make_result()), force_terminal=True, color_system="standard", legacy_windows=False)
    assert "\x1b[" in text
    assert "\x1b[31m\x07" not in text
    assert not set(text) & (set(map(chr, range(32))) - {"\n", "\x1b"})


def test_markup_and_emoji_codes_of_a_benchmark_are_printed_as_they_are(make_result, poison):
    text = printed(poison(make_result()), width=200)
    assert "[bold red]" in text
    assert ":smile:" in text


def test_a_result_that_was_not_assessed_shows_no_table_and_no_empty_headings(results):
    text = printed(results["unassessed"])
    assert "NOT ASSESSED" in text
    for heading in ("feature vector", "N-grams", "Most predictable", "What to change", "groups", "majority"):
        assert heading not in text
    answers = "30 answers: answer 0 (40), answer 1 (39), answer 2 (38), answer 3 (37), answer 4 (36), answer 5 (35), "
    answers += "answer 6 (34), answer 7 (33), and 22 more"
    assert answers in " ".join(text.split())


def test_an_undefined_kappa_says_so(make_result, results):
    scheme = results["leaks"].schemes[0]
    vectors = [
        msgspec.structs.replace(vector, matched=None, matched_low=None, matched_high=None) for vector in scheme.vectors
    ]
    text = printed(make_result(schemes=[msgspec.structs.replace(scheme, vectors=vectors)]))
    assert text.count("undefined") == len(vectors)


def test_ten_items_are_listed_with_gold_and_probability(make_result):
    result = make_result()
    text = printed(result)
    for item in result.giveaways:
        row = next(line for line in text.splitlines() if line.startswith(f"{item.id} "))
        assert item.answer in row
        assert notation.kappa(item.probability) in row


def test_of_a_long_item_its_end_is_shown_where_the_question_mostly_stands(make_result):
    items = [
        msgspec.structs.replace(
            item, prompt=f"Answer only with one of the three labels. {'It is so. ' * 9}Case {index}?"
        )
        for index, item in enumerate(make_result().giveaways)
    ]
    text = printed(make_result(giveaways=items), width=140)
    assert "Case 7?" in text
    assert "Answer only" not in text


def test_a_scan_has_one_row_a_benchmark_and_lists_what_could_not_be_run(scan):
    text = printed(scan, how=show_scan)
    for result in scan.results:
        row = next(line for line in text.splitlines() if line.startswith(f"{result.name} "))
        assert result.verdict in row
        if result.schemes:
            vector = result.schemes[0].find(result.vector)
            assert notation.kappa(vector.uniform if result.schemes[0].scheme == "paper" else vector.matched) in row
    assert "broken.jsonl: line 3: not JSON: unexpected end of data" in text


def test_two_runs_print_the_same(make_result):
    assert printed(make_result()) == printed(make_result())


def test_the_verdict_alone_is_its_line_and_its_reason(results):
    for result in results.values():
        lines = printed(result, width=400, how=show_verdict).splitlines()
        assert [line.strip() for line in lines] == [
            f"{words.VERDICTS[result.verdict].symbol} {result.verdict}  {result.name}",
            words.sentence(result.reason),
        ]


WORST = ["LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "NOT ASSESSED", "INCONCLUSIVE", "TRACES", "CLEAN", "FAILED"]


@pytest.mark.parametrize("width", [30, 100])
def test_the_verdicts_alone_are_one_line_a_benchmark_at_any_width(scan, poison, width):
    lines = printed(scan, width=width, how=show_verdicts).splitlines()
    assert lines[0] == "✗ LEAKS          space_nli"
    assert "◆ TEMPLATE-BOUND spatial" in lines
    ranks = [next(at for at, verdict in enumerate(WORST) if verdict in line) for line in lines]
    assert ranks == sorted(ranks)
    assert lines[-1] == "! FAILED         broken.jsonl: line 3: not JSON: unexpected end of data"
    assert len(lines) == len(scan.results) + len(scan.failures)
    assert len(printed(poison(scan), width=width, how=show_verdicts).splitlines()) == len(lines)
    printed(scan, width=width, encoding="ascii", how=show_verdicts).encode("ascii")


def test_what_is_said_of_the_verdict_names_its_scheme(results):
    assert "probability by the probe of word 1-2-grams, TF-IDF; random folds" in printed(results["template"])
    assert "probability by the probe of word 1-2-grams, TF-IDF; grouped folds" in printed(results["leaks"])


def test_what_would_have_been_found_and_what_carries_over_have_a_line_each(results):
    text = " ".join(printed(results["clean"]).split())
    assert "would find a cue of one word per answer from kappa .18 (80 % of the time)" in text
    assert "; none of fifty words per answer, however strong" in text
    kept = "similar kappa with texts kept together: .44 (of similar wording, 141 clusters)"
    assert f" {kept}" in " ".join(printed(results["leaks"]).split())
    assert "would find" not in printed(results["leaks"])


def test_a_long_reason_is_read_to_its_end(make_result):
    reason = f"no probe leaks, but {'a cue of fifty words, ' * 30}or of format, could have been missed."
    assert "could have been missed." in " ".join(printed(make_result(reason=reason)).split())


@pytest.mark.parametrize("verdict", words.VERDICTS)
def test_wide_names_leave_the_short_screen_at_twenty_lines_of_eighty_columns(make_result, verdict):
    def wide(name):
        return f"{name}-{'w' * 50}"

    mapping = MappingUsed(
        format=wide("format"), prompt=wide("prompt"), answer=wide("answer"), group=wide("group"), split=wide("split"),
        id=wide("id"), guessed=["prompt", "answer", "group", "split", "id"], unseen=[wide("a"), wide("b")],
    )  # fmt: skip
    sentence = " ".join(f"{wide('label')} {count}" for count in range(40))
    made = make_result(
        verdict=verdict, name=wide("bench"), mapping=mapping, reason=sentence, advice=[sentence],
        ladder=msgspec.structs.replace(make_result().ladder, sentence=sentence),
    )  # fmt: skip
    lines = printed(made, width=80, how=show_short).splitlines()
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80
    assert lines[0] == lines[-1]


@pytest.mark.parametrize("how", [show, show_short])
def test_columns_that_no_prompt_has_are_named_once_and_are_no_role(make_result, how):
    mapping = msgspec.structs.replace(make_result().mapping, unseen=["passage"])
    text = " ".join(printed(make_result(mapping=mapping), how=how).split())
    assert text.count("passage") == 1
    assert "not read columns of texts in no prompt (--template adds them): passage" in text
