"""Makes the `Model` that is called from the merged settings of a catalogue entry."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.hosted_call import OWN_SERVERS
from mirror_ray.providers.model import Limits, Model

FIGURES = ("rpm", "tpm", "rpd", "day_zone", "window", "concurrency")
_OF_THE_ACCOUNT = (
    "backend",
    "api_key_env",
    "extra_headers_env",
    "needs_env",
    "limits_key",
    *FIGURES,
    "usd_per_mtok_in",
    "usd_per_mtok_out",
    "usd_per_mtok_cached",
    "flex",
    "batch",
)
"""Settings of a provider's own service, which mean nothing (or leak) at another address."""

_NAMED_OTHERWISE = frozenset(
    {"agent", "backend", "target", "limits_key", "needs_env", "needs_packages", *FIGURES}
)
"""Keys of an entry that correspond to other fields of a `Model`."""

_NOT_OF_SERVED = frozenset(
    {"target", "backend", "base_url", "needs_packages", "rpm", "tpm", "rpd", "day_zone", "window"}
    | {"api_key_env", "extra_headers_env", "needs_env", "limits_key", "flex", "batch"}
)
"""Settings that only make sense for a service elsewhere."""


def merged(layers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge settings; later ones win. Another server first drops the account's settings."""
    settings: dict[str, Any] = {}
    for layer in layers:
        if layer.get("base_url") or layer.get("serve"):
            for key in _OF_THE_ACCOUNT:
                settings.pop(key, None)
        settings.update(layer)
    return settings


def hosted_model(name: str, target: str, settings: Mapping[str, Any]) -> Model:
    """Return a model that is called over the network. `target` is litellm's model string, or a name
    that another package's backend knows; `settings` are the keys of its entry."""
    base_url = settings.get("base_url")
    plain = {key: value for key, value in settings.items() if key not in _NAMED_OTHERWISE}
    plugin = settings.get("backend")
    asked_as = target if plugin is None else f"{target} by {plugin}"
    default_key = asked_as if base_url is None else f"{asked_as} at {base_url}"
    limits = limits_of(default_key, settings)
    if target.startswith(OWN_SERVERS) and base_url is not None and limits.concurrency is None:
        # Such servers queue calls and refuse none.
        limits = replace(limits, seeks_concurrency=True)
    if plain.get("flex") is not None:
        plain["flex"] = plain["flex"].terms(limits)
    if plain.get("batch") is not None:
        plain["batch"] = plain["batch"].terms(limits)
    return Model(
        name=name,
        backend="hosted",
        target=target,
        limits=limits,
        plugin=plugin,
        needs_env=_sets(settings.get("needs_env") or []),
        needs_packages=tuple(settings.get("needs_packages") or []),
        **plain,
    )


def _sets(needs_env: list[str] | list[list[str]]) -> tuple[tuple[str, ...], ...]:
    sets = [part for part in needs_env if isinstance(part, list)]
    plain = tuple(part for part in needs_env if isinstance(part, str))
    return (*map(tuple, sets), *([plain] if plain else []))


def limits_of(default_key: str, settings: Mapping[str, Any]) -> Limits:
    """Return the limits that an entry states, under its `limits_key` or the default one."""
    figures = {figure: settings[figure] for figure in FIGURES if figure in settings}
    return Limits(key=settings.get("limits_key") or default_key, **figures)


def served_target(settings: Mapping[str, Any], name: str) -> str:
    """Return the target of a model that the run serves, which selects the defaults for own
    servers."""
    return f"{OWN_SERVERS}{settings['serve'].served_name or name}"


def served_model(name: str, where: str, layers: Sequence[Mapping[str, Any]]) -> Model:
    """Return a model that the run serves itself, whose calls cost only GPU time. Later `layers` of
    settings win. Raise SweepError for a hosted model's settings or an inconsistent `serve`."""
    settings = merged(layers)
    foreign = sorted(_NOT_OF_SERVED & settings.keys())
    if foreign:
        raise SweepError(
            f"{where}.{foreign[0]}",
            f"{foreign[0]} with serve",
            "a server that the run starts has its own address and limits",
            f"remove {foreign[0]}, or remove serve and start the server yourself",
        )
    served = settings["serve"].served(name, f"{where}.serve")
    free = {"usd_per_mtok_in": 0.0, "usd_per_mtok_out": 0.0}
    target = served_target(settings, name)
    model = hosted_model(name, target, {**free, **settings, "serve": served})
    return replace(
        model, limits=replace(model.limits, key=f"{name} (served)", seeks_concurrency=True)
    )
