"""The commands that play a sweep: sweeps, plan, run, canary, people, ctl."""

from argparse import ArgumentParser, _SubParsersAction

from mirror_ray.cli.ctl_options import add_ctl
from mirror_ray.cli.page_options import add_people
from mirror_ray.cli.target_options import add_allow_commands, add_sweep


def add_play_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    """Add sweeps, plan, run, canary, people and ctl."""
    sweeps = commands.add_parser("sweeps", help="list the shipped sweeps, a line each")
    sweeps.add_argument("--json", action="store_true", help="print JSON")

    plan = commands.add_parser(
        "plan", help="estimate a sweep's requests, cost and time; spends nothing"
    )
    add_sweep(plan)
    plan.add_argument(
        "--details", action="store_true", help="all tables, and what the figures rest on"
    )
    plan.add_argument(
        "--all", action="store_true", help="--details, with a row for each of many models"
    )

    plan.add_argument(
        "--register", metavar="FILE", help="write down what the sweep will claim, before any call"
    )

    run = commands.add_parser("run", help="play a sweep; the same command resumes it")
    add_sweep(run)
    add_allow_commands(run)
    run.add_argument(
        "--registered", metavar="FILE", help="refuse to run anything but what FILE registered"
    )
    run.add_argument("--plain", action="store_true", help="lines instead of a live display")
    run.add_argument(
        "--detach", action="store_true", help="run in the background and print how to reach it"
    )

    canary = commands.add_parser(
        "canary", help="play a sweep again and test whether a model has become worse since a seal"
    )
    add_sweep(canary)
    canary.add_argument("--baseline", metavar="SEAL", required=True, help="a seal in its run")

    people = commands.add_parser("people", help="let people play a sweep in the browser")
    add_sweep(people)
    add_people(people)

    add_ctl(commands)
