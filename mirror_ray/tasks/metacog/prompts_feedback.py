"""What a model reads in burn-and-test trials (experiment 4).

Knows words only. [Our decision] The source's trials are conversations; here each ask carries the
conversation so far as text, since a context of its own is what every ask has. The two last tasks
are asked apart, after the same conversation, so that neither reply colours the other. All wording
is ours.
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
ANSWER: [your answer]"""

OPENING = "You will be given several tasks, one after another.\n\n"
RETRY = "You may try that task again, in the same format."


def task_prompt(question: str) -> str:
    """One task and the ways to approach it."""
    return f"Task: {question}\n{_OPTIONS}"


def conversation(turns: Sequence[tuple[str, str]], user: str) -> str:
    """What was said so far, and what is said now.

    Args:
        turns: (what the model was told, what it replied), in order.
    """
    if not turns:
        return OPENING + user
    said = "\n\n".join(f"USER:\n{told}\n\nYOU:\n{reply}" for told, reply in turns)
    return f"This is our conversation so far.\n\n{OPENING}{said}\n\nUSER:\n{user}"
