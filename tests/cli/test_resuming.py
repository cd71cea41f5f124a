"""The command that an interrupted run prints is the one that resumes it."""

import shlex

import pytest

from mirror_ray.cli import arguments as taken
from mirror_ray.cli.run import command_of


@pytest.mark.parametrize(
    "words",
    [
        "quickstart",
        "quickstart seeds=1 'conditions=[E1, E2]' --out 'runs/a b' --limit 2 --shard 2/8",
        "my.yaml notify.on=[stopped] 'notify.command=[notify-send, done]' --plain",
        "my.yaml --registered r.json --allow-commands --json",
    ],
)
def test_the_same_words(words: str) -> None:
    arguments = taken.parser().parse_args(["run", *shlex.split(words)])
    again = taken.parser().parse_args(shlex.split(command_of(arguments))[1:])
    assert vars(again) == vars(arguments)


def test_an_address_to_notify_is_left_out() -> None:
    given = ["run", "my.yaml", "notify.webhook=https://h/secret", "notify.on=[stopped]", "seeds=1"]
    command = command_of(taken.parser().parse_args(given))
    assert command == "mirror-ray run my.yaml 'notify.on=[stopped]' seeds=1"
