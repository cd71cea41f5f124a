"""What a host lacks to serve a model, found before anything is started there."""

import socket
import sys

import pytest

from mirror_ray.cli import main
from mirror_ray.engine.server.preflight import LOOPBACK_HOSTS, free_port, lacks, too_few_gpus
from mirror_ray.providers.served import Served

HERE = Served("command", "m", command=(sys.executable, "{port}"))


def test_a_host_that_has_it_all_lacks_nothing(tmp_path):
    assert lacks(HERE, LOOPBACK_HOSTS) is None
    whole = Served(
        "command",
        "m",
        command=(sys.executable,),
        weights=str(tmp_path),
        port=free_port(LOOPBACK_HOSTS),
    )
    assert lacks(whole, LOOPBACK_HOSTS) is None


@pytest.mark.parametrize(
    ("served", "key", "got"),
    [
        (Served("command", "m", command=("no-such-server",)), "command", "no such program"),
        (Served("vllm", "m", weights="a/b", python="/no/python"), "python", "no such program"),
        (Served("vllm", "m", weights="a/b", python=sys.executable), "python", "cannot import vllm"),
        (Served("command", "m", command=("sh",), weights="/no/w"), "weights", "no such file"),
    ],
)
def test_the_first_thing_that_is_missing_is_named_with_its_key_and_a_fix(served, key, got):
    found = lacks(served, LOOPBACK_HOSTS)
    assert found[0] == key
    assert got in found[1]
    assert found[2]


def test_a_port_in_use_is_found_and_a_free_one_is_free():
    with socket.create_server((LOOPBACK_HOSTS, 0)) as taken:
        port = taken.getsockname()[1]
        found = lacks(Served("command", "m", command=("sh",), port=port), LOOPBACK_HOSTS)
        assert found[:2] == ("port", f"{port}: in use")
        assert free_port(LOOPBACK_HOSTS) != port


def test_doctor_says_what_this_machine_lacks(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    (tmp_path / "own.yaml").write_text(
        "models:\n  m: {serve: {engine: command, command: [no-such-server, '{port}'], gpus: 0}}\n"
    )
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(
        f"name: own\nout: {tmp_path}/out\ncatalogue: own.yaml\nmodels: [m]\n"
        "stages: [{family: selfid, conditions: [E1], seeds: 1}]\n"
    )
    assert main(["doctor", str(sweep)]) == 1
    assert "no-such-server: no such program" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("gpus", "shown", "said"),
    [
        (8.0, (None, 2), ("8 for one server, and 2 NVIDIA GPUs are seen here", True)),
        (2.0, (None, 2), None),
        (2.0, ("1", 2), ("2 for one server, and 1 NVIDIA GPUs are seen here", True)),
        (0.5, ("", 2), ("0.5 for one server, and 0 NVIDIA GPUs are seen here", True)),
        (1.0, (None, None), ("1 for one server, and 0 NVIDIA GPUs are seen here", False)),
        (0.0, (None, None), None),
    ],
)
def test_more_gpus_than_this_machine_shows_are_told_of(gpus, shown, said, tmp_path, monkeypatch):
    visible, there = shown
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    files = tmp_path / "gpus"
    for index in range(there or 0):
        (files / f"0000:{index}").mkdir(parents=True)
    found = too_few_gpus(Served("vllm", "m", weights="a/b", gpus=gpus), files)
    assert (found and (found[0].partition(":")[0], found[1])) == said
