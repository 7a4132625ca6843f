"""What is said where too little is left to audit."""

from hansproof.audit.reading.loading import load
from hansproof.audit.repair.goals import Outcome, harden_result
from hansproof.audit.repair.records import Reading, RepairStep
from hansproof.audit.settings import make_settings

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


def reason(**changed):
    made = load([{"prompt": f"What is {n}?", "answer": "ab"[n % 2]} for n in range(120)])
    outcome = Outcome(**{"kept": 59, "steps": (STEP,), "before": BEFORE, **changed})
    return harden_result(made, make_settings(), BEFORE, 0.3, 0.4, outcome).reason


def test_held_out_items_that_are_too_few_are_counted():
    assert reason().startswith("Of 48 held-out items 28 are left; an audit needs 30. No step is left that could help;")
    # Where they are enough, or were too few from the start, something else is in the way.
    for other in ({"steps": ()}, {"before": None}):
        assert reason(**other).startswith("Too few items are left, here or among the held-out ones")


def test_the_option_that_sets_the_floor_is_named():
    assert "would leave fewer items than allowed; lower --keep-at-least or add" in reason(floor="balance “y”")
