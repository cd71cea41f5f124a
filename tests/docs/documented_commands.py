"""Commands of mirror-ray as the docs have them, executed on a small run.

What would serve until Ctrl-C, ask a hosted model or leave this machine is checked as far as it goes
without: its arguments, its sweep, the files, targets and extras it names.
"""

import json
import re
import shutil
from argparse import Namespace
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from mirror_ray.cli import main
from mirror_ray.cli.arguments import parser as arguments_parser
from mirror_ray.engine.control.requests import read_request, request_of_words
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.shipped import find_sweep

SMALLER = ("stages.0.seeds=1", "stages.0.runs=1", "stages.0.max_steps=4")
"""A page of an episode draws each of its steps again."""

RUN_DIR = re.compile(r"runs/[\w.-]+")


def executed(words: list[str], folder: Path) -> int:
    """The exit code of a command of mirror-ray, on a copy of the small run."""
    arguments, late = arguments_parser().parse_known_args(words)
    # argparse leaves words behind an option to `main`: a sweep's overrides, or a query.
    assert all("=" in word for word in late) or arguments.command == "sql"
    match arguments.command:
        case "run" | "mock" | "people" | "canary":
            # All that they check before they start.
            persons = [f"human/{one}" for one in vars(arguments).get("person", ())]
            return loads(arguments.sweep, [*arguments.overrides, *late], persons)
        case "plan":
            if find_sweep(arguments.sweep).stem.endswith("_full"):
                return loads(arguments.sweep, [*arguments.overrides, *late])
            return main(words)
        case "doctor" if arguments.sweep is not None:
            # Whose servers are not there.
            return loads(arguments.sweep, [*arguments.overrides, *late])
        case "models" | "doctor":
            # Who answers, and whether there is a GPU, is not the docs' affair; one size is enough.
            some = ["1" if word == "1,2" else word for word in words]
            return main([word for word in some if word not in {"--check", "--gpu"}])
        case _:
            return _on_a_run(words, arguments, folder)


def _on_a_run(words: list[str], arguments: Namespace, folder: Path) -> int:
    if arguments.command == "ctl":
        # Of a run that plays; what it does is tested with one.
        return int(not read_request(json.dumps(request_of_words(arguments.words)).encode()))
    if arguments.command == "prompts":
        # The authors' repositories are not there.
        return 0 if arguments.published else main(words)
    directories = _directories(arguments)
    if "://" in directories[0] or (arguments.command == "view" and not arguments.static):
        return 0
    for directory in directories:
        assert RUN_DIR.fullmatch(directory)
        have(folder / directory, folder / "runs/quickstart")
    if arguments.command == "seal":
        words = [*words, "--key", str(folder / "key.pem")]
    elif arguments.command == "replayer":
        shutil.rmtree(f"{arguments.directory}-replayer", ignore_errors=True)
    elif arguments.command == "verify" and not Path(arguments.directory).exists():
        assert main(["seal", directories[0], "--key", str(folder / "key.pem")]) == 0
    if named := _episode_named(arguments):
        # The page names an episode of the whole quickstart; one of the smaller run replaces it.
        ids = [spec.episode_id for spec in load_plan("sweeps/quickstart.yaml").episodes]
        assert any(one.startswith(named) for one in ids)
        played = load_plan("sweeps/quickstart.yaml", SMALLER).episodes[0].episode_id
        words = [played if word == named else word for word in words]
    if arguments.command == "report":
        # Each directory is a copy of the same run: their reports would differ in their addresses.
        return _report(tuple(RUN_DIR.sub("runs/quickstart", word) for word in words), folder)
    return main(words)


def _episode_named(arguments: Namespace) -> str | None:
    match arguments.command:
        case "replay":
            return str(arguments.episode)
        case "view" if arguments.episodes:
            return str(arguments.episodes[0])
    return None


@cache
def _report(words: tuple[str, ...], _: Path) -> int:
    return main(list(words))


def _directories(arguments: Namespace) -> list[str]:
    match arguments.command:
        case "sql":
            # Its last word is the query, unless that stands behind an option.
            return list(arguments.words[:-1] or arguments.words)
        case "compare" | "report" | "export" | "view":
            return list(arguments.directories)
        case "verify" if arguments.directory.endswith(".json"):
            return [str(Path(arguments.directory).parent)]
    return [arguments.directory]


def loads(sweep: str, overrides: list[str], persons: Sequence[str] = ()) -> int:
    # The catalogue that another command of the page writes, while it serves.
    given = [one for one in overrides if not one.startswith("catalogue=")]
    plan = load_plan(sweep, given, persons=persons)
    return 0 if plan.episodes and plan.persons == tuple(persons) else 1


def have(wanted: Path, played: Path) -> None:
    if not wanted.exists():
        shutil.copytree(played, wanted)
