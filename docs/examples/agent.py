"""An agent: a function of one prompt."""


def reply(prompt):
    return "B" if "A gave" in prompt else "A"
