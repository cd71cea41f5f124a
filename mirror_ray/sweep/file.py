"""The schema of a sweep file: its keys, their types and bounds.

`keys.yaml` states in words what each key allows. `mirror_ray.sweep.names` checks the names of
families, conditions and axes."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mirror_ray.core.untrusted import MAX_INT
from mirror_ray.providers.model import Fallback, Tier
from mirror_ray.sweep.notify import EVENTS, FAILURES_ABOVE, Event
from mirror_ray.sweep.plan import DrawOn


def _as_list(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _as_names(value: object) -> object:
    # Commas separate names, because a shell gives them no meaning, unlike brackets.
    if isinstance(value, str) and "," in value:
        return [name.strip() for name in value.split(",")]
    return _as_list(value)


def _for_all(value: object) -> object:
    return value if isinstance(value, dict) else {"*": value}


MAX_COUNT = 2**31 - 1
"""The largest value of the column `run`."""
MOST_NAMES = 1_000
_MOST_MODELS = 10_000
MOST_STAGES = 200
MOST_CATALOGUES = 16
_MOST_TIMES = 10_000

Name = Annotated[str, Field(min_length=1, max_length=200)]
_Place = Annotated[str, Field(min_length=1, max_length=4_096)]
Names = Annotated[
    list[Name], BeforeValidator(_as_names), Field(min_length=1, max_length=MOST_NAMES)
]
Models = Annotated[
    list[Name], BeforeValidator(_as_names), Field(min_length=1, max_length=_MOST_MODELS)
]
_Count = Annotated[int, Field(ge=1, le=MAX_COUNT)]
_Times = Annotated[int, Field(ge=1, le=_MOST_TIMES)]
_Seed = Annotated[int, Field(ge=0, le=MAX_INT)]
Temperature = Annotated[float, Field(ge=0, le=2)]
Probability = Annotated[float, Field(ge=0.9, le=0.9999, allow_inf_nan=False)]
Usd = Annotated[float, Field(gt=0, le=1e12, allow_inf_nan=False)]
Tiers = Annotated[dict[Name, Tier], BeforeValidator(_for_all), Field(max_length=_MOST_MODELS)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class EngineKeys(_Strict):
    """How the work is distributed; does not affect rows."""

    simulators: _Times | None = None
    providers: _Times | None = None
    in_flight: _Count | None = None
    max_attempts: _Times = 5
    draw_on: DrawOn = "auto"
    cancel_batches: bool = False


class NotifyKeys(_Strict):
    """Who is notified of a run, and about what; does not affect rows and is never recorded."""

    command: (
        Annotated[list[_Place], BeforeValidator(_as_list), Field(min_length=1, max_length=100)]
        | None
    ) = None
    webhook: _Place | None = None
    on: Annotated[list[Event], BeforeValidator(_as_names), Field(min_length=1)] = list(EVENTS)
    failures_above: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = FAILURES_ABOVE


class UntilKeys(_Strict):
    """When to stop early; exactly one of the first three is given."""

    verdict: Probability | None = None
    best_of: Probability | None = None
    half_width: Annotated[float, Field(ge=0.005, le=0.4, allow_inf_nan=False)] | None = None
    min: _Times | None = None
    round: _Times = 5


class ControlKeys(_Strict):
    """What may be changed while a run plays; does not affect rows."""

    budget_usd_max: Usd | None = None


class JournalKeys(_Strict):
    """How the journal is kept; does not affect rows."""

    replicate: _Place | None = None


class StageKeys(_Strict):
    """One family's share of a sweep. The family's axes are further keys, kept in `model_extra`."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    family: Name
    conditions: Names
    seeds: _Count | Annotated[list[_Seed], Field(min_length=1)] | None = None
    runs: _Count = 1
    temperature: Annotated[
        list[Temperature | None], BeforeValidator(_as_list), Field(min_length=1)
    ] = [None]
    variant: Names | None = None
    weight: Annotated[float, Field(gt=1e-6, le=1e6, allow_inf_nan=False)] = 1.0
    tier: Tiers = {}


class SweepKeys(_Strict):
    """The whole file."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=200)]
    models: Models
    stages: Annotated[list[StageKeys], Field(min_length=1, max_length=MOST_STAGES)]
    budget_usd: Usd | None = None
    budget_per_model_usd: Annotated[
        dict[Name, Usd], BeforeValidator(_for_all), Field(max_length=_MOST_MODELS)
    ] = {}
    budget_per_cell_usd: Usd | None = None
    tier: Tiers = {}
    fallback: Fallback | None = None
    out: _Place
    catalogue: (
        Annotated[
            list[_Place], BeforeValidator(_as_list), Field(min_length=1, max_length=MOST_CATALOGUES)
        ]
        | None
    ) = None
    limit: _Count | None = None
    shard: Annotated[str, Field(max_length=40)] | None = None
    share: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = None
    until: UntilKeys | None = None
    # Plug-ins of other packages, by group and name, recorded so that a run resumes only with them.
    plugins: Annotated[dict[Name, Name], Field(max_length=_MOST_MODELS)] = {}
    engine: EngineKeys = EngineKeys()
    notify: NotifyKeys = NotifyKeys()
    control: ControlKeys = ControlKeys()
    journal: JournalKeys = JournalKeys()
