"""An episode, played to its end by whoever answers its prompts."""


def play(episode, agent):
    """The run of `agent` (prompt -> action); what it says is stripped of surrounding white space."""
    while not episode.done:
        episode.step(agent(episode.prompt).strip())
    return episode.transcript
