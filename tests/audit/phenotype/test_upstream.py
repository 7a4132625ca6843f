"""Recorded choices of others: renamed, and their known faults mended or, on request, kept."""

import numpy as np
import pytest

from hansproof.audit.phenotype.measuring import phenotype
from hansproof.audit.phenotype.record_files import read_records
from hansproof.generators.errors import InputError, UsageError

BANDIT = "trial,block,block_trial,choice,reward,confidence,accurate,run"
CASINO = "run,trial,task,mean0,mean1,reward0,reward1,choice,reward"
URN = "run,informative_lh,prior,lh,left_pred,red_observation"
DAY = "run,trial,action1,state,action2,reward,probsA,probsB,probsC,probsD"


def table(tmp_path, header, *lines, folder="Task", model="m", **options):
    path = tmp_path / folder / f"{model}.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\ufeff" + "\n".join([header, *lines]) + "\n", encoding="utf-8")
    return next(iter(read_records(path, **options).tables.values()))


def test_the_last_trial_of_a_block_is_held_against_its_own_better_arm(tmp_path):
    # Arm 1 is better throughout block 0; the last row says that arm 0 is, which is true only of block 1.
    lines = ["0,0,0,1,60,.5,1,0", "1,0,1,0,40,.5,0,0", "2,0,2,1,60,.5,1,0", "3,0,3,1,60,.5,0,0"]
    mended = table(tmp_path, BANDIT, *lines)
    assert mended.columns["accurate"].tolist() == [1, 0, 1, 1]
    assert mended.notes == (
        "1 last trial of 1 block had been held against the better arm of the next block; now against that of its own",
    )
    kept = table(tmp_path, BANDIT, *lines, as_published=True)
    assert (kept.columns["accurate"].tolist(), kept.notes) == ([1, 0, 1, 0], ())


def test_a_block_that_contradicts_itself_elsewhere_stays_as_it_is(tmp_path):
    lines = ["0,0,0,1,60,.5,1,0", "1,0,1,1,40,.5,0,0", "2,0,2,1,60,.5,1,0", "3,0,3,1,60,.5,0,0"]
    assert table(tmp_path, BANDIT, *lines).notes == ()


def test_doubled_trials_are_left_out_and_their_first_row_stays(tmp_path):
    lines = ["0,0,4,.75,.75,1,1,0,1", "0,0,2,.75,.75,1,1,0,1", "0,1,2,.25,.75,0,1,1,1", "0,1,3,.25,.75,0,1,1,1"]
    mended = table(tmp_path, CASINO, *lines)
    assert (mended.columns["casino"].tolist(), len(mended.notes)) == ([4, 2], 1)
    assert mended.notes[0] == "2 rows of trials that were stored twice left out"
    assert len(table(tmp_path, CASINO, *lines, as_published=True).run) == 4


def test_estimates_drawn_for_replies_without_a_number_are_left_out(tmp_path):
    lines = ["0,True,.5,.1,.2,True", "0,False,.3,.5,55,False", "1,True,.4,.9,0,False"]
    mended = table(tmp_path, URN, *lines)
    assert mended.columns["estimate"].tolist() == [0.2, 0.0]
    assert "1 estimate above 1" in mended.notes[0]
    assert mended.columns["informative"].tolist() == [1, 1]
    assert sorted(table(tmp_path, URN, *lines, as_published=True).columns["estimate"]) == [0.0, 0.2, 1.0]


def test_planets_and_aliens_become_numbers(tmp_path):
    lines = ["0,0,X,X,D,0,.3,.4,.5,.6", "0,1,X,Y,K,1,.3,.4,.5,.6", "0,2,Y,Y,F,1,.3,.4,.5,.6"]
    mended = table(tmp_path, DAY, *lines)
    assert mended.columns["action"].tolist() == [0, 0, 1]
    assert mended.columns["state"].tolist() == [0, 1, 1]
    assert np.array_equal(mended.columns["choice"], [0, 1, np.nan], equal_nan=True)  # F lives on planet X
    assert mended.notes == ("1 alien of the other planet chosen, which no metric uses",)
    with pytest.raises(InputError, match=r"line 2: action1 is 'Z', not 'X' or 'Y'"):
        table(tmp_path, DAY, "0,0,Z,X,D,0,.3,.4,.5,.6")
    with pytest.raises(InputError, match=r"line 2: action2 is 'Q'"):
        table(tmp_path, DAY, "0,0,X,X,Q,0,.3,.4,.5,.6")


def test_a_missing_column_is_named_as_the_file_would_name_it(tmp_path):
    with pytest.raises(InputError, match="records of horizon need the column 'mean0'"):
        table(tmp_path, "run,trial,mean1,choice,reward", "0,0,40,1,40", folder="HorizonTask")


def test_a_run_with_nothing_but_its_number_is_left_out(tmp_path):
    header = "score,present bias,subaddictivity,delay-speedup asymmetry-1,delay-length asymmetry-2,run"
    mended = table(tmp_path, header, "7,1,1,0,1,0", ",,,,,1")
    assert (mended.columns["score"].tolist(), mended.notes[0]) == ([7], "1 run with nothing but a number left out")


def test_an_anomaly_has_its_point_where_the_first_option_was_chosen(tmp_path):
    # Theirs: 1 for the second option, without a point. Present bias is 1 whatever was chosen. A score of 5 to 15 with
    # no other 1 may come from the series alone, without these questions; one of 3 cannot.
    header = "run,score,present bias,subaddictivity,delay-speedup asymmetry-1,delay-length asymmetry-2"
    names = ("present_bias", "subadditivity", "delay_speedup", "delay_length")
    lines = ["0,7,1,1,0,1", "1,15,1,0,0,0", "2,3,1,0,0,0", "3,17,0,0,0,1.0"]

    def columns(mended):
        return [[None if np.isnan(x) else int(x) for x in row] for row in zip(*(mended.columns[n] for n in names))]

    mended = table(tmp_path, header, *lines)
    assert columns(mended) == [[None, 0, 1, 0], [None] * 4, [None, 1, 1, 1], [1, 1, 1, 0]]
    assert "1 run in which the questions about anomalies may not have been asked" in mended.notes
    assert columns(table(tmp_path, header, *lines, as_published=True))[0] == [1, 1, 0, 1]


def test_a_folder_of_several_models_wants_a_name(tmp_path):
    for model in ("one", "two"):
        table(tmp_path, "run,pumps,exploded,reward", "0,1,False,1", folder="BART", model=model)
    with pytest.raises(InputError, match="holds several models; name one of them: one, two"):
        read_records(tmp_path)
    with pytest.raises(UsageError, match=r"no model 'tow'\. Did you mean 'two'\?"):
        read_records(tmp_path, model="tow")
    records = read_records(tmp_path, model="two")
    assert (records.name, list(records.tables)) == ("two", ["balloons"])
    assert phenotype(records, resamples=10).metric("balloon-points").value == 1
