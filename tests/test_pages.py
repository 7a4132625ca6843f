"""The README and the other pages in Markdown: what they point to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for path in ROOT.glob("**/*.md")
    if not {".venv", "node_modules", ".git", "build", "dist", "documents"} & set(path.relative_to(ROOT).parts[:-1])
)
LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")


def anchors(text):
    """The anchors of a page's headings, as the usual hosts make them."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", prose, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken(page, text):
    """The links of a page that lead nowhere."""
    lost = []
    for pair in LINK.findall(re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)):
        address, _, anchor = "".join(pair).partition("#")
        if re.match(r"\w+:", address):
            continue
        target = (page.parent / address) if address else page
        there = target.exists()
        if there and anchor and target.suffix == ".md":
            there = anchor in anchors(target.read_text(encoding="utf-8") if address else text)
        lost += [] if there else [f"{address}#{anchor}" if anchor else address]
    return lost


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_somewhere(page):
    assert broken(page, page.read_text(encoding="utf-8")) == []


def test_a_link_that_leads_nowhere_is_seen(tmp_path):
    (tmp_path / "other.md").write_text("# A page: of two, & more\n", encoding="utf-8")
    text = "# Here\n[a](other.md#a-page-of-two--more) [b](#here) [c](other.md#b) [d](none.md) [e](#there) [f](https://x.y/z)\n"
    (tmp_path / "page.md").write_text(text, encoding="utf-8")
    assert broken(tmp_path / "page.md", text) == ["other.md#b", "none.md", "#there"]


def test_the_readme_is_short_and_names_every_guide():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) < 2_500
    guides = {guide.name for guide in (ROOT / "docs").glob("*.md")} - {"recipes.md"}
    assert {name for name in guides if f"(docs/{name}" in readme} == guides
