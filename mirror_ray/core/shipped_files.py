"""Read the data files that are shipped next to the code: YAML and CSV."""

import csv
from importlib.resources import files
from typing import Any

from mirror_ray.core.plain_yaml import read_yaml


def shipped_yaml(package: str, name: str) -> Any:
    """Return the data of a package's YAML file."""
    return read_yaml(files(package).joinpath(name).read_text("utf-8"))


def shipped_rows(package: str, name: str) -> list[list[str]]:
    """Return the rows of a package's CSV file, without its first line, which names the columns."""
    return list(csv.reader(files(package).joinpath(name).read_text("utf-8").splitlines()))[1:]
