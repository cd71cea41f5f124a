"""The pretended provider, as a program: it serves a sweep's models and enforces their limits."""

import json
from http.client import HTTPConnection
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mirror_ray.cli import main
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.sweep.load import load_plan
from support.mock_program import mock, stats_of

SWEEP = """\
name: rehearsed
models: [openai/gpt-5.1, house/a, house/b]
catalogue: [house.yaml]
stages:
  - {family: selfid, conditions: [E1], seeds: 1, temperature: [0.2], max_steps: 2}
out: runs/never
"""

HOUSE = """\
models:
  house/a: &house
    target: openai/a
    base_url: https://llm.example.org/v1
    api_key_env: HOUSE_KEY
    limits_key: house
    rpm: 60
    usd_per_mtok_in: 1.5
    sends_schema: false
  house/b: {<<: *house, target: openai/b}
"""


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    (tmp_path / "house.yaml").write_text(HOUSE)
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP)
    return path


def ask(address: str, model: str, user: str = "who are you?") -> tuple[int, dict]:
    connection = HTTPConnection(address)
    body = {"model": model, "messages": [{"role": "user", "content": user}], "max_tokens": 9}
    connection.request("POST", "/v1/chat/completions", json.dumps(body))
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())


@pytest.mark.thorough("its limits here; docs/test_agents_script.py plays through one")
def test_a_sweep_is_rehearsed_by_the_catalogue_that_is_written(sweep, tmp_path, ray_session):
    catalogue = tmp_path / "mock.yaml"
    with mock(sweep, catalogue, "--latency-s", "0", "--speed", "10") as address:
        files = f"catalogue=[house.yaml,{catalogue}]"
        plan = load_plan(str(sweep), [files], str(tmp_path / "out"))
        summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
        counts = stats_of(address)
    assert (summary.episodes_done, summary.exit_code) == (3, 0)
    calls = {key: sum(number for _, number in count["taken"]) for key, count in counts.items()}
    lanes = {"openai/gpt-5.1": 2, "openai/gpt-5.1 (flex)": 0, "openai/gpt-5.1 (batch)": 0}
    assert calls == {**lanes, "house": 4}
    model = plan.models["house/b"]
    assert model.base_url == f"http://{address}/v1"
    # The house's own key is not sent to a stranger; what it costs and takes is as before.
    assert (model.api_key_env, model.usd_per_mtok_in, model.sends_schema) == (None, 1.5, False)
    assert (model.limits.key, model.limits.rpm) == ("house", 600.0)


def test_limits_are_enforced_by_key(sweep, tmp_path):
    options = ("--latency-s", "0", "--speed", "0.01")
    with mock(sweep, tmp_path / "mock.yaml", *options) as address:
        # 0.6 a minute: one at once. What is no task's prompt is refused, but counted.
        assert ask(address, "house/a")[0] == 400
        status, told = ask(address, "house/b")
        assert (status, told["error"]["code"]) == (429, "rate_limit_exceeded")
        assert ask(address, "openai/gpt-5.1")[0] == 400
        assert ask(address, "house/c")[0] == 404


def test_a_server_of_ones_own_knows_its_models_without_their_provider(sweep, tmp_path):
    with mock(sweep, tmp_path / "mock.yaml", "--latency-s", "0") as address:
        # A model's name; what is no task's prompt is refused only once the model is known.
        assert ask(address, "gpt-5.1")[1]["error"]["code"] == "invalid_request"
        assert ask(address, "5.1")[0] == 404


def test_the_hundred_models_are_where_their_sweep_looks_for_them():
    plan = load_plan("sweeps/scale.yaml")
    assert {model.base_url for model in plan.models.values()} == {"http://127.0.0.1:8080/v1"}
    assert len({model.limits.key for model in plan.models.values()}) == 100
    assert {model.limits.rpm for model in plan.models.values()} == {120.0, 500.0, 1000.0}


def test_agents_need_no_server(capsys):
    assert main(["mock", "sweeps/quickstart.yaml"]) == 2
    assert "sweeps/scale.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--speed", "0"),
        ("--speed", "nan"),
        ("--latency-s", "-1"),
        ("--faults", "1"),
        ("--faults", "nan"),
        ("--shed", "1.1"),
        ("--port", "70000"),
        ("--host", "192.0.2.1"),
        ("--catalogue", "/nowhere/mock.yaml"),
    ],
)
def test_what_cannot_be_served_is_bad_input(sweep, capsys, option, value):
    assert main(["mock", str(sweep), "--port", "0", option, value]) == 2
    assert f"command line: {option}" in capsys.readouterr().err
