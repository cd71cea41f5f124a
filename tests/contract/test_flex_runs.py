"""A sweep at flex against a provider that sheds: nothing is lost, and the money is exact."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from time import sleep

import pytest
from rich.console import Console

from mirror_ray.core.errors import SweepError
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.sweep.load import load_plan
from support.mock_program import mock, stats_of
from support.shard_rows import rows_of
from support.whole import one_in

SWEEP = """\
name: tiers
models: [house/m]
catalogue: [house.yaml]
stages:
  - {family: flipset, conditions: [L1], seeds: 15, runs: 2, temperature: [0.2]}
engine: {simulators: 1, providers: 1, in_flight: 4}
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
    flex: {usd_per_mtok_in: 1.0, usd_per_mtok_out: 4.0, usd_per_mtok_cached: 0.25}
"""
PRICES = {"house/m": (2.0, 8.0, 0.5), "house/m (flex)": (1.0, 4.0, 0.25)}
"""Key of the server's → dollars per million tokens in, out and cached."""
EPISODES = 30
FLEX = ("tier=flex", "fallback=standard")


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    (tmp_path / "house.yaml").write_text(HOUSE)
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP)
    return path


def catalogues(tmp_path: Path) -> str:
    return f"catalogue=[house.yaml,{tmp_path / 'mock.yaml'}]"


def played(sweep: Path, tmp_path: Path, *overrides: str):
    plan = load_plan(str(sweep), [catalogues(tmp_path), *overrides], str(tmp_path / "out"))
    return play_plan(plan, console=Console(file=StringIO()), plain=True)


def bills_usd(counts: Mapping[str, Mapping]) -> dict[str, float]:
    """Key → what the server would charge, by its own count of tokens."""
    bills = {}
    for key, count in counts.items():
        per_in, per_out, per_cached = PRICES[key]
        (bill,) = count["billed"].values() or ({},)
        fresh = bill.get("tokens_in", 0) - bill.get("tokens_cached", 0)
        bills[key] = (
            fresh * per_in
            + bill.get("tokens_cached", 0) * per_cached
            + bill.get("tokens_out", 0) * per_out
        ) / 1e6
    return bills


def calls(counts: Mapping[str, Mapping]) -> dict[str, int]:
    return {
        key: sum(bill["calls"] for bill in count["billed"].values())
        for key, count in counts.items()
    }


def failed_kinds(rows: Iterable[Mapping]) -> Counter[str]:
    return Counter(one["error_kind"] for row in rows for one in row["failed_attempts"])


@pytest.mark.thorough("providers/test_price_tiers.py and engine/provider/test_fallback.py")
def test_shed_calls_are_made_at_the_standard_price_and_the_bills_agree(
    sweep, tmp_path, ray_session
):
    with mock(sweep, tmp_path / "mock.yaml", "--latency-s", "0.05", "--shed", "0.3") as address:
        summary = played(sweep, tmp_path, *FLEX)
        counts = stats_of(address)
    rows = rows_of(tmp_path / "out", "steps")
    assert (summary.episodes_done, summary.exit_code, len(rows)) == (EPISODES, 0, EPISODES)
    tiers = Counter(row["service_tier"] for row in rows)
    assert tiers == {"flex": EPISODES - tiers["standard"], "standard": tiers["standard"]}
    assert 0 < tiers["standard"] < EPISODES
    shed = counts["house/m (flex)"]["shed"]
    assert failed_kinds(rows) == {"shed": shed}
    assert shed == tiers["standard"]
    assert calls(counts) == {"house/m": tiers["standard"], "house/m (flex)": tiers["flex"]}
    bills = bills_usd(counts)
    for key, tier in (("house/m", "standard"), ("house/m (flex)", "flex")):
        paid = sum(row["cost_usd"] for row in rows if row["service_tier"] == tier)
        assert paid == pytest.approx(bills[key], rel=1e-12)
    assert summary.cost_usd == pytest.approx(sum(bills.values()), rel=1e-12)


@pytest.mark.thorough("providers/test_price_tiers.py and engine/provider/test_fallback.py")
def test_shed_calls_wait_and_nothing_is_paid_at_the_standard_price(sweep, tmp_path, ray_session):
    with mock(sweep, tmp_path / "mock.yaml", "--latency-s", "0.05", "--shed", "0.2") as address:
        summary = played(sweep, tmp_path, "tier=flex")
        counts = stats_of(address)
    assert (summary.episodes_done, summary.exit_code) == (EPISODES, 0)
    assert calls(counts) == {"house/m": 0, "house/m (flex)": EPISODES}
    assert counts["house/m (flex)"]["shed"] > 0
    assert summary.cost_usd == pytest.approx(sum(bills_usd(counts).values()), rel=1e-12)


@pytest.mark.thorough("providers/test_price_tiers.py and engine/provider/test_fallback.py")
def test_a_run_begun_at_one_tier_goes_on_at_another(sweep, tmp_path, ray_session):
    with mock(sweep, tmp_path / "mock.yaml", "--latency-s", "0.05") as address:
        first = played(sweep, tmp_path, "budget_usd=0.02")
        assert first.exit_code == 3
        began = calls(stats_of(address))
        assert 0 < began["house/m"] < EPISODES
        second = played(sweep, tmp_path, "tier=flex", "budget_usd=1")
        assert (second.episodes_done, second.exit_code) == (EPISODES, 0)
        third = played(sweep, tmp_path)
        assert (third.episodes_done, third.exit_code) == (EPISODES, 0)
        counts = stats_of(address)
    n = began["house/m"]
    assert calls(counts) == {"house/m": n, "house/m (flex)": EPISODES - n}
    rows = rows_of(tmp_path / "out", "steps")
    assert Counter(row["service_tier"] for row in rows if not row["superseded"])["flex"] == (
        EPISODES - n
    )
    paid = sum(row["cost_usd"] or 0.0 for row in rows)
    assert paid == pytest.approx(sum(bills_usd(counts).values()), rel=1e-12)


@pytest.mark.thorough("engine/recorder/test_recorder_crashes.py, at no tier")
def test_killed_in_mid_run_no_reply_is_lost_and_none_is_paid_twice(sweep, tmp_path, ray_env):
    out = tmp_path / "out"
    with mock(sweep, tmp_path / "mock.yaml", "--latency-s", "0.3", "--shed", "0.3") as address:
        program = Path(sys.executable).with_name("mirror-ray")
        words = [str(program), "run", str(sweep), catalogues(tmp_path), *FLEX]
        command = [*words, "--out", str(out), "--plain"]
        env = {**os.environ, **ray_env}
        # A second kill is the first one once more.
        for n_calls in one_in(2, (6, 14)):
            life = subprocess.Popen(
                command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            while sum(calls(stats_of(address)).values()) < n_calls:
                assert life.poll() is None, "the run ended by itself"
                sleep(0.02)
            os.kill(life.pid, signal.SIGKILL)
            life.wait(60)
        last = subprocess.run(
            command, env=env, capture_output=True, text=True, check=False, timeout=120
        )
        assert last.returncode == 0, last.stdout + last.stderr
        counts = stats_of(address)
    rows = rows_of(out, "steps")
    assert len(rows) == EPISODES
    assert {row["error_kind"] for row in rows} == {"none"}
    # Only what was under way at a kill may have been made twice.
    again = sum(calls(counts).values()) - EPISODES
    assert 0 <= again <= 2 * 4
    bills = bills_usd(counts)
    paid = sum(row["cost_usd"] for row in rows)
    dearest = max(row["cost_usd"] for row in rows if row["service_tier"] == "standard")
    assert paid - 1e-12 <= sum(bills.values()) <= paid + again * dearest + 1e-12


def test_a_tier_without_a_price_is_refused_before_any_call(sweep, tmp_path):
    (tmp_path / "house.yaml").write_text(HOUSE.split("    flex", maxsplit=1)[0])
    with mock(sweep, tmp_path / "mock.yaml") as address:
        with pytest.raises(SweepError, match="flex"):
            played(sweep, tmp_path, "tier=flex")
        assert stats_of(address)["house/m"]["taken"] == []
    assert not (tmp_path / "out").exists()
