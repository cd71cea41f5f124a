"""``--set NAME=VALUE``: parameters of a run's views, given when it is read."""

from collections.abc import Mapping

from mirror_ray.analysis.warehouse import variable_names
from mirror_ray.errors import SweepError, UnfitError
from mirror_ray.plain_yaml import read_yaml


def read_variables(settings: list[str]) -> Mapping[str, object]:
    """Name → value, read as YAML.

    Raises:
        SweepError: no NAME=VALUE, a name that no view reads, or a value that is no plain YAML.
    """
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
        if isinstance(variables[name], (list, dict)):
            raise SweepError(
                f"command line: --set {name}",
                "a list or a map",
                "one number, text, true, false or null",
                "e.g. --set mirror_px_threshold=100",
            )
    return variables
