"""The launcher's files, as far as no cloud is needed: Ray's own checks, and the shell within."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from mirror_ray.engine.cluster.actor_placement import Host, capacity_of

PROJECT = Path(__file__).parents[2]
FILES = ("cluster.yaml", "cluster/gcp.yaml", "cluster/local.yaml")
SHELL = (
    *("cluster/host.sh", "cluster/head.sh", "cluster/bin/python", "setup.sh"),
    "cluster/slurm.sbatch",
)
COMMANDS = (
    "initialization_commands",
    "setup_commands",
    "head_setup_commands",
    "worker_setup_commands",
    "head_start_ray_commands",
    "worker_start_ray_commands",
)


def load(name: str) -> dict[str, Any]:
    return yaml.safe_load((PROJECT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_ray_takes_the_file(name, monkeypatch, tmp_path):
    from ray.autoscaler._private.util import prepare_config, validate_config

    # The local provider counts its hosts in a file of Ray's.
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    config = load(name)
    prepared = prepare_config(config)
    validate_config(prepared)
    assert prepared["head_start_ray_commands"] == load(name)["head_start_ray_commands"]


@pytest.mark.parametrize("name", FILES)
def test_every_command_is_shell(name):
    config = load(name)
    for kind in COMMANDS:
        for command in config.get(kind, ()):
            subprocess.run(["bash", "-n", "-c", command], check=True)


@pytest.mark.parametrize("name", SHELL)
def test_every_script_is_shell(name):
    subprocess.run(["bash", "-n", str(PROJECT / name)], check=True)


@pytest.mark.parametrize("name", FILES)
def test_all_that_is_needed_to_install_is_synced(name):
    """The wheel's packages, what its metadata reads, and what the commands call."""
    mounts = load(name)["file_mounts"]
    synced = {there.removeprefix("~/mirror-ray/"): here for there, here in mounts.items()}
    assert all(synced[path] == path for path in synced if not path.startswith("~"))
    missing = [path for path in synced.values() if not path.startswith("~")]
    assert [path for path in missing if not (PROJECT / path).exists()] == []
    assert {"mirror_ray", "sim_assets", "analysis", "sweeps", "cluster"} <= synced.keys()
    assert {"pyproject.toml", "README.md", "LICENSE", "setup.sh"} <= synced.keys()


@pytest.mark.parametrize("name", FILES[:2])
def test_clouds_draw_where_renderers_are_and_nowhere_else(name):
    types = load(name)["available_node_types"]
    assert types["head"]["resources"] == {"CPU": 0}
    offered = types["render"]["resources"]
    assert offered["renderer"] <= offered["CPU"]
    assert offered["GPU"] == 1


@pytest.mark.parametrize("name", FILES[:2])
def test_hosts_that_serve_models_draw_nothing(name):
    types = load(name)["available_node_types"]
    hosts = [
        Host(kind, kind, float(its["CPU"]), float(its.get("GPU", 0)), its.get("renderer"))
        for kind, its in ((kind, types[kind]["resources"]) for kind in types)
    ]
    assert capacity_of(hosts).keys() == {"render"}
    # A model's server asks for what no other kind of host offers.
    offering = [kind for kind in types if "model_server" in types[kind]["resources"]]
    assert offering == ["serve"]
    assert types["serve"]["resources"]["GPU"] == 1


def test_the_two_images_hold_the_same():
    docker = (PROJECT / "Dockerfile").read_text(encoding="utf-8")
    apptainer = (PROJECT / "cluster/mirror-ray.def").read_text(encoding="utf-8")
    for pattern in (
        r"(?i)^from:? (.*)$",
        r"--no-install-recommends (.*?)(?: \\)?$",
        r"^ +(-r build.lock .*\.lock)",
    ):
        (one,), (other,) = (re.findall(pattern, text, re.MULTILINE) for text in (docker, apptainer))
        assert one == other.removeprefix("From: ")
    files = re.findall(r"^    (\S+) /src/$", apptainer, re.MULTILINE)
    assert all((PROJECT / name).exists() for name in files)
    copied = " ".join(re.findall(r"^COPY (.*) /src/\S*$", docker, re.MULTILINE)).split()
    assert sorted(files) == sorted(copied)


def sourced(script: str, tools: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command among the job script's functions, as the job's first node runs it."""
    return subprocess.run(
        ["bash", "-c", f". cluster/slurm.sbatch; {script}"],
        cwd=PROJECT,
        env={
            "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            **{"SLURM_JOB_ID": "7", "SLURM_CPUS_PER_TASK": "2"},
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("code", "state", "restarts", "goes_on"),
    [
        (130, "RUNNING", 0, True),
        # The signal came before anything was played.
        (143, "RUNNING", 0, True),
        (4, "RUNNING", 99, True),
        # Done, failed episodes, bad input, a spent budget: a person decides.
        (0, "RUNNING", 0, False),
        (1, "RUNNING", 0, False),
        (2, "RUNNING", 0, False),
        (3, "RUNNING", 0, False),
        # Somebody has cancelled it.
        (130, "COMPLETING", 0, False),
        (130, "RUNNING", 100, False),
    ],
)
def test_a_job_is_queued_again_only_to_go_on(code, state, restarts, goes_on, tmp_path):
    (tmp_path / "squeue").write_text(f"#!/bin/sh\necho {state}\n")
    (tmp_path / "squeue").chmod(0o755)
    done = sourced(f"goes_on {code}", tmp_path, SLURM_RESTART_COUNT=str(restarts))
    assert done.returncode == int(not goes_on), done.stderr


def test_two_jobs_on_one_node_take_other_ports(tmp_path):
    first = int(sourced("free_ports", tmp_path).stdout)
    with socket.create_server(("", first + 3)):
        second = int(sourced("free_ports", tmp_path).stdout)
    assert second >= first + 10
    other_job = int(sourced("free_ports", tmp_path, SLURM_JOB_ID="8").stdout)
    assert abs(other_job - first) >= 10


def test_a_signal_does_not_end_the_wait(tmp_path):
    script = "trap : TERM; (sleep 1; exit 5) & (sleep .2; kill -TERM $$) & outlive %1; exit $?"
    assert sourced(script, tmp_path).returncode == 5


@pytest.fixture
def head(tmp_path) -> Path:
    """A head's home: the synced project, and a `mirror-ray` and `python` that say what they got."""
    project = tmp_path / "mirror-ray"
    shutil.copytree(PROJECT / "cluster", project / "cluster")
    shutil.copytree(PROJECT / "sweeps", project / "sweeps")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("mirror-ray", "python"):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\necho {name} "$@"\n')
        tool.chmod(0o755)
    return tmp_path


def python(head: Path, *arguments: str) -> str:
    path = f"{head}/mirror-ray/cluster/bin:{head}/tools:{os.defpath}"
    done = subprocess.run(
        ["python", *arguments],
        env={"PATH": path},
        executable=str(head / "mirror-ray/cluster/bin/python"),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_a_submitted_sweep_is_run_from_among_its_neighbours(head):
    shutil.copy(head / "mirror-ray/sweeps/ablations/history.yaml", head / "history.yaml")
    told = python(head, f"{head}/history.yaml", "stages.0.runs=1")
    assert told == (
        f"mirror-ray run {head}/mirror-ray/sweeps/ablations/history.yaml stages.0.runs=1"
    )


def test_a_submitted_sweep_of_the_same_name_is_run_as_it_is(head):
    (head / "full.yaml").write_text("name: mine\n")
    assert python(head, f"{head}/full.yaml") == f"mirror-ray run {head}/full.yaml"


def test_everything_else_is_the_real_python(head):
    assert python(head, "-c", "print('a b')") == "python -c print('a b')"
    assert python(head) == "python"
