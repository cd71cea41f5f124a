"""Every script in benchmarks/ that measures runs to its end at its smallest size."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SMALLEST = {
    "blind_pictures": "--scenes 1",
    "coverage": "--draws 2 --answers 20",
    "forecast_calibration": "--rehearsals 2 --scenes 2",
    "gym_baselines": "--episodes 1",
    "many_models": "--models 4 --keys 2 --requests 8",
    "metacog_intervals": "--models 2 --questions 8 --draws 20",
    "metacog_throughput": "--models 2 --seeds 50 --short 200 --long 400",
    "mirrorqa_items": "--items 4 --processes 1",
    "own_server": "--requests 4 --rounds 1",
    "pictures_drawn": "--models 2 --simulators 1 --scenes 1 --cached-only",
    "providers": "--calls 20 --providers 1",
    "render": "--views 1 --rounds 1",
    "replicated_journal": "--put-ms 1 --model-s 0 --replies 2",
    "resume": "--episodes 20 --per-shard 10",
    "start": "--tries 1",
    "stopping": "--boards 2",
    "throughput": "--simulators 1 --steps 2 --latencies 0 --rounds 1",
    "viewer": "--episodes 2000 --per-shard 500",
    "views": "--steps 2000",
}
"""Script → the options of its smallest size."""

STARTED_ELSEWHERE = {
    *("contingency_pictures", "dyad_pictures", "flipset_pictures", "marktest_pictures"),
    *("mirrorqa_pictures", "pictures", "metacog_staircase", "metacog_bank", "metacog_samples"),
    # They need a browser, or a quarter of an hour.
    *("screens", "rehearsal", "limits"),
    # Modules of the others.
    *("limit_scenarios", "limit_workers", "provider_calls", "view_rows"),
}


def test_every_script_is_started_somewhere() -> None:
    scripts = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    assert scripts == SMALLEST.keys() | STARTED_ELSEWHERE


@pytest.mark.parametrize(
    "name",
    [
        "stopping",
        *(
            pytest.param(name, marks=pytest.mark.thorough("stopping"))
            for name in SMALLEST
            if name != "stopping"
        ),
    ],
)
@pytest.mark.timeout(900)
def test_it_runs_to_its_end(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), *SMALLEST[name].split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "benchmarks")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout
