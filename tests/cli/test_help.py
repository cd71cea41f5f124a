"""`--help` of every command prints, in 60 columns too."""

import re

import pytest

from mirror_ray.cli import main
from mirror_ray.cli.arguments import parser

COMMANDS = sorted(
    name for action in parser()._subparsers._group_actions for name in action.choices or ()
)


@pytest.mark.parametrize("columns", [60, 100])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_it_takes(command: str, columns: int, monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith("usage: mirror-ray")
    assert "--json" in said


def test_a_query_comes_last(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["sql", "--help"])
    assert "DIR [DIR ...] QUERY" in capsys.readouterr().out


def test_every_command_is_listed_once_under_a_heading(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    listed = re.findall(r"^  ([a-z][a-z-]*) ", capsys.readouterr().out, flags=re.MULTILINE)
    # An alias is not listed.
    assert sorted(listed) == [name for name in COMMANDS if name != "serve-mock"]
