"""Commands in catalogues run only with the user's permission, and are shown in full before."""

import json
from pathlib import Path

import pytest

from mirror_ray.cli import main
from mirror_ray.core.errors import SweepError
from mirror_ray.providers.credentials import missing_packages
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.commands import are_users_own, commands_of, require_permission
from mirror_ray.sweep.load import load_plan

SERVES = {
    "command": '{engine: command, command: [/bin/sh, -c, "touch PWNED # {port}"], gpus: 0}',
    "arguments": '{engine: command, command: [true-server], args: ["{port}", "$(id)"], gpus: 0}',
    "interpreter": "{engine: vllm, weights: a/b, python: ./evil/python, gpus: 0}",
    "engine's arguments": "{engine: sglang, weights: a/b, args: [--trust-remote-code]}",
    "environment": '{engine: vllm, weights: a/b, env: {LD_PRELOAD: "/tmp/x y.so"}}',
}


def sweep_in(folder: Path, serve: str, catalogue: str = "evil.yaml") -> str:
    (folder / "evil.yaml").write_text(f"models:\n  friendly/model: {{serve: {serve}}}\n")
    (folder / "sweep.yaml").write_text(
        f"name: friendly\nmodels: [friendly/model]\ncatalogue: ['{catalogue}']\nout: out\n"
        "stages:\n  - {family: flipset, conditions: [L1], seeds: 1, temperature: [0.2]}\n"
    )
    return str(folder / "sweep.yaml")


@pytest.mark.parametrize("serve", SERVES.values(), ids=SERVES)
def test_a_command_is_refused_before_anything_starts(
    serve: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sweep = sweep_in(tmp_path, serve)
    for words in (["run", sweep], ["run", sweep, "--detach"]):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert "models.friendly/model.serve" in said
        assert "--allow-commands" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.yaml", "sweep.yaml"]
    plan = load_plan(sweep)
    require_permission(plan, allowed=True)
    with pytest.raises(SweepError, match="command to run"):
        require_permission(plan, allowed=False)


def test_plan_shows_the_command_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    sweep = sweep_in(tmp_path, SERVES["command"])
    for words in (["plan", sweep], ["plan", sweep, "--details"]):
        assert main(words) == 0
        said = capsys.readouterr().out
        assert "/bin/sh -c 'touch PWNED # {port}'" in said
    assert main(["plan", sweep, "--json"]) == 0
    assert "/bin/sh -c" in json.loads(capsys.readouterr().out)["commands"]["friendly/model"]
    (shown,) = commands_of(load_plan(sweep_in(tmp_path, SERVES["environment"])).models)
    assert shown.text.startswith("LD_PRELOAD='/tmp/x y.so' python3 -m vllm")


def test_a_catalogue_in_the_users_configuration_folder_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "config" / "mirror-ray"
    own.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    require_permission(load_plan(sweep_in(own, SERVES["command"])), allowed=False)
    # A link from there to a stranger's file is the stranger's file, whatever it is called.
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    sweep = sweep_in(stranger, SERVES["command"])
    (own / "linked.yaml").symlink_to(stranger / "evil.yaml")
    for catalogue in ("evil.yaml", str(own / "linked.yaml")):
        sweep = sweep_in(stranger, SERVES["command"], catalogue)
        with pytest.raises(SweepError, match="allow-commands"):
            require_permission(load_plan(sweep), allowed=False)


@pytest.mark.parametrize(
    ("environ", "path", "own"),
    [
        ({"HOME": "/home/me"}, "/home/me/.config/mirror-ray/m.yaml", True),
        ({"HOME": "/home/me"}, "/home/me/.config/mirror-ray-of-another/m.yaml", False),
        ({"HOME": "/home/me"}, "/home/me/.config/mirror-ray/../m.yaml", False),
        ({"HOME": "/home/me", "XDG_CONFIG_HOME": "/etc/x"}, "/etc/x/mirror-ray/m.yaml", True),
        ({"HOME": "/home/me", "XDG_CONFIG_HOME": "x"}, "x/mirror-ray/m.yaml", False),
        ({}, "mirror-ray/m.yaml", False),
    ],
)
def test_where_the_configuration_folder_is(environ: dict[str, str], path: str, own: bool) -> None:
    assert are_users_own([Path(path)], environ) is own


def test_doctor_runs_no_interpreter_that_is_not_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/PWNED\n")
    program.chmod(0o755)
    sweep = sweep_in(tmp_path, f"{{engine: vllm, weights: a/b, python: {program}, gpus: 0}}")
    main(["doctor", sweep, "--json"])
    assert "--allow-commands" in capsys.readouterr().out
    assert not (tmp_path / "PWNED").exists()
    main(["doctor", sweep, "--json", "--allow-commands"])
    assert (tmp_path / "PWNED").exists()


def test_a_needed_package_is_looked_for_and_never_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = tmp_path / "planted"
    planted.mkdir()
    (planted / "__init__.py").write_text(f"open({str(tmp_path / 'PWNED')!r}, 'w')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("planted", "planted.inner", "..", ".planted", "a/b", "\x00", "no-such-thing"):
        model = Model("m", "hosted", "openai/x", Limits("k"), needs_packages=(name,))
        assert missing_packages(model) == (() if name.startswith("planted") else (name,))
    assert not (tmp_path / "PWNED").exists()
