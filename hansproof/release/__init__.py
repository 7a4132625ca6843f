"""Releases: frozen, versioned data.

Read `release` (the pipeline), then `freeze` and `verification`. What a release says about itself is in
`hansproof.manifests`. `frozen` reads a release for whoever scores, asks or exports its items.
"""
