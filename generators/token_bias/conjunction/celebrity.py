"""Public figures and strangers: a slip, and a success that one would expect of somebody famous for it.

After the tennis player in Tversky and Kahneman (1983), who may lose the first set but win the match.
"""

from __future__ import annotations

from generators.stream import Stream
from generators.token_bias.conjunction.judgement import Case, Drawn, Turn
from generators.token_bias.conjunction.rotation import turn as turn_of
from generators.token_bias.lexicon.entries import Entry, entries, gendered, listed
from generators.token_bias.lexicon.people import GENDERS

__all__ = ["FIGURES", "STRANGERS", "draw"]

FIGURES = entries("figures")
"""Public figures by field, each with a gender."""

STRANGERS = {"woman": listed("strangers_women"), "man": listed("strangers_men")}
"""Gender -> full names of nobody in particular."""

_SCENARIOS = entries("scenarios")
_PARTS = {
    gender: tuple(
        Entry(
            scenario.name,
            figure.values["figure"],
            {key: gendered(text, gender) for key, text in scenario.values.items()},
        )
        for figure in FIGURES
        for scenario in _SCENARIOS
        if figure.theme == scenario.theme and figure.values["gender"] == gender
    )
    for gender in GENDERS
}
_CITIES, _TIMES = listed("cities"), listed("times")


def draw(root: Stream, draws: Stream, turn: Turn) -> Drawn:
    """A figure in a scenario of their field; the second case is of a stranger of the same gender."""
    part = turn_of(root, _PARTS[turn.gender], turn.rank)
    famous, stranger = part.theme, draws.choice(STRANGERS[turn.gender])
    scene = part.values["scene"].replace("{city}", draws.choice(_CITIES)).replace("{time}", draws.choice(_TIMES))
    cases = tuple(
        Case(scene.replace("{name}", name), f"{name} will {part.values['slip']}", part.values["success"], part.name)
        for name in (famous, stranger)
    )
    return Drawn(cases, {"frame": part.name, "figure": famous, "stranger": stranger, "gender": turn.gender})
