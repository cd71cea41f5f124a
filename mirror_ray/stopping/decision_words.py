"""What a sweep's `until` will do, for a person, before anything is asked."""

from collections import Counter

from mirror_ray.stopping.shared_units import questions_of
from mirror_ray.sweep.plan import Plan


def until_in_words(plan: Plan) -> list[str]:
    """Return lines on the rule, what it decides, and the most that is asked; none for a plan
    without a rule.
    """
    until = plan.sweep.until
    if until is None:
        return []
    sizes = Counter((len(one.models), len(one.units)) for one in questions_of(plan.episodes))
    lines = [f"Until: {until.in_words}."]
    for (n_models, n_units), n_questions in sorted(sizes.items()):
        lines.append(
            f"Decided: {n_questions:,} questions (family, condition, temperature, variant), each"
            f" with {_compared(until.rule, n_models)} on {n_units:,} planned units."
        )
    return [*lines, "Figures are those of the whole plan, the most that is asked."]


def _compared(rule: str, n_models: int) -> str:
    match rule:
        case "verdict":
            return f"{n_models * (n_models - 1) // 2:,} comparisons of {n_models:,} models"
        case "best_of":
            return f"{n_models:,} models besides the best of them"
        case _:
            return f"{n_models:,} cells"
