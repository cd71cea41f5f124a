"""The subjects of stories: the built-in seeds, and those of a file.

[Our decision] Built-in seeds are combined from parts, so that a sweep needs no model for them."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from typing import Any

from mirror_ray.core.bounded_files import MOST_DATA_BYTES, read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.identity import seeded
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.untrusted import is_storable

BUILT_IN, FROM_FILE = "built-in", "file"
_MOST_SEEDS = 100_000
"""Most seeds of a file."""
_MOST_CHARS = 10_000
"""Most characters of a seed."""
_MOST_COLUMNS = 100
_MOST_HEADER_CHARS = 10_000
_PROMPT = "prompt"

_WHO, _WHAT, _WHERE = shipped_yaml("mirror_ray.families.textmirror", "seeds.yaml").values()

N_BUILT_IN = len(_WHO) * len(_WHAT) * len(_WHERE)


@dataclass(frozen=True, slots=True)
class Seed:
    """A story's prompt, and its author if known."""

    text: str
    origin: str


def built_in_seed(number: int) -> Seed:
    """Return the seed of this number. Up to `N_BUILT_IN` all differ; none has a theme."""
    order = _shuffled()
    at = order[number % N_BUILT_IN]
    at, who = divmod(at, len(_WHO))
    where, what = divmod(at, len(_WHAT))
    subject = _WHO[who]
    verb = _WHAT[what]
    if subject.startswith("two "):
        first, _, rest = verb.partition(" ")
        verb = f"{_PLURAL.get(first, first)} {rest.replace(' and stays ', ' and stay ')}"
    return Seed(f"Write a story about {subject} who {verb}{_WHERE[where]}.", BUILT_IN)


def seeds_in_file(path: str, where: str) -> list[Seed]:
    """Return the seeds of a CSV file: a column ``prompt`` and, optionally,
    ``model_of_original_prompt``.

    Fields are separated by ``,``, ``;``, ``|`` or tabs, depending on the first line.

    Raises:
        SweepError: the file cannot be read, or has another form.
    """
    try:
        text = text_of(read_bounded(path, MOST_DATA_BYTES))
    except UnfitError as error:
        raise SweepError(
            f"{where}.seed_file",
            f"{path}: {error.got}",
            f"a readable CSV file: {error.allowed}",
            error.fix,
        ) from error
    header = text.partition("\n")[0].strip()[:_MOST_HEADER_CHARS]
    seeds: list[Seed] = []
    line = 1
    try:
        separator = next((one for one in ",;|\t" if _PROMPT in _fields(header, one)), ",")
        reader = csv.DictReader(StringIO(text), delimiter=separator)
        if len(reader.fieldnames or ()) > _MOST_COLUMNS:
            raise _wrong_line(where, path, line, f"more than {_MOST_COLUMNS} columns")
        for row in reader:
            if _PROMPT not in row:
                break
            line = reader.line_num
            if trouble := _trouble_of(row, len(seeds)):
                raise _wrong_line(where, path, line, trouble)
            origin = row.get("model_of_original_prompt") or FROM_FILE
            seeds.append(Seed(row[_PROMPT].strip(), origin))
    except csv.Error as error:
        raise _wrong_line(where, path, line + 1, str(error)) from error
    if not seeds:
        raise SweepError(
            f"{where}.seed_file",
            f"{path} with the columns {header!r}",
            "a header line with a column `prompt`, and a row for each seed",
            "name the column of the seeds `prompt`",
        )
    return seeds


def _trouble_of(row: Mapping[str | None, Any], n_before: int) -> str | None:
    """Return a row's problem, if any; fields that a row lacks are None."""
    prompt = row[_PROMPT] or ""
    if not prompt.strip():
        return "an empty prompt"
    if None in row:
        return f"more fields than the {len(row) - 1} that the header names"
    if len(prompt) > _MOST_CHARS or len(row.get("model_of_original_prompt") or "") > _MOST_CHARS:
        return f"a text of more than {_MOST_CHARS:,} characters"
    if not all(is_storable(text or "") for text in row.values()):
        return "a control character"
    return f"more than {_MOST_SEEDS:,} seeds" if n_before >= _MOST_SEEDS else None


def _fields(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator), [])


def _wrong_line(where: str, path: str, line: int, trouble: str) -> SweepError:
    return SweepError(
        f"{where}.seed_file",
        f"{path}, line {line}: {trouble}",
        "a text in every row, between quotation marks where it has the separator in it",
        "correct the row, or remove it",
    )


_PLURAL = {
    "finds": "find", "hears": "hear", "wakes": "wake", "follows": "follow", "receives": "receive",
    "discovers": "discover", "repairs": "repair", "keeps": "keep", "wins": "win",
    "learns": "learn", "returns": "return", "paints": "paint", "loses": "lose", "takes": "take",
}  # fmt: skip


@lru_cache(maxsize=1)
def _shuffled() -> tuple[int, ...]:
    return tuple(seeded("textmirror built-in seeds").permutation(N_BUILT_IN).tolist())
