"""The schema of a catalogue file: its keys, their types and bounds, with a clear error for each."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from mirror_ray.core.bounded_files import MOST_CATALOGUE_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.providers.catalogue_secrets import check_address, check_extra, is_variable
from mirror_ray.providers.catalogue_words import in_plain_words
from mirror_ray.providers.hosted_call import SET_BY_REQUESTS
from mirror_ray.providers.model import (
    BATCH_LINGER_S,
    BATCH_POLL_S,
    BATCH_TIMEOUT_S,
    FLEX_TIMEOUT_S,
    BatchTerms,
    Limits,
    MaxTokensName,
    TierTerms,
    Window,
)
from mirror_ray.providers.name_ranges import with_numbered_entries
from mirror_ray.providers.serve_keys import ServeKeys


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        raise ValueError("an IANA time zone, e.g. America/Los_Angeles") from error
    return name


def _known_variable(name: str) -> str:
    if not is_variable(name):
        raise ValueError("the name of an environment variable, in capitals, e.g. MY_API_KEY")
    return name


def _module_name(name: str) -> str:
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError("the name that Python imports the package by, e.g. google.auth")
    return name


_Figure = Annotated[float, Field(gt=0.0001, le=1e12, allow_inf_nan=False)]
Seconds = Annotated[float, Field(gt=0.0001, le=1e6, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Text = Annotated[str, Field(min_length=1, max_length=200)]
Pattern = Annotated[str, Field(min_length=1, max_length=100)]
_Size = Annotated[float, Field(gt=0.0001, le=1e6, allow_inf_nan=False)]
Date = Annotated[str, Field(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")]
Zone = Annotated[str, Field(max_length=100), AfterValidator(_known_zone)]
Variable = Annotated[str, AfterValidator(_known_variable)]
Header = Annotated[str, Field(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")]

_MOST_SIZE = 16_000_000
"""Like `mirror_ray.core.plain_yaml.MOST_SIZE`: ten thousand entries of ten keys."""
BATCHED_RPM = 600_000.0
"""Requests join a batch on this machine, so the Limiter has to watch the budget but no rate."""
_LANE_FIGURES = ("rpm", "tpm", "rpd", "concurrency")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class _TierKeys(_Strict):
    usd_per_mtok_in: Price
    usd_per_mtok_out: Price
    usd_per_mtok_cached: Price | None = None


class FlexKeys(_TierKeys):
    """An entry's prices and limits at the flex tier. Limits that are left out are the entry's
    own."""

    timeout_s: Seconds = FLEX_TIMEOUT_S
    rpm: _Figure | None = None
    tpm: _Figure | None = None
    rpd: _Figure | None = None
    concurrency: _Count | None = None

    def terms(self, limits: Limits) -> TierTerms:
        """Return the terms of the flex tier for an entry with these limits. The tier has separate
        limits, because shed calls must not slow calls at the standard tier."""
        given = self.model_dump(exclude_unset=True)
        own = {name: given.pop(name) for name in _LANE_FIGURES if name in given}
        return TierTerms(limits=replace(limits, key=f"{limits.key} (flex)", **own), **given)


class BatchKeys(_TierKeys):
    """An entry's terms for batches. Bounds that are left out are the provider's."""

    timeout_s: Seconds = BATCH_TIMEOUT_S
    linger_s: Seconds = BATCH_LINGER_S
    poll_s: Seconds = BATCH_POLL_S
    most_asks: _Count | None = None
    most_mb: _Size | None = None

    def terms(self, limits: Limits) -> BatchTerms:
        """Return the terms of batches, whose rates are separate from `limits`."""
        own = Limits(f"{limits.key} (batch)", rpm=BATCHED_RPM)
        return BatchTerms(limits=own, **self.model_dump(exclude_unset=True))


class CatalogueEntry(_Strict):
    """One entry. Keys left out are inherited, and an explicit null means unknown or none."""

    family: Text | None = None
    size_b: _Size | None = None
    released: Date | None = None
    lab: Text | None = None
    agent: Text | None = None
    backend: Text | None = None
    target: Text | None = None
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=2_000)] | None = None
    api_key_env: Variable | None = None
    needs_env: list[Variable] | list[list[Variable]] | None = None
    needs_packages: list[Annotated[Text, AfterValidator(_module_name)]] | None = None
    limits_key: Text | None = None
    rpm: _Figure | None = None
    tpm: _Figure | None = None
    rpd: _Figure | None = None
    day_zone: Zone = "UTC"
    window: Window = "bucket"
    concurrency: _Count | None = None
    usd_per_mtok_in: Price | None = None
    usd_per_mtok_out: Price | None = None
    usd_per_mtok_cached: Price | None = None
    flex: FlexKeys | None = None
    batch: BatchKeys | None = None
    vision: bool = True
    sends_temperature: bool = True
    sends_seed: bool = False
    sends_schema: bool = True
    reasoning_effort: Text | None = None
    tokens_per_image: _Count | None = None
    max_tokens: _Count | None = None
    max_tokens_name: MaxTokensName = "max_tokens"
    through_litellm: bool = False
    timeout_s: Seconds = 120.0
    latency_s: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 0.0
    extra: dict[str, Any] = {}
    extra_headers_env: dict[Header, Variable] = {}
    serve: ServeKeys | None = None
    usd_per_gpu_hour: Price | None = None

    def written(self) -> dict[str, Any]:
        """Return the keys that the file states, with their values."""
        return {key: getattr(self, key) for key in self.model_fields_set}


class CatalogueFile(_Strict):
    """The whole file: `defaults` by pattern over targets, `models` by name, `rosters` of names."""

    defaults: dict[Pattern, CatalogueEntry] = {}
    models: dict[Text, CatalogueEntry] = {}
    rosters: dict[Text, Annotated[list[Text], Field(min_length=1, max_length=10_000)]] = {}


_INNER: dict[str, type[BaseModel]] = {"flex": FlexKeys, "batch": BatchKeys, "serve": ServeKeys}


def read_catalogue_file(path: Path) -> CatalogueFile:
    """Return the validated file. Raise SweepError, naming file and key, for anything unreadable,
    unknown or of a wrong type, for a secret, or for a litellm parameter that a request sets
    itself."""
    try:
        text = text_of(read_bounded(path, MOST_CATALOGUE_BYTES))
        data = _each_named(read_yaml(text, most_size=_MOST_SIZE))
    except UnfitError as error:
        raise error.at(str(path)) from error
    _refuse_interpolations(data, str(path))
    try:
        file = CatalogueFile.model_validate(
            {} if data is None else data, context={"folder": path.parent}
        )
    except ValidationError as error:
        # The problem's own text would repeat what may be a secret.
        problem = error.errors()[0]
        schema = CatalogueFile if len(problem["loc"]) == 1 else CatalogueEntry
        raise in_plain_words(problem, path, schema, _INNER) from None
    for section, entries in (("defaults", file.defaults), ("models", file.models)):
        for name, entry in entries.items():
            _check(entry, f"{path}: {section}.{name}")
    return file


def _each_named(data: object) -> object:
    if not isinstance(data, dict) or not isinstance(data.get("models"), dict):
        return data
    try:
        return {**data, "models": with_numbered_entries(data["models"])}
    except UnfitError as error:
        raise UnfitError(error.got, error.allowed, error.fix, f"models.{error.key}") from error


def _refuse_interpolations(value: object, where: str, separator: str = ": ") -> None:
    """Refuse interpolations: they are not resolved in a catalogue, so their syntax is a mistake."""
    if isinstance(value, str) and "${" in value:
        raise SweepError(
            where,
            "an interpolation, ${…}",
            "plain values: the catalogue is stored with every run",
            "write the value, or name a key's environment variable in api_key_env",
        )
    if isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_interpolations(inner, f"{where}{separator}{index}", ".")
    if isinstance(value, dict):
        for key, inner in value.items():
            _refuse_interpolations(key, where)
            _refuse_interpolations(inner, f"{where}{separator}{key}", ".")


def _check(entry: CatalogueEntry, where: str) -> None:
    if entry.agent is not None and (entry.target or entry.base_url or entry.backend):
        raise SweepError(
            where,
            "agent together with target, base_url or backend",
            "agent for an offline agent, or target and base_url or backend for a hosted model",
            "remove one of them",
        )
    check_address(entry.base_url, f"{where}.base_url")
    check_extra(entry.extra, f"{where}.extra")
    for parameter, path in _keys_of(entry.extra, f"{where}.extra"):
        if parameter in SET_BY_REQUESTS:
            raise SweepError(
                path,
                repr(parameter),
                "litellm parameters that a request does not set itself",
                "remove it; entries have keys of their own: "
                + ", ".join(CatalogueEntry.model_fields),
            )


def _keys_of(value: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    for key, nested in value.items():
        yield str(key), f"{where}.{key}"
        if isinstance(nested, Mapping):
            yield from _keys_of(nested, f"{where}.{key}")
