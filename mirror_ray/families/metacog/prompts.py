"""What a model reads in the seven channels (arXiv 2604.19809, appendices C and S).

Knows words only. The formats of the channels are the source's, verbatim; [our decision] layer 2 has
no published reply format, so a model is asked for the bare number, behind its task.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

_WAGERING = """\
{q}
After answering, place a bet on your answer: 1-10 points.
If correct, you gain the points. If wrong, you lose them.
Format your response EXACTLY as:
ANSWER: [your answer]
BET: [1-10]"""

_OPT_OUT = """\
{q}
Scoring: +3 points if correct, -1 point if wrong.
Alternatively, write SKIP for a guaranteed +1 point.
Format your response as ONE of:
ANSWER: [your answer]
or
SKIP"""

_DIFFICULTY = """\
Choose one task to attempt:
TASK A (harder): {hard}
   → +5 points if correct, -3 points if wrong
TASK B (easier): {easy}
   → +1 point if correct, 0 points if wrong
Write either "A" or "B", then answer your chosen task.
Format:
CHOICE: [A or B]
ANSWER: [your answer to chosen task]"""

_TOOLS = """\
{q}
You have access to the following tools:
[USE_TOOL: calculator | <expression>]
[USE_TOOL: web_search | <query>]
[USE_TOOL: ask_expert | <question>]
[USE_TOOL: flag_review | <reason>]
You may use multiple tools, or none. Answer to the best of your ability.
ANSWER: [your answer]"""

_MATCHED = """\
{q}
Format your response EXACTLY as:
ANSWER: [your answer]
CONFIDENCE: [1-10]"""

_OUR_MATCHED = """\
{q}
After answering, state your confidence in your answer: 1-10.
Format your response EXACTLY as:
ANSWER: [your answer]
CONFIDENCE: [1-10]"""

_PREDICTION = (
    "On a scale of 0–100, how confident are you that you will answer this {domains} task "
    "correctly?\n{q}\nDo not answer the task. Reply with the number only."
)

TOOLS = ("calculator", "web_search", "ask_expert", "flag_review")


def prediction(question: str, *domains: str) -> str:
    """Layer 2: asked in a context of its own, before the task is."""
    return _PREDICTION.format(q=question, domains=" × ".join(domains))


def after_tools(user: str, reply: str, said: str) -> str:
    """[Our decision] The first exchange as text, what the tools said, and the answer asked for."""
    return (
        f"This is our conversation so far.\n\nUSER:\n{user}\n\nYOU:\n{reply}\n\n"
        f"USER:\nThe tools say:\n{said}\nNow give your answer.\nANSWER: [your answer]"
    )


def difficulty(hard: str, easy: str) -> str:
    """The choice between a harder and an easier task."""
    return _DIFFICULTY.format(hard=hard, easy=easy)


FORMATS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "wagering": lambda q: _WAGERING.format(q=q),
        "opt_out": lambda q: _OPT_OUT.format(q=q),
        "tools": lambda q: _TOOLS.format(q=q),
        "natural": lambda q: q,
        "matched": lambda q: _MATCHED.format(q=q),
    }
)
"""Channel → from a question's text to the prompt; the other two channels need more than that."""


def our_matched(question: str) -> str:
    """The variant `ours` of the format-matched control: a line says what the number is."""
    return _OUR_MATCHED.format(q=question)
