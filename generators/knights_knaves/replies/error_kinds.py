"""The kinds of error in reasoning that people mark in replies, after Mondorf and Plank (2024)."""

from __future__ import annotations

from collections.abc import Sequence

from generators.answering.error_scheme import ErrorScheme, ProvenError
from generators.item import Item

__all__ = ["ERRORS"]


def _prove(item: Item, reply: str) -> Sequence[ProvenError]:
    from generators.knights_knaves.replies.errors_in_traces import proven_errors  # only annotating needs it

    return proven_errors(item, reply)


ERRORS = ErrorScheme(
    categories={
        "SR": "false statement reproduction: quotes a statement that differs from the one in the puzzle",
        "TS": "assuming statements to be true: takes what a character says as fact",
        "TL": "misunderstanding truth and lies: lets a truth-teller lie, or a liar tell the truth",
        "LO": "misunderstanding logical operators: uses and, or, if, if and only if, or not wrongly",
        "UC": "unjustified conclusion: concludes something that nothing before it supports",
        "UF": "unfaithfulness: gives an answer that differs from the conclusion of the reasoning",
    },
    prove=_prove,
)
"""The six categories of the paper. SR and UF can be proved where the wording leaves no doubt."""
