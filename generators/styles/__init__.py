"""Prompt styles: what is said around the prompt of an item.

Read `style` (the table of styles), `asking` (what an item's family says about being asked), `rendering` (an item in a
style), `turns` (the turn of an episode in a style), `exemplars` (solved examples that are in no release).
"""
