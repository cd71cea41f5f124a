"""The command line: one module per command, each imported only when it is called.

Exit codes: 0 done, 1 finished with failed episodes, 2 bad input, 3 budget reached, 4 hosts or
processes lost and resumable, 130 interrupted and resumable.
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module

from mirror_ray import __version__
from mirror_ray.errors import LostError, MirrorRayError

BAD_INPUT = 2
LOST = 4
INTERRUPTED = 130

_SWEEP = "a sweep file; sweeps/quickstart.yaml and its neighbours are shipped with the package"
_OVERRIDES = "overrides, e.g. models=[openai/gpt-5.1] stages.0.runs=7"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; an error is one message on stderr."""
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    # argparse fills a `*` positional once: overrides after an option arrive here.
    late = [word for word in rest if "=" in word and not word.startswith("-")]
    if rest != late or (late and not hasattr(arguments, "overrides")):
        unknown = [word for word in rest if word not in late] or late
        parser.error(f"unrecognized arguments: {' '.join(unknown)} (see --help)")
    if late:
        arguments.overrides = [*arguments.overrides, *late]
    try:
        # Ray, MuJoCo and DuckDB take seconds: Ctrl-C may come while they are imported.
        command = import_module(f"mirror_ray.cli.{arguments.command}")
        return int(command.main(arguments))
    except MirrorRayError as error:
        print(f"mirror-ray {arguments.command}: {error}", file=sys.stderr)
        return LOST if isinstance(error, LostError) else BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="mirror-ray",
        description="Sweeps mirror benchmarks over vision-language models, on Ray.",
        epilog=__doc__.split("\n\n", 1)[1],
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mirror-ray {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    plan = commands.add_parser("plan", help="what a sweep would ask, cost and take; spends nothing")
    _add_sweep(plan)

    run = commands.add_parser("run", help="play a sweep; the same command resumes it")
    _add_sweep(run)
    run.add_argument("--plain", action="store_true", help="lines instead of a live display")

    status = commands.add_parser("status", help="how far a run is, without disturbing it")
    _add_run_dir(status)

    sql = commands.add_parser("sql", help="query a run with DuckDB")
    _add_run_dir(sql)
    sql.add_argument("query", help='e.g. "select * from metric.selfid"; - reads it from stdin')
    _add_variables(sql)

    rescore = commands.add_parser("rescore", help="read all replies anew with today's parser")
    _add_run_dir(rescore)
    rescore.add_argument(
        "--dry-run", action="store_true", help="say what would change, write nothing"
    )

    verify = commands.add_parser("verify", help="draw frames again and compare with the record")
    _add_run_dir(verify)
    verify.add_argument("--episodes", type=int, default=20, metavar="N", help="how many (20)")
    verify.add_argument("--all", action="store_true", help="every finished episode")
    verify.add_argument("--seed", type=int, default=0, help="which N episodes (0)")
    verify.add_argument(
        "--tolerance-px",
        type=int,
        default=30,
        metavar="PX",
        help="how far counts of pixels may differ between renderers (30)",
    )

    replay = commands.add_parser("replay", help="show an episode as GIF, MP4 or PNG strip")
    _add_run_dir(replay)
    replay.add_argument("episode", metavar="EPISODE", help="an episode's id, or how it begins")
    replay.add_argument("--out", metavar="FOLDER", help="where to (DIR/replay)")
    replay.add_argument("--format", default="gif,png", help="some of gif,mp4,png (gif,png)")

    report = commands.add_parser("report", help="a run as one page, with its tables and figures")
    _add_run_dir(report)
    report.add_argument("--out", metavar="FOLDER", help="where to (DIR/report)")
    _add_variables(report)

    view = commands.add_parser("view", help="look at episodes in a browser, or write their pages")
    _add_run_dir(view)
    view.add_argument(
        "--port", type=int, default=7676, help="on this machine; 0: a free one (7676)"
    )
    view.add_argument(
        "--where",
        metavar="SQL",
        help="only these, e.g. \"condition = 'E3' and outcome = 'failed'\"",
    )
    view.add_argument("--static", metavar="FOLDER", help="write pages that need no server")
    view.add_argument(
        "--episodes", nargs="+", default=[], metavar="ID", help="which, with --static"
    )

    export = commands.add_parser("export", help="a run in the formats of other tools")
    _add_run_dir(export)
    export.add_argument(
        "--to",
        required=True,
        choices=("inspect", "huggingface", "croissant"),
        help="Inspect's .eval logs; a dataset folder with a card; the same data with Croissant's"
        " metadata",
    )
    export.add_argument("--out", metavar="FOLDER", help="where to (DIR/export/FORMAT)")

    doctor = commands.add_parser("doctor", help="check rendering, Ray, keys and disk")
    doctor.add_argument("--json", action="store_true", help="print JSON")

    mock = commands.add_parser(
        "mock",
        aliases=["serve-mock"],
        help="pretend to be a sweep's hosted models, on loopback",
    )
    mock.set_defaults(command="mock")
    _add_mock(mock)

    models = commands.add_parser("models", help="list the model catalogue, or ask each model once")
    _add_models(models)
    return parser


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
        "--at-once", type=_count, default=8, metavar="N", help="calls under way with --check: 8"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_mock(parser: ArgumentParser) -> None:
    parser.add_argument("sweep", metavar="SWEEP", help=_SWEEP)
    parser.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=_OVERRIDES)
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one (8080)")
    parser.add_argument(
        "--latency-s", type=float, default=2.0, metavar="S", help="of a reply, ± 20 %% (2)"
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=1.0,
        metavar="TIMES",
        help="limits a minute so many times larger, latency so many times shorter (1)",
    )
    parser.add_argument(
        "--faults",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of calls that get a 429, 500 or 503, are dropped, stalled or answered with garbage,"
        " each as often (0)",
    )
    parser.add_argument(
        "--agent",
        action="append",
        metavar="NAME",
        help="which offline agent replies, one for each family (those that wander to the end)",
    )
    parser.add_argument(
        "--catalogue", metavar="FILE", help="write the catalogue by which they are asked here"
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _add_sweep(parser: ArgumentParser) -> None:
    parser.add_argument("sweep", metavar="SWEEP", help=_SWEEP)
    parser.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=_OVERRIDES)
    parser.add_argument("--out", metavar="DIR", help="run directory, in place of the file's `out`")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_run_dir(parser: ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="a run directory, e.g. runs/quickstart")
    parser.add_argument("--json", action="store_true", help="print JSON")
