"""The phrases by which an agent recognises a question about its confidence, and its neutral
replies."""

from functools import wraps

from mirror_ray.agents.prompt import Agent, Prompt

FORECAST = "Reply with the number only"
BETS, SKIPS = "BET: [1-10]", "write SKIP"
IS_OVER = "You ended the task with action=done"


def indifferent(agent: Agent) -> Agent:
    """Make an agent play every channel: it bets 5, never defers, and forecasts 50."""

    @wraps(agent)
    def say(prompt: Prompt) -> str:
        if FORECAST in prompt.user:
            return "50"
        bets = BETS in prompt.user
        if IS_OVER in prompt.user and (bets or SKIPS in prompt.user):
            return "BET: 5" if bets else "KEEP"
        return f"{agent(prompt)}\nBET: 5" if bets else agent(prompt)

    return say


def points(belief: float) -> int:
    """Format a number of points, from 1 to 10."""
    return min(10, max(1, round(1 + 9 * belief)))


def percent(belief: float) -> int:
    """Format a percentage, from 0 to 100."""
    return min(100, max(0, round(100 * belief)))
