"""Arguments that several commands take: a sweep, one run directory, or several."""

from argparse import ArgumentParser, ArgumentTypeError

RUN_DIRS = "one or more run directories, e.g. runs/quickstart; several are read as one"
SWEEP = "a sweep file, or the name of a shipped one, e.g. quickstart"
OVERRIDES = "overrides, e.g. models=openai/gpt-5.1,openai/gpt-4.1 stages.0.runs=7; quote brackets"


def add_sweep(parser: ArgumentParser) -> None:
    """Add a sweep, overrides, `--out`, `--limit` and `--shard`."""
    parser.add_argument("sweep", metavar="SWEEP", help=SWEEP)
    parser.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=OVERRIDES)
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="run directory, in place of the file's `out`: a path, s3://… or gs://… (there, with"
        " journal.replicate=s3://…, a run survives the loss of the head's disk)",
    )
    parser.add_argument(
        "--limit",
        type=count_from_one,
        metavar="N",
        help="only the first N scenes of each cell; without it, the rest later",
    )
    parser.add_argument(
        "--shard",
        metavar="K/N",
        help="only the K-th of N parts, with 1/N of the budgets and rate limits",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_allow_commands(parser: ArgumentParser) -> None:
    """Add the user's permission to run what catalogues name."""
    parser.add_argument(
        "--allow-commands",
        action="store_true",
        help="start the model servers that the sweep's catalogues name; plan prints their commands",
    )


def add_run_dir(parser: ArgumentParser) -> None:
    """Add one run directory."""
    parser.add_argument("directory", metavar="DIR", help="a run directory, e.g. runs/quickstart")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_run_dirs(parser: ArgumentParser) -> None:
    """Add one or more run directories."""
    parser.add_argument("directories", metavar="DIR", nargs="+", help=RUN_DIRS)
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_variables(parser: ArgumentParser) -> None:
    """Add `--set`, for parameters of the views."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the views, e.g. mirror_px_threshold=100",
    )


def count_from_one(text: str) -> int:
    """Parse a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)
