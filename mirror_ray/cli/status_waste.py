"""What a run spent on failed attempts, repeated requests and replies that could not be read."""

from collections.abc import Sequence
from typing import Any

from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.spending import spending
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.engine.driver.fitted_table import fitted_names
from mirror_ray.engine.driver.money import MISSING, spent_cell

_KINDS = (
    ("failed attempts", "n_failed", "failed_usd"),
    ("replies that were asked for again", "n_reasked", "reasked_usd"),
    ("replies that could not be read", "n_unread", "unread_usd"),
)
_MOST_MODELS = 8
_VIEWS = frozenset({"stage.asked", "stage.episodes"})
"""The views that `spending` reads; creating all views would take longer than everything else."""


def wasted_lines(directory: str) -> list[str]:
    """Return a line for all models together, and one for each of the costliest. Return no line if
    every request was read at its first attempt."""
    is_readable = readable([directory], "the run cannot be read")
    with is_readable, open_run(directory, only=_VIEWS) as connection:
        rows = spending(Reading(connection))
    by_model: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_model.setdefault(row["model"], []).append(row)
    lines = _said("all models", rows)
    if len(by_model) == 1 or not lines:
        return [f"Bought no reading: {line}" for line in lines]
    names = fitted_names(list(by_model), 40)
    usd = {
        one: sum(row[amount] or 0.0 for row in mine for _, _, amount in _KINDS)
        for one, mine in by_model.items()
    }
    costly = sorted(usd, key=lambda one: -usd[one])[:_MOST_MODELS]
    parts = [f"  {line}" for one in costly for line in _said(names[one], by_model[one])]
    return [f"Bought no reading: {line}" for line in lines] + parts


def _said(whose: str, rows: Sequence[dict[str, Any]]) -> list[str]:
    said = []
    for what, number, amount in _KINDS:
        n = sum(row[number] for row in rows)
        if n:
            known = sum(row[amount] or 0.0 for row in rows)
            unpriced = sum(row["n_unpriced"] for row in rows if row[number])
            amount_words = spent_cell(known if known or not unpriced else None, unpriced)
            if amount_words == MISSING:
                amount_words = "an unknown cost"
            said.append(f"{amount_words} on {what} ({n:,})")
    return [f"{whose}: {', '.join(said)}."] if said else []
