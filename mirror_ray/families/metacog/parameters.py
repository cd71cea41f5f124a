"""The parameters of metacog's views that `--set` changes."""

from collections.abc import Mapping

from mirror_ray.core.shipped_files import shipped_yaml

PARAMETERS: Mapping[str, str] = shipped_yaml("mirror_ray.families.metacog", "parameters.yaml")
"""Name → what it is."""
