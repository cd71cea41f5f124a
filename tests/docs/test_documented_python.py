"""Every block of Python in README and docs is executed, and every `mirror-ray export`, whose files
some of them read."""

from pathlib import Path

import pytest
from documented_commands import RUN_DIR, executed, have

from examples import Example, blocks, commands
from mirror_ray.cli import main

RERUN = pytest.mark.thorough("analysis/test_export_rerun.py")
COMMANDS = [
    pytest.param(one, marks=RERUN if "--to rerun" in one.text else ())
    for one in commands()
    if one.text.startswith("mirror-ray export")
]


@pytest.mark.parametrize("example", COMMANDS, ids=str)
def test_every_command(example: Example, reader: Path) -> None:
    assert executed(example.words[1:], reader) == 0


@pytest.mark.parametrize("example", list(blocks("python")), ids=str)
def test_every_block_of_python(example: Example, reader: Path) -> None:
    for directory in RUN_DIR.findall(example.text):
        have(reader / directory, reader / "runs/quickstart")
    for name in ("inspect", "eee", "huggingface", "croissant"):
        folder = f"runs/quickstart/export/{name}"
        if folder in example.text and not (reader / folder).exists():
            assert main(["export", "runs/quickstart", "--to", name]) == 0
    exec(compile(example.text, str(example), "exec"), {})  # noqa: S102 - our own pages
