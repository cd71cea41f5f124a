"""Command-line options of `people`, `view` and `audit`, which serve pages."""

from argparse import ArgumentParser


def add_people(people: ArgumentParser) -> None:
    """Add who plays, what they agree to, and where they are served."""
    people.add_argument(
        "--person",
        action="append",
        default=[],
        metavar="ID",
        help="a pseudonym, e.g. p01, whose rows are those of the model human/p01; may be repeated",
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


def add_view(view: ArgumentParser) -> None:
    """Add where the pages are served or written, and of which episodes."""
    view.add_argument(
        "--port", type=int, default=7676, help="on this machine; 0: a free one (7676)"
    )
    view.add_argument(
        "--host",
        metavar="NAME",
        help="a name or address of this machine, for others who have the link with the token that"
        " is printed; without it, this machine alone",
    )
    view.add_argument(
        "--where",
        metavar="SQL",
        help="only these, e.g. \"condition = 'E3' and verdict = 'wrong'\"",
    )
    view.add_argument(
        "--static",
        metavar="FOLDER",
        help="write pages that need no server, of 100 episodes unless others are chosen",
    )
    view.add_argument(
        "--episodes", nargs="+", default=[], metavar="ID", help="which, with --static"
    )


def add_audit(audit: ArgumentParser) -> None:
    """Add which replies, whose marks, and where they are made."""
    audit.add_argument(
        "--of", nargs="+", metavar="FAMILY", help="whose replies, e.g. metacog (all that can be)"
    )
    audit.add_argument("--n", type=int, default=200, help="replies to draw (200)")
    audit.add_argument("--seed", type=int, default=0, help="which replies (0)")
    audit.add_argument(
        "--where", metavar="SQL", help="only of these episodes, e.g. \"condition = 'exp6b'\""
    )
    audit.add_argument("--name", default="audit", help="of the sheet: DIR/audits/NAME (audit)")
    audit.add_argument("--by", default="person", metavar="WHO", help="whose marks (person)")
    audit.add_argument("--take", metavar="FILE", help="take back a filled sheet, as CSV")
    audit.add_argument(
        "--page", action="store_true", help="mark in the browser: r right, w wrong, u unclear"
    )
    audit.add_argument("--port", type=int, default=7677, help="of --page; 0: a free one (7677)")
