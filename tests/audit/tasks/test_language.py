"""Texts in other languages: it is said which strategies cannot read them, and CLEAN does not pass over it."""

import pytest

import hansproof
from hansproof.audit.texts.sentences import language_of

QUICK = {"splits": 2, "permutations": 199, "folds": 3, "groups": "none"}


@pytest.mark.parametrize(
    ("prompts", "language"),
    [
        (["What did the man give to the woman in the morning?"], "English"),
        (["Der Zug hat am Morgen den Bahnhof verlassen, und niemand weiß warum."], "other"),
        (["Сколько яблок осталось у Маши после обеда?"], "other"),
        (["小明有苹果，又买了三个，现在一共有几个苹果？"], "without blanks"),
        (["แม่ซื้อผลไม้ที่ตลาดตอนเช้า"], "without blanks"),
        (["12 + 30 =", "4 * 5 ="], "English"),
        ([""], "English"),
    ],
)
def test_the_language_of_prompts(prompts, language):
    assert language_of(prompts * 3) == language


def test_numbers_of_german_texts_are_copied_and_the_note_names_what_is_english():
    fruits = ["Äpfel", "Birnen", "Nüsse", "Eier"]
    rows = [
        {"frage": f"Peter kauft {n * 7 + 100} {fruits[n % 4]} und verliert {n * 3 + 5} davon.",
         "antwort": n * 3 + 5}
        for n in range(60)
    ]  # fmt: skip
    result = hansproof.audit(rows, prompt="frage", answer="antwort", **QUICK)
    assert (result.verdict, result.open_ended.strategy) == ("LEAKS", "second number")
    assert "question words, key words, number words and articles are known in English only" in result.notes


def test_copied_words_of_chinese_are_not_called_clean():
    signs = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"
    rows = [
        {
            "q": f"我昨天在{signs[n % 24]}{signs[n * 7 % 23]}山看见了{signs[n % 19]}鸟以后去了河边",
            "a": f"{signs[n % 24]}{n}号",
        }
        for n in range(300)
    ]
    result = hansproof.audit(rows, prompt="q", answer="a", **QUICK)
    assert result.verdict == "INCONCLUSIVE"
    assert "the words of these texts are not divided by blanks" in result.reason
    assert any("words are cut at blanks, which these texts lack" in note for note in result.notes)
