"""How a plan relates to that of its run directory: it is larger, a part of it, or a different one.

Identities are content hashes, so two plans share an episode exactly if its id is in both. For
stages that depend on replies, the presumed episodes are compared."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError, SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.records.sweep_identity import sweep_differences, sweep_sha
from mirror_ray.sweep.continued import manifest_of
from mirror_ray.sweep.expand import cells_of
from mirror_ray.sweep.names import data_files, hash_key
from mirror_ray.sweep.plan import Plan, Stage
from mirror_ray.sweep.plugged import KEY
from mirror_ray.sweep.recorded import recorded_stages
from mirror_ray.sweep.stages import begun, presume, waits

GROWING_KEYS = ("models*", "stages*", "catalogue*", "limit", "shard")
"""Keys of a sweep whose changes are judged by the resulting episodes."""

_KEPT_KEYS = ("models", "stages", "catalogue", "limit", "shard")
_MOST_NAMED = 6
_FIX = "put back what it lacks, or use another --out; what is recorded stays as it is"


@dataclass(frozen=True, slots=True)
class Growth:
    """A plan compared with the recorded one.

    Args:
        added: the plan's episodes that the recorded one lacks, presumed ones included.
        left_out: the recorded plan's episodes that the plan lacks; empty if anything is added.
        sweep: the sweep for the manifest: the larger of the two, with the free keys of the plan.
        before, now: the cells of the recorded plan and of this one.
    """

    added: tuple[EpisodeSpec, ...]
    left_out: tuple[EpisodeSpec, ...]
    sweep: Mapping[str, Any]
    before: tuple[Cell, ...]
    now: tuple[Cell, ...]
    recorded: Mapping[str, Any]

    def of(self, plan: Plan) -> Plan:
        """Return the plan, marked if it is a part of the directory's."""
        if not self.left_out:
            return plan
        own = set(plan.cells)
        return replace(
            plan, is_part=True, beside=tuple(cell for cell in self.before if cell not in own)
        )

    @property
    def added_in_words(self) -> str:
        """Return the new episodes, counted by what is new about them."""
        return _in_words(self.added, self.before)

    @property
    def left_out_in_words(self) -> str:
        """Return the episodes left out, counted by what this plan lacks."""
        return _in_words(self.left_out, self.now)

    def words(self, out: str) -> list[str]:
        """Return readable lines on what is new, or on what is left out."""
        if self.added:
            return [
                f"{out} continues with a larger plan. New: {len(self.added):,} episodes"
                f" ({self.added_in_words}); what is recorded is not bought again."
            ]
        if self.left_out:
            return [
                f"{out} has a larger plan, which it keeps: this run leaves {len(self.left_out):,}"
                f" of its episodes aside ({self.left_out_in_words}). What is recorded of them"
                " stays, and counts in all tables."
            ]
        return []


class Joining:
    """Decides, once the directory is locked, what its manifest records about this plan, which was
    loaded for that directory."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.growth: Growth | None = None

    def __call__(self, manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the sweep to record, given the manifest of another one. Raise RunDirError if the
        plan neither contains the recorded one nor is a part of it."""
        self.growth = growth_of(manifest, self._plan)
        return self.growth.sweep

    @property
    def about(self) -> dict[str, Any]:
        """Return, for the manifest, what another plan of the same run adds or leaves out."""
        if self.growth is None:
            return {}
        if self.growth.added:
            return {"added": self.growth.added_in_words}
        return {"left_out": self.growth.left_out_in_words} if self.growth.left_out else {}

    @property
    def plan(self) -> Plan:
        """The plan to play."""
        return self._plan if self.growth is None else self.growth.of(self._plan)


def growth_there(plan: Plan) -> Growth | None:
    """Return what the plan adds to its run directory; None without a run or with the same plan.
    Raises RunDirError if the plan contradicts the recorded one, or the storage fails."""
    manifest = manifest_of(plan.sweep.out)
    if manifest is None or manifest["sweep_sha"] == sweep_sha(plan.sweep.resolved):
        return None
    return growth_of(manifest, plan)


def growth_of(manifest: Mapping[str, Any], plan: Plan) -> Growth:
    """Return what the plan adds to the recorded one, or leaves out of it. Raise RunDirError, with
    the details, if the plan contradicts the recorded one."""
    out, recorded = plan.sweep.out, manifest["sweep"]
    # Episodes of plug-ins that only one of the two plans has are compared like those of new stages.
    plugged = set(recorded.get(KEY) or ()) ^ set(plan.sweep.resolved.get(KEY) or ())
    but = (*GROWING_KEYS, *(f"{KEY}.{name}" for name in plugged))
    if apart := sweep_differences(recorded, plan.sweep.resolved, but=but):
        raise _other(out, apart)
    try:
        stages = tuple(_found_again(recorded_stages(out, manifest), recorded, plan))
        episodes, n_begun = begun(stages)
        before = presume(replace(plan, stages=stages, episodes=episodes, begun=n_begun)).episodes
        now = presume(plan).episodes
    except SweepError as error:
        raise RunDirError(
            out,
            f"a sweep that cannot be compared with the recorded one: {error.where}: {error.got}",
            error.allowed,
            error.fix,
        ) from error
    except RunDirError:
        # This version cannot read the recorded sweep: only the differing keys are known.
        if apart := sweep_differences(recorded, plan.sweep.resolved):
            raise _other(out, apart) from None
        raise
    ids_before, ids_now = ({spec.episode_id for spec in some} for some in (before, now))
    added = tuple(spec for spec in now if spec.episode_id not in ids_before)
    left_out = tuple(spec for spec in before if spec.episode_id not in ids_now)
    if left_out and (added or any(waits(stage) for stage in (*stages, *plan.stages))):
        raise _other(
            out,
            f"without {len(left_out):,} of its {len(before):,} episodes"
            f" ({_in_words(left_out, cells_of(plan.stages))})"
            + (f", and {len(added):,} others" if added else ", from which others follow"),
        )
    _refuse_other_parents(out, stages, plan, added)
    kept = recorded if left_out else plan.sweep.resolved
    sweep = {
        **{key: value for key, value in plan.sweep.resolved.items() if key not in _KEPT_KEYS},
        **{key: kept[key] for key in _KEPT_KEYS if key in kept},
    }
    return Growth(added, left_out, sweep, cells_of(stages), cells_of(plan.stages), recorded)


def _in_words(specs: Iterable[EpisodeSpec], cells: Iterable[Cell]) -> str:
    """Count the episodes by the first property in which they differ from all these cells."""
    there = tuple(cells)
    seen: list[set[Any]] = [
        {cell.family for cell in there},
        {cell.model for cell in there},
        {(cell.family, cell.condition) for cell in there},
        {(cell.family, cell.temperature) for cell in there},
        {(cell.family, cell.variant_label) for cell in there},
        set(there),
    ]
    counted = Counter(_new_in(spec.cell, seen) for spec in specs)
    shown = counted.most_common(_MOST_NAMED)
    parts = [f"{n:,} {what}" for what, n in shown]
    if left := counted.total() - sum(n for _, n in shown):
        parts.append(f"… and {left:,} more")
    return ", ".join(parts)


def _new_in(cell: Cell, seen: Sequence[set[Any]]) -> str:
    families, models, conditions, temperatures, labels, cells = seen
    if cell.family not in families and families:
        return f"of {cell.family}"
    if cell.model not in models:
        return f"of {cell.model}"
    if (cell.family, cell.condition) not in conditions:
        return f"in {cell.family} {cell.condition}"
    if (cell.family, cell.temperature) not in temperatures:
        at = "the default" if cell.temperature is None else f"{cell.temperature:g}"
        return f"at temperature {at}"
    if (cell.family, cell.variant_label) not in labels:
        return f"as {cell.variant_label}"
    return "in further scenes or runs" if cell in cells else "in other combinations"


def _found_again(
    stages: Iterable[Stage], recorded: Mapping[str, Any], plan: Plan
) -> Iterator[Stage]:
    for stage, keys in zip(stages, recorded["stages"], strict=True):
        options = dict(stage.shape.options)
        for name, path in data_files(FAMILIES[stage.family], options).items():
            hashed = hash_key(name)
            there = {
                str(one[name]): one.get(hashed)
                for one in plan.sweep.resolved["stages"]
                if one["family"] == stage.family and one.get(name)
            }
            alike = [path for path, sha in there.items() if sha == keys.get(hashed)]
            if there and not alike:
                raise SweepError(
                    f"{stage.shape.where}.{name}",
                    f"{next(iter(there))}, with other content than when the run was begun",
                    "the file as it was, wherever it lies",
                    "give that file; for another one use another --out",
                )
            options[name] = alike[0] if alike else path
        yield replace(stage, shape=replace(stage.shape, options=options))


def _refuse_other_parents(
    out: str, stages: Sequence[Stage], plan: Plan, added: Sequence[EpisodeSpec]
) -> None:
    """Refuse further replies that come before episodes depending on all replies: these would
    change."""
    models = {cell.model for stage in stages for cell in stage.cells}
    for stage in stages:
        listing_of = FAMILIES[stage.family].listing_of
        for cell in stage.cells if stage.shape.limit is None else ():
            listing = listing_of(cell)
            if listing is None or not listing.after_all:
                continue
            more = [
                spec
                for spec in added
                if spec.cell.family == cell.family
                and spec.cell.condition in listing.after
                and spec.cell.temperature == cell.temperature
                and spec.cell.model in models
            ]
            settings = [
                one.shape.options
                for one in plan.stages
                if cell in one.cells and one.shape.options != stage.shape.options
            ]
            if more or settings:
                what = "more episodes" if more else "other options"
                raise _other(
                    out,
                    f"{what} for {' and '.join(listing.after)} of {cell.family}, from all of which"
                    f" {cell.condition} of {cell.model} follows",
                )


def _other(out: str, what: str) -> RunDirError:
    return RunDirError(
        out,
        f"a run directory of another sweep: {what}",
        "the recorded sweep, more of it (models, seeds, runs, temperatures, conditions, stages) or"
        " a part of it",
        _FIX,
    )
