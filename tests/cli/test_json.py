"""`--json`, which every command takes: what scripts read."""

import json
import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from pathlib import Path

from mirror_ray.cli.arguments import parser

ROOT = Path(__file__).parents[2]


def test_every_command_takes_it() -> None:
    (commands,) = (one for one in parser()._actions if isinstance(one, _SubParsersAction))
    lacking = [
        name
        for name, command in commands.choices.items()
        if isinstance(command, ArgumentParser)
        and not any("--json" in action.option_strings for action in command._actions)
    ]
    assert len(commands.choices) > 15
    assert lacking == []


def test_every_command_reads_it() -> None:
    """An option that is taken and ignored would print words to a script."""
    (commands,) = (one for one in parser()._actions if isinstance(one, _SubParsersAction))
    folder = ROOT / "mirror_ray" / "cli"
    names = {command.get_default("command") or name for name, command in commands.choices.items()}
    for name in names:
        text = (folder / f"{name.replace('-', '_')}.py").read_text(encoding="utf-8")
        assert "arguments.json" in text or name == "sql", name


def test_a_server_says_where_it_is_while_nobody_waits_for_more(tmp_path: Path) -> None:
    """On a pipe, too, which a program reads line by line."""
    command = [sys.executable, "-m", "mirror_ray", "mock", "full", "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        try:
            assert process.stdout is not None
            told = ""
            for line in process.stdout:
                told += line
                if line == "}\n":
                    break
        finally:
            process.terminate()
    about = json.loads(told)
    assert about["address"].startswith("http://127.0.0.1:")
    assert "openai/gpt-5.1" in about["models"]
    assert about["catalogue"] is None
