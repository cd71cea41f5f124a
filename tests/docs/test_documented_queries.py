"""Every query in README and docs is answered: commands of `mirror-ray sql`, and blocks of SQL."""

from pathlib import Path

import pytest
from documented_commands import executed

from examples import Example, blocks, commands
from mirror_ray.cli import main

COMMANDS = [one for one in commands() if one.text.startswith("mirror-ray sql")]


@pytest.mark.parametrize("example", COMMANDS, ids=str)
def test_every_command(example: Example, reader: Path) -> None:
    assert executed(example.words[1:], reader) == 0


@pytest.mark.parametrize("example", list(blocks("sql")), ids=str)
def test_every_block_of_sql(example: Example, reader: Path) -> None:
    assert main(["sql", "runs/quickstart", example.text]) == 0
