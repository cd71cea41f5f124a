"""A sweep in batches, killed with signal 9 on the way: each ask is paid once, and none is lost."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from time import sleep
from urllib.request import urlopen

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.load import load_plan
from support.mock_program import mock, stats_of
from support.shard_rows import rows_of

SWEEP = """\
name: batches
models: [house/m]
catalogue: [house.yaml]
tier: batch
stages:
  - {family: flipset, conditions: [L1], seeds: 10, runs: 2, temperature: [0.2]}
engine: {simulators: 1, providers: 1}
out: runs/never
"""
HOUSE = """\
models:
  house/m:
    target: openai/m
    base_url: https://llm.example.org/v1
    limits_key: house/m
    rpm: 60000
    usd_per_mtok_in: 2.0
    usd_per_mtok_out: 8.0
    usd_per_mtok_cached: 0.5
    batch:
      {usd_per_mtok_in: 1.0, usd_per_mtok_out: 4.0, usd_per_mtok_cached: 0.25,
       linger_s: 0.5, poll_s: 0.2, most_asks: 9}
"""
EPISODES = 20


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    (tmp_path / "house.yaml").write_text(HOUSE)
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP)
    return path


def bill_usd(counts: Mapping[str, Mapping]) -> tuple[int, float]:
    """Asks billed in batches, and what the maker charges by its own count of tokens."""
    (bill,) = counts["house/m (batch)"]["billed"].values()
    fresh = bill["tokens_in"] - bill["tokens_cached"]
    usd = fresh * 1.0 + bill["tokens_cached"] * 0.25 + bill["tokens_out"] * 4.0
    return bill["calls"], usd / 1e6


def batches_of(address: str) -> int:
    with urlopen(f"http://{address}/v1/batches?limit=100") as reply:
        return reply.read().count(b'"object": "batch"')


@pytest.mark.thorough("engine/provider/test_batch_lane.py stops at each step of a batch")
def test_killed_on_the_way_each_ask_is_paid_once_and_the_bill_agrees(sweep, tmp_path):
    out = tmp_path / "out"
    manner = ("--batch-s", "4", "--batch-slow-s", "1", "--batch-expired", "0.2")
    with mock(sweep, tmp_path / "mock.yaml", *manner) as address:
        program = Path(sys.executable).with_name("mirror-ray")
        catalogues = f"catalogue=[house.yaml,{tmp_path / 'mock.yaml'}]"
        command = [str(program), "run", str(sweep), catalogues, "--out", str(out), "--plain"]
        # Once while the first batches are begun, their names unknown; once while they are out.
        for n_batches, later_s in ((1, 0.0), (3, 1.0)):
            life = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while batches_of(address) < n_batches:
                assert life.poll() is None, "the run ended by itself"
                sleep(0.02)
            sleep(later_s)
            os.kill(life.pid, signal.SIGKILL)
            life.wait(60)
        # At another price: what is out is bought there, and the rest here.
        last = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
        assert last.returncode == 0, last.stdout + last.stderr
        counts = stats_of(address)
    rows = rows_of(out, "steps")
    assert len(rows) == EPISODES
    assert Counter(row["service_tier"] for row in rows) == {"batch": EPISODES}
    calls, usd = bill_usd(counts)
    assert calls == EPISODES
    assert sum(row["cost_usd"] for row in rows) == pytest.approx(usd, rel=1e-12)
    assert counts["house/m"]["taken"] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("stages=[{family: selfid, conditions: [E1], seeds: 2}]", "asks? at most|ask up to"),
        ("models=openai/gpt-4.1-mini", "batch price"),
        ("models=openrouter/anthropic/claude-sonnet-4.6", "batch support"),
    ],
)
def test_what_cannot_be_batched_is_refused_before_anything_starts(sweep, change, message):
    with pytest.raises(SweepError, match=message):
        load_plan(str(sweep), [change])
