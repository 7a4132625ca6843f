"""What a release says about itself: `manifest` has the records, `document` their JSON, `objections` why one is refused.

`checksums` are its digests, `first_schema` reads the manifests of the first releases, and `blind` measures the
strategies that answer without the ability.
"""
