"""The schema of a sweep file: its keys, their types and bounds.

Messages print a field's description as what is allowed, and its example as a fix.
`mirror_ray.sweep.names` checks the names of families, conditions and axes.
"""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from mirror_ray.core.untrusted import MAX_INT
from mirror_ray.providers.model import Fallback, Tier
from mirror_ray.sweep.notify import EVENTS, FAILURES_ABOVE, Event
from mirror_ray.sweep.plan import DrawOn


def _as_list(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _as_names(value: object) -> object:
    # Commas separate names: unlike brackets, they mean nothing to a shell.
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


def _told(allowed: str, example: str, default: Any = ...) -> Any:
    return Field(default, description=allowed, examples=[example])


_A_COUNT = "a whole number from 1"
_DOLLARS = "US dollars, more than 0"
_TIERS = "standard, flex or batch; or a map from models to these"
_PROBABILITY = "a probability from 0.9 to 0.9999"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class EngineKeys(_Strict):
    """How the work is distributed; does not affect rows."""

    simulators: _Times | None = _told(f"{_A_COUNT} to 10,000", "4", None)
    providers: _Times | None = _told(f"{_A_COUNT} to 10,000", "2", None)
    in_flight: _Count | None = _told(_A_COUNT, "8", None)
    max_attempts: _Times = _told(f"{_A_COUNT} to 10,000", "5", 5)
    draw_on: DrawOn = _told("auto, cpu or gpu", "auto", "auto")
    cancel_batches: bool = _told("true or false", "true", False)


class NotifyKeys(_Strict):
    """Whom a run notifies of what; does not affect rows and is never recorded."""

    command: (
        Annotated[list[_Place], BeforeValidator(_as_list), Field(min_length=1, max_length=100)]
        | None
    ) = _told("a list of words, of which the first is a program", "[notify-send]", None)
    webhook: _Place | None = _told("an address", "https://example.org/hook", None)
    on: Annotated[list[Event], BeforeValidator(_as_names), Field(min_length=1)] = _told(
        f"one or more of {', '.join(EVENTS)}", "[finished, stopped]", list(EVENTS)
    )
    failures_above: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = _told(
        "a share from 0 to 1", "0.1", FAILURES_ABOVE
    )


class UntilKeys(_Strict):
    """When to stop early; exactly one of the first three is given."""

    verdict: Probability | None = _told(_PROBABILITY, "0.95", None)
    best_of: Probability | None = _told(_PROBABILITY, "0.95", None)
    half_width: Annotated[float, Field(ge=0.005, le=0.4, allow_inf_nan=False)] | None = _told(
        "a half-width from 0.005 to 0.4", "0.1", None
    )
    min: _Times | None = _told(f"{_A_COUNT} to 10,000", "10", None)
    round: _Times = _told(f"{_A_COUNT} to 10,000", "5", 5)


class ControlKeys(_Strict):
    """What may be changed while a run plays; does not affect rows."""

    budget_usd_max: Usd | None = _told(f"{_DOLLARS}, at least budget_usd", "50", None)


class JournalKeys(_Strict):
    """What happens with the journal; does not affect rows."""

    replicate: _Place | None = _told(
        "s3://bucket/prefix, with out in an object store, too", "s3://bucket/journals", None
    )


class StageKeys(_Strict):
    """One family's share of a sweep. The family's axes are further keys, kept in `model_extra`."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    family: Name = _told("the name of a family", "selfid")
    conditions: Names = _told("the names of conditions, at most 1,000", "[E1, E2]")
    seeds: _Count | Annotated[list[_Seed], Field(min_length=1)] | None = _told(
        "how many scenes, from 1; or a list of their seeds, each a whole number from 0", "3", None
    )
    runs: _Count = _told(f"how often each scene is repeated: {_A_COUNT}", "2", 1)
    temperature: Annotated[
        list[Temperature | None], BeforeValidator(_as_list), Field(min_length=1)
    ] = _told("a number from 0 to 2, or a list of them", "[0, 0.7]", [None])
    variant: Names | None = _told("the name of a variant, or a list", "[paper]", None)
    weight: Annotated[float, Field(gt=1e-6, le=1e6, allow_inf_nan=False)] = _told(
        "a number above 0.000001, at most 1,000,000", "2", 1.0
    )
    tier: Tiers = _told(_TIERS, "batch", {})


class SweepKeys(_Strict):
    """The whole file."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=200)] = _told(
        "letters, digits, '.', '_' and '-', of which a letter or digit comes first", "pilot"
    )
    models: Models = _told("the names of models, at most 10,000", "[openai/gpt-5.1]")
    stages: Annotated[list[StageKeys], Field(min_length=1, max_length=MOST_STAGES)] = _told(
        "a list of stages, each with a dash: keys such as family, conditions and seeds",
        "[{family: selfid, conditions: [E1, E2], seeds: 3}]",
    )
    budget_usd: Usd | None = _told(_DOLLARS, "5", None)
    budget_per_model_usd: Annotated[
        dict[Name, Usd], BeforeValidator(_for_all), Field(max_length=_MOST_MODELS)
    ] = _told(f"{_DOLLARS}; or a map from models to dollars", "2", {})
    budget_per_cell_usd: Usd | None = _told(_DOLLARS, "0.5", None)
    tier: Tiers = _told(_TIERS, "batch", {})
    fallback: Fallback | None = _told("wait or standard", "standard", None)
    out: _Place = _told("the path of the run directory", "runs/pilot")
    catalogue: (
        Annotated[
            list[_Place], BeforeValidator(_as_list), Field(min_length=1, max_length=MOST_CATALOGUES)
        ]
        | None
    ) = _told("the path of a model catalogue, or a list of up to 16", "my_models.yaml", None)
    limit: _Count | None = _told(f"how many scenes of each cell: {_A_COUNT}", "2", None)
    shard: Annotated[str, Field(max_length=40)] | None = _told(
        "which of how many shards: NUMBER/COUNT", "2/8", None
    )
    share: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = _told(
        "a share above 0, at most 1", "0.125", None
    )
    until: UntilKeys | None = _told(
        "a map with verdict, best_of or half_width", "{verdict: 0.95}", None
    )
    # Plug-ins of other packages, by group and name: recorded, so that a run resumes only with them.
    plugins: Annotated[dict[Name, Name], Field(max_length=_MOST_MODELS)] = _told(
        "a map from plug-ins to packages", "{families mine: mine 1.0}", {}
    )
    engine: EngineKeys = _told("a map of its keys", "{simulators: 4}", EngineKeys())
    notify: NotifyKeys = _told("a map of its keys", "{on: [finished]}", NotifyKeys())
    control: ControlKeys = _told("a map of its keys", "{budget_usd_max: 50}", ControlKeys())
    journal: JournalKeys = _told(
        "a map of its keys", "{replicate: s3://bucket/journals}", JournalKeys()
    )
