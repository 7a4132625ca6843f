"""What a browser makes of a page: its tags, and its tables as texts."""

import html
import re
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Reader(HTMLParser):
    """What a browser would act on; every tag is closed by its own."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.ids, self.links, self.open, self.headings = [], [], [], [], [], []
        self.heads = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named["href"]] if "href" in named else []
        self.headings += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        self.heads += [named] if tag == "th" else []
        if tag == "svg":
            assert "aria-hidden" in named or named.get("aria-label") or named.get("role") == "img" or "svg" in self.open
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def tables(text):
    """Caption -> its rows -> the texts of their cells, without what stands below in small."""
    every = {}
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        named = re.search("<caption>(.*?)</caption>", table, re.DOTALL)
        if named is None:
            continue
        caption = html.unescape(re.sub("<[^>]+>", "", named[1]))
        body = re.search("<tbody>(.*?)</tbody>", table, re.DOTALL)[1]
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in re.findall("<tr.*?</tr>", body)]
        every[caption] = [[html.unescape(re.sub("<[^>]+>", "|", cell)).strip("|") for cell in row] for row in cells]
    return every


def headings(text):
    """Caption -> the headings of its columns."""
    every = {}
    for table in re.findall(r"<table.*?</table>", text, re.DOTALL):
        if named := re.search("<caption>(.*?)</caption>", table, re.DOTALL):
            head = re.search("<thead>(.*?)</thead>", table, re.DOTALL)[1]
            cells = re.findall(r"<th[^>]*>(.*?)</th>", head, re.DOTALL)
            every[html.unescape(re.sub("<[^>]+>", "", named[1]))] = [html.unescape(cell) for cell in cells]
    return every
