"""What `doctor SWEEP` says of a server that only the environment names."""

import socket

import pytest

from mirror_ray.cli.doctor_sweep import findings_on

SWEEP = ("quickstart", ["models=hosted_vllm/Qwen/Qwen3-VL-8B-Instruct"], None)


def of_endpoint(monkeypatch, address):
    monkeypatch.setenv("HOSTED_VLLM_API_BASE", address)
    return {one.topic: one for one in findings_on(*SWEEP)}


def test_the_server_of_the_environment_is_connected_to(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        there = of_endpoint(monkeypatch, f"http://{host}:{port}/v1")
        assert there[f"{host}:{port}"].verdict == "ok"
        assert there["sweep"].what == "quickstart: 30 episodes, 1 model"
        assert " for 30 episodes of 6,000 requests in all" in there["disk"].what
    gone = of_endpoint(monkeypatch, f"http://{host}:{port}/v1")
    assert gone[f"{host}:{port}"].verdict == "fault"


@pytest.mark.parametrize("address", ["http://[", "http://host:99999/v1", "nowhere"])
def test_what_is_no_address_is_connected_to_by_nobody(monkeypatch, address):
    assert of_endpoint(monkeypatch, address)["endpoints"].verdict == "note"
