"""Why we and a harness differ on a reply."""

import pytest

from hansproof.audit.replies.judged_reply import cause


@pytest.mark.parametrize(
    ("reply", "ours", "said"),
    [
        (" Yes", True, "begins with white space"),
        ("\nYes. Or no.", True, "begins with white space"),
        ("Yes", True, "the harness may have another"),
        ("Yes, they do.", True, "goes on after the answer"),
        ("YES", True, "other letters"),
        ("The answer is Yes.", True, "does not stand at the beginning"),
        ("Yes and no", False, "somewhere, and is not clear to us"),
        ("Perhaps", False, "may accept another"),
        (None, False, "there is no reply"),
    ],
)
def test_a_cause_is_what_can_be_seen_of_the_reply(reply, ours, said):
    assert said in cause(reply, ("Yes",), ours)
