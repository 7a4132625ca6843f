"""The share of format and the mentions, in the words of both reports."""

from __future__ import annotations

import io

import msgspec
from rich.console import Console

from hansproof.audit.report.audit_document import render
from hansproof.audit.report.audit_screen import show, show_short
from hansproof.audit.report.audit_sentences import column_meanings, format_sentences, mention_sentences, simplest
from hansproof.audit.report.findings import ArrangedResult
from hansproof.audit.result.explanation import CleanKappa, FormatMark, FormatShare, MentionRule, Mentions

MENTIONS = Mentions(
    gold=96,
    others=80,
    rules=[
        MentionRule(rule="first", accuracy=0.39, cohen=0.185),
        MentionRule(rule="last", accuracy=0.4, cohen=None),
        MentionRule(rule="most frequent", accuracy=0.395, cohen=0.194),
    ],
)


def share(raw=0.55, clean=0.12):
    return FormatShare(
        changed=812,
        kappas=[
            CleanKappa(vector="gpt2-1-tf", label="GPT-2 1-grams, TF", raw=raw, clean=clean),
            CleanKappa(vector="word-1-tf", label="word 1-grams, TF", raw=0.1, clean=None),
        ],
        marks=[
            FormatMark(mark="number of line breaks", label="No ", mean=3.96, others=3, z=20.1),
            FormatMark(mark="ends with “.”", label="Yes", mean=0.25, others=0.5, z=-7),
        ],
    )


def test_the_share_of_format_says_who_would_see_the_cue(make_result):
    def sentences(**kappas):
        return format_sentences(make_result(format_share=share(**kappas)))

    assert sentences() == [
        "GPT-2 1-grams, TF: on clean text (white space, case, accents and typography normalised) 22 % of the kappa is "
        "left: most of the cue is in the format, which a model sees and a reader may not.",
        "Number of line breaks: 4.0 on average where the answer is “No␣”, 3.0 elsewhere.",
        "Ends with “.”: 25.0 % on average where the answer is “Yes”, 50.0 % elsewhere.",
    ]
    assert sentences(clean=0.4)[0].endswith(
        "73 % of the kappa is left: part of the cue is in the format, part in the words."
    )
    assert sentences(clean=0.5)[0].endswith("91 % of the kappa is left: the cue is in the words, not in the format.")
    length = msgspec.structs.replace(make_result().ladder, enough="length")
    said = format_sentences(make_result(format_share=share(clean=0.5), ladder=length))[0]
    assert said.endswith("left: cleaning changes little: the cue is the length, not white space, case or typography.")
    assert sentences(raw=0.05, clean=0.0) == sentences()[1:]


def test_a_small_kappa_without_marks_of_the_format_is_not_spoken_of(make_result):
    small = make_result(format_share=msgspec.structs.replace(share(raw=0.09, clean=0.0), marks=[]))
    assert format_sentences(small) == []
    stream = io.StringIO()
    show(small, Console(file=stream, width=400))
    assert "on clean text" not in stream.getvalue() + render(small)


def test_each_column_that_is_shown_has_its_meaning(results):
    assert column_meanings(ArrangedResult(results["leaks"])) == [
        "grouped, random: Cohen's kappa (0 chance, 1 perfect), each answer predicted as often as it occurs",
        "95 %: interval of grouped",
        "p: corrected, of grouped folds",
        "Cohen: of the most probable answers",
        "uniform: the same, chance 1/3",
    ]
    assert column_meanings(ArrangedResult(results["paper"]))[2] == "95 %: of Cohen"
    assert column_meanings(ArrangedResult(results["unassessed"])) == []


def test_a_kappa_that_chance_explains_is_not_divided_into_words_and_format(make_result):
    result = make_result(format_share=share())
    grouped = result.deciding_scheme
    by_chance = [
        msgspec.structs.replace(entry, p_corrected=0.05 if entry.vector == "gpt2-1-tf" else entry.p_corrected)
        for entry in grouped.vectors
    ]
    schemes = [msgspec.structs.replace(grouped, vectors=by_chance), *result.schemes[1:]]
    by_marks = format_sentences(result)[1:]
    assert format_sentences(msgspec.structs.replace(result, schemes=schemes)) == by_marks
    assert format_sentences(make_result(format_share=None)) == []


def test_a_cue_that_is_mostly_format_is_named_in_the_first_lines(make_result):
    bare = make_result()
    cue = msgspec.structs.replace(bare.cues[0], ngram="\n\n", label="False", times=1, count=27, count_label=27, z=6.0)
    named = make_result(format_share=share(), cues=[cue, *bare.cues])
    said = "Most of the cue is in the format: a double line break, 27 items, all “False”."
    assert simplest(named) == said
    stream = io.StringIO()
    show_short(named, Console(file=stream, width=80))
    assert said in " ".join(stream.getvalue().split())
    assert said in render(named)
    less = msgspec.structs.replace(cue, count_label=25)
    assert simplest(make_result(format_share=share(), cues=[less])).endswith("27 items, 25 of them “False”.")
    # Cleaning leaves most of it, or no n-gram of blanks is a clear cue: the ladder knows best.
    for other in (make_result(format_share=share(clean=0.5), cues=[cue]), make_result(format_share=share())):
        assert simplest(other) == other.ladder.sentence
    assert simplest(make_result(ladder=None)) == ""


def test_mentions_are_a_baseline():
    assert mention_sentences(MENTIONS, 100) == [
        "96 of 100 prompts mention their answer, as in a question about a text. Of the answers mentioned, the first "
        "one is right for 39.0 % (Cohen's kappa .18); the last one is right for 40.0 % (Cohen's kappa undefined); the "
        "most frequent one is right for 39.5 % (Cohen's kappa .19)."
    ]


def test_both_reports_show_them_and_neither_without_them(make_result):
    def shown(result):
        stream = io.StringIO()
        show(result, Console(file=stream, width=400))
        return stream.getvalue(), render(result)

    bare = make_result()
    full = msgspec.structs.replace(bare, format_share=share(), mentions=MENTIONS)
    for text in shown(full):
        assert "most of the cue is in the format, which a model sees" in " ".join(text.split())
        assert "where the answer is “No␣”" in " ".join(text.split())
        assert "96 of 1,600 prompts mention their answer" in " ".join(text.split())
    for text in shown(bare):
        assert "clean text" not in text
        assert "mention" not in text


def test_white_space_of_cues_and_answers_is_drawn(make_result):
    bare = make_result()
    cue = msgspec.structs.replace(bare.cues[0], ngram="\n\n", label="entailment ", times=3)
    result = msgspec.structs.replace(bare, cues=[cue])
    stream = io.StringIO()
    show(result, Console(file=stream, width=120))
    for text in (stream.getvalue(), render(result)):
        assert "pointing to entailment␣" in text
        assert "⏎⏎ 3 times or more" in text
