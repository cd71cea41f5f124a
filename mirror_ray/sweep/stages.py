"""Stages one after another: known episodes, and episodes that depend on earlier rows."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, product
from operator import attrgetter
from typing import Protocol, TypeAlias

from mirror_ray.contract.family import Family
from mirror_ray.contract.listing import Earlier, Listing
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, content_hash
from mirror_ray.sweep.plan import Plan, Stage

MOST_EPISODES = 2_000_000
"""Most episodes of a sweep; they take about 1 GB and are listed in about a minute."""


class Record(Protocol):
    """The results of earlier stages, and the recorded episodes of the next stage."""

    def listed(
        self, episodes_from: Callable[[Earlier], list[EpisodeSpec]], cell_ids: Container[str]
    ) -> list[EpisodeSpec]:
        """Return the episodes that the rows imply, including all recorded ones of the stage. No
        other stage has episodes of the cells in `cell_ids`."""


Before: TypeAlias = Callable[[Family, Sequence[EpisodeSpec]], Record]
"""Reads the results of earlier stages, given the family and all their episodes."""


def begun(stages: Sequence[Stage]) -> tuple[tuple[EpisodeSpec, ...], int]:
    """Return the episodes of all stages before the first that waits for rows, and the number of
    those stages. Raise SweepError if two stages share an episode, or a file is unusable."""
    count = next((i for i, stage in enumerate(stages) if waits(stage)), len(stages))
    listed = [_listed(stage, None) for stage in stages[:count]]
    return _each_once((), listed, stages), count


def go_on(plan: Plan, before: Before) -> Plan:
    """Return the plan with its next stages: one that waited, and others until one waits. Raise
    SweepError if two stages share an episode, RunDirError if recorded episodes do not match the
    records before them."""
    episodes, count = _next(plan.stages, plan.begun, plan.episodes, before)
    return replace(plan, episodes=episodes, begun=count)


def known_episodes(stages: Sequence[Stage], before: Before) -> tuple[EpisodeSpec, ...]:
    """Return the episodes of all stages that the existing records imply. Raise SweepError if two
    stages share an episode, or a file is unusable."""
    episodes, count = begun(stages)
    while count < len(stages):
        episodes, count = _next(stages, count, episodes, before)
    return episodes


def _next(
    stages: Sequence[Stage], n_begun: int, known: tuple[EpisodeSpec, ...], before: Before
) -> tuple[tuple[EpisodeSpec, ...], int]:
    waiting = stages[n_begun:]
    count = next((i for i, one in enumerate(waiting) if i and waits(one)), len(waiting))
    listed = []
    for stage in waiting[:count]:
        if waits(stage):
            record = before(FAMILIES[stage.family], known)
            others = {cell for one in stages if one is not stage for cell in one.cells}
            own = {cell.cell_id for cell in stage.cells if cell not in others}
            listed.append(record.listed(partial(_listed, stage), own))
        else:
            listed.append(_listed(stage, None))
    return _each_once(known, listed, waiting), n_begun + count


def require_listable(stages: Sequence[Stage]) -> None:
    """Refuse waiting stages that no replies of earlier stages could fill. Raise SweepError if a
    file does not fit a cell, or has too few rows."""
    for stage in stages:
        for cell in stage.cells:
            listing = FAMILIES[stage.family].listing_of(cell)
            if listing is not None and listing.require is not None:
                listing.require(cell, stage.shape)


def require_shardable(stages: Sequence[Stage], source: str, *, has_until: bool) -> None:
    """Refuse, with a SweepError, a shard of a sweep whose parts would depend on each other's
    replies, by a stopping rule or by a stage that depends on others."""
    following = [stage.shape.where for stage in stages if waits(stage)]
    if has_until or following:
        raise SweepError(
            following[0] if following else f"{source}: until",
            "a shard of a sweep whose episodes depend on other episodes' replies",
            "stages that follow from no other, and no until",
            "play this sweep whole, on several hosts of one cluster",
        )


def presume(plan: Plan) -> Plan:
    """Return the plan as if every episode ended well, for forecasts.

    Episodes of waiting stages have invented contents of typical length, and must never be played.

    Raises:
        SweepError: a stage cannot be listed for any result of the stages before it.
    """
    episodes = list(plan.episodes)
    of_cells: dict[Cell, list[EpisodeSpec]] = {}
    listed, known = episodes, tuple(episodes)
    for stage in plan.stages[plan.begun :]:
        for spec in listed:
            of_cells.setdefault(spec.cell, []).append(spec)
        listed = _presumed(stage, of_cells)
        episodes += listed
        if not waits(stage):
            known = _each_once(known, [listed], [stage])
    return replace(plan, episodes=tuple(episodes), begun=len(plan.stages))


def limit_in_words(plan: Plan) -> list[str]:
    """Return, as text, what a limit on the scenes leaves out."""
    limits = {stage.shape.limit for stage in plan.stages} - {None}
    if not limits:
        return []
    waiting = dict.fromkeys(
        f"{cell.family} {cell.condition}"
        for stage in plan.stages
        for cell in stage.cells
        if _needs_all(stage, cell)
    )
    later = f"; {', '.join(waiting)}: in a run without a limit" if waiting else ""
    most = max(one for one in limits if one)
    scenes = "scene" if most == 1 else f"{most:,} scenes"
    return [f"Limit: the first {scenes} of each cell{later}."]


def _needs_all(stage: Stage, cell: Cell) -> bool:
    # Such a cell depends on all episodes before it, so it lists nothing.
    listing = FAMILIES[stage.family].listing_of(cell)
    return stage.shape.limit is not None and listing is not None and listing.after_all


def waits(stage: Stage) -> bool:
    """Return whether the stage's episodes depend on earlier ones' rows."""
    listings = map(FAMILIES[stage.family].listing_of, stage.cells)
    return any(listing and listing.after for listing in listings)


def is_fixed(plan: Plan) -> bool:
    """Return whether the plan is its run's whole plan, each episode plays one model, and no reply
    adds or removes an episode."""
    return not (
        plan.is_part
        or plan.sweep.until is not None
        or any(map(waits, plan.stages))
        or any(cell.others for cell in plan.cells)
    )


def _listed(stage: Stage, earlier: Earlier | None) -> list[EpisodeSpec]:
    def listed(listing: Listing, cell: Cell) -> Iterable[EpisodeSpec]:
        return listing.episodes(cell, stage.shape, earlier if listing.after else None)

    return _of_each_cell(stage, listed)


def _presumed(stage: Stage, of_cells: Mapping[Cell, Sequence[EpisodeSpec]]) -> list[EpisodeSpec]:
    earlier = [cell for cell in of_cells if cell.family == stage.family]

    def presumed(listing: Listing, cell: Cell) -> Iterable[EpisodeSpec]:
        if listing.presumed is None:
            return listing.episodes(cell, stage.shape, None)
        fed = (
            one for one in earlier if one.condition in listing.after and listing.feeds(one, cell)
        )
        before = [spec for one in fed for spec in of_cells[one]]
        return listing.presumed(cell, stage.shape, before)

    return _of_each_cell(stage, presumed)


def _of_each_cell(
    stage: Stage, listed: Callable[[Listing, Cell], Iterable[EpisodeSpec]]
) -> list[EpisodeSpec]:
    """Return every cell's episodes, by its listing or as scenes × runs, ordered by scene."""
    listing_of = FAMILIES[stage.family].listing_of
    limit, shard = stage.shape.limit, stage.shape.shard

    def each() -> Iterator[EpisodeSpec]:
        for cell in stage.cells:
            listing = listing_of(cell)
            if _needs_all(stage, cell):
                continue
            specs: Iterable[EpisodeSpec]
            if listing is None:
                scenes = product(stage.shape.seeds, range(stage.shape.runs))
                specs = (EpisodeSpec(cell, seed, run) for seed, run in scenes)
            else:
                specs = listed(listing, cell)
            in_order = listing is not None and listing.in_order
            chosen = specs if limit is None else _first_scenes(specs, limit, in_order=in_order)
            yield from chosen if shard is None else (one for one in chosen if _is_in(shard, one))

    specs = list(islice(each(), MOST_EPISODES + 1))
    if len(specs) > MOST_EPISODES:
        raise SweepError(
            stage.shape.where,
            f"more than {MOST_EPISODES:,} episodes",
            f"at most {MOST_EPISODES:,} in a stage",
            "ask for less, or make several sweeps of it",
        )
    in_order = any(listing and listing.in_order for listing in map(listing_of, stage.cells))
    return _by_scene(specs, in_order=in_order)


def _is_in(shard: tuple[int, int], spec: EpisodeSpec) -> bool:
    number, count = shard
    scene = content_hash([spec.cell.family, spec.scene_seed, spec.run])
    return int(scene[:12], 16) % count == number - 1


def _first_scenes(
    specs: Iterable[EpisodeSpec], limit: int, *, in_order: bool
) -> Iterator[EpisodeSpec]:
    scenes: set[tuple[int, int]] = set()
    for spec in _by_scene(list(specs), in_order=in_order):
        scenes.add((spec.scene_seed, spec.run))
        if len(scenes) > limit:
            return
        yield spec


def _by_scene(specs: list[EpisodeSpec], *, in_order: bool) -> list[EpisodeSpec]:
    # Sorting is stable, so cells keep the order of the file.
    if not in_order:
        return sorted(specs, key=attrgetter("run", "scene_seed"))
    ranks = {seed: rank for rank, seed in enumerate(dict.fromkeys(s.scene_seed for s in specs))}
    return sorted(specs, key=lambda spec: (spec.run, ranks[spec.scene_seed]))


def _each_once(
    known: Iterable[EpisodeSpec], listed: Sequence[Sequence[EpisodeSpec]], stages: Sequence[Stage]
) -> tuple[EpisodeSpec, ...]:
    episodes = {spec.episode_id: spec for spec in known}
    for stage, specs in zip(stages, listed, strict=False):
        for spec in specs:
            if spec.episode_id in episodes:
                cell = spec.cell
                raise SweepError(
                    stage.shape.where,
                    f"{cell.condition} with {cell.model}, seed {spec.scene_seed}, run {spec.run}"
                    " again",
                    "each episode in one stage only",
                    "remove the overlap between the stages",
                )
            episodes[spec.episode_id] = spec
    return tuple(episodes.values())
