"""The share of format and the mentions, in the words of both reports."""

from __future__ import annotations

import io

import msgspec
from rich.console import Console

from audit.explanation.records import CleanKappa, FormatMark, FormatShare, MentionRule, Mentions
from audit.report.explanations import format_sentences, mention_sentences
from audit.report.page.page import render
from audit.report.terminal.screen import show

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


def test_the_share_of_format_says_who_would_see_the_cue():
    assert format_sentences(share()) == [
        "GPT-2 1-grams, TF: kappa .55; on text without its format (white space, case, accents, typography) .12: a "
        "reader of clean text would not see most of the cue, a model does.",
        "Word 1-grams, TF: kappa .10, on clean text undefined.",
        "Number of line breaks: 4.0 on average where the answer is “No␣”, 3.0 elsewhere.",
        "Ends with “.”: 25.0 % on average where the answer is “Yes”, 50.0 % elsewhere.",
    ]
    assert format_sentences(share(clean=0.4))[0].endswith(".40: part of the cue is in the format, part in the words.")
    assert format_sentences(share(clean=0.5))[0].endswith(".50: the cue is in the words and marks, not in the format.")
    assert format_sentences(share(raw=0.05, clean=0.0))[0].endswith("typography) .00.")


def test_mentions_are_a_baseline():
    assert mention_sentences(MENTIONS, 100) == [
        "96 of 100 prompts mention their answer, as in a question about a text. Of the answers mentioned, the first "
        "one is right for 39.0 % (kappa .18); the last one is right for 40.0 % (kappa undefined); the most frequent "
        "one is right for 39.5 % (kappa .19)."
    ]


def test_both_reports_show_them_and_neither_without_them(make_result):
    def shown(result):
        stream = io.StringIO()
        show(result, Console(file=stream, width=400))
        return stream.getvalue(), render(result)

    bare = make_result()
    full = msgspec.structs.replace(bare, format_share=share(), mentions=MENTIONS)
    for text in shown(full):
        assert "a reader of clean text would not see" in " ".join(text.split())
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
    assert "entailment␣: “⏎⏎” 3+ times" in stream.getvalue()
    page = render(result)
    assert '⏎⏎ <span class="soft">3 times or more</span>' in page
    assert "entailment␣" in page
