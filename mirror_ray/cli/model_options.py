"""The other commands: mock, models, completion and prompts."""

from argparse import ArgumentParser, _SubParsersAction

from mirror_ray.cli.mock_figures import MOCK_FIGURES
from mirror_ray.cli.target_options import OVERRIDES, SWEEP, count_from_one


def add_model_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    """Add mock, models, completion and prompts."""
    mock = commands.add_parser(
        "mock",
        aliases=["serve-mock"],
        help="serve mocks of a sweep's hosted models on loopback",
    )
    mock.set_defaults(command="mock")
    _add_mock(mock)

    models = commands.add_parser(
        "models", help="list the model catalogue, or send each model one request"
    )
    _add_models(models)

    completion = commands.add_parser(
        "completion", help="print a shell's completion code, e.g. for eval in ~/.bashrc"
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.add_argument("--json", action="store_true", help="print JSON")

    prompts = commands.add_parser(
        "prompts", help="print a family's prompts, or those that its authors published"
    )
    _add_prompts(prompts)


def _add_mock(parser: ArgumentParser) -> None:
    parser.add_argument("sweep", metavar="SWEEP", help=SWEEP)
    parser.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=OVERRIDES)
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
        "--catalogue", metavar="FILE", help="write a catalogue that sends requests to this server"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_models(parser: ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="?", default="*", help="a name or glob: 'openrouter/*'")
    parser.add_argument(
        "--catalogue", action="append", default=[], metavar="FILE", help="a catalogue of your own"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="send each model one real request, to find out what it accepts",
    )
    parser.add_argument(
        "--at-once",
        type=count_from_one,
        default=8,
        metavar="N",
        help="calls in flight with --check: 8",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_prompts(parser: ArgumentParser) -> None:
    parser.add_argument("family", metavar="FAMILY", help="a sweep's `family:`")
    parser.add_argument(
        "--published",
        metavar="CHECKOUT",
        help="read them from a checkout of the authors' repository (metacog, textmirror)",
    )
    parser.add_argument("--out", metavar="FILE", help="write a prompt set (standard output)")
    parser.add_argument("--json", action="store_true", help="print JSON")
