"""The items of a release, taken together."""

from collections import Counter

from hansproof.generators.production import items, release_stretch
from hansproof.generators.token_bias.dataset import DATASET


def test_no_prompt_occurs_twice_so_that_replies_can_be_joined_by_prompt():
    prompts = Counter(
        item.prompt for name in DATASET.subsets for item in items(DATASET, release_stretch(DATASET, name), DATASET.seed)
    )
    assert sum(prompts.values()) == sum(subset.rows for subset in DATASET.subsets.values())
    assert [prompt for prompt, times in prompts.items() if times > 1] == []
