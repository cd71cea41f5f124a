"""The options of `mirror-ray doctor` for its check of renderers."""

from argparse import ArgumentParser, ArgumentTypeError

_MOST_RENDERERS = 64


def add_drawing_check(doctor: ArgumentParser) -> None:
    """Add ``--gpu`` and ``--renderers``."""
    doctor.add_argument(
        "--gpu",
        action="store_true",
        help="only run 1, 2, 4 and 8 concurrent renderers on each GPU, and compare them",
    )
    doctor.add_argument(
        "--renderers",
        type=_counts,
        metavar="N,N",
        help="only run this many concurrent renderers instead of 1,2,4,8; without --gpu in"
        " software",
    )


def _counts(text: str) -> tuple[int, ...]:
    counts = text.split(",")
    if not all(count.isdecimal() and 1 <= int(count) <= _MOST_RENDERERS for count in counts):
        raise ArgumentTypeError(
            f"{text!r} is not a list of whole numbers from 1 to {_MOST_RENDERERS}, e.g. 1,2,4,8"
        )
    return tuple(map(int, counts))
