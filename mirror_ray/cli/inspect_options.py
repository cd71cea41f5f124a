"""The commands that inspect runs: status, sql, report, view, replay, compare, export."""

from argparse import ArgumentParser, _SubParsersAction

from mirror_ray.cli.page_options import add_view
from mirror_ray.cli.target_options import RUN_DIRS, add_run_dir, add_run_dirs, add_variables


def add_inspect_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    """Add status, sql, report, view, replay, compare and export."""
    _add_status(commands)
    _add_sql(commands)
    _add_report(commands)

    view = commands.add_parser("view", help="show episodes in a browser, or write them as pages")
    add_run_dirs(view)
    add_view(view)

    _add_replay(commands)
    _add_compare(commands)
    _add_export(commands)


def _add_status(commands: "_SubParsersAction[ArgumentParser]") -> None:
    status = commands.add_parser(
        "status",
        help="show the progress and cost of a run",
        epilog="Exit codes: 0 all episodes are done, 1 nothing is left and some episodes ended with"
        " an error, 2 bad input, 3 stopped at a budget, 5 episodes are left: the run plays, or can"
        " be resumed.",
    )
    add_run_dir(status)
    status.add_argument(
        "--watch",
        action="store_true",
        help="refresh until the run ends; with --json, print once at the end",
    )
    status.add_argument("--all", action="store_true", help="a row for each of many models")


def _add_sql(commands: "_SubParsersAction[ArgumentParser]") -> None:
    # argparse cannot print two words of one positional: some of its releases fail at --help.
    sql = commands.add_parser(
        "sql",
        help="query one or more runs with DuckDB",
        usage="%(prog)s [-h] [options] DIR [DIR ...] QUERY",
    )
    sql.add_argument(
        "--format",
        choices=("table", "csv", "md", "tex", "parquet"),
        help="how to print the rows (table; with --out: as the file's name ends)",
    )
    sql.add_argument("--out", metavar="FILE", help="write the rows there")
    sql.add_argument(
        "words",
        nargs="+",
        metavar="DIR … QUERY",
        help=RUN_DIRS + '; last the query, e.g. "from metric.scores"; - reads it from stdin',
    )
    sql.add_argument("--json", action="store_true", help="print JSON")
    add_variables(sql)


def _add_report(commands: "_SubParsersAction[ArgumentParser]") -> None:
    report = commands.add_parser("report", help="write a run's tables and figures as one page")
    add_run_dirs(report)
    report.add_argument("--out", metavar="FOLDER", help="where to (DIR/report)")
    report.add_argument(
        "--where", metavar="SQL", help="only these episodes, e.g. \"condition in ('E1', 'E3')\""
    )
    report.add_argument(
        "--paper",
        metavar="FAMILY",
        help="only the tables of this family's paper, next to the printed values"
        " (DIR/report/paper_FAMILY)",
    )
    report.add_argument("--models", nargs="+", metavar="NAME", help="only these: names or globs")
    report.add_argument(
        "--names", metavar="FILE", help="a YAML file, name: name to show, of models and conditions"
    )
    report.add_argument(
        "--episodes",
        action="store_true",
        help="write the pages of the episodes that the report links, on all cores",
    )
    add_variables(report)


def _add_replay(commands: "_SubParsersAction[ArgumentParser]") -> None:
    replay = commands.add_parser("replay", help="write an episode as GIF, MP4 or PNG strip")
    add_run_dir(replay)
    replay.add_argument(
        "episode", metavar="EPISODE", help="an episode's id, or its first characters"
    )
    replay.add_argument("--out", metavar="FOLDER", help="output folder (DIR/replay)")
    replay.add_argument("--format", default="gif,png", help="any of gif,mp4,png (gif,png)")


def _add_compare(commands: "_SubParsersAction[ArgumentParser]") -> None:
    compare = commands.add_parser("compare", help="compare two runs, cell by cell, on equal scenes")
    compare.add_argument("directories", metavar="A B", nargs="+", help="two run directories")
    compare.add_argument(
        "--metrics", nargs="+", default=[], metavar="NAME", help="of metric.scores (the families')"
    )
    compare.add_argument("--pairs", action="store_true", help="list the pairs that differ")
    compare.add_argument(
        "--format", choices=("table", "csv", "md", "tex"), default="table", help="(table)"
    )
    compare.add_argument("--json", action="store_true", help="print JSON")
    add_variables(compare)


def _add_export(commands: "_SubParsersAction[ArgumentParser]") -> None:
    export = commands.add_parser("export", help="write a run in the formats of other tools")
    add_run_dirs(export)
    export.add_argument(
        "--to",
        required=True,
        choices=("inspect", "rerun", "eee", "huggingface", "croissant"),
        help="Inspect's .eval logs; Rerun's .rrd recordings; Every Eval Ever's records; a dataset"
        " with a card; with Croissant's metadata",
    )
    export.add_argument(
        "--no-pictures", action="store_true", help="text only, for inspect and rerun"
    )
    export.add_argument("--out", metavar="FOLDER", help="output folder (DIR/export/FORMAT)")
