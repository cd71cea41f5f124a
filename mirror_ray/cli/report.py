"""`mirror-ray report` writes a run as one page, with all its tables and figures as files."""

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mirror_ray.analysis.readable import readable
from mirror_ray.api.queries import condition_errors
from mirror_ray.audit.results import audit_rows
from mirror_ray.cli import print_error
from mirror_ray.cli.directories import joined_manifest, manifests_of, require_out
from mirror_ray.cli.extras import needs_extra
from mirror_ray.cli.show import console, print_json
from mirror_ray.cli.variables import read_variables
from mirror_ray.core.bounded_files import read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.plain_yaml import read_yaml
from mirror_ray.core.terminal import say
from mirror_ray.core.untrusted import bounded_int, one_printable_line
from mirror_ray.records.run_state import run_state
from mirror_ray.records.storage import is_address

if TYPE_CHECKING:
    from mirror_ray.analysis.report.files import WrittenReport
    from mirror_ray.analysis.report.page import ReportFrame

_PACKAGES = ("vl_convert", "jinja2")
_MOST_NAMES_BYTES = 1_000_000


def main(arguments: Namespace) -> int:
    """Print where the page and the files are."""
    manifests = manifests_of(arguments.directories)
    directories = tuple(manifests)
    require_out(directories, arguments.out, "report")
    variables = read_variables(arguments.set)
    names = {} if arguments.names is None else _names(arguments.names)
    if arguments.episodes and is_address(arguments.out or directories[0]):
        got, allowed = "a report in an object store", "a report on this machine"
        raise SweepError("command line: --episodes", got, allowed, "add --out FOLDER")
    _check_paper(arguments.paper, directories)
    with needs_extra("report", _PACKAGES):
        from mirror_ray.analysis.report.files import Choices, write_report  # noqa: PLC0415
    with readable(directories, "the report cannot be written"):
        where = _where(directories, arguments.where, arguments.models)
        frames: tuple[ReportFrame, ...] = ()
        if where is None:
            from mirror_ray.viewer.first_frames import first_frames  # noqa: PLC0415 - late, as DuckDB
            from mirror_ray.viewer.frame_renderer import new_renderer  # noqa: PLC0415

            frames = first_frames(manifests, new_renderer)
        choices = Choices(
            variables,
            where,
            names,
            arguments.episodes,
            _audits(directories),
            frames,
            arguments.paper,
        )
        manifest = joined_manifest(manifests)
        written = write_report(
            directories,
            arguments.out,
            choices=choices,
            manifest=manifest,
            planned=_planned(manifests),
        )
    pages = _write_episodes(directories, written) if arguments.episodes else []
    if arguments.json:
        about = {"page": written.files[0], "files": written.files[1:]}
        print_json({**about, "episodes": pages} if arguments.episodes else about)
        return 0
    folder = written.files[0].rpartition("/")[0]
    tables = sum("/tables/" in path for path in written.files)
    figures = sum("/figures/" in path for path in written.files)
    console.print(written.files[0], soft_wrap=True)
    say(
        console,
        f"{tables} files of tables (CSV, Parquet, LaTeX, Markdown) and {figures} of figures (SVG,"
        f" PNG, PDF){f', {len(pages)} episode pages' if pages else ''}: {folder}",
    )
    return 0


def _planned(manifests: Mapping[str, Mapping[str, Any]]) -> int | None:
    """Return the number of episodes last counted in the run's log; None for several, which may
    overlap."""
    if len(manifests) > 1:
        return None
    ((directory, manifest),) = manifests.items()
    counted = run_state(directory, manifest, left=None).progress
    planned, settled = (bounded_int(counted.get(key)) for key in ("planned", "settled"))
    return None if planned is None else planned - (settled or 0)


def _audits(directories: Sequence[str]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for directory in directories:
        rows, faults = audit_rows(directory)
        named = f" of {directory}" if len(directories) > 1 else ""
        found += [{**row, "audit": f"{row['audit']}{named}"} for row in rows]
        for fault in faults:
            print_error(f"an audit is left out: {fault}")
    return found


def _where(
    directories: Sequence[str], where: str | None, models: Sequence[str] | None
) -> str | None:
    if where is None and models is None:
        return None
    from mirror_ray.analysis.reading import Reading  # noqa: PLC0415
    from mirror_ray.analysis.selection import models_condition  # noqa: PLC0415 - late, as DuckDB
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    example = "e.g. --where \"condition in ('E1', 'E3') and run = 0\""
    with (
        condition_errors("command line: --where", where, example),
        open_run(directories, where=where) as connection,
    ):
        run = Reading(connection)
        episodes = run.every("shard", "episodes", "model") or "select null as model"
        sql = f"select distinct model from (\n{episodes}\n) where model is not null"  # noqa: S608 - our names
        found = sorted(row["model"] for row in run.rows(sql))
    if not found:
        raise SweepError(
            "command line: --where",
            str(where),
            "a condition that at least one episode meets",
            "list them: mirror-ray view DIR",
        )
    conditions = [] if where is None else [f"(\n{where}\n)"]
    if models is not None:
        conditions.append(models_condition(_matching(models, found)))
    return " and ".join(conditions)


def _matching(patterns: Iterable[str], played: Sequence[str]) -> list[str]:
    chosen: dict[str, None] = {}
    for pattern in (part for word in patterns for part in word.split(",") if part):
        # Names may contain pattern characters.
        of = [one for one in played if one == pattern or fnmatchcase(one, pattern)]
        if not of:
            raise SweepError(
                "command line: --models",
                repr(pattern),
                f"a model of this run, or a glob: {', '.join(played[:20])}",
                "quote globs: --models 'openai/*'",
            )
        chosen |= dict.fromkeys(of)
    return list(chosen)


def _names(path: str) -> Mapping[str, str]:
    try:
        names = read_yaml(text_of(read_bounded(path, _MOST_NAMES_BYTES)))
    except UnfitError as error:
        raise error.at(f"command line: --names {path}") from error
    if not isinstance(names, dict) or not all(
        isinstance(key, str) and isinstance(name, str) and name.strip()
        for key, name in names.items()
    ):
        raise SweepError(
            f"command line: --names {path}",
            "something other than a map of texts to texts",
            "NAME: NAME TO SHOW, a line each, quoted where they look like numbers",
            "e.g. openrouter/google/gemma-4-26b-a4b-it:nitro: Gemma 4 26B",
        )
    return {key: one_printable_line(name) for key, name in names.items()}


def _check_paper(family: str | None, directories: Sequence[str]) -> None:
    if family is None:
        return
    from mirror_ray.analysis.reading import Reading  # noqa: PLC0415
    from mirror_ray.analysis.sql_files import sql_files  # noqa: PLC0415
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    with readable(directories, "the report cannot be written"), open_run(directories) as connection:
        played = Reading(connection).families()
    with_tables = [
        name
        for name in played
        if any(file.layer == "paper" and file.family == name for file in sql_files())
    ]
    if family not in with_tables:
        raise SweepError(
            "command line: --paper",
            repr(family),
            f"a family of this run whose paper has tables: {', '.join(with_tables) or 'none'}",
            "mirror-ray report DIR has every family's section",
        )


def _write_episodes(directories: Sequence[str], written: "WrittenReport") -> list[str]:
    from mirror_ray.analysis.report.files import EPISODES_FILE, PAGE  # noqa: PLC0415 - late, as Vega
    from mirror_ray.viewer.frame_renderer import new_renderer  # noqa: PLC0415
    from mirror_ray.viewer.pages_at_once import write_pages  # noqa: PLC0415 - late: the viewer

    folder = Path(written.files[0]).parent / EPISODES_FILE
    pages = write_pages(
        directories,
        written.linked,
        folder,
        back=f"../{PAGE}",
        renderer=new_renderer,
        compared=written.compared,
    )
    return sorted(pages)
