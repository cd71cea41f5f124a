"""The sweep file's own shape: which keys there are, their types and bounds.

Knows YAML, OmegaConf and pydantic; does not know which families, models or axes exist
(`mirror_ray.sweep.expand` checks those names).
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails
from yaml import YAMLError, safe_load

from mirror_ray.errors import SweepError


def _as_list(value: object) -> object:
    """A scalar where a list may stand is a list of one."""
    return value if isinstance(value, list) else [value]


def _for_all(value: object) -> object:
    """One number is that of every model."""
    return value if isinstance(value, dict) else {"*": value}


Name = Annotated[str, Field(min_length=1)]
Names = Annotated[list[Name], BeforeValidator(_as_list), Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0)]
Temperature = Annotated[float, Field(ge=0, le=2)]
Usd = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class EngineKeys(_Strict):
    """How the work is spread; changes no row."""

    simulators: Count | None = None
    providers: Count | None = None
    in_flight: Count | None = None
    max_attempts: Count = 5


class StageKeys(_Strict):
    """One family's share of a sweep. The family's axes are further keys, kept in `model_extra`."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    family: Name
    conditions: Names
    seeds: Count | Annotated[list[Seed], Field(min_length=1)] | None = None
    runs: Count = 1
    temperature: Annotated[
        list[Temperature | None], BeforeValidator(_as_list), Field(min_length=1)
    ] = [None]
    variant: Names | None = None
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0


class SweepKeys(_Strict):
    """The whole file."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    models: Names
    stages: Annotated[list[StageKeys], Field(min_length=1)]
    budget_usd: Usd | None = None
    budget_per_model_usd: Annotated[dict[Name, Usd], BeforeValidator(_for_all)] = {}
    budget_per_cell_usd: Usd | None = None
    out: Name
    catalogue: Names | None = None
    engine: EngineKeys = EngineKeys()


def read_sweep_file(path: Path, overrides: Sequence[str]) -> SweepKeys:
    """The validated keys, with overrides and interpolations resolved.

    Args:
        path: the YAML file.
        overrides: OmegaConf dot-list, e.g. ``["models=[openai/gpt-5.1]", "stages.0.runs=7"]``.

    Raises:
        SweepError: whatever is wrong, naming file and key, or the override.
    """
    try:
        config = OmegaConf.load(path)
    except (YAMLError, OSError, UnicodeDecodeError) as error:
        raise SweepError(
            str(path), " ".join(str(error).split()), "a readable YAML file", "correct the file"
        ) from error
    for override in overrides:
        _apply(config, override)
    if "${oc." in OmegaConf.to_yaml(config, resolve=False):
        raise SweepError(
            str(path),
            "an interpolation of the environment, ${oc.…}",
            "interpolations of the file's own keys, such as ${name}: the resolved sweep is stored",
            "name the key's environment variable in the model catalogue instead (api_key_env)",
        )
    try:
        data = OmegaConf.to_container(config, resolve=True)
    except OmegaConfBaseException as error:
        raise SweepError(
            str(path),
            str(error).splitlines()[0],
            "interpolations of keys that exist, such as ${name}",
            "correct the interpolation",
        ) from error
    try:
        return SweepKeys.model_validate(data)
    except ValidationError as error:
        raise _readable(error, str(path), overrides) from error


def _apply(config: Any, override: str) -> None:
    key, separator, _ = override.partition("=")
    if not separator or not key:
        raise SweepError(
            f"command line: {override}",
            repr(override),
            "key=value",
            "e.g. stages.0.runs=7 or models=[openai/gpt-5.1]",
        )
    try:
        value = OmegaConf.create({"value": safe_load(override[len(key) + 1 :])})["value"]
        OmegaConf.update(config, key, value, merge=False, force_add=True)
    except (YAMLError, OmegaConfBaseException, LookupError, TypeError, ValueError) as error:
        raise SweepError(
            f"command line: {override}",
            " ".join(str(error).split()),
            "the path of a key in the sweep file, and a YAML value",
            "write lists as [a,b] and index stages from 0: stages.0.runs=7",
        ) from error


def _readable(error: ValidationError, source: str, overrides: Sequence[str]) -> SweepError:
    """The first problem as got, allowed, fix; pydantic's wording stays inside `allowed`."""
    problem = error.errors()[0]
    # Union members appear in a location by their type's name; only keys and indices mean something.
    path = [str(part) for part in problem["loc"] if not str(part).startswith(_TYPE_NAMES)]
    key = ".".join(path) or "(whole file)"
    found = SweepError(
        f"{source}: {key}", repr(problem["input"]), _allowed(problem), _fix(problem, key)
    )
    return blame_override(found, source, overrides)


def blame_override(error: SweepError, source: str, overrides: Sequence[str]) -> SweepError:
    """The same error, at the override on the command line that set the key, if one did."""
    prefix = f"{source}: "
    if error.where.startswith(prefix):
        key = error.where.removeprefix(prefix)
        for override in overrides:
            if f"{key}.".startswith(f"{override.partition('=')[0]}."):
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
        close = get_close_matches(unknown, _sibling_keys(problem), n=1)
        return f"did you mean {close[0]!r}?" if close else f"remove {unknown!r}"
    return f"add {key!r}" if problem["type"] == "missing" else f"correct {key!r}"


def _sibling_keys(problem: ErrorDetails) -> list[str]:
    model = EngineKeys if "engine" in problem["loc"] else SweepKeys
    return list(model.model_fields)
