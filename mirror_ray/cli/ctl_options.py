"""The arguments of `mirror-ray ctl`, in a separate module so that `--help` does not import the
command."""

from argparse import ArgumentParser, _SubParsersAction

_WORDS = (
    "state, pause, resume, stop, limits MODEL rpm=N tpm=N concurrency=N, budget +USD|-USD|USD,"
    " requeue failed"
)


def add_ctl(commands: "_SubParsersAction[ArgumentParser]") -> None:
    """Add the command and its words."""
    ctl = commands.add_parser("ctl", help="pause, resume, stop or retune a run that plays")
    ctl.add_argument("directory", metavar="DIR", help="its run directory, e.g. runs/quickstart")
    ctl.add_argument("words", nargs="+", metavar="WORD", help=_WORDS)
    ctl.add_argument("--json", action="store_true", help="print JSON")
