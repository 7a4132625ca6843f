"""Options that a column gives by their letters alone are read from the prompts that print them."""

from hansproof.audit.reading.loading import Columns, load


def test_letters_in_a_column_stand_for_the_options_that_the_prompts_print():
    rows = [
        {
            "prompt": f"Which {n}?\n(a) fish {n}\n(b) bird {n}",
            "choices": ["(a)", "(b)"],
            "answer": "(a)" if n % 3 else "(b)",
        }
        for n in range(40)
    ]
    read = load(rows, Columns()).options
    assert read.texts[5] == ["fish 5", "bird 5"]
    assert (read.gold[5], read.gold[6], read.questions[5]) == (0, 1, "Which 5?")


def test_numbers_that_are_options_themselves_stay_what_they_are():
    rows = [
        {
            "prompt": f"{n} + {n}?\nA. {2 * n}\nB. {n}",
            "choices": [str(2 * n), str(n)],
            "answer": str(2 * n if n % 2 else n),
        }
        for n in range(10, 50)
    ]
    assert load(rows, Columns()).options.texts[3] == ["26", "13"]
