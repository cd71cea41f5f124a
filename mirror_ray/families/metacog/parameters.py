"""The parameters of metacog's views that `--set` changes."""

from collections.abc import Mapping
from types import MappingProxyType

PARAMETERS: Mapping[str, str] = MappingProxyType(
    {
        "conformal_alpha": "how often a wrong answer may go ahead, where a conformal "
        "quantile decides",
        "escalation_cost": "what handing a part over costs, in successes",
        "judge": "whose readings of replies count, where several models judged",
        "matching": "when an answer counts as right: grammar, judge or published",
        "model_sizes": "parameters of models, in billions, stated by hand",
        "resolver_accuracy": "how often the resolver of a handed-over part is right",
        "resolver_ms": "how long the resolver needs for a part, in milliseconds",
        "resolver_usd": "what the resolver costs for a part, in dollars",
        "weak_below": "natural accuracy below which a domain is weak, by that policy",
        "weak_lowest": "how many of the lowest domains are weak, by that policy",
        "weak_policy": "by which policy domains are weak",
    }
)
"""Name → what it is."""
