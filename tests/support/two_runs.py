"""Two run directories that share scenes, for whoever reads several as one."""

from pathlib import Path

from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says


def two_runs(folder: Path) -> list[str]:
    """Runs with two scenes in common: the first walks on, the second is done at once."""
    record_run(plan_for(folder / "A", runs=2), lambda _: says("w"))
    record_run(plan_for(folder / "B", runs=3, conditions=("E1", "E2")), lambda _: says("done"))
    return [str(folder / "A"), str(folder / "B")]
