"""Published splits made for tests: templates, copies and a cue, each put in on purpose."""

import numpy as np

WORDS = [f"w{number:03d}" for number in range(300)]


def text(random, words=9):
    return " ".join(random.choice(WORDS, words))


def rows(n, seed, *, cue=0.0, prefix="item"):
    """n items of random words with two answers; with a chance of `cue`, a word gives the answer away."""
    random = np.random.RandomState(seed)
    made = []
    for number in range(n):
        answer = "yes" if random.rand() < 0.5 else "no"
        word = {"yes": "surely", "no": "hardly"}[answer] if random.rand() < cue else random.choice(["surely", "hardly"])
        made.append({"id": f"{prefix}-{number}", "prompt": f"{text(random)} {word}", "answer": answer})
    return made


def templated(n, seed, templates, *, first=0, prefix="item"):
    """n items of some templates, whose answer is that of their template."""
    random = np.random.RandomState(seed)
    made = []
    for number in range(n):
        template = first + number % templates
        own = np.random.RandomState(template + 1000)  # its words are its own, and so is its answer
        fixed = " ".join(own.choice(WORDS, 8))
        made.append(
            {
                "id": f"{prefix}-{number}",
                "prompt": f"{fixed} {text(random, 2)}",
                "answer": "yes" if template % 2 else "no",
                "template_id": str(template),
            }
        )
    return made
