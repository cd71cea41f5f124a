"""Every way of starting a head passes `--shard` on, and the part is the same everywhere."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from mirror_ray.cli.arguments import parser, with_limit
from mirror_ray.sweep.load import load_plan

PROJECT = Path(__file__).parents[2]
PART = "--shard 2/8"


def line_with(file: str, beginning: str) -> str:
    """The only line of a file that begins so, without what puts it into the background."""
    lines = (line.strip() for line in (PROJECT / file).read_text(encoding="utf-8").splitlines())
    (found,) = (line for line in lines if line.startswith(beginning))
    return found.removesuffix(" &")


def of_the_launcher(file: str) -> str:
    """`ray submit` copies a sweep to the head and starts it by the name of python."""
    mounted = yaml.safe_load((PROJECT / file).read_text(encoding="utf-8"))["file_mounts"]
    assert "cluster" in mounted.values()
    return f"{PROJECT}/cluster/bin/python {PROJECT}/sweeps/quickstart.yaml {PART}"


def of_slurm() -> str:
    command = line_with("cluster/slurm.sbatch", "$IN mirror-ray run")
    return f"IN=; set -- quickstart {PART}; {command}"


def of_kubernetes() -> str:
    documents = yaml.safe_load_all((PROJECT / "cluster/rayjob.yaml").read_text(encoding="utf-8"))
    (job,) = (one for one in documents if one["kind"] == "RayJob")
    return f"{job['spec']['entrypoint']} {PART}"


def of_sky() -> str:
    return f"{line_with('cluster/sky.yaml', 'mirror-ray run')} {PART}"


HEADS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "AWS": (of_the_launcher("cluster.yaml"), {"AWS_REGION": "us-west-2"}),
    "Google Cloud": (of_the_launcher("cluster/gcp.yaml"), {"GOOGLE_CLOUD_PROJECT": "one"}),
    "own hosts": (of_the_launcher("cluster/local.yaml"), {"TZ": "Asia/Tokyo"}),
    "Slurm": (of_slurm(), {"SLURM_JOB_ID": "7", "SLURM_NODEID": "3", "SLURM_PROCID": "3"}),
    "KubeRay": (of_kubernetes(), {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "HOSTNAME": "head-2"}),
    "SkyPilot": (of_sky(), {"SKYPILOT_NODE_RANK": "0", "SKYPILOT_NODE_IPS": "10.0.0.1"}),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_part_is_the_same_wherever_its_head_is(name, tmp_path, monkeypatch):
    command, variables = HEADS[name]
    program = tmp_path / "mirror-ray"
    program.write_text(f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n")
    program.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    started = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    arguments = parser().parse_args(json.loads(started.stdout))
    assert (arguments.command, arguments.shard) == ("run", "2/8")
    for variable, value in {**variables, "RAY_ADDRESS": "10.0.0.1:6379"}.items():
        monkeypatch.setenv(variable, value)
    arguments.overrides = []
    there = load_plan("quickstart", with_limit(arguments))
    for variable in variables:
        monkeypatch.delenv(variable)
    here = load_plan("quickstart", ["shard=2/8"])
    assert [one.episode_id for one in there.episodes] == [one.episode_id for one in here.episodes]
    assert there.sweep.out == here.sweep.out == "runs/quickstart-2-of-8"
