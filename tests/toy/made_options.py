"""Multiple-choice items of our own: four options of a few random words each, with or without a planted cue."""

from hansproof.audit.benchmark import Benchmark, Mapping, Options
from hansproof.generators.stream import Stream

WORDS = [
    "apple", "bridge", "candle", "desert", "engine", "forest", "garden", "hammer", "island", "jacket",
    "kettle", "ladder", "market", "needle", "orange", "pepper", "quarry", "ribbon", "saddle", "temple",
    "uncle", "valley", "window", "yellow", "zipper", "anchor", "basket", "copper", "dragon", "feather",
]  # fmt: skip


def item(n, k=4, seed=0, words=4):
    """(question, options, place of the gold), all at random."""
    stream = Stream(seed, "made options").child(n)
    question = "Which of these goes with " + " ".join(stream.child("asked").sample(WORDS, 3)) + f", case {n}?"
    options = [" ".join(stream.child("option").child(place).sample(WORDS, words)) for place in range(k)]
    return question, options, stream.child("gold").below(k)


def rows(count=120, cue=None, strength=1.0, **how):
    """Rows with `question`, `choices` and `answer` (an index); `cue` changes the text of the right option."""
    made = []
    for n in range(count):
        question, options, gold = item(n, **how)
        if cue is not None and Stream(5, "cue").child(n).below(1000) < 1000 * strength:
            options[gold] = cue(options[gold])
        made.append({"question": question, "choices": options, "answer": gold})
    return made


def benchmark(made):
    """The same as a benchmark that was read."""
    n = len(made)
    options = Options(
        [row["choices"] for row in made],
        [row["answer"] for row in made],
        [row["question"] for row in made],
        [""] * n,
        "made",
    )
    questions, golds = [row["question"] for row in made], [str(row["answer"]) for row in made]
    ids = [f"row {number}" for number in range(n)]
    return Benchmark("made", "made", "0", questions, golds, ids, Mapping("question", "answer"), options=options)
