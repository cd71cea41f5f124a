"""Thirty calls in a hundred go wrong: the sweep completes, with the rows of a calm run."""

import json
import subprocess
import sys
from collections import Counter
from io import StringIO
from urllib.request import urlopen

import pytest
from rich.console import Console

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.sweep.load import load_plan
from support.agents_at_play import play_agents
from support.shard_rows import assert_same_rows, rows_of, same_words

pytestmark = pytest.mark.thorough(
    "engine/provider/ and providers/test_hosted_failures.py meet each fault by itself"
)

CATALOGUE = """
models:
  house/blind:
    target: openai/blind
    base_url: https://llm.example.org/v1
    api_key_env: HOUSE_KEY
    rpm: 6000
    timeout_s: 4
    usd_per_mtok_in: 1.0
    usd_per_mtok_out: 2.0
"""

SWEEP = """
name: faulty
models: [house/blind]
catalogue: [house.yaml]
stages:
  - {family: selfid, conditions: [E1, E2, E3, E4, E5], seeds: 2, max_steps: 10}
engine: {simulators: 1, providers: 1, in_flight: 16, max_attempts: 12}
out: runs/never
"""


def played(sweep, out, *overrides):
    plan = load_plan(str(sweep), list(overrides), str(out))
    summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
    assert (summary.exit_code, summary.episodes_failed) == (0, 0)
    return {kind: rows_of(out, kind) for kind in ("steps", "episodes")}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, ray_session):
    """The rows of the calm run, those of the other, and what the server counted."""
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "house.yaml").write_text(CATALOGUE)
    sweep = folder / "sweep.yaml"
    sweep.write_text(SWEEP)
    plan = load_plan(str(sweep), ["models=[scripted/blind]"], str(folder / "calm"))
    play_agents(FAMILIES["selfid"], plan.episodes, folder / "calm", sweep=plan.sweep.name)
    calm = {kind: rows_of(folder / "calm", kind) for kind in ("steps", "episodes")}
    catalogue = folder / "mock.yaml"
    command = [sys.executable, "-m", "mirror_ray", "mock", str(sweep), "--port", "0"]
    command += ["--catalogue", str(catalogue), "--agent", "blind"]
    command += ["--latency-s", "0.1", "--faults", "0.3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            address = server.stdout.readline().partition("http://")[2].partition("/v1")[0]
            shaken = played(sweep, folder / "shaken", f"catalogue=[house.yaml,{catalogue}]")
            with urlopen(f"http://{address}/stats") as told:
                (count,) = json.load(told).values()
        finally:
            server.terminate()
    return calm, shaken, count


@pytest.mark.parametrize("kind", ["steps", "episodes"])
def test_rows_are_those_of_a_calm_run(runs, kind):
    calm, shaken, _ = runs
    assert_same_rows(same_words(shaken[kind]), same_words(calm[kind]))


def test_every_call_is_in_a_row_once(runs):
    _, shaken, count = runs
    # Which call goes wrong how depends on their order: a kind may be missing.
    assert count["faults"].keys() <= {"429", "500", "503", "drop", "stall", "garbage"}
    assert len(count["faults"]) >= 3
    calls = sum(number for _, number in count["taken"] + count["rejected"])
    assert sum(row["attempts"] for row in shaken["steps"]) == calls
    failed = [one for row in shaken["steps"] for one in row["failed_attempts"]]
    assert len(failed) == sum(count["faults"].values()) + sum(n for _, n in count["rejected"])


def test_what_went_wrong_is_told_by_its_kind(runs):
    _, shaken, count = runs
    kinds = Counter(one["error_kind"] for row in shaken["steps"] for one in row["failed_attempts"])
    faults = Counter(count["faults"])
    assert kinds["rate_limit"] == faults["429"] + sum(n for _, n in count["rejected"])
    assert kinds["timeout"] == faults["stall"]
    assert sum(kinds.values()) - kinds["rate_limit"] - kinds["timeout"] == sum(
        faults[kind] for kind in ("500", "503", "drop", "garbage")
    )
