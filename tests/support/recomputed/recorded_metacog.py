"""The run of MIRROR that the recomputations share, and what is recomputed of each part."""

from pathlib import Path

from mirror_ray.families.metacog.intervals import write_intervals
from support.analysis.metacog_runs import write_metacog_run
from support.recomputed.agreement import RecordedRun
from support.recomputed.drawn_metacog import drawn_metacog
from support.recomputed.formulas import groups
from support.recomputed.metacog_scores import Rows, scores_of
from support.recomputed.metacog_summary import DRAWS


def recorded_metacog(folder: Path) -> RecordedRun:
    """Record the drawn replies with their stored intervals, and open the run."""
    directory = write_metacog_run(folder, drawn_metacog(56))
    write_intervals(directory, draws=DRAWS)
    return RecordedRun.opened(directory)


def scored_metacog(run: RecordedRun) -> Rows:
    """Return the episodes without an error, each with its scores."""
    steps = groups(run.raw("steps"), "episode_id")
    return [
        {**episode, **scores_of(episode, steps[key])}
        for episode in run.raw("episodes")
        for key in [(episode["episode_id"],)]
        if episode["error_kind"] == "none"
    ]
