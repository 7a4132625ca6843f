"""The subsets beyond one English word: what is planted is there, and nothing else gives the answer away."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

import pytest
from sklearn.metrics import cohen_kappa_score

import hansproof
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.generators.planted_cues.dataset import DATASET, generate
from hansproof.generators.planted_cues.design import SUBSETS, rare_cells
from hansproof.generators.planted_cues.english import CALM, LIVELY
from hansproof.generators.planted_cues.templates import LANGUAGES, SCENES, Language
from hansproof.generators.stream import Stream

CUED = ("traces", "synonyms-10", "synonyms-50", "format-capitals", "format-lines", "format-blanks", "rare-answer",
        "chinese-cue")  # fmt: skip
TEMPLATES = [name for name, planted in SUBSETS.items() if planted.templates]


@cache
def items(subset: str, count: int = 600) -> tuple[Item, ...]:
    return tuple(generate(subset, 11, count))


def read(rows) -> float:
    return cohen_kappa_score([row.answer for row in rows], [row.metadata["cue"] for row in rows])


@pytest.mark.parametrize("subset", CUED)
@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0])
def test_a_perfect_reader_of_the_cue_reaches_any_strength(subset, strength):
    assert read(list(generate(subset, 3, 400, strength=strength))) == pytest.approx(strength, abs=0.05)


@pytest.mark.parametrize("subset", CUED)
def test_a_blind_strategy_reads_the_cue_that_the_metadata_names(subset):
    special = {"chinese-cue": "chinese-word", "format-capitals": "capitals"}
    special |= dict.fromkeys(("traces", "rare-answer"), "habit-word")
    special |= dict.fromkeys(("format-lines", "format-blanks"), "white-space")
    name = special.get(subset, "manner")
    (strategy,) = [strategy for strategy in DATASET.scorer.blind if strategy.name == name]
    rows = list(generate(subset, 5, 400, strength=1.0))
    assert list(strategy.answers(rows[:200], rows[200:])) == [row.answer for row in rows[200:]]


def test_the_rare_answer_is_never_the_likelier_one():
    # .2 * .599 of all items are yes with the cue, .8 * .198 no with it: .12 against .16
    cells = [cell for cell, _ in zip(rare_cells(Stream(1), 0, 0.35), range(4000))]
    counts = Counter((cell.label, cell.cue) for cell in cells)
    assert counts["yes", "yes"] + counts["yes", "no"] == 800
    assert counts["yes", "yes"] == pytest.approx(479, abs=25)
    assert counts["no", "yes"] == pytest.approx(633, abs=25)


def test_a_synonym_is_drawn_from_all_words_of_its_answer_and_from_no_other():
    assert len({*LIVELY, *CALM}) == 100
    for subset, n in (("synonyms-10", 10), ("synonyms-50", 50)):
        seen: dict[str, set[str]] = defaultdict(set)
        for row in generate(subset, 2, 1500):
            (word,) = set(re.findall(r"\w+", row.prompt)) & {*LIVELY, *CALM}
            seen[row.metadata["cue"]].add(word)
        assert seen == {"yes": set(LIVELY[:n]), "no": set(CALM[:n])}


@pytest.mark.parametrize("subset", ["format-capitals", "format-lines", "format-blanks"])
def test_the_cue_of_a_format_is_gone_from_clean_text(subset):
    # A text with the cue and one without differ in nothing but the format: same draws, another cue.
    with_cue, without = (
        {row.id: row for row in generate(subset, 4, 200, strength=strength)} for strength in (1.0, 0.0)
    )
    changed = 0
    for key, row in with_cue.items():
        other = without[key]
        assert " ".join(row.prompt.lower().split()) == " ".join(other.prompt.lower().split())
        assert (row.prompt == other.prompt) == (row.metadata["cue"] == other.metadata["cue"])
        changed += row.prompt != other.prompt
    assert changed > 50


def test_every_duplicate_occurs_three_times_with_one_answer_under_ids_and_groups_of_its_own():
    rows = items("duplicates")
    assert Counter(Counter((row.prompt, row.answer) for row in rows).values()) == {3: 200}
    assert Counter(row.answer for row in rows) == {"no": 300, "yes": 300}
    assert len({row.group for row in rows}) == len({row.id for row in rows}) == 600
    assert sum(a.prompt == b.prompt for a, b in pairwise(rows)) < 50  # three in a row would give 400


@pytest.mark.parametrize("subset", TEMPLATES)
def test_templates_have_one_answer_each_and_grow_evenly(subset):
    n = SUBSETS[subset].templates
    rows = items(subset, 648 if n == 36 else 600 if n != 100 else 1000)
    assert {row.group for row in rows} == {f"template-{number:03d}" for number in range(n)}
    assert max(Counter(row.group for row in rows).values()) - min(Counter(row.group for row in rows).values()) <= 10
    answers = dict(sorted({(row.group, row.answer) for row in rows}))
    assert len({(row.group, row.answer) for row in rows}) == n
    assert Counter(answers.values()) == {"no": n // 2, "yes": n // 2}


def test_long_slots_take_up_to_five_words_and_some_stay_empty():
    lengths = defaultdict(set)
    for row in items("long-slots"):
        lengths[row.group].add(len(row.prompt.split()))
    spreads = sorted(max(counts) - min(counts) for counts in lengths.values())
    assert len(lengths) == 40
    assert spreads[0] >= 6  # the widest slots alone differ by four words
    assert any(re.search(r" (?:indoors|in silence|at noon)\. ", row.prompt) for row in items("long-slots"))


def test_every_subset_says_which_verdict_is_right():
    words = {"LEAKS", "TRACES", "CLEAN", "INCONCLUSIVE", "IMBALANCED", "TEMPLATE-BOUND"}
    for name, planted in SUBSETS.items():
        assert set(planted.verdicts) <= words
        assert DATASET.subsets[name].description.endswith(f"Right verdict: {' or '.join(planted.verdicts)}")
        assert planted.rows <= 2_000
        # A subset without a cue declares no exploit, so that a release with a false alarm there is refused.
        assert bool(DATASET.subsets[name].exploit) == (planted.strength > 0)


@pytest.mark.parametrize("subset", SUBSETS)
def test_no_slot_stays_open(subset):
    assert not [row.prompt for row in items(subset, 100) if re.search(r"[{}<>_]", row.prompt)]


def test_two_templates_of_a_language_share_at_most_one_of_their_three_sentences():
    shared = {
        (a, b): sum(x == y for x, y in zip(parts_of(a), parts_of(b), strict=True)) for a in range(36) for b in range(a)
    }
    assert max(shared.values()) == 1


def parts_of(number: int) -> tuple[str, ...]:
    bare = Language([f"o{i}" for i in range(12)], [f"m{i}" for i in range(12)], [f"q{i}" for i in range(12)], {}, " ")
    return tuple(bare.text(number, Stream(1)).split())


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_language_has_twelve_of_each_part_and_no_word_twice(language):
    assert [len(set(part)) for part in (language.openings, language.middles, language.questions)] == [12, 12, 12]
    for forms in language.fillings.values():
        assert len({word[0] for word in forms}) == len(forms)


def test_german_nouns_agree_with_their_case():
    assert ("der Koffer", "den Koffer", "dem Koffer", "einen Koffer") in LANGUAGES["german"].fillings["X"]
    assert ("die Geige", "die Geige", "der Geige", "eine Geige") in LANGUAGES["german"].fillings["X"]
    assert ("das Zelt", "das Zelt", "dem Zelt", "ein Zelt") in LANGUAGES["german"].fillings["X"]
    prompts = " ".join(row.prompt for row in items("german"))
    assert not re.search(r"(?:nach|mit) (?:den|die|das) (?!Schultern)", prompts)


def test_every_scene_has_four_different_wordings_and_its_own_slots_in_all_of_them():
    assert len(SCENES) == 30
    for *wordings, first, second in SCENES:
        assert len({*wordings, first, second}) == 6
        assert len({frozenset(re.findall(r"\{[A-Z]0\}", wording)) for wording in wordings}) == 1
        assert len({wording[:12] for wording in wordings}) == 4


def test_chinese_texts_with_a_cue_share_hardly_a_sentence():
    sentences = Counter(part for row in items("chinese-cue") for part in row.prompt.split("。")[:-1])
    assert sum(count > 1 for count in sentences.values()) < 10
    assert all(("总是" in row.prompt) + ("偶尔" in row.prompt) == 1 for row in items("chinese-cue"))


def test_every_strategy_answers_items_of_every_script():
    for subset in ("german", "chinese", "japanese", "chinese-cue"):
        rows = items(subset)[:40]
        for strategy in DATASET.scorer.blind:
            assert len(strategy.answers(rows[:20], rows[20:])) == 20


TURNED = [name for name, subset in DATASET.subsets.items() if subset.knob]


def test_every_cue_that_has_a_strength_has_a_knob():
    assert set(TURNED) == {"unigram", "bigram", "length", "readability", *CUED}


@pytest.mark.parametrize("subset", TURNED)
@pytest.mark.parametrize("level", [20, 60, 100])
def test_a_level_is_what_a_perfect_reader_of_the_cue_reaches_in_hundredths(subset, level):
    rows = [DATASET.item(f"{subset}@{level}", 3, index) for index in range(200)]
    assert read(rows) == pytest.approx(level / 100, abs=0.06)
    assert {row.metadata["strength"] for row in rows} == {level / 100}
    assert not {row.prompt for row in rows} & {row.prompt for row in generate(subset, 3, 200)}


@pytest.mark.slow
def test_the_audit_measures_what_the_knob_says(tmp_path):
    kappas = []
    for level in (20, 60, 95):
        file = tmp_path / f"unigram-{level}.jsonl"
        file.write_bytes(dump(DATASET.item(f"unigram@{level}", 1, index) for index in range(600)))
        kappas.append(f"{hansproof.audit(file).kappa:.2f}"[1:])
    said = "`hansproof audit` of 600 items measures {}, {} and {} there".format(*kappas)
    assert DATASET.subsets["unigram"].knob.shown.endswith(said)
