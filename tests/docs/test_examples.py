"""Every command and every block of Python, SQL and YAML in README and docs does what it says.

Commands of mirror-ray are executed on a run that the quickstart's own command played, with one
scene of each condition. What would serve until Ctrl-C, ask a hosted model or leave this machine is
checked as far as it goes without: its arguments, its sweep, the files, targets and extras it names.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from argparse import Namespace
from collections.abc import Sequence
from functools import cache
from itertools import dropwhile, pairwise
from pathlib import Path

import pytest
import yaml

from examples import ROOT, Example, blocks, commands, every_command, opening_once
from mirror_ray.cli import main
from mirror_ray.cli.arguments import parser as arguments_parser
from mirror_ray.engine.control.requests import read_request, request_of_words
from mirror_ray.integrations import inspect_task
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.prompt_sets import with_prompt_sets
from mirror_ray.sweep.shipped import find_sweep
from support.each_case import each

# A report's figures and an export's packages take longer than one unit test should.
pytestmark = pytest.mark.timeout(600)

SMALLER = ("stages.0.seeds=1", "stages.0.runs=1", "stages.0.max_steps=4")
"""A page of an episode draws each of its steps again."""

RUN_DIR = re.compile(r"runs/[\w.-]+")
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


@pytest.fixture(scope="module")
def played(tmp_path_factory, ray_env):
    """A folder in which `runs/quickstart` was played by the documented command.

    Its Ray runs elsewhere already: the run directory is the command's nevertheless.
    """
    folder = tmp_path_factory.mktemp("reader")
    words = [sys.executable, "-m", "mirror_ray", "run", "sweeps/quickstart.yaml", *SMALLER]
    env = {**os.environ, **ray_env}
    subprocess.run(words, cwd=folder, env=env, check=True, timeout=300)
    _write_named_files(folder)
    return folder


def _write_named_files(folder: Path) -> None:
    """Blocks of YAML whose first line names a file, as a reader would write them."""
    for block in blocks("yaml"):
        if named := re.match(r"# (\w+\.yaml)\b", block.text):
            (folder / named[1]).write_text(block.text)


@pytest.fixture(scope="module")
def open_once():
    with opening_once() as opens:
        yield opens


@pytest.fixture
def reader(played, open_once, monkeypatch):
    """The working directory of somebody who follows the docs, keys set."""
    monkeypatch.setattr("mirror_ray.cli.sql.open_run", open_once)
    monkeypatch.chdir(played)
    monkeypatch.setenv("PWD", str(played))
    for name in ("OPENAI_API_KEY", "HOUSE_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(name, "not-a-key-of-anybody")
    return played


THOROUGH = pytest.mark.thorough("cli/test_report_export.py and cli/test_plan.py, on smaller ones")
"""Reports of a whole run and plans of whole sweeps take as long as all other examples together."""
LONG = ("mirror-ray report", "mirror-ray plan")
COMMANDS = [
    pytest.param(one, marks=THOROUGH if one.text.startswith(LONG) else ()) for one in commands()
]


@pytest.mark.parametrize("example", COMMANDS, ids=str)
def test_every_command(example: Example, reader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typed = shlex.split(example.text.replace("$PWD", str(reader)), comments=True)
    program, *words = dropwhile(lambda word: re.match(r"[A-Z_]+=", word), typed)
    match program:
        case "mirror-ray":
            expected = next((code for t, code in EXIT_CODES.items() if t in example.text), 0)
            assert _mirror_ray(words, reader) == expected, capsys.readouterr().err
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
            assert _mirror_ray(["run", *words[words.index(script) + 1 :]], reader) == 0
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


def _mirror_ray(words: list[str], folder: Path) -> int:
    arguments, late = arguments_parser().parse_known_args(words)
    # argparse leaves words behind an option to `main`: a sweep's overrides, or a query.
    assert all("=" in word for word in late) or arguments.command == "sql"
    match arguments.command:
        case "run" | "mock" | "people" | "canary":
            # All that they check before they start.
            persons = [f"human/{one}" for one in vars(arguments).get("person", ())]
            return _loads(arguments.sweep, [*arguments.overrides, *late], persons)
        case "plan":
            if find_sweep(arguments.sweep).stem.endswith("_full"):
                return _loads(arguments.sweep, [*arguments.overrides, *late])
            return main(words)
        case "doctor" if arguments.sweep is not None:
            # Whose servers are not there.
            return _loads(arguments.sweep, [*arguments.overrides, *late])
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
        _have(folder / directory, folder / "runs/quickstart")
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


def _loads(sweep: str, overrides: list[str], persons: Sequence[str] = ()) -> int:
    # The catalogue that another command of the page writes, while it serves.
    given = [one for one in overrides if not one.startswith("catalogue=")]
    plan = load_plan(sweep, given, persons=persons)
    return 0 if plan.episodes and plan.persons == tuple(persons) else 1


def _sweep_of(words: str) -> tuple[str, list[str]]:
    sweep, *overrides = shlex.split(words)
    return sweep, [word for word in overrides if "=" in word]


def _have(wanted: Path, played: Path) -> None:
    if not wanted.exists():
        shutil.copytree(played, wanted)


@pytest.mark.parametrize("example", list(blocks("python")), ids=str)
def test_every_block_of_python(example: Example, reader: Path) -> None:
    for directory in RUN_DIR.findall(example.text):
        _have(reader / directory, reader / "runs/quickstart")
    for name in ("inspect", "eee", "huggingface", "croissant"):
        folder = f"runs/quickstart/export/{name}"
        if folder in example.text and not (reader / folder).exists():
            assert main(["export", "runs/quickstart", "--to", name]) == 0
    exec(compile(example.text, str(example), "exec"), {})  # noqa: S102 - our own pages


@pytest.mark.parametrize("example", list(blocks("sql")), ids=str)
def test_every_block_of_sql(example: Example, reader: Path) -> None:
    assert main(["sql", "runs/quickstart", example.text]) == 0


@pytest.mark.parametrize("example", list(blocks("yaml")), ids=str)
def test_every_block_of_yaml(example: Example, tmp_path: Path) -> None:
    keys = yaml.safe_load(example.text)
    _write_named_files(tmp_path)
    file = tmp_path / "example.yaml"
    file.write_text(example.text)
    if "name" in keys:
        assert load_plan(str(file)).episodes
    elif "models" in keys:
        catalogue = load_catalogue(file)
        assert all(catalogue.resolve(name, where="docs") for name in keys["models"])
    elif "source" in keys:
        assert with_prompt_sets("contingency", {"prompts": file.name}, tmp_path, "docs")
    elif "jobs" in keys:
        said = re.findall(r"mirror-ray (?:run|doctor) (.+?)(?: \|\||$)", example.text, re.MULTILINE)
        assert all(_loads(*_sweep_of(words)) == 0 for words in said)
        assert said
    else:
        assert keys.keys() == {"stages"}
