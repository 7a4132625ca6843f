"""Recorded choices of others: renamed, and their known faults mended or, on request, kept."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from hansproof.audit.phenotype.measuring import MEASURES, differences, phenotype, sample
from hansproof.audit.phenotype.record_files import read_records
from hansproof.audit.report.phenotype_figure import figure
from hansproof.audit.report.phenotype_words import gaps
from hansproof.generators.errors import InputError, UsageError

BANDIT = "trial,block,block_trial,choice,reward,confidence,accurate,run"
CASINO = "run,trial,task,mean0,mean1,reward0,reward1,choice,reward"
URN = "run,informative_lh,prior,lh,left_pred,red_observation"
DAY = "run,trial,action1,state,action2,reward,probsA,probsB,probsC,probsD"


def table_path(tmp_path, header, *lines, folder="Task", model="m"):
    path = tmp_path / folder / f"{model}.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\ufeff" + "\n".join([header, *lines]) + "\n", encoding="utf-8")
    return path


def table(tmp_path, header, *lines, folder="Task", model="m", **options):
    path = table_path(tmp_path, header, *lines, folder=folder, model=model)
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


def test_a_letter_that_is_no_planet_costs_its_day_and_not_its_file(tmp_path):
    lines = ["0,0,X,X,D,0,.3,.4,.5,.6", "0,1,Z,X,D,1,.3,.4,.5,.6", "0,2,Y,Y,Z,1,.3,.4,.5,.6", "0,3,Y,?,J,1,.3,.4,.5,.6"]
    mended = table(tmp_path, DAY, *lines)
    assert mended.columns["trial"].tolist() == [0, 2]
    assert mended.notes[0].startswith("2 days on a planet that is neither X nor Y left out (the first: 'Z', ")
    assert mended.notes[0].endswith("m.csv: line 3)")
    assert mended.notes[1:] == ("1 alien of the other planet chosen, which no metric uses",)
    assert MEASURES["two-step"](mended, False).notes == ("1 day without the day after: not in the regression",)


def two_step_days(runs, seed=3):
    """Days of somebody who rather stays after a reward that the common journey brought; each run in its own order."""
    random, lines = np.random.default_rng(seed), []
    for run, length in runs:
        action = 0
        for trial in range(length):
            state = action if random.random() < 0.7 else 1 - action
            reward = int(random.random() < 0.5)
            lines.append(f"{run},{trial},{'XY'[action]},{'XY'[state]},{'DJ'[state]},{reward},.3,.4,.5,.6")
            action = action if random.random() < (0.8 if reward == (action == state) else 0.4) else 1 - action
    return lines


def published_effect(lines):
    """The interaction as the published script has it: rows of one run number follow each other."""
    frame = pd.read_csv(StringIO("\n".join([DAY, *lines])))
    rows = []
    for _, run in frame.groupby("run", sort=False):
        action, state, reward = (run[name].to_numpy() for name in ("action1", "state", "reward"))
        stay = (action[1:] == action[:-1]).astype(float)
        r, common = np.where(reward[:-1] == 1, 1.0, -1.0), np.where(action[:-1] == state[:-1], 1.0, -1.0)
        rows.append(np.stack([stay, np.ones(len(r)), r, common, r * common], axis=1))
    stacked = np.concatenate(rows)
    return sm.OLS(stacked[:, 0], stacked[:, 1:]).fit().params[3]


def test_a_run_that_begins_anew_is_another_run_and_as_published_it_goes_on(tmp_path):
    lines = two_step_days([(0, 20), (0, 20), (1, 20), (1, 15), (0, 20)])
    mended = table(tmp_path, DAY, *lines)
    assert mended.runs == ("0", "1", "0 / 2", "0 / 3", "1 / 2")
    assert mended.notes == ("3 runs with the number of another, begun anew, counted as a run of its own",)
    kept = table(tmp_path, DAY, *lines, as_published=True)
    assert (kept.runs, kept.notes) == (("0", "1"), ())
    numbers = np.cumsum([line.split(",")[1] == "0" for line in lines])
    apart = [f"{number},{line.split(',', 1)[1]}" for number, line in zip(numbers, lines, strict=True)]
    for records, as_published, expected in ((mended, False, apart), (kept, True, lines)):
        value = MEASURES["two-step"](records, as_published).statistics["model-basedness"].value()[0]
        assert value == pytest.approx(published_effect(expected), abs=1e-12)
    assert published_effect(apart) != pytest.approx(published_effect(lines), abs=1e-3)


def test_doubled_trials_of_a_run_that_begins_anew_are_left_out_and_both_runs_stay(tmp_path):
    run = ["0,0,4,.75,.75,1,1,0,1", "0,0,2,.75,.75,1,1,0,1", "0,1,2,.25,.75,0,1,1,1", "0,1,3,.25,.75,0,1,1,1"]
    mended = table(tmp_path, CASINO, *run, *run)
    assert mended.columns["casino"].tolist() == [4, 2, 4, 2]
    assert mended.runs == ("0", "0 / 2")
    assert [note.split()[:2] for note in mended.notes] == [["1", "run"], ["4", "rows"]]


def test_rows_of_a_run_in_any_order_are_one_run(tmp_path):
    lines = two_step_days([(0, 20)])
    assert table(tmp_path, DAY, *reversed(lines)).runs == ("0",)
    assert table(tmp_path, DAY, *reversed(lines)).notes == ()


def test_as_published_runs_of_instrumental_learning_weigh_alike(tmp_path):
    random = np.random.default_rng(0)
    lines = [
        f"{run},{trial},{casino},.25,.75,0,1,{random.integers(2)},{int(random.random() < 0.2 + 0.4 * run)}"
        for run, length in ((0, 96), (1, 40))
        for trial in range(length)
        for casino in (1, 2)
    ]
    frame = pd.read_csv(StringIO("\n".join([CASINO, *lines])))
    kept = table(tmp_path, CASINO, *lines, folder="InstrumentalLearning", as_published=True)
    value = MEASURES["instrumental-learning"](kept, True).statistics["instrumental-reward"].value()[0]
    assert value == pytest.approx(frame.groupby("run").reward.mean().mean(), abs=1e-12)
    assert value != pytest.approx(frame.reward.mean(), abs=1e-3)
    mended = table(tmp_path, CASINO, *lines, folder="InstrumentalLearning")
    value = MEASURES["instrumental-learning"](mended, False).statistics["instrumental-reward"].value()[0]
    assert value == pytest.approx(frame.drop_duplicates(["run", "trial"]).reward.mean(), abs=1e-12)


@pytest.mark.parametrize(
    ("task", "header", "metric", "column"),
    [
        ("restless-bandit", BANDIT, "restless-bandit-reward", "reward"),
        ("restless-bandit", BANDIT, "restless-bandit-accuracy", "accurate"),
        ("balloons", "trial,pumps,exploded,reward,run", "balloon-points", "reward"),
        ("balloons", "trial,pumps,exploded,reward,run", "risk-taking", "pumps"),
    ],
)
def test_as_published_short_runs_weigh_as_much_as_long_ones(tmp_path, task, header, metric, column):
    random, lines = np.random.default_rng(4), []
    for run, length in ((0, 20), (1, 5)):
        for trial in range(length):
            reward, bit = random.integers(1, 9) * (run + 1), random.integers(2) or run
            row = (
                f"{trial},0,{trial},1,{reward},.5,{bit}"
                if task == "restless-bandit"
                else f"{trial},{reward},0,{reward}"
            )
            lines.append(f"{row},{run}")
    frame = pd.read_csv(StringIO("\n".join([header, *lines])))
    values = [
        MEASURES[task](table(tmp_path, header, *lines, as_published=True), as_published).statistics[metric].value()[0]
        for as_published in (True, False)
    ]
    assert values == pytest.approx([frame.groupby("run")[column].mean().mean(), frame[column].mean()], abs=1e-12)
    assert values[0] != pytest.approx(values[1], abs=1e-3)


def people(prior_weight, likelihood_weight, runs=400, seed=1):
    """Rows as CogBench stores them for people: the likelihood is that of the ball that was drawn."""
    random, lines = np.random.default_rng(seed), []
    for run in range(runs):
        prior, likelihood = random.choice([0.1, 0.2, 0.7, 0.9]), random.choice([0.4, 0.5, 0.6, 0.8])
        odds = (prior / (1 - prior)) ** prior_weight * (likelihood / (1 - likelihood)) ** likelihood_weight
        lines.append(f"{run},True,{prior},{likelihood},{float(odds / (1 + odds))!r},{random.random() < 0.5}")
    return lines


def test_the_likelihoods_of_people_are_those_of_the_ball_that_was_drawn(tmp_path):
    lines = people(0.9, 1.2)
    frame = pd.read_csv(StringIO("\n".join([URN, *lines])))
    seen = frame.prior * frame.lh / (frame.prior * frame.lh + (1 - frame.prior) * (1 - frame.lh))
    lh = frame.lh.where(frame.red_observation, 1 - frame.lh)
    twice = frame.prior * lh / (frame.prior * lh + (1 - frame.prior) * (1 - lh))
    for as_published, bayes in ((False, seen), (True, twice)):
        records = table(tmp_path, URN, *lines, model="human", as_published=as_published)
        measured = MEASURES["probabilistic-reasoning"](records, as_published)
        assert measured.statistics["prior-weighting"].value()[0] == pytest.approx(0.9, abs=1e-9)
        assert measured.statistics["likelihood-weighting"].value()[0] == pytest.approx(1.2, abs=1e-9)
        accuracy = measured.statistics["posterior-accuracy"].value()[0]
        assert accuracy == pytest.approx(1 - (bayes - frame.left_pred).abs().mean(), abs=1e-12)
        assert measured.notes[0].startswith("likelihoods are those of the ball that was drawn, as CogBench stores them")
    sound = 1 - (seen - frame.left_pred).abs().mean()
    assert measured.notes[1].endswith(f"without, it is {f'{sound:.4f}'[1:]}")
    # A model's file says the likelihood of a red ball: of the same rows the weight is near 0.
    model = table(tmp_path, URN, *lines)
    assert abs(MEASURES["probabilistic-reasoning"](model, False).statistics["likelihood-weighting"].value()[0]) < 0.3


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
    with pytest.raises(InputError, match="holds several models; name one of them: one; two"):
        read_records(tmp_path)
    with pytest.raises(UsageError, match=r"no model 'tow'\. Did you mean 'two'\?"):
        read_records(tmp_path, model="tow")
    records = read_records(tmp_path, model="two")
    assert (records.name, list(records.tables)) == ("two", ["balloons"])
    assert phenotype(records, resamples=10).metric("balloon-points").value == 1


def balloons(folder, model, *lines):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{model}.csv").write_text("\n".join(["run,pumps,exploded,reward", *(lines or ("0,1,False,1",))]) + "\n")


def test_the_published_folders_are_found_at_every_height(tmp_path):
    top = tmp_path / "CogBench"
    task = top / "Experiments" / "BART"
    balloons(task / "data", "gpt-4")
    balloons(task / "data", "gpt-4_cot")
    balloons(task / "dataV2", "gpt-4", "0,9,False,9")
    (task / "scores_data.csv").write_text("engine,run\ngpt-4,0\n")
    for folder in (top, top / "Experiments", task, task / "data"):
        with pytest.raises(InputError, match=r"holds several models; name one of them: gpt-4; gpt-4_cot$"):
            read_records(folder)
        records = read_records(folder, model="gpt-4")
        assert (records.name, list(records.tables)) == ("gpt-4", ["balloons"])
        assert records.tables["balloons"].columns["pumps"].tolist() == [1]
    assert list(read_records(task / "data" / "gpt-4.csv").tables) == ["balloons"]


def test_a_file_that_cannot_be_used_is_named_and_the_others_are_measured(tmp_path):
    balloons(tmp_path / "BART" / "data", "human")
    (tmp_path / "TemporalDiscounting" / "data").mkdir(parents=True)
    header = "present bias,subaddictivity,delay-speedup asymmetry-1,delay-length asymmetry-2,score,run"
    mean = tmp_path / "TemporalDiscounting" / "data" / "human.csv"
    mean.write_text(f"{header}\n0,0,0,0,10.3,0\n")
    (tmp_path / "HorizonTask" / "data").mkdir(parents=True)
    (tmp_path / "HorizonTask" / "data" / "human.csv").write_text("\n")
    measured = phenotype(read_records(tmp_path), resamples=100)
    assert measured.metric("balloon-points").value == 1
    said = f"the file cannot be used: {mean}: line 2: score is '10.3', not a whole number from 0 to 19"
    assert measured.metric("temporal-discounting").reason == said
    assert measured.metric("horizon-reward").reason.endswith("HorizonTask/data/human.csv: the file is empty")
    written = gaps(measured)
    assert written[0] == "not played: probabilistic-reasoning, restless-bandit, instrumental-learning, two-step"
    assert f"Temporal discounting: {said}" in written
    assert ">undefined<" in figure([measured])
    (tmp_path / "BART" / "data" / "human.csv").unlink()
    with pytest.raises(InputError, match=r"human\.csv: the file is empty"):  # nothing is left to measure
        read_records(tmp_path)


def test_files_of_people_without_the_payouts_are_read_wherever_they_lie(tmp_path):
    path = tmp_path / "human.csv"
    path.write_text("run,trial,task,choice,reward\n0,0,1,1,0.0\n0,1,4,1,1.0\n")
    assert list(read_records(path).tables) == ["instrumental-learning"]
    path.write_text("run,trial,action1,state,action2,reward\n0,0,X,X,D,1\n0,1,Y,Y,J,0\n")
    assert list(read_records(path).tables) == ["two-step"]


def test_confidence_is_held_against_people_who_rated_it_on_another_scale_and_the_caution_says_so(tmp_path):
    ours = "run,block,trial,choice,reward,confidence,accurate"
    rows = ["0,0,0,1,60,.5,1", "0,0,1,0,40,.1,0", "0,0,2,1,60,.9,1"]
    mine = phenotype(read_records(table_path(tmp_path, ours, *rows)), resamples=100).metric("metacognition")
    assert (mine.human, mine.standard is None) == (0.7651, False)
    assert "people rated on a Likert scale, in 400 trials" in mine.caution


def test_equal_numbers_of_published_runs_are_no_equal_episodes(tmp_path):
    lines = [f"{run},{pumps},False,{pumps}" for run, pumps in enumerate((1, 4, 2, 6, 3, 5))]
    for model in ("a", "b"):
        balloons(tmp_path / "BART", model, *lines)
    first, second = (sample(read_records(tmp_path, model=model)) for model in ("a", "b"))
    assert {each.paired for each in differences([first, second])} == {False}
