"""A toy family of episodes, for tests of what cannot be tested on families that are answered."""
