"""The result of loading a sweep: stages, cells and episodes, in the order they are played."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from mirror_ray.contract.listing import Shape
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.providers.model import Model, Tier
from mirror_ray.providers.persons import is_person
from mirror_ray.providers.price_tiers import asked_at, in_cell
from mirror_ray.sweep.notify import Notify
from mirror_ray.sweep.sharding import SweepShard

DrawOn: TypeAlias = Literal["auto", "cpu", "gpu"]
Rule: TypeAlias = Literal["verdict", "best_of", "half_width"]

RULES: tuple[Rule, ...] = get_args(Rule)


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How a sweep is distributed over the machine; none of it changes a row.

    Args:
        simulators: Simulator actors; None: one per CPU core of the cluster.
        providers: Provider actors; None: scaled to the simulators.
        in_flight: episodes in flight per Simulator, so that rendering overlaps with waiting;
            None: as many as the models' limits can use.
        max_attempts: attempts per request at transient API failures.
        draw_on: "auto": on the GPUs that hosts offer to Ray, else in software (also if the run
            serves models on GPUs); "cpu": in software everywhere; "gpu": only on hosts with one.
        cancel_batches: whether stopping the run cancels pending batches at their provider.
        picture_cache_bytes: of drawn pictures that each Simulator keeps for other models; 0: none;
            None: the default size.
    """

    simulators: int | None = None
    providers: int | None = None
    in_flight: int | None = None
    max_attempts: int = 5
    draw_on: DrawOn = "auto"
    cancel_batches: bool = False
    picture_cache_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Until:
    """When a sweep stops early.

    Args:
        rule: "verdict": two models are compared until the rest of the design would hardly change
            the verdict; "best_of": a model is played until it is unlikely to be as good as the
            best; "half_width": a cell is played until its interval is narrow.
        bound: the least probability, or the largest half width of a share's 95 % interval.
        least_units: units with a score before anything is decided early.
        round_units: units between two decisions.
    """

    rule: Rule
    bound: float
    least_units: int
    round_units: int

    @property
    def in_words(self) -> str:
        """Return the rule as text."""
        after = f"; checked every {self.round_units} units, from {self.least_units} on"
        match self.rule:
            case "verdict":
                what = f"a pair of models is settled at {self.bound:g} for the planned verdict"
            case "best_of":
                what = f"a model is dropped at {self.bound:g} for being worse than the best"
            case "half_width":
                what = f"a cell ends once its 95 % interval is within ±{self.bound:g}"
        return what + after


@dataclass(frozen=True, slots=True)
class Sweep:
    """A validated sweep.

    Args:
        budget_usd: ceiling of the whole sweep; None if it has none.
        budget_per_model_usd: model → its ceiling; models without one are not in it.
        budget_per_cell_usd: ceiling of every single cell.
        resolved: the whole file after overrides and defaults, as plain data; its hash identifies
            the sweep, so that only the same sweep continues a run directory.
        notify: who is notified of the run; never recorded.
        overrides: as given on the command line, to document how the run was made.
        until: when to stop early; None: play the whole plan.
        registration: what the manifest records of its registration; None: none.
        shard: the part of the sweep that is played; its budgets are those above. None: all of it.
        replicate: where its journal is replicated; None: nowhere.
        budget_usd_max: how far `budget_usd` may be raised while the run plays; None: not at all.
        applied: readable lines on top-level keys that were applied to stages.
    """

    name: str
    source: str
    out: str
    budget_usd: float | None
    engine: EngineSettings
    resolved: Mapping[str, Any]
    budget_per_model_usd: Mapping[str, float] = field(default_factory=dict)
    budget_per_cell_usd: float | None = None
    overrides: tuple[str, ...] = ()
    notify: Notify | None = None
    until: Until | None = None
    budget_usd_max: float | None = None
    replicate: str | None = None
    shard: SweepShard | None = None
    applied: tuple[str, ...] = ()
    registration: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One entry of a sweep's stages: its cells, and how their episodes are listed."""

    family: str
    cells: tuple[Cell, ...]
    shape: Shape


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything `run` needs, in plain frozen data.

    Args:
        cells: of all stages.
        episodes: of the stages begun, by scene, so that in a stopped sweep all models have equal
            scenes.
        models: name → catalogue entry, for every name in the cells.
        weights: cell_id → its share of a key's allowance, relative to other cells; 1 where absent.
        stages: all of them, in order; the first `begun` are those whose episodes are known. The
            others follow from rows (`mirror_ray.sweep.stages.go_on`).
        is_part: its run directory has the records of a larger plan.
        beside: the cells of that larger plan that this one lacks; their costs count.
        catalogues_are_own: whether all catalogues are in the user's configuration folder, so that
            their commands may run.
        tiers: cell_id and model → the tier of its stage, if the stage sets one.
    """

    sweep: Sweep
    cells: tuple[Cell, ...]
    episodes: tuple[EpisodeSpec, ...]
    models: Mapping[str, Model]
    weights: Mapping[str, float] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    begun: int = 0
    is_part: bool = False
    beside: tuple[Cell, ...] = ()
    tiers: Mapping[tuple[str, str], Tier] = field(default_factory=dict)
    catalogues_are_own: bool = False

    @property
    def asked_by_a_run(self) -> tuple[EpisodeSpec, ...]:
        """The episodes except those of persons, who play in a browser."""
        return tuple(spec for spec in self.episodes if not is_person(spec.cell.model))

    @property
    def asking_no_person(self) -> "Plan":
        """The same plan with only the models that a run calls, and their cells.

        Its stages still list people's episodes, because others may depend on these."""
        theirs = tuple(cell for cell in self.cells if is_person(cell.model))
        return replace(
            self,
            models={name: model for name, model in self.models.items() if not model.is_person},
            cells=tuple(cell for cell in self.cells if not is_person(cell.model)),
            beside=(*self.beside, *theirs),
        )

    @property
    def families(self) -> tuple[str, ...]:
        """The families of all cells, each once."""
        return tuple(dict.fromkeys(cell.family for cell in self.cells))

    @property
    def persons(self) -> tuple[str, ...]:
        """Its models that are persons."""
        return tuple(name for name, model in self.models.items() if model.is_person)

    def model_of(self, cell: Cell, name: str | None = None) -> Model:
        """Return the cell's model, or another model that it uses, at the tier used in that cell."""
        return in_cell(self.models[name or cell.model], cell.cell_id, self.tiers)

    def lanes(self) -> tuple[Model, ...]:
        """Return every model at each tier at which it is called, without fallback tiers."""
        own = {(name, model.tier): model for name, model in self.models.items()}
        of_stages = dict.fromkeys((name, tier) for (_, name), tier in self.tiers.items())
        further = {
            (name, tier): asked_at(self.models[name], tier)
            for name, tier in of_stages
            if (name, tier) not in own
        }
        return (*own.values(), *further.values())
