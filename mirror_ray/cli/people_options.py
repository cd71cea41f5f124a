"""What `mirror-ray people` takes beside a sweep."""

from argparse import ArgumentParser


def add_people(people: ArgumentParser) -> None:
    """Who plays, what they agree to, and where they are served."""
    people.add_argument(
        "--person",
        action="append",
        default=[],
        metavar="ID",
        help="a pseudonym, e.g. p01, whose rows are those of the model human/p01; again for more",
    )
    people.add_argument(
        "--consent",
        metavar="FILE",
        help="the text to agree to before anything is shown (the package's own)",
    )
    people.add_argument(
        "--port", type=int, default=7678, help="on this machine; 0: a free one (7678)"
    )
    people.add_argument(
        "--host",
        metavar="NAME",
        help="a name or address of this machine, by which people elsewhere reach it; without it,"
        " this machine alone",
    )
