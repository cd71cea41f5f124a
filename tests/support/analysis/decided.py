"""Decisions of `until`, written by hand."""

from mirror_ray.records.decisions import StoppingDecision


def decided(
    condition: str, model: str, against: str, *, n_asked: int = 3, n_planned: int = 21
) -> tuple[StoppingDecision, ...]:
    """`model` was found to be better, once in a smaller design and then in this one."""
    common = {
        "family": "selfid",
        "condition": condition,
        "temperature": 0.2,
        "variant": "paper",
        "model": model,
        "against": against,
        "metric": "tsa",
        "rule": "verdict",
        "bound": 0.99,
        "round": 1,
        "verdict": "better",
        "probability": 0.995,
        "n_asked": n_asked,
        "n_scored": n_asked,
        "only_model": n_asked,
        "only_against": 0,
        "alpha": 0.05,
        "n_comparisons": 1,
    }
    return StoppingDecision(**common, n_planned=n_planned - 1), StoppingDecision(
        **common, n_planned=n_planned
    )
