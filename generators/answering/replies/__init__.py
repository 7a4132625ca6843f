"""How free replies are read: which option or label they name, by letter or by words, and which number they give.

Read `text` (what of a reply is read), `naming` (how options are named), `standing` (denied, supposed or meant),
`statements` (plain answers), then `options` and `numbers`, which decide.
"""
