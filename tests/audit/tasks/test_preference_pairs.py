"""Pairs of preference audited: what is planted in the chosen replies is named, in words on chosen and rejected."""

import made_options
import pytest
from made_options import WORDS

import hansproof
from hansproof.audit.result.advice import of_pairs
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.views import FORMS, form_values
from hansproof.generators.stream import Stream

QUICK = {"permutations": 199, "fast": True}


def pairs(count=400, longer=0.5, better=lambda text: text, worse=lambda text: text):
    """Pairs of random words, of which the longer is chosen with probability `longer`."""
    made = []
    for n in range(count):
        stream = Stream(3, "pairs").child(n)
        replies = [
            " ".join(stream.child(f"{k}-{at}").sample(WORDS, 1)[0] for at in range(20 + stream.child(k).below(20)))
            for k in "ab"
        ]
        short, long = sorted(replies, key=len)
        won, lost = (long, short) if stream.child("won").uniform() < longer else (short, long)
        made.append({"prompt": f"Say something of case {n}.", "chosen": better(won), "rejected": worse(lost)})
    return made


@pytest.fixture(scope="module")
def long():
    return hansproof.audit(pairs(longer=0.7), **QUICK)


def test_a_set_whose_longer_reply_is_chosen_leaks_and_the_first_words_say_so(long):
    assert long.verdict == "LEAKS"
    assert long.reason.startswith("choosing the longer reply (in ")
    assert " agrees with the preference in " in long.reason
    best = max(long.options.rules, key=lambda rule: rule.kappa)
    assert best.rule.startswith("the longest")
    assert (best.kappa > 0.3, best.p < 0.05, long.options.pairs) == (True, True, True)
    assert any("so that the chosen reply is as often the longer as the other" in text for text in long.advice)


def test_words_are_of_chosen_and_rejected_replies(long):
    assert {cue.label for cue in long.cues} <= {"the chosen reply", "a rejected reply"}
    told = [long.reason, long.options.task, *long.advice]
    assert not any("right option" in text or "wrong option" in text or "the question" in text for text in told)


def test_the_same_set_without_the_preference_for_length_does_not_leak():
    null = hansproof.audit(pairs(), **QUICK)
    assert null.verdict in ("CLEAN", "INCONCLUSIVE")
    assert min(rule.p for rule in null.options.rules) > 0.05
    assert not [text for text in null.advice if "longest" in text or "shortest" in text]


def test_a_planted_word_is_found_and_shown():
    result = hansproof.audit(pairs(better=lambda text: text.replace(" ", " indeed ", 1)), **QUICK)
    assert result.verdict == "LEAKS"
    assert any("indeed" in cue.ngram and cue.label == "the chosen reply" for cue in result.cues)


@pytest.mark.parametrize(
    ("better", "worse", "rule"),
    [
        (lambda text: "- " + text.replace(" ", "\n- ", 2), lambda text: text, "the most Markdown"),
        (lambda text: text, lambda text: f"I’m sorry, but I cannot {text}", "no refusal (I cannot, as an AI)"),
        (lambda text: f"Sure thing {text}", lambda text: text, "the commonest opening words"),
    ],
)
def test_style_is_a_rule_of_its_own(better, worse, rule):
    result = hansproof.audit(pairs(120, better=better, worse=worse), **QUICK)
    tried = {entry.rule: entry for entry in result.options.rules}
    assert tried[rule].kappa > 0.9
    assert tried[rule].p < 0.05


def test_the_form_of_an_option_is_measured():
    texts = ["# One\n\n- two **three** `four`", "I cannot do that", "What is it? five", "plain words"]
    made = made_options.benchmark([{"question": "What is this?", "choices": texts, "answer": 0}])
    pool = OptionPool.of(made, made.options)
    values = dict(zip(FORMS, form_values(pool).T.tolist(), strict=True))
    assert values["marks of Markdown"] == [4, 0, 0, 0]
    assert values["refusals"] == [0, 1, 0, 0]
    assert values["opens like the question"] == [0, 0, 1, 0]
    assert values["commonness of the opening"] == [1, 1, 1, 1]


def test_words_on_options_become_words_on_replies():
    assert of_pairs("The right option of all options, not a wrong option") == (
        "The chosen reply of all replies, not a rejected reply"
    )
    assert of_pairs("Option cues (option-cues); word 1-grams vs other options; right ones without the question") == (
        "Reply cues (option-cues); word 1-grams vs other replies; chosen ones without the prompt"
    )


def test_pairs_of_one_prompt_stay_in_one_fold():
    made = [{**row, "prompt": f"Say something of case {n % 12}."} for n, row in enumerate(pairs(120))]
    groups = hansproof.audit(made, **QUICK).groups
    assert (groups.count, groups.largest) == (12, 10)
    assert groups.how.endswith("items that share replies or a prompt reduced them to 12.")
