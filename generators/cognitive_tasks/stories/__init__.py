"""Cover stories of the tasks whose words would crowd their file."""
