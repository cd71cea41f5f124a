"""The shape of a catalogue file: its keys, their types and bounds, and one clear error each.

Knows YAML, OmegaConf and pydantic; does not know how entries add up to a model.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails
from yaml import YAMLError

from mirror_ray.errors import SweepError
from mirror_ray.providers.model import MaxTokensName, Window


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        raise ValueError("an IANA time zone, e.g. America/Los_Angeles") from error
    return name


Figure = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1)]
Zone = Annotated[str, AfterValidator(_known_zone)]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]

_OWN_PARAMETERS = frozenset(
    {
        *("model", "messages", "n", "temperature", "max_tokens", "max_completion_tokens"),
        *("seed", "reasoning_effort"),
        *("response_format", "stream", "timeout", "max_retries", "num_retries", "drop_params"),
        *("api_base", "base_url"),
    }
)
_SECRET_WORDS = (
    *("api_key", "api-key", "apikey", "authorization", "secret", "password", "credential"),
    *("private_key", "access_key", "session_token", "access_token", "bearer"),
)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Entry(_Strict):
    """One entry; keys left out are inherited, and an explicit null means unknown or none."""

    agent: Text | None = None
    target: Text | None = None
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s]+$")] | None = None
    api_key_env: Variable | None = None
    needs_env: list[Variable] | list[list[Variable]] | None = None
    needs_packages: list[Text] | None = None
    limits_key: Text | None = None
    rpm: Figure | None = None
    tpm: Figure | None = None
    rpd: Figure | None = None
    day_zone: Zone = "UTC"
    window: Window = "bucket"
    concurrency: Annotated[int, Field(ge=1)] | None = None
    usd_per_mtok_in: Price | None = None
    usd_per_mtok_out: Price | None = None
    usd_per_mtok_cached: Price | None = None
    vision: bool = True
    sends_temperature: bool = True
    sends_seed: bool = False
    sends_schema: bool = True
    reasoning_effort: Text | None = None
    tokens_per_image: Annotated[int, Field(ge=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_tokens_name: MaxTokensName = "max_tokens"
    timeout_s: Figure = 120.0
    latency_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    extra: dict[str, Any] = {}

    def written(self) -> dict[str, Any]:
        """The keys that the file names, with their values."""
        return {key: getattr(self, key) for key in self.model_fields_set}


class CatalogueFile(_Strict):
    """The whole file: `defaults` by pattern over targets, `models` by name."""

    defaults: dict[Text, Entry] = {}
    models: dict[Text, Entry] = {}


def read_catalogue_file(path: Path) -> CatalogueFile:
    """The validated file.

    Raises:
        SweepError: unreadable, an unknown key, a wrong type, a secret written out, or a litellm
            parameter in `extra` that a request sets itself; names file and key.
    """
    try:
        data = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    except (YAMLError, OmegaConfBaseException, OSError, UnicodeDecodeError) as error:
        raise SweepError(
            str(path), " ".join(str(error).split()), "a readable YAML file", "correct the file"
        ) from error
    try:
        file = CatalogueFile.model_validate(data or {})
    except ValidationError as error:
        raise _readable(error.errors()[0], path) from error
    for section, entries in (("defaults", file.defaults), ("models", file.models)):
        for name, entry in entries.items():
            _check(entry, f"{path}: {section}.{name}")
    return file


def _check(entry: Entry, where: str) -> None:
    if entry.agent is not None and (entry.target or entry.base_url):
        raise SweepError(
            where,
            "agent together with target or base_url",
            "agent for an offline agent, or target and base_url for a hosted model",
            "remove one of them",
        )
    for key, value in entry.written().items():
        if "${" in str(value):
            raise SweepError(
                f"{where}.{key}",
                "an interpolation, ${…}",
                "plain values: the catalogue is stored with every run",
                "write the value, or name a key's environment variable in api_key_env",
            )
    if entry.base_url is not None:
        address = urlsplit(entry.base_url)
        if address.username or address.password or address.query:
            raise SweepError(
                f"{where}.base_url",
                "an address with credentials or a query",
                "scheme, host, port and path: the catalogue is stored with every run",
                "name the key's environment variable in api_key_env",
            )
    for parameter, path in _keys_of(entry.extra, f"{where}.extra"):
        if parameter in _OWN_PARAMETERS:
            raise SweepError(
                path,
                repr(parameter),
                "litellm parameters that a request does not set itself",
                f"remove it; entries have keys of their own: {', '.join(Entry.model_fields)}",
            )
        if any(word in parameter.lower() for word in _SECRET_WORDS):
            raise SweepError(
                path,
                f"{parameter!r}, which looks like a secret",
                "no secrets: the catalogue is stored with every run",
                "put it into the environment, and its name into api_key_env or needs_env",
            )


def _keys_of(value: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    for key, nested in value.items():
        yield str(key), f"{where}.{key}"
        if isinstance(nested, Mapping):
            yield from _keys_of(nested, f"{where}.{key}")


def _readable(problem: ErrorDetails, path: Path) -> SweepError:
    """pydantic's first problem as got, allowed, fix."""
    # Union members appear in a location by their type's name.
    parts = [str(part) for part in problem["loc"] if not str(part).startswith("list[")]
    key = ".".join(parts) or "(whole file)"
    where = f"{path}: {key}"
    if problem["type"] != "extra_forbidden":
        # Where a variable's name belongs, its value may have been written.
        variable = any(part in {"api_key_env", "needs_env"} for part in parts)
        got = "no name of a variable" if variable else repr(problem["input"])
        return SweepError(where, got, problem["msg"], f"correct {key!r}")
    unknown = str(problem["loc"][-1])
    keys = list((CatalogueFile if len(problem["loc"]) == 1 else Entry).model_fields)
    close = get_close_matches(unknown, keys, n=1)
    fix = f"did you mean {close[0]!r}?" if close else f"remove {unknown!r}"
    return SweepError(where, repr(unknown), "one of " + ", ".join(keys), fix)
