"""The job script under a real Slurm: a job that is queued again and again loses nothing."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import wait_until
from slurm_lab import NODES, Slurm, slurm_lab, why_no_slurm

from support.shard_rows import TIMINGS, assert_same_rows, rows_of, without

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(1500)]

PROJECT = Path(__file__).parents[2]
REQUEUES = 3
PLAYS_WITHIN_S = 300.0

SWEEP = """
name: lab
models: [lab/sleepy]
catalogue: lab_models.yaml
stages:
  - {family: selfid, conditions: [E1, E4], seeds: 3, runs: 1, max_steps: [12]}
engine: {in_flight: 2}
out: runs/lab
"""
CATALOGUE = "models: {{lab/sleepy: {{agent: observer, latency_s: {latency_s}}}}}\n"


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    if (why := why_no_slurm()) is not None:
        pytest.skip(why)
    with slurm_lab(tmp_path_factory.mktemp("slurm")) as running:
        yield running


def sweep_in(folder: Path, latency_s: float) -> Path:
    folder.mkdir()
    (folder / "lab_models.yaml").write_text(CATALOGUE.format(latency_s=latency_s))
    (folder / "lab.yaml").write_text(SWEEP)
    return folder / "lab.yaml"


def submitted(slurm: Slurm, log: Path, *words: str) -> str:
    """A job's number."""
    told = slurm.run(
        *("sbatch", "--parsable", f"--nodes={NODES}", "--time=30", f"--output={log}"),
        *("cluster/slurm.sbatch", *words),
        cwd=PROJECT,
    )
    return told.strip()


def has_played(log: Path, after: int) -> bool:
    """Whether the job has told of a step since its log was so long."""
    told = log.read_text()[after:] if log.exists() else ""
    return any(int(steps) for steps in re.findall(r"· (\d+) steps", told))


def test_a_job_that_is_requeued_three_times_has_the_rows_of_a_quiet_run(slurm, tmp_path):
    quiet, played, log = tmp_path / "quiet", tmp_path / "played", tmp_path / "job.log"
    calm = sweep_in(tmp_path / "calm", 0.0)
    command = [sys.executable, "-m", "mirror_ray", "run", str(calm), "--plain"]
    subprocess.run([*command, "--out", str(quiet)], check=True, env={**os.environ})

    sweep = sweep_in(tmp_path / "slow", 6.0)
    job = submitted(slurm, log, str(sweep), "--out", str(played))
    for restarts in range(REQUEUES):
        seen = len(log.read_text()) if log.exists() else 0
        what = f"start {restarts + 1} plays: {log}"
        wait_until(what, lambda seen=seen: has_played(log, seen), PLAYS_WITHIN_S)
        # As --signal=B:TERM@120 does before the time is up.
        slurm.run("scancel", "--batch", "--signal=TERM", job)
        wait_until(
            f"requeued {restarts + 1} times: {log}",
            lambda restarts=restarts: slurm.state(job)["Restarts"] == str(restarts + 1),
            PLAYS_WITHIN_S,
        )
    over = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"}
    wait_until(f"the end: {log}", lambda: slurm.state(job)["JobState"] in over, 3 * PLAYS_WITHIN_S)

    state = slurm.state(job)
    assert (state["JobState"], state["ExitCode"]) == ("COMPLETED", "0:0"), log.read_text()
    assert state["Restarts"] == str(REQUEUES)
    for kind in ("steps", "episodes"):
        assert_same_rows(*(without(rows_of(out, kind), TIMINGS) for out in (played, quiet)))
    assert list(Path("/tmp").glob(f"ray-{job}-*")) == []  # noqa: S108


def test_a_cancelled_job_is_not_queued_again(slurm, tmp_path):
    log = tmp_path / "job.log"
    job = submitted(slurm, log, str(sweep_in(tmp_path / "slow", 6.0)), "--out", f"{tmp_path}/out")
    wait_until(f"it plays: {log}", lambda: has_played(log, 0), PLAYS_WITHIN_S)
    slurm.run("scancel", job)
    wait_until("the end", lambda: slurm.run("squeue", "-h", "-j", job) == "", PLAYS_WITHIN_S)
    assert slurm.state(job)["JobState"] == "CANCELLED"


def test_bad_input_ends_the_job_with_its_exit_code(slurm, tmp_path):
    log = tmp_path / "job.log"
    job = submitted(slurm, log, "no_such_sweep")
    wait_until("the end", lambda: slurm.state(job)["JobState"] == "FAILED", PLAYS_WITHIN_S)
    assert slurm.state(job)["ExitCode"] == "2:0"
    assert slurm.state(job)["Restarts"] == "0"
    assert "no_such_sweep" in log.read_text()
