"""What each command takes, and its `--help`."""

from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    RawDescriptionHelpFormatter,
    _SubParsersAction,
)
from functools import cache

from mirror_ray import __version__
from mirror_ray.cli.ctl_options import add_ctl
from mirror_ray.cli.doctor_options import add_drawing_check
from mirror_ray.cli.mock_figures import MOCK_FIGURES
from mirror_ray.cli.page_options import add_audit, add_people, add_view

EXIT_CODES = """\
Exit codes: 0 done, 1 some episodes ended with an error, 2 bad input, 3 budget reached, 4 hosts or
processes lost and resumable, 130 interrupted and resumable, 141 nobody reads the output any more.
"""

_RUN_DIRS = "a run directory, e.g. runs/quickstart, or several, which are read as one"

_SWEEP = "a sweep file; quickstart and its neighbours are shipped with the package"
_OVERRIDES = "overrides, e.g. models=openai/gpt-5.1,openai/gpt-4.1 stages.0.runs=7; quote brackets"


@cache
def parser() -> ArgumentParser:
    """All commands, and what each takes."""
    top = ArgumentParser(
        prog="mirror-ray",
        description="Sweeps mirror benchmarks over vision-language models, on Ray.",
        epilog=EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"mirror-ray {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    plan = commands.add_parser("plan", help="what a sweep would ask, cost and take; spends nothing")
    _add_sweep(plan)
    plan.add_argument("--all", action="store_true", help="a row for each of many models")

    run = commands.add_parser("run", help="play a sweep; the same command resumes it")
    _add_sweep(run)
    run.add_argument("--plain", action="store_true", help="lines instead of a live display")
    run.add_argument(
        "--detach", action="store_true", help="in the background; says how to reach it"
    )

    _add_people(commands)

    add_ctl(commands)

    status = commands.add_parser("status", help="how far a run is, without disturbing it")
    _add_run_dir(status)
    status.add_argument(
        "--watch", action="store_true", help="until it ends: again and again; with --json then"
    )
    status.add_argument("--all", action="store_true", help="a row for each of many models")

    # argparse cannot print two words of one positional: some of its releases fail at --help.
    sql = commands.add_parser(
        "sql",
        help="query a run, or several as one, with DuckDB",
        usage="%(prog)s [-h] [options] DIR [DIR ...] QUERY",
    )
    _add_sql(sql)
    _add_variables(sql)

    _add_compare(commands)

    rescore = commands.add_parser("rescore", help="read all replies anew with today's parser")
    _add_run_dir(rescore)
    rescore.add_argument(
        "--dry-run", action="store_true", help="say what would change, write nothing"
    )

    _add_verify(commands.add_parser("verify", help="draw frames again and compare with the record"))

    replay = commands.add_parser("replay", help="show an episode as GIF, MP4 or PNG strip")
    _add_run_dir(replay)
    replay.add_argument("episode", metavar="EPISODE", help="an episode's id, or how it begins")
    replay.add_argument("--out", metavar="FOLDER", help="where to (DIR/replay)")
    replay.add_argument("--format", default="gif,png", help="some of gif,mp4,png (gif,png)")

    report = commands.add_parser("report", help="a run as one page, with its tables and figures")
    _add_run_dirs(report)
    _add_report(report)
    _add_variables(report)

    _add_view(commands)

    _add_audit(commands)

    export = commands.add_parser("export", help="a run in the formats of other tools")
    _add_run_dirs(export)
    export.add_argument(
        "--to",
        required=True,
        choices=("inspect", "rerun", "eee", "huggingface", "croissant"),
        help="Inspect's .eval logs; Rerun's .rrd recordings; Every Eval Ever's records; a dataset"
        " with a card; with Croissant's metadata",
    )
    export.add_argument("--no-pictures", action="store_true", help="words alone: inspect, rerun")
    export.add_argument("--out", metavar="FOLDER", help="where to (DIR/export/FORMAT)")

    doctor = commands.add_parser("doctor", help="check this machine, and what SWEEP needs")
    _add_doctor(doctor)

    _add_check_family(commands)

    mock = commands.add_parser(
        "mock",
        aliases=["serve-mock"],
        help="pretend to be a sweep's hosted models, on loopback",
    )
    mock.set_defaults(command="mock")
    _add_mock(mock)

    models = commands.add_parser("models", help="list the model catalogue, or ask each model once")
    _add_models(models)
    return top


def _add_people(commands: "_SubParsersAction[ArgumentParser]") -> None:
    people = commands.add_parser("people", help="have people play a sweep in the browser")
    _add_sweep(people)
    add_people(people)


def _add_view(commands: "_SubParsersAction[ArgumentParser]") -> None:
    view = commands.add_parser("view", help="episodes in a browser, or as written pages")
    _add_run_dirs(view)
    add_view(view)


def _add_audit(commands: "_SubParsersAction[ArgumentParser]") -> None:
    audit = commands.add_parser("audit", help="have a person mark replies, compare readers")
    _add_run_dir(audit)
    add_audit(audit)


def _add_check_family(commands: "_SubParsersAction[ArgumentParser]") -> None:
    check = commands.add_parser(
        "check-family", help="does a family, this package's or a plug-in's, keep the contract?"
    )
    check.add_argument("family", metavar="FAMILY", help="a sweep's `family:`")
    check.add_argument(
        "--thorough",
        action="store_true",
        help="resume at 17 asks of each episode, those of an axis's values too",
    )
    check.add_argument("--json", action="store_true", help="print JSON")


def _add_verify(verify: ArgumentParser) -> None:
    _add_run_dir(verify)
    verify.add_argument("--episodes", type=int, default=20, metavar="N", help="how many (20)")
    verify.add_argument("--all", action="store_true", help="every episode that has ended")
    verify.add_argument("--seed", type=int, default=0, help="which N episodes (0)")
    verify.add_argument(
        "--tolerance-px",
        type=int,
        metavar="PX",
        help="how far counts of pixels may differ between renderers (30 px or 5%% of a count)",
    )


def _add_doctor(doctor: ArgumentParser) -> None:
    doctor.add_argument("sweep", metavar="SWEEP", nargs="?", help=_SWEEP)
    doctor.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=_OVERRIDES)
    doctor.add_argument("--out", metavar="DIR", help="run directory, in place of the file's `out`")
    add_drawing_check(doctor)
    doctor.add_argument("--json", action="store_true", help="print JSON")


def _add_sql(sql: ArgumentParser) -> None:
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
        help=_RUN_DIRS + '; last the query, e.g. "from metric.selfid"; - reads it from stdin',
    )
    sql.add_argument("--json", action="store_true", help="print JSON")


def _add_compare(commands: "_SubParsersAction[ArgumentParser]") -> None:
    compare = commands.add_parser("compare", help="two runs, cell by cell, on equal scenes")
    compare.add_argument("directories", metavar="A B", nargs="+", help="two run directories")
    compare.add_argument(
        "--metrics", nargs="+", default=[], metavar="NAME", help="of metric.scores (the families')"
    )
    compare.add_argument("--pairs", action="store_true", help="list the pairs that differ")
    compare.add_argument(
        "--format", choices=("table", "csv", "md", "tex"), default="table", help="(table)"
    )
    compare.add_argument("--json", action="store_true", help="print JSON")
    _add_variables(compare)


def _add_report(report: ArgumentParser) -> None:
    report.add_argument("--out", metavar="FOLDER", help="where to (DIR/report)")
    report.add_argument(
        "--where", metavar="SQL", help="only these episodes, e.g. \"condition in ('E1', 'E3')\""
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


def _add_variables(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the views, e.g. mirror_px_threshold=100",
    )


def _add_models(parser: ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="*", help="a name or glob: 'openrouter/*'")
    parser.add_argument(
        "--catalogue", action="append", default=[], metavar="FILE", help="a catalogue of your own"
    )
    parser.add_argument(
        "--check", action="store_true", help="ask each model once, for real: what does it take?"
    )
    parser.add_argument(
        "--at-once", type=_count, default=8, metavar="N", help="calls in flight with --check: 8"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_mock(parser: ArgumentParser) -> None:
    parser.add_argument("sweep", metavar="SWEEP", help=_SWEEP)
    parser.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=_OVERRIDES)
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one (8080)")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="where it listens; other hosts reach it at this one's own (127.0.0.1)",
    )
    for option, usual, metavar, what in MOCK_FIGURES:
        parser.add_argument(option, type=float, default=usual, metavar=metavar, help=what)
    parser.add_argument(
        "--agent",
        action="append",
        metavar="NAME",
        help="which offline agent replies, one for each family (those that wander to the end)",
    )
    parser.add_argument(
        "--catalogue", metavar="FILE", help="write the catalogue by which they are asked here"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _add_sweep(parser: ArgumentParser) -> None:
    parser.add_argument("sweep", metavar="SWEEP", help=_SWEEP)
    parser.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=_OVERRIDES)
    parser.add_argument("--out", metavar="DIR", help="run directory, in place of the file's `out`")
    parser.add_argument(
        "--limit",
        type=_count,
        metavar="N",
        help="only the first N scenes of each cell; without it, the rest later",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_run_dirs(parser: ArgumentParser) -> None:
    parser.add_argument("directories", metavar="DIR", nargs="+", help=_RUN_DIRS)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_run_dir(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="a run directory, e.g. runs/quickstart")
    parser.add_argument("--json", action="store_true", help="print JSON")
