"""One record in each published form of the most used benchmarks; see `paper`."""

from published_forms.paper import ANIMAL, FOX, PAIR

__all__ = ["USED"]

ABCD = {"text": ["red", "blue"], "label": ["A", "B"]}
STEM = {"stem": "Which?", "choices": [{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}]}
GLUE = {"premise": FOX, "hypothesis": ANIMAL, "label": 2, "idx": 1}
AUTHORS = {"sentence1": FOX, "sentence2": ANIMAL, "gold_label": "neutral", "captionID": "c", "pairID": "p"}
COLOURS = ["r", "b", "g", "y"]

USED = {
    "mmlu": [
        (
            "Hugging Face",
            {"question": "Which?", "subject": "s", "choices": ["red", "blue"], "answer": 1},
            "Which?",
            "B",
            "blue",
        ),
        (
            "CSV of the authors",
            {"question": "Which?", "A": "red", "B": "blue", "C": "pink", "D": "grey", "answer": "C"},
            "Which?",
            "C",
            "pink",
        ),
    ],
    "mmlu-pro": [
        (
            "Hugging Face",
            {"question_id": 1, "question": "Which?", "options": ["red", "blue"], "answer": "B", "answer_index": 1},
            "Which?",
            "B",
            "blue",
        )
    ],
    "arc": [
        ("Hugging Face", {"id": "1", "question": "Which?", "choices": ABCD, "answerKey": "B"}, "Which?", "B", "blue"),
        ("JSONL of the authors", {"id": "1", "question": STEM, "answerKey": "A"}, "Which?", "A", "red"),
    ],
    "hellaswag": [
        (
            "Hugging Face, JSONL of the authors",
            {
                "ind": 1,
                "activity_label": "Running",
                "ctx": FOX,
                "endings": ["red", "blue"],
                "label": "0",
                "source_id": "v",
            },
            f"Running: {FOX}",
            "A",
            "red",
        )
    ],
    "winogrande": [
        (
            "Hugging Face, JSONL of the authors",
            {"sentence": "The _ runs.", "option1": "fox", "option2": "hen", "answer": "2"},
            "The _ runs.",
            "B",
            "hen",
        )
    ],
    "piqa": [
        (
            "Hugging Face, JSONL of the authors with its .lst file",
            {"goal": "Do it", "sol1": "so", "sol2": "or so", "label": 1},
            "Do it",
            "B",
            "or so",
        )
    ],
    "siqa": [
        (
            "Hugging Face, JSONL of the authors with its .lst file",
            {"context": FOX, "question": "Why?", "answerA": "r", "answerB": "b", "answerC": "g", "label": "3"},
            f"{FOX}\nWhy?",
            "C",
            "g",
        )
    ],
    "copa": [
        (
            "SuperGLUE, Hugging Face or JSONL; XML of the authors",
            {"premise": FOX, "choice1": "red", "choice2": "blue", "question": "cause", "label": 0, "idx": 1},
            f"{FOX}\ncause",
            "A",
            "red",
        )
    ],
    "boolq": [
        (
            "Hugging Face, JSONL of the authors",
            {"passage": FOX, "question": "is it", "answer": True},
            f"{FOX}\nis it",
            "yes",
            None,
        ),
        (
            "SuperGLUE, Hugging Face or JSONL",
            {"passage": FOX, "question": "is it", "label": 0, "idx": 1},
            f"{FOX}\nis it",
            "no",
            None,
        ),
    ],
    "openbookqa": [
        (
            "Hugging Face",
            {"id": "1", "question_stem": "Which?", "choices": ABCD, "answerKey": "B"},
            "Which?",
            "B",
            "blue",
        ),
        ("JSONL of the authors", {"id": "1", "question": STEM, "answerKey": "A"}, "Which?", "A", "red"),
    ],
    "commonsenseqa": [
        (
            "Hugging Face",
            {"id": "1", "question": "Which?", "question_concept": "c", "choices": ABCD, "answerKey": "B"},
            "Which?",
            "B",
            "blue",
        ),
        (
            "JSONL of the authors",
            {"id": "1", "question": {**STEM, "question_concept": "c"}, "answerKey": "A"},
            "Which?",
            "A",
            "red",
        ),
    ],
    "truthfulqa-mc": [
        (
            "Hugging Face",
            {"question": "Which?", "mc1_targets": {"choices": ["true", "false", "odd"], "labels": [1, 0, 0]}},
            "Which?",
            "true",
            "true",
        )
    ],
    "gsm8k": [
        (
            "Hugging Face, JSONL of the authors",
            {"question": "How many?", "answer": "2 and 3.\n#### 5"},
            "How many?",
            "5",
            None,
        )
    ],
    "math": [
        (
            "Hugging Face, JSON of the authors",
            {"problem": "Find x.", "solution": "So $x=\\boxed{\\frac{1}{2}}$, as $\\{x\\}$ shows."},
            "Find x.",
            "\\frac{1}{2}",
            None,
        ),
        ("MATH-500", {"problem": "Find x.", "answer": "7", "unique_id": "u"}, "Find x.", "7", None),
    ],
    "drop": [
        (
            "Hugging Face, as the harness has it; JSON of the authors",
            {
                "passage": FOX,
                "question": "How many?",
                "section_id": "s",
                "answer": {"number": "7", "date": {"day": "", "month": "", "year": ""}, "spans": []},
            },
            f"{FOX}\nHow many?",
            "7",
            None,
        ),
        (
            "Hugging Face",
            {"passage": FOX, "question": "Who?", "answers_spans": {"spans": ["fox"], "types": ["span"]}},
            f"{FOX}\nWho?",
            "fox",
            None,
        ),
    ],
    "squad-2": [
        (
            "Hugging Face, JSON of the authors",
            {"id": "1", "title": "t", "context": FOX, "question": "Who?", "answers": {"text": [], "answer_start": []}},
            f"{FOX}\nWho?",
            "unanswerable",
            None,
        )
    ],
    "snli": [
        ("Hugging Face", GLUE, PAIR, "contradiction", None),
        ("JSONL or TSV of the authors", AUTHORS, PAIR, "neutral", None),
    ],
    "mnli": [
        ("GLUE, Hugging Face", GLUE, PAIR, "contradiction", None),
        ("JSONL or TSV of the authors", AUTHORS, PAIR, "neutral", None),
    ],
    "rte": [
        (
            "GLUE, Hugging Face or TSV",
            {"sentence1": FOX, "sentence2": ANIMAL, "label": 1},
            PAIR,
            "not_entailment",
            None,
        ),
        (
            "GLUE, Hugging Face or TSV",
            {"index": "0", "sentence1": FOX, "sentence2": ANIMAL, "label": "entailment"},
            PAIR,
            "entailment",
            None,
        ),
        (
            "SuperGLUE, Hugging Face or JSONL",
            {"premise": FOX, "hypothesis": ANIMAL, "label": 0},
            PAIR,
            "entailment",
            None,
        ),
    ],
    "gpqa": [
        (
            "Hugging Face, CSV of the authors",
            {"Question": "Which?", "Correct Answer": "red", **{f"Incorrect Answer {n}": f"w{n}" for n in (1, 2, 3)}},
            "Which?",
            "red",
            "red",
        )
    ],
    "cosmosqa": [
        (
            "Hugging Face, JSONL of the authors",
            {"id": "1", "context": FOX, "question": "Why?", **{f"answer{n}": f"a{n}" for n in range(4)}, "label": 3},
            f"{FOX}\nWhy?",
            "D",
            "a3",
        )
    ],
    "race": [
        (
            "Hugging Face, files of the authors",
            {"example_id": "h1", "article": FOX, "question": "Why?", "options": COLOURS, "answer": "D"},
            f"{FOX}\nWhy?",
            "D",
            "y",
        )
    ],
    "strategyqa": [
        (
            "Hugging Face, JSON of the authors",
            {"qid": "1", "term": "fox", "question": "Could it?", "answer": False},
            "Could it?",
            "no",
            None,
        )
    ],
    "logiqa": [
        (
            "Hugging Face, as the harness has it",
            {"label": "c", "context": FOX, "question": "Then?", "options": COLOURS},
            f"{FOX}\nThen?",
            "c",
            "g",
        ),
        (
            "Hugging Face",
            {"correct_option": 0, "context": FOX, "query": "Then?", "options": COLOURS},
            f"{FOX}\nThen?",
            "A",
            "r",
        ),
    ],
    "bbh": [("Hugging Face, JSON of the authors", {"input": "Is it?", "target": "Yes"}, "Is it?", "Yes", None)],
}
