"""What an audit tells of its progress."""

import made_options
import pytest

import hansproof


@pytest.mark.parametrize("options", [True, False])
def test_refitting_tells_every_step(options):
    told = []
    rows = made_options.rows(80) if options else [
        {"prompt": f"Is number {n} {'odd' if n % 3 else 'even'}?", "answer": ("yes", "no")[n % 2]} for n in range(80)
    ]  # fmt: skip
    hansproof.audit(
        rows, groups="none", splits=1, folds=3, permutations=99, workers=1, progress=lambda *call: told.append(call)
    )
    steps = [(done, total) for stage, done, total in told if stage == "refitting"]
    assert steps[0] == (0, 1)
    total = steps[-1][1]
    assert total > 20
    assert steps[1:] == [(done, total) for done in range(1, total + 1)]
