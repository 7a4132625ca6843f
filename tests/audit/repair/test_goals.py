"""What is said where too little is left to audit."""

from hansproof.audit.repair.goals import goal_of
from hansproof.audit.repair.records import Reading

BEFORE = Reading(
    items=48,
    groups=48,
    verdict="LEAKS",
    reason="so",
    significant=True,
    scheme="grouped",
    splits=3,
    first=None,
    strongest=None,
)


def test_too_few_items_are_said_to_be_too_few():
    assert goal_of(BEFORE, None, None)[1].startswith("Too few items are left, here or among the held-out ones")


def test_the_option_that_sets_the_floor_is_named():
    said = goal_of(BEFORE, BEFORE, None, "balance “y”")[1]
    assert "would leave fewer items than allowed; lower --keep-at-least or add" in said
