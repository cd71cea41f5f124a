"""The prompts of experiment 9: two-part tasks in three paradigms, at four levels of information.

[Our decision] Paradigms and conditions are the source's, all wording is ours. In C4 a routed part
is shown as taken over, and not asked for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from mirror_ray.families.metacog.bank.pairs import Parts
from mirror_ray.families.metacog.bank.question import in_words
from mirror_ray.families.metacog.weak_domains import MEDIAN, weak_domains

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
    "Where a model's accuracy in a domain is below {limit}, it should use a tool or flag the part "
    "for review instead of answering it itself."
)
_ADVICE_ON_LOWEST = (
    "In {domains}, where its accuracy is lowest, a model should use a tool or flag the part for "
    "review instead of answering it itself."
)
_ROUTED = "(This part has been routed to a tool. Write ROUTED as its answer.)"


@dataclass(frozen=True, slots=True)
class Told:
    """What a model is told of itself.

    Args:
        information: C1, C2, C3 or C4.
        accuracy: domain → share right, as far as it was measured.
        route: the rule of C3's advice, which C4 routes by.
    """

    information: str
    accuracy: Mapping[str, float]
    route: str

    def advice(self) -> str:
        """The rule in words."""
        how, _, number = self.route.partition("_")
        if how == "below":
            return _ADVICE.format(limit=f"{float(number):.0%}")
        weak = weak_domains(self.accuracy, self.route)
        middle = median(self.accuracy.values()) if self.accuracy else 0.0
        if how == MEDIAN and any(share < middle for share in self.accuracy.values()):
            limit = f"its own median over all domains (here {middle:.0%}: {in_words(weak)})"
            return _ADVICE.format(limit=limit)
        return _ADVICE_ON_LOWEST.format(domains=in_words(weak))


def parts_prompt(parts: Parts, paradigm: str, told: Told, routed: tuple[bool, bool]) -> str:
    """The task as it is set.

    Args:
        routed: which parts are taken from the model, in C4.
    """
    task = _FORMATS[paradigm].format(
        scene=parts.scene,
        one=_ROUTED if routed[0] else parts.one.text,
        two=_ROUTED if routed[1] else parts.two.text,
    )
    if told.information not in ("C2", "C3"):
        return task
    a, b = parts.one.domain, parts.two.domain
    scores = {domain: f"{share:.0%}" for domain, share in told.accuracy.items()}
    note = _SCORES.format(
        a=scores.get(a, "unknown"), b=scores.get(b, "unknown"), domain_a=a, domain_b=b
    )
    if told.information == "C3":
        note = f"{note} {told.advice()}"
    return f"{note}\n\n{task}"
