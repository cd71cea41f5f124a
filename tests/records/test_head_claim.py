"""One head at a time writes to a run in an object store: real processes, over a real S3 API."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.rundir import RunDir
from support.whole import mostly_thorough

SWEEP = {"name": "quick", "models": ["scripted/observer"], "out": "anywhere"}


def make(out: str) -> None:
    with RunDir(out, SWEEP) as run_dir:
        run_dir.describe("name: quick\n", {})


HOLD = (
    "import sys, time; from mirror_ray.records.rundir import RunDir; "
    f"run = RunDir(sys.argv[1], {SWEEP!r}); print('held', flush=True); time.sleep(600)"
)


def holder(out: str, state: Path) -> subprocess.Popen:
    """A process on a head of its own, which is what its state directory makes it."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, out],
        stdout=subprocess.PIPE,
        env={**os.environ, "XDG_STATE_HOME": str(state)},
    )
    assert process.stdout.readline() == b"held\n"
    return process


def end(process: subprocess.Popen) -> None:
    process.kill()
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()


def test_a_second_run_on_this_head_is_refused_and_a_killed_one_is_no_obstacle(bucket, tmp_path):
    out = f"{bucket}/run"
    first = holder(out, tmp_path / "state")
    with pytest.raises(RunDirError, match=f"{out} is in use\n.*process {first.pid} on "):
        RunDir(out, SWEEP)
    end(first)
    make(out)


def test_a_run_on_another_head_is_refused_and_can_be_taken_over(bucket, store, tmp_path):
    out = f"{bucket}/run"
    elsewhere = holder(out, tmp_path / "elsewhere")
    with pytest.raises(RunDirError, match=f"process {elsewhere.pid} on .* since 20") as caught:
        RunDir(out, SWEEP)
    end(elsewhere)
    (claim,) = (name for name in store.keys(out) if name.startswith(".claims/"))
    # A dead head looks like a living one from here: what to do is said, not done.
    assert str(caught.value).endswith(f"by deleting {out}/{claim}")
    with pytest.raises(RunDirError, match="in use"):
        RunDir(out, SWEEP)
    store.client().delete_object(Bucket=bucket.removeprefix("s3://"), Key=f"run/{claim}")
    make(out)


@pytest.mark.parametrize("replicates", mostly_thorough(2, [True, False]))
def test_of_heads_that_start_at_once_at_most_one_stays(replicates, bucket, tmp_path):
    """Each waits for the others before it lets go, so that two that stayed would be seen."""
    program = (
        "import sys; from mirror_ray.records.rundir import RunDir; "
        "from mirror_ray.core.errors import RunDirError\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        f"replicate = {f'{bucket}/journals' if replicates else None!r}\n"
        f"try: run = RunDir(sys.argv[1], {SWEEP!r}, replicate=replicate)\n"
        "except RunDirError: print('refused', flush=True)\n"
        "else: print('stayed', flush=True)\n"
        "sys.stdin.readline()"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, f"{bucket}/run"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(tmp_path / str(head))},
        )
        for head in range(4)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.stdout.readline().strip() for process in processes]
    for process in processes:
        process.communicate("\n")
    assert sorted(set(said)) in (["refused"], ["refused", "stayed"])
    assert said.count("stayed") <= 1
    # A lease is taken by one conditional write.
    assert said.count("stayed") == 1 or not replicates
