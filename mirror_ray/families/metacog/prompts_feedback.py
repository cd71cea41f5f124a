"""The prompts of burn-and-test trials (experiment 4).

[Our decision] The source's trials are conversations; here each ask carries the conversation so far
as text, since every ask has a context of its own. The two last tasks are asked separately, after
the same conversation, so that neither reply influences the other. All wording is ours.
"""

from collections.abc import Sequence

_OPTIONS = """\
Choose how to approach it:
1 = solve it directly
2 = break it into steps
3 = use tools: [USE_TOOL: calculator | <expression>], [USE_TOOL: web_search | <query>], \
[USE_TOOL: ask_expert | <question>]
4 = ask for clarification
5 = flag it as beyond your ability: [USE_TOOL: flag_review | <reason>]
Format:
APPROACH: [1-5]
ANSWER: [your answer]
BET: [1-10]
After answering, place a bet on your answer: 1-10 points. If correct, you gain the points. \
If wrong, you lose them."""

OPENING = "You will be given several tasks, one after another.\n\n"
RETRY = "You may try that task again, in the same format."


def task_prompt(question: str) -> str:
    """One task, the ways to approach it, and the wager of channel 1."""
    return f"Task: {question}\n{_OPTIONS}"


def conversation(turns: Sequence[tuple[str, str]], user: str) -> str:
    """What was said so far, and what is said now.

    Args:
        turns: (the message to the model, its reply), in order.
    """
    if not turns:
        return OPENING + user
    said = "\n\n".join(f"USER:\n{told}\n\nYOU:\n{reply}" for told, reply in turns)
    return f"This is our conversation so far.\n\n{OPENING}{said}\n\nUSER:\n{user}"
