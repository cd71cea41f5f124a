"""Finds names that a provider may not have; litellm's list suggests the nearest ones."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.spelling import close_names
from mirror_ray.providers.model import Model

_LIST = "model_prices_and_context_window_backup.json"
_NEAREST = 3


def misspelt(models: Iterable[Model]) -> list[str]:
    """Return a line of similar names for each model whose provider litellm knows, but not its name.
    Such models are not refused, because new ones appear every week.

    Nothing is refused for it, since new models appear every week."""
    lines = []
    for model in models:
        provider, _, name = model.target.partition("/")
        is_priced = model.usd_per_mtok_in is not None
        if model.backend != "hosted" or model.base_url is not None or is_priced or not name:
            continue
        known = _known().get(provider, frozenset())
        close = [] if name in known else close_names(name, known, _NEAREST)
        if close:
            named = " or ".join(f"{provider}/{one}" for one in close)
            lines.append(f"{model.name} is not a known model of {provider}: did you mean {named}?")
    return lines


@cache
def _known() -> Mapping[str, frozenset[str]]:
    """Return the bare names of each provider in litellm's package, which is not imported."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    try:
        listed = parse_json((Path(spec.origin).parent / _LIST).read_text())
    except (OSError, ValueError):
        return {}
    names: dict[str, set[str]] = {}
    for name, entry in listed.items():
        provider = str(entry.get("litellm_provider")) if isinstance(entry, dict) else ""
        names.setdefault(provider, set()).add(name.removeprefix(f"{provider}/"))
    return {provider: frozenset(each) for provider, each in names.items()}
