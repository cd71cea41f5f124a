"""Assigns each of a sweep's models its price tier; refuses tiers without a price."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.providers.batches.service import SUPPORTED, has_batches
from mirror_ray.providers.model import BatchTerms, Fallback, Model, Tier, TierTerms
from mirror_ray.providers.price_tiers import at_tier, in_cell
from mirror_ray.sweep.by_model import expand_by_model
from mirror_ray.sweep.plan import Stage

MOST_ASKS_IN_BATCHES = 4
"""Most requests of an episode that is batched."""

_MOST_NAMED = 20


def at_tiers(
    models: Mapping[str, Model],
    tiers: Mapping[str, Tier],
    fallback: Fallback | None,
    source: str,
    *,
    of_stages: Sequence[Mapping[str, Tier]] = (),
) -> dict[str, Model]:
    """Return the models, each at its tier.

    Args:
        tiers: by name or pattern, as `expand_by_model` reads them.
        fallback: what happens to a shed flex call; None: it waits.
        of_stages: the tiers that stages choose themselves; their calls may be shed too.

    Raises:
        SweepError: a tier without a price, batches of a provider without batch support here, a
            pattern that matches nothing, or a fallback where nothing can be shed.
    """
    asked = expand_by_model(tiers, tuple(models), f"{source}: tier")
    found = dict(models)
    for name, tier in asked.items():
        if tier == "standard":
            continue
        _require_terms(models, name, tier, f"{source}: tier")
        found[name] = at_tier(models[name], tier)
    found = {name: replace(model, fallback=fallback or "wait") for name, model in found.items()}
    named = [*asked.values(), *(tier for stage in of_stages for tier in stage.values())]
    if fallback is not None and "flex" not in named:
        raise SweepError(
            f"{source}: fallback",
            f"fallback {fallback!r}, and no model at flex",
            "fallback together with tier: flex, whose calls may be shed",
            "add tier: flex, or remove fallback",
        )
    return found


def tiers_of_stages(
    stages: Sequence[Stage],
    tiers: Sequence[Mapping[str, Tier]],
    models: Mapping[str, Model],
    source: str,
) -> dict[tuple[str, str], Tier]:
    """Return, by cell_id and model, the tier of its stage, if it is not the model's own.

    Args:
        tiers: of each stage, by name or pattern; empty where it has none.
        models: at the sweep's tiers.

    Raises:
        SweepError: a tier without a price, or a cell of two stages with different tiers.
    """
    found: dict[tuple[str, str], Tier] = {}
    for position, (stage, of_stage) in enumerate(zip(stages, tiers, strict=True)):
        where = f"{source}: stages.{position}.tier"
        names = dict.fromkeys(name for cell in stage.cells for _, name in cell.models)
        asked = expand_by_model(of_stage, tuple(names), where) if of_stage else {}
        for name, tier in asked.items():
            if tier != "standard":
                _require_terms(models, name, tier, where)
        for cell in stage.cells:
            for _, name in cell.models:
                own = models[name].tier or "standard"
                tier = asked.get(name, own)
                if found.setdefault((cell.cell_id, name), tier) != tier:
                    raise SweepError(
                        where,
                        f"{tier} for {name} in {cell.family} {cell.condition}, which another stage"
                        f" asks at {found[cell.cell_id, name]}",
                        "one tier for cells that two stages share",
                        "give both stages the same tier, or none",
                    )
    return {
        (cell_id, name): tier
        for (cell_id, name), tier in found.items()
        if tier != (models[name].tier or "standard")
    }


def require_single_asks(
    episodes: Iterable[EpisodeSpec],
    models: Mapping[str, Model],
    source: str,
    tiers: Mapping[tuple[str, str], Tier],
) -> None:
    """Refuse batches for episodes of many steps, because each step would wait for a separate batch.
    The SweepError names the first such model and family. `tiers` are those of `tiers_of_stages`."""
    for cell, n_asks in asked_often(episodes).items():
        for _, name in cell.models:
            if in_cell(models[name], cell.cell_id, tiers).tier == "batch":
                raise SweepError(
                    f"{source}: tier",
                    f"batch for {name} in {cell.family} {cell.condition}, whose episodes ask up"
                    f" to {n_asks} times, one after another",
                    f"batches where an episode asks at most {MOST_ASKS_IN_BATCHES} times: each"
                    " request waits for a separate batch, up to a day",
                    "set another tier for that stage: standard, or flex where it is offered",
                )


def asked_often(episodes: Iterable[EpisodeSpec]) -> dict[Cell, int]:
    """Return the number of requests per episode of each cell with too many for batches."""
    first_of: dict[Cell, EpisodeSpec] = {}
    for spec in episodes:
        first_of.setdefault(spec.cell, spec)
    asks = {cell: FAMILIES[cell.family].max_asks(spec) for cell, spec in first_of.items()}
    return {cell: n for cell, n in asks.items() if n > MOST_ASKS_IN_BATCHES}


def _require_terms(models: Mapping[str, Model], name: str, tier: Tier, where: str) -> None:
    model = models[name]
    if tier == "batch" and not has_batches(model):
        raise SweepError(
            where,
            f"batch for {name}, which is asked as {model.target}",
            f"providers with batch support: {SUPPORTED}",
            "name those models only, or ask this one at another tier",
        )
    if "service_tier" in model.extra:
        raise SweepError(
            where,
            f"{tier} for {name}, whose catalogue entry has extra.service_tier",
            "one of the two",
            "remove extra.service_tier from the entry",
        )
    if _terms(model, tier) is not None:
        return
    offered = [other for other, model in models.items() if _terms(model, tier) is not None]
    some = ", ".join(offered[:_MOST_NAMED])
    raise SweepError(
        where,
        f"{tier} for {name}, which has no {tier} price",
        f"models of the sweep whose catalogue entry has a {tier} price: {some or 'none'}",
        f"name those only, e.g. tier: {{{offered[0]}: {tier}}}"
        if offered
        else f"give its entry the provider's: {tier}: {{usd_per_mtok_in: …, usd_per_mtok_out: …}}",
    )


def _terms(model: Model, tier: Tier) -> TierTerms | BatchTerms | None:
    return model.flex if tier == "flex" else model.batch
