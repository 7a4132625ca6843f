"""What is said where too little is left to audit."""

from hansproof.audit.repair.goals import goal_of, too_few
from hansproof.audit.repair.records import Reading, RepairStep

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
STEP = RepairStep(
    kind="cue",
    rule="balance “x”",
    removed_chosen=41,
    removed_held_out=20,
    kept=59,
    vector="uni",
    label="unigrams",
    kappa_chosen=None,
    kappa_held_out=None,
)


def test_held_out_items_that_are_too_few_are_counted():
    few = too_few(BEFORE, None, [STEP])
    assert few == "Of 48 held-out items 28 are left; an audit needs 30."
    said = goal_of(BEFORE, BEFORE, None, few=few)[1]
    assert said.startswith(f"{few} No step is left that could help;")
    # Where they are enough, or were too few from the start, something else is in the way.
    assert too_few(BEFORE, None, []) == too_few(None, None, [STEP]) == ""
    assert goal_of(BEFORE, None, None)[1].startswith("Too few items are left, here or among the held-out ones")


def test_the_option_that_sets_the_floor_is_named():
    said = goal_of(BEFORE, BEFORE, None, "balance “y”")[1]
    assert "would leave fewer items than allowed; lower --keep-at-least or add" in said
