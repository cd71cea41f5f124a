"""The simulated tools: the text with which a call is answered.

[Our decision] The calculator computes. Search, expert and review exist to be called, not to reveal
the answer: each gives the same result for every query.
"""

from collections.abc import Mapping, Sequence

from mirror_ray.families.metacog.bank import keys

_SCRIPTED: Mapping[str, str] = {
    "web_search": "no page answers this directly",
    "ask_expert": "the expert cannot be reached and trusts your judgement",
    "flag_review": "noted for review; please answer as well as you can",
}


def tool_replies(names: Sequence[str], results: Sequence[float | None]) -> str:
    """Return the results of all calls, a line each.

    Args:
        results: the calculator's values; None for what it cannot compute, and for other tools.
    """
    lines = []
    for name, result in zip(names, results, strict=True):
        if name == "calculator":
            said = "this is no arithmetic" if result is None else keys.in_figures(result)
        else:
            said = _SCRIPTED[name]
        lines.append(f"[{name}: {said}]")
    return "\n".join(lines)
