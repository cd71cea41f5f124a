"""``--set NAME=VALUE``: parameters of a run's views, given when it is read.

Knows how they are written; which there are is the views' to say.
"""

from collections.abc import Mapping

from yaml import safe_load

from analysis.warehouse import variable_names
from mirror_ray.errors import SweepError


def read_variables(settings: list[str]) -> Mapping[str, object]:
    """Name → value, read as YAML.

    Raises:
        SweepError: no NAME=VALUE, or a name that no view reads.
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
        variables[name] = safe_load(value)
    return variables
