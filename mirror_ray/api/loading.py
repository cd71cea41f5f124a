"""`load` opens recorded runs, and warns about what their readers should know."""

import os
import warnings
from collections.abc import Mapping
from typing import TypeAlias

from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.sql_files import variable_names
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.api.queries import condition_errors
from mirror_ray.api.runs import Runs
from mirror_ray.core.errors import SweepError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_folders import distinct_runs
from mirror_ray.records.versions_differ import notes_for_readers

Location: TypeAlias = str | os.PathLike[str]
"""A path, or an address in an object store."""

_ONE_VALUE = (str, int, float, bool, type(None))


class RunWarning(UserWarning):
    """Something that readers of a run should know, e.g. that several versions recorded it."""


def load(
    *directories: Location,
    where: str | None = None,
    variables: Mapping[str, object] | None = None,
    hold: bool = False,
) -> Runs:
    """Open recorded runs for reading, several as one.

    If several runs have the same episode, its latest successful end counts. Only sealed episodes
    are loaded: load again to see more of a run in progress.

    Opening a run directory executes nothing from it, and queries can read only the runs' own
    shards. Warns (`RunWarning`) where versions, prompts or models differ within a run.

    Args:
        directories: paths, or addresses in an object store.
        where: a SQL condition on the columns of all families; only matching episodes are kept.
        variables: choices made when reading, e.g. ``{"mirror_px_threshold": 100}``.
        hold: keep tables with one row per episode in memory, about 2 KB each, for many queries; for
            runs of millions of steps also in the user's cache folder.

    Raises:
        RunDirError: a directory is not a run, or a file in it is damaged; names the file.
        SweepError: no directory, an unknown variable, or an invalid condition.
    """
    if not directories:
        raise SweepError(
            "load: directories", "none", "a run directory, or several", 'load("runs/quickstart")'
        )
    names = distinct_runs([os.fspath(one) for one in directories])
    manifests = {name: read_manifest(name) for name in names}
    for name, manifest in manifests.items():
        for note in notes_for_readers(manifest):
            warnings.warn(f"{one_printable_line(name, 500)}: {note}", RunWarning, stacklevel=2)
    _check_variables(variables or {})
    example = "e.g. where=\"condition in ('E1', 'E3') and run = 0\""
    with readable(names, "the run cannot be read"), condition_errors("load: where", where, example):
        return Runs(manifests, open_run(names, variables=variables, where=where, hold=hold))


def _check_variables(variables: Mapping[str, object]) -> None:
    for name, value in variables.items():
        if name not in variable_names() or not isinstance(value, _ONE_VALUE):
            raise SweepError(
                f"load: variables: {name}",
                repr(value),
                f"a number, a text, True, False or None for one of {', '.join(variable_names())}",
                'e.g. variables={"mirror_px_threshold": 100}',
            )
