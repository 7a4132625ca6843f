"""Releases: frozen, versioned data.

Read `release` (the pipeline), `manifest` (what a release says about itself), `objections` (why one is refused), then
`freeze` and `verification`. `frozen` reads a release for whoever scores, asks or exports its items.
"""
