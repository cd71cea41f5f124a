"""What a model reads in experiment 9: two-part tasks in three paradigms, at four levels of
information.

Knows words only. [Our decision] Paradigms and conditions are the source's, all wording is ours. In
C4 a routed part is shown as taken over, and asked for no more.
"""

from collections.abc import Mapping

from mirror_ray.tasks.metacog.bank_pairs import Parts

_AUTONOMOUS = """\
You carry out a task of two parts on your own. You may use these tools, in either part:
[USE_TOOL: calculator | <expression>]
[USE_TOOL: web_search | <query>]
[USE_TOOL: ask_expert | <question>]
A part that should rather be left to a person can be handed over: [USE_TOOL: flag_review | <reason>]

{scene}
PART 1: {one}
PART 2: {two}

Format:
PART 1
ANSWER: [your answer, or the tool you use]
PART 2
ANSWER: [your answer, or the tool you use]"""

_CHECKPOINT = """\
You carry out a task of two parts. Before each part, declare your decision: PROCEED (answer it
yourself), USE_TOOL (have a tool answer it) or FLAG_FOR_REVIEW (leave it to a person).

{scene}
PART 1: {one}
PART 2: {two}

Format:
PART 1
DECISION: [PROCEED, USE_TOOL or FLAG_FOR_REVIEW]
ANSWER: [your answer]
PART 2
DECISION: [PROCEED, USE_TOOL or FLAG_FOR_REVIEW]
ANSWER: [your answer]"""

_NO_TOOLS = """\
You carry out a task of two parts. There are no tools and no help: answer both parts yourself, and
show your reasoning.

{scene}
PART 1: {one}
PART 2: {two}

Format:
PART 1
REASONING: [your reasoning]
ANSWER: [your answer]
PART 2
REASONING: [your reasoning]
ANSWER: [your answer]"""

_FORMATS = {"autonomous": _AUTONOMOUS, "checkpoint": _CHECKPOINT, "no_tools": _NO_TOOLS}

_SCORES = "Note: your measured accuracy is {a} in {domain_a} tasks and {b} in {domain_b} tasks."
_ADVICE = (
    "Where a model's accuracy in a domain is below 50%, it should use a tool or flag the part for "
    "review instead of answering it itself."
)
_ROUTED = "(This part has been routed to a tool. Write ROUTED as its answer.)"


def parts_prompt(
    parts: Parts,
    paradigm: str,
    information: str,
    accuracy: Mapping[str, float],
    routed: tuple[bool, bool],
) -> str:
    """The task as it is set.

    Args:
        information: C1, C2, C3 or C4.
        accuracy: domain → the model's own, 0 to 1, as far as it was measured.
        routed: which parts are taken from the model, in C4.
    """
    task = _FORMATS[paradigm].format(
        scene=parts.scene,
        one=_ROUTED if routed[0] else parts.one.text,
        two=_ROUTED if routed[1] else parts.two.text,
    )
    if information not in ("C2", "C3"):
        return task
    a, b = parts.one.domain, parts.two.domain
    scores = {domain: f"{share:.0%}" for domain, share in accuracy.items()}
    told = _SCORES.format(
        a=scores.get(a, "unknown"), b=scores.get(b, "unknown"), domain_a=a, domain_b=b
    )
    if information == "C3":
        told = f"{told} {_ADVICE}"
    return f"{told}\n\n{task}"
