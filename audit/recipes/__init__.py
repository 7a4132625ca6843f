"""Recipes: how to read a published benchmark, by its name.

Read in this order: `recipe` (what a recipe says), `shelf` (all of them, one TOML file each in `files/`), `fitting`
(a recipe and a file become columns). A recipe is data; to add one, add a file.
"""
