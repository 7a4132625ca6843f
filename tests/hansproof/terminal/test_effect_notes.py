"""Notes below effects: what slices have not, and what is said once of all models."""

import hansproof
from hansproof.terminal.differences import effect_notes, effect_tables, shared_notes


def test_the_note_on_power_says_that_slices_have_none(tmp_path):
    rows, replies = ["id,question,label,pair,arm,topic"], {}
    for number in range(40):
        for arm in ("plain", "long"):
            id_, gold = f"{number}-{arm}", ("yes", "no")[number % 2]
            rows.append(f"{id_},Is thing {number} {arm}?,{gold},p{number},{arm},{'xy'[number // 20]}")
            replies[id_] = gold if arm == "plain" or number % 3 else "perhaps"
    items = tmp_path / "arms.csv"
    items.write_text("\n".join(rows) + "\n", encoding="utf-8")
    columns = {"group": "pair", "condition": "arm", "subset": "topic"}
    (report,) = hansproof.score(replies, items, item_columns=columns)
    main, parts = effect_tables(report.effects)
    assert "detectable" in [column.title for column in main.columns]
    assert "detectable" not in [column.title for column in parts.columns]
    assert any(note.startswith("detectable (no slice has the pairs for it): ") for note in effect_notes(report.effects))
    whole = [effect for effect in report.effects if not effect.by]
    assert any(note.startswith("detectable: ") for note in effect_notes(whole))


def test_a_note_of_all_models_stands_once_and_others_name_theirs():
    models = [("a", ["same", "of two"]), ("b", ["same"]), ("c", ["same", "of two", "its own"])]
    assert shared_notes(models) == ["same", "a; c: of two", "c: its own"]
    assert shared_notes([("a", ["same"])]) == ["same"]
    many = [(f"m{k}", ["some"] if k < 6 else []) for k in range(9)]
    assert shared_notes(many) == ["m0; m1; m2; and 3 more: some"]
