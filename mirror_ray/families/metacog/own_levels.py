"""The levels at which a model gets 60 % right, by its own staircases, for later questions."""

from collections.abc import Mapping

from mirror_ray.contract.listing import Earlier, Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell
from mirror_ray.families.metacog.bank.pairs import PAIRS
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.items import domains_at
from mirror_ray.families.metacog.levels.staircase import Levels, curves_of, levels_for

_ANSWERS = """
select
    episodes.domain,
    steps.level,
    coalesce(steps.correct, false) as is_right
from steps
inner join episodes using (episode_id)
where episodes.condition = 'staircase'
  and episodes.error_kind = 'none'
  and episodes.model = $model
  and episodes.temperature is not distinct from $temperature
  and not steps.superseded
  and steps.level is not null
order by episodes.scene_seed, episodes.run, steps.step
"""

_ERRORS = """
select count(*) as n
from episodes
where condition = 'staircase'
  and error_kind <> 'none'
  and model = $model
  and temperature is not distinct from $temperature
"""


def own_levels(cell: Cell, shape: Shape, earlier: Earlier) -> Mapping[str, Levels]:
    """Return a model's levels by domain, at a cell's temperature, from all its staircases.

    Empty if a domain's only staircases ended with an error.

    Raises:
        SweepError: a domain has no staircase.
    """
    rows = earlier.rows(_ANSWERS, model=cell.model, temperature=cell.temperature)
    answers: dict[str, list[tuple[int, bool]]] = {domain: [] for domain in DOMAINS}
    for row in rows:
        answers[str(row["domain"])].append((int(row["level"]), bool(row["is_right"])))
    if missing := [domain for domain, given in answers.items() if not given]:
        if earlier.rows(_ERRORS, model=cell.model, temperature=cell.temperature)[0]["n"]:
            return {}
        raise SweepError(
            f"{shape.where}.level",
            f"no staircase of {cell.model} in {', '.join(missing)} at temperature "
            f"{cell.temperature}",
            "a stage before with conditions: [staircase], seeds: 8 and this temperature",
            "add it",
        )
    curves = curves_of(list(answers.values()))
    return dict(zip(answers, map(levels_for, curves), strict=True))


def presumed_levels() -> Mapping[str, Levels]:
    """Return the levels of a typical model, for forecasts."""
    return dict.fromkeys(DOMAINS, Levels(5, 0.5))


def levels_at(levels: Mapping[str, Levels], experiment: str, seed: int) -> dict[str, int]:
    """Return the levels of item number `seed` by domain: those of its own domains, or of all
    domains in experiment 9, whose tailored tasks choose theirs during play."""
    turn = seed // (len(PAIRS) if experiment in ("exp3", "exp9") else len(DOMAINS))
    asked = DOMAINS if experiment == "exp9" else domains_at(experiment, seed)
    return {domain: levels[domain].of(turn) for domain in asked}
