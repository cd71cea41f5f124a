"""``--set NAME=VALUE``: parameters of a run's views, given when it is read."""

import json
from collections.abc import Mapping

from mirror_ray.analysis.sql_files import variable_names
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_yaml import read_yaml

_MAPS: Mapping[str, str] = {
    "model_sizes": "{lab/small: 8e9, lab/large: 70e9}",
    "model_facts": "{lab/model: {family: Name, size_b: 8}}",
}
"""Variables with a value per model, with an example."""


def read_variables(settings: list[str]) -> Mapping[str, object]:
    """Return values by name, read as YAML. Raise SweepError if a setting is not NAME=VALUE, no view
    reads the name, or the value is not plain YAML or has the wrong type."""
    variables = {}
    for setting in settings:
        name, separator, value = setting.partition("=")
        if not separator or name not in variable_names():
            raise SweepError(
                "command line: --set",
                repr(setting),
                f"NAME=VALUE, where NAME is one of {', '.join(variable_names())}",
                "e.g. --set mirror_px_threshold=100",
            )
        try:
            variables[name] = read_yaml(value)
        except UnfitError as error:
            raise error.at(f"command line: --set {name}") from error
        if name in _MAPS:
            variables[name] = _of_models(name, variables[name])
        elif isinstance(variables[name], (list, dict)):
            raise SweepError(
                f"command line: --set {name}",
                "a list or a map",
                "one number, text, true, false or null",
                "e.g. --set mirror_px_threshold=100",
            )
    return variables


def _of_models(name: str, value: object) -> str:
    stated = list(value.values()) if isinstance(value, dict) else []
    fits = _is_number if name == "model_sizes" else _are_facts
    if stated and all(map(fits, stated)):
        return json.dumps(value)
    raise SweepError(
        f"command line: --set {name}",
        repr(value)[:80],
        "a map from a model to a number of parameters"
        if name == "model_sizes"
        else "a map from a model to what it is: family, size_b, released, lab",
        f"e.g. --set '{name}={_MAPS[name]}'",
    )


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _are_facts(value: object) -> bool:
    return isinstance(value, dict) and ("size_b" not in value or _is_number(value["size_b"]))
