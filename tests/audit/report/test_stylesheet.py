"""The style sheet of the page: contrast in light and dark, shades that need no hue."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(colour, other):
    light, dark = sorted((luminance(colour), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes():
    style = (files("hansproof.audit.report") / "templates" / "style.css").read_text(encoding="utf-8")
    light, _, rest = style.partition("@media screen and (prefers-color-scheme: dark) {")
    return [light, rest.partition("\n}\n")[0]]


@pytest.mark.parametrize("index", [0, 1])
def test_text_has_enough_contrast_in_both_colour_schemes(index):
    style = schemes()[index]
    cells = re.findall(r"\.(h[0-9nx]) \{ background: (#\w+); color: (#\w+); \}", style)
    assert len(cells) == 12
    assert all(contrast(back, front) >= 4.5 for _, back, front in cells)
    names = dict(re.findall(r"--(page|sheet|ink|soft|link|tint): (#\w+);", style.partition(".v-leaks")[0]))
    assert all(
        contrast(names[front], names[back]) >= 4.5
        for front in ("ink", "soft", "link")
        for back in ("page", "sheet", "tint")
    )
    verdicts = re.findall(r"\.v-\w+ \{ --accent: (#\w+); --tint: (#\w+); \}", style)
    assert len(verdicts) == 7
    assert all(contrast(accent, tint) >= 4.5 and contrast(accent, names["sheet"]) >= 4.5 for accent, tint in verdicts)


def test_the_shades_of_the_heat_map_are_told_apart_without_hue():
    for style, down in zip(schemes(), (True, False), strict=True):
        shades = [luminance(back) for _, back in re.findall(r"\.h([0-9]) \{ background: (#\w+);", style)]
        assert shades == sorted(shades, reverse=down)


SHEET = (files("hansproof.audit.report") / "templates" / "style.css").read_text(encoding="utf-8")
TEMPLATES = [path for path in (files("hansproof.audit.report") / "templates").iterdir() if path.name.endswith(".j2")]


def test_every_table_lies_in_a_box_that_scrolls_and_that_a_keyboard_reaches():
    tables = 0
    for path in TEMPLATES:
        text = path.read_text(encoding="utf-8")
        # What stands in front of each table, without the words of the template.
        for before in re.split(r"<table\b", text)[:-1]:
            box = re.search(r'<div class="scroll" role="region" aria-label="[^>]+" tabindex="0">\s*\Z',
                            re.sub(r"\{%.*?%\}", "", before))  # fmt: skip
            assert box, (path.name, before[-200:])
            tables += 1
    assert tables >= 4


def test_a_box_that_can_be_scrolled_says_so_without_scripts_on_the_screen_alone():
    box = SHEET[SHEET.index(".scroll {") :].partition("}")[0]
    # Shadows that stay, and covers that move away with the content: the shadow shows where there is more.
    assert (box.count("no-repeat local"), box.count("no-repeat scroll")) == (2, 2)
    newer = SHEET[SHEET.index("@supports (animation-timeline: scroll(self inline))") :].partition("\n}\n")[0]
    assert "position: sticky; right: 0;" in newer
    # Without anything to scroll there is no timeline, hence no arrow.
    assert "opacity: var(--more, 0)" in newer
    assert "--edge:" in schemes()[0].partition(".v-leaks")[0]
    assert "--edge:" in schemes()[1].partition(".v-leaks")[0]
    printed = SHEET[SHEET.rindex("@media print") :]
    assert ".scroll { display: block; overflow: visible; background: none; }" in printed
    assert ".scroll::after { content: none; }" in printed
