"""The schema of a sweep file: its keys, their types and bounds.

`mirror_ray.sweep.expand` checks the names of families, models and axes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from mirror_ray.core.bounded_files import MOST_CONFIG_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.core.untrusted import MAX_INT
from mirror_ray.providers.model import Fallback, Tier
from mirror_ray.sweep.interpolation import interpolated, steps_of
from mirror_ray.sweep.notify import EVENTS, FAILURES_ABOVE, Event
from mirror_ray.sweep.overrides import overridden
from mirror_ray.sweep.plan import DrawOn


def _as_list(value: object) -> object:
    """A scalar in place of a list is a list of one."""
    return value if isinstance(value, list) else [value]


def _as_names(value: object) -> object:
    """A scalar is a list of one, or of the names that its commas separate: unlike brackets, these
    mean nothing to a shell."""
    if isinstance(value, str) and "," in value:
        return [name.strip() for name in value.split(",")]
    return _as_list(value)


def _for_all(value: object) -> object:
    """A single value applies to every model."""
    return value if isinstance(value, dict) else {"*": value}


MAX_COUNT = 2**31 - 1
"""The largest value that the column `run` holds."""
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
    """How the work is distributed; changes no row."""

    simulators: _Times | None = None
    providers: _Times | None = None
    in_flight: _Count | None = None
    max_attempts: _Times = 5
    draw_on: DrawOn = "auto"
    cancel_batches: bool = False


class NotifyKeys(_Strict):
    """Whom a run notifies, and of what; changes no row and is never recorded."""

    command: (
        Annotated[list[_Place], BeforeValidator(_as_list), Field(min_length=1, max_length=100)]
        | None
    ) = None
    webhook: _Place | None = None
    on: Annotated[list[Event], BeforeValidator(_as_names), Field(min_length=1)] = list(EVENTS)
    failures_above: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = FAILURES_ABOVE


class UntilKeys(_Strict):
    """When enough was asked; one of the first three."""

    verdict: Probability | None = None
    best_of: Probability | None = None
    half_width: Annotated[float, Field(ge=0.005, le=0.4, allow_inf_nan=False)] | None = None
    min: _Times | None = None
    round: _Times = 5


class ControlKeys(_Strict):
    """What may be changed of a run while it plays; changes no row."""

    budget_usd_max: Usd | None = None


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
    until: UntilKeys | None = None
    # What other packages bring, by group and name: recorded, so that a run goes on under no other.
    plugins: Annotated[dict[Name, Name], Field(max_length=_MOST_MODELS)] = {}
    engine: EngineKeys = EngineKeys()
    notify: NotifyKeys = NotifyKeys()
    control: ControlKeys = ControlKeys()


def read_sweep_file(path: Path, overrides: Sequence[str]) -> SweepKeys:
    """The validated keys, with overrides and interpolations resolved.

    Args:
        path: the YAML file, of at most `MOST_CONFIG_BYTES`.
        overrides: ``key=value`` over the file, the value in YAML and the key a path, e.g.
            ``["models=openai/gpt-5.1", "stages.0.runs=7"]``.

    Raises:
        SweepError: the first problem, with file and key, or the override.
    """
    source = str(path)
    try:
        data = read_yaml(text_of(read_bounded(path, MOST_CONFIG_BYTES)))
        data = interpolated(overridden({} if data is None else data, overrides))
    except UnfitError as error:
        raise blame_override(error.at(source), source, overrides) from error
    try:
        return SweepKeys.model_validate(data)
    except ValidationError as error:
        raise _readable(error, source, overrides) from error


def _readable(error: ValidationError, source: str, overrides: Sequence[str]) -> SweepError:
    """The first problem as got, allowed, fix; pydantic's wording stays inside `allowed`."""
    # Of the members of a union, the one that validated furthest is the one that was meant.
    problem = max(error.errors(include_url=False), key=lambda one: len(one["loc"]))
    # A location names union members by their type; only keys and indices concern the user.
    path = [str(part) for part in problem["loc"] if not str(part).startswith(_TYPE_NAMES)]
    key = ".".join(path) or "(whole file)"
    found = SweepError(
        f"{source}: {key}", repr(problem["input"]), _allowed(problem), _fix(problem, key)
    )
    return blame_override(found, source, overrides)


def blame_override(error: SweepError, source: str, overrides: Sequence[str]) -> SweepError:
    """The same error, at the override on the command line that set the key, if one did."""
    # Printable and on one line, as in every error.
    prefix = SweepError(f"{source}:", "", "", "").where + " "
    if error.where.startswith(prefix):
        key = error.where.removeprefix(prefix)
        for override in overrides:
            if f"{key}.".startswith(f"{'.'.join(steps_of(override.partition('=')[0]))}."):
                return SweepError(f"command line: {override}", error.got, error.allowed, error.fix)
    return error


_TYPE_NAMES = ("constrained-", "list[")


def _allowed(problem: ErrorDetails) -> str:
    if problem["type"] == "extra_forbidden":
        return "one of " + ", ".join(_sibling_keys(problem))
    if problem["type"] == "missing":
        return "this key is required"
    return problem["msg"]


def _fix(problem: ErrorDetails, key: str) -> str:
    if problem["type"] == "extra_forbidden":
        unknown = str(problem["loc"][-1])
        return did_you_mean(unknown, _sibling_keys(problem)) or f"remove {unknown!r}"
    return f"add {key!r}" if problem["type"] == "missing" else f"correct {key!r}"


def _sibling_keys(problem: ErrorDetails) -> list[str]:
    parts: dict[str, type[BaseModel]] = {
        "engine": EngineKeys,
        "notify": NotifyKeys,
        "until": UntilKeys,
        "control": ControlKeys,
    }
    model = parts.get(str(problem["loc"][0]), SweepKeys)
    return list(model.model_fields)
