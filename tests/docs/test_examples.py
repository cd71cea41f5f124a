"""Every command and every block of YAML in README and docs does what it says.

Commands of mirror-ray are executed on a run that the quickstart's own command played, with one
scene of each condition. `test_documented_queries.py` has those of `mirror-ray sql`,
`test_documented_python.py` those of `mirror-ray export`.
"""

import importlib.util
import re
import shlex
import tomllib
from itertools import dropwhile, pairwise
from pathlib import Path

import pytest
import yaml
from documented_commands import executed, loads

from examples import ROOT, Example, blocks, commands, every_command
from mirror_ray.cli import main
from mirror_ray.integrations import inspect_task
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.prompt_sets import with_prompt_sets
from support.each_case import each

# A report's figures take longer than one unit test should.
pytestmark = pytest.mark.timeout(600)

# The run that stands for others has no reply that answers to a key.
EXIT_CODES = {"stages.0.conditions=E9": 2, "mirror-ray audit": 2}
OF_THE_SHELL = frozenset(
    {"cd", "source", "export", "git", "aws", "duckdb", "docker", "kubectl", "rsync", "squeue"}
)


@each("example", every_command())
def test_every_command_can_be_pasted_into_an_interactive_zsh(example):
    """Which hands comments on as words, that `mirror-ray` leaves out, and takes brackets for names
    of files."""
    assert not example.comment or example.words[0] == "mirror-ray"
    assert not set(example.comment) & set(";&|<>()[]{}*?!$^~`'\"\\")
    assert not set(example.unquoted) & set("[]*?")


@each("sweep", sorted((ROOT / "sweeps").rglob("*.yaml")))
def test_overrides_in_the_head_of_a_sweep_can_be_pasted(sweep):
    head = "\n".join(line for line in sweep.read_text().splitlines() if line.startswith("#"))
    assert not re.findall(r"(?<![\w.'])[\w.]+=\[\S*", head)


def test_a_comment_that_the_shell_hands_on_is_left_out(capsys):
    assert main(["models", "scripted/blind", "#", "one", "--of", "them"]) == 0
    assert "blind" in capsys.readouterr().out


# Reports of a whole run and plans of whole sweeps take as long as all other examples together.
THOROUGH = {
    "mirror-ray report": pytest.mark.thorough("cli/test_report_export.py, on smaller runs"),
    "mirror-ray plan": pytest.mark.thorough("cli/test_plan.py, on smaller sweeps"),
    "mirror-ray replayer": pytest.mark.thorough("replay/test_replayer.py"),
    "mirror-ray verify": pytest.mark.thorough("attestation/test_seal.py"),
    "mirror-ray view runs/quickstart --static pages --where": pytest.mark.thorough(
        "cli/test_view.py, and --episodes here"
    ),
}
COMMANDS = [
    pytest.param(one, marks=[mark for text, mark in THOROUGH.items() if one.text.startswith(text)])
    for one in commands()
    if not one.text.startswith(("mirror-ray sql", "mirror-ray export"))
]


@pytest.mark.parametrize("example", COMMANDS, ids=str)
def test_every_command(example: Example, reader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = shlex.split(example.text.replace("$PWD", str(reader)), comments=True)
    program, *words = dropwhile(lambda word: re.match(r"[A-Z_]+=", word), typed)
    match program:
        case "mirror-ray":
            expected = next((code for t, code in EXIT_CODES.items() if t in example.text), 0)
            assert executed(words, reader) == expected, capsys.readouterr().err
        case "make":
            targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
            assert set(words) <= set(targets)
        case "./setup.sh":
            assert all((ROOT / f"mirror_ray/locks/{word}.lock").is_file() for word in words)
        case "pip":
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
            named = re.findall(r"\[([\w,]+)\]", example.text)
            assert named
            assert set(named[0].split(",")) <= set(extras["optional-dependencies"])
        case "python" if words[0] == "-m":
            assert importlib.util.find_spec(words[1])
        case "python" | ".venv/bin/pytest":
            assert (ROOT / words[0]).exists()
        case "sbatch":
            script = next(word for word in words if word.endswith(".sbatch"))
            assert (ROOT / script).is_file()
            assert executed(["run", *words[words.index(script) + 1 :]], reader) == 0
        case "apptainer":
            assert (ROOT / words[-1]).is_file()
        case "inspect":
            settings = [word for flag, word in pairwise(words) if flag == "-T"]
            named = {
                name: yaml.safe_load(value) for name, value in (s.split("=") for s in settings)
            }
            task = getattr(inspect_task, words[1].removeprefix("mirror_ray/"))(**named)
            assert len(task.dataset) == named["seeds"] * named["runs"]
        case "ray":
            files = [word for word in words if word.endswith(".yaml")]
            assert all((ROOT / name).is_file() for name in files)
        case _:
            assert program in OF_THE_SHELL, f"{example}: no rule says how this is tested"


def sweep_of(words: str) -> tuple[str, list[str]]:
    sweep, *overrides = shlex.split(words)
    return sweep, [word for word in overrides if "=" in word]


@pytest.mark.parametrize("example", list(blocks("yaml")), ids=str)
def test_every_block_of_yaml(example: Example, named_files: Path) -> None:
    keys = yaml.safe_load(example.text)
    file = named_files / "example.yaml"
    file.write_text(example.text)
    if "name" in keys:
        assert load_plan(str(file)).episodes
    elif "models" in keys:
        catalogue = load_catalogue(file)
        assert all(catalogue.resolve(name, where="docs") for name in keys["models"])
    elif "source" in keys:
        assert with_prompt_sets("contingency", {"prompts": file.name}, named_files, "docs")
    elif "jobs" in keys:
        said = re.findall(r"mirror-ray (?:run|doctor) (.+?)(?: \|\||$)", example.text, re.MULTILINE)
        assert all(loads(*sweep_of(words)) == 0 for words in said)
        assert said
    else:
        assert keys.keys() == {"stages"}
