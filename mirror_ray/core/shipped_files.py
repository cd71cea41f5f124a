"""Read the data files that are shipped next to the code: YAML and CSV."""

import csv
import re
from importlib.resources import files
from typing import Any

from mirror_ray.core.plain_yaml import read_yaml


def shipped_yaml(package: str, name: str) -> Any:
    """Return the data of a package's YAML file."""
    return read_yaml(files(package).joinpath(name).read_text("utf-8"))


def shipped_patterns(package: str, name: str) -> dict[str, re.Pattern[str]]:
    """Compile the patterns of a package's YAML file: lists of pieces, regardless of case."""
    return {
        key: re.compile("".join(pieces), re.IGNORECASE)
        for key, pieces in shipped_yaml(package, name).items()
    }


def shipped_rows(package: str, name: str) -> list[list[str]]:
    """Return the rows of a package's CSV file, without its first line, which names the columns."""
    return list(csv.reader(files(package).joinpath(name).read_text("utf-8").splitlines()))[1:]
