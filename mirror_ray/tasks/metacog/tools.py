"""The simulated tools: what a call is answered with, as text.

[Our decision] The calculator computes. Search, expert and review are there to be called, not to
give the answer away: what they say is the same whatever they are asked.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from mirror_ray.tasks.metacog.question import in_figures

_SCRIPTED: Mapping[str, str] = MappingProxyType(
    {
        "web_search": "no page answers this directly",
        "ask_expert": "the expert cannot be reached and trusts your judgement",
        "flag_review": "noted for review; please answer as well as you can",
    }
)


def tool_replies(names: Sequence[str], results: Sequence[float | None]) -> str:
    """What each call was answered with, a line each.

    Args:
        results: the calculator's values; None for what it cannot compute, and for other tools.
    """
    lines = []
    for name, result in zip(names, results, strict=True):
        if name == "calculator":
            said = "this is no arithmetic" if result is None else in_figures(result)
        else:
            said = _SCRIPTED[name]
        lines.append(f"[{name}: {said}]")
    return "\n".join(lines)
