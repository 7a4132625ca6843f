"""One record in each published form of the paper's benchmarks, worded by us, with what the recipe makes of it.

A form is (name of the layout, record, prompt, answer, gold option or None).
"""

__all__ = ["ANIMAL", "FOX", "PAIR", "PAPER"]

FOX = "A fox runs."
ANIMAL = "An animal runs."
PAIR = f"{FOX}\n{ANIMAL}"
SHOWN = [{"role": "user", "content": "Which?"}]
LAW = {"bill_title": "T", "bill_summary": "S", "company_name": "C", "company_description": "D"}
BIG = {"inputs": "Which?", "targets": ["blue"], "multiple_choice_targets": ["red", "blue"]}
BIG_FORMS = [
    ("Hugging Face, BIG-bench", BIG, "Which?", "blue", "blue"),
    ("BIG-Bench Hard or plain inputs and targets", {"input": "Which?", "target": "yes"}, "Which?", "yes", None),
]

PAPER = {
    "fantasy-reasoning": BIG_FORMS,
    "causal-judgment": BIG_FORMS,
    "formal-fallacies": BIG_FORMS,
    "metaphor-boolean": BIG_FORMS,
    "moral-permissibility": BIG_FORMS,
    "neubaroco": [
        (
            "TSV of the authors, English",
            {"ID": 1, "premises_en": FOX, "hypothesis_en": ANIMAL, "gold": "neutral"},
            PAIR,
            "neutral",
            None,
        ),
        (
            "TSV of the authors, five conclusions",
            {"premises_en": FOX, **{f"hypothesis_en_{n}": f"h{n}" for n in range(1, 6)}, "gold": 4},
            FOX,
            "D",
            "h4",
        ),
    ],
    "space-nli": [
        ("OpenAI evals samples", {"input": SHOWN, "ideal": "neutral", "problem_id": "1"}, "Which?", "neutral", None)
    ],
    "babi-task-16": [
        ("OpenAI evals samples", {"input": SHOWN, "ideal": "green"}, "Which?", "green", None),
        (
            "Hugging Face, all tasks",
            {"passage": FOX, "question": "Which?", "answer": "green", "task": 16},
            f"{FOX}\nWhich?",
            "green",
            None,
        ),
    ],
    "corporate-lobbying": [
        ("LegalBench", {**LAW, "answer": "Yes", "index": 1}, "T\nS\nC\nD", "Yes", None),
        ("LegalBench, first release", {**LAW, "label": 1}, "T\nS\nC\nD", "yes", None),
    ],
    "function-of-decision-section": [
        (
            "LegalBench",
            {"Citation": "1 F", "Paragraph": "We affirm.", "answer": "Decree"},
            "We affirm.",
            "Decree",
            None,
        ),
        (
            "LegalBench, first release",
            {"Citation": "1 F", "Paragraph": "We affirm.", "Function": "Decree"},
            "We affirm.",
            "Decree",
            None,
        ),
    ],
    "international-citizenship-questions": [
        ("LegalBench", {"question": "May one?", "answer": "No"}, "May one?", "No", None)
    ],
    "proa": [("LegalBench", {"text": "One may sue.", "answer": "Yes"}, "One may sue.", "Yes", None)],
    "abercrombie": [
        (
            "LegalBench",
            {"text": "The mark Zib for soap.", "answer": "fanciful"},
            "The mark Zib for soap.",
            "fanciful",
            None,
        )
    ],
    "prontoqa": [
        (
            "JSON of Logic-LM",
            {"id": "1", "context": FOX, "question": "True?", "options": ["A) True", "B) False"], "answer": "B"},
            f"{FOX}\nTrue?",
            "B",
            "False",
        ),
        (
            "JSON of the authors' generator",
            {"test_example": {"question": FOX, "query": "True or false: it walks.", "answer": "False"}},
            f"{FOX}\nTrue or false: it walks.",
            "False",
            None,
        ),
    ],
    "cladder": [
        (
            "JSON of the authors",
            {"question_id": 1, "given_info": FOX, "question": "Why?", "answer": "yes", "meta": {"model_id": 3}},
            f"{FOX}\nWhy?",
            "yes",
            None,
        ),
        ("Hugging Face", {"prompt": FOX, "label": "yes"}, FOX, "yes", None),
    ],
    "anli": [
        ("Hugging Face", {"uid": "1", "premise": FOX, "hypothesis": ANIMAL, "label": 0}, PAIR, "entailment", None),
        (
            "JSONL of the authors",
            {"uid": "1", "context": FOX, "hypothesis": ANIMAL, "label": "c"},
            PAIR,
            "contradiction",
            None,
        ),
    ],
    "art": [
        (
            "Hugging Face",
            {"observation_1": FOX, "observation_2": ANIMAL, "hypothesis_1": "red", "hypothesis_2": "blue", "label": 2},
            PAIR,
            "B",
            "blue",
        ),
        (
            "JSONL of the authors, with its .lst file",
            {"obs1": FOX, "obs2": ANIMAL, "hyp1": "red", "hyp2": "blue", "label": "1"},
            PAIR,
            "A",
            "red",
        ),
    ],
    "commonsense-qa-2": [
        ("CSV with question and label", {"question": "Is it?", "label": "no"}, "Is it?", "no", None),
        ("JSONL of the authors", {"id": "1", "question": "Is it?", "answer": "yes"}, "Is it?", "yes", None),
    ],
    "wanli": [
        (
            "JSONL of the authors, Hugging Face",
            {"id": 1, "premise": FOX, "hypothesis": ANIMAL, "gold": "neutral", "pairID": "1e"},
            PAIR,
            "neutral",
            None,
        )
    ],
}
