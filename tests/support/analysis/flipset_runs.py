"""FlipSet's run directories written by hand: the real scenes, with answers chosen by their kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.flipset.play import episode_fields
from mirror_ray.families.flipset.settings import Settings
from mirror_ray.families.flipset.trials import LABELS, trial_of
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

FLIPSET_STEPS = with_family_columns(STEPS, columns_of("flipset").steps)
FLIPSET_EPISODES = with_family_columns(EPISODES, columns_of("flipset").episodes)


@dataclass(frozen=True)
class Answered:
    """One episode: `kind` is what the chosen option is, "fail", or None for an API failure."""

    kind: str | None
    condition: str = "L2"
    model: str = "lab/a"
    scene_seed: int = 0
    run: int = 0
    temperature: float | None = 0.0
    axes: tuple[tuple[str, Any], ...] = ()
    monkey_px: int = 30_000
    bet: int | None = None
    predicted_percent: int | None = None

    def spec(self) -> EpisodeSpec:
        seats = (("subject", self.model),)
        cell = Cell("flipset", self.condition, seats, self.temperature, "paper", self.axes)
        return EpisodeSpec(cell, self.scene_seed, self.run)

    def identity(self) -> dict[str, Any]:
        spec = self.spec()
        return {
            "sweep": "synthetic",
            "family": "flipset",
            "condition": self.condition,
            "model": self.model,
            "cell_id": spec.cell.cell_id,
            "episode_id": spec.episode_id,
            "scene_seed": self.scene_seed,
            "run": self.run,
            "temperature": self.temperature,
            "variant": spec.cell.variant_label,
            "take": 1,
        }

    def episode_row(self) -> dict[str, Any]:
        spec = self.spec()
        return {
            **dict.fromkeys(FLIPSET_EPISODES.names),
            **self.identity(),
            "n_steps": 1,
            "n_asks": 1,
            "terminated": self.kind is not None,
            "truncated": False,
            "error_kind": "server" if self.kind is None else "none",
            "finished_at": "2026-01-01T00:00:00+00:00",
            **episode_fields(trial_of(spec), Settings.of(spec.cell)),
        }

    def step_row(self) -> dict[str, Any]:
        trial = trial_of(self.spec())
        answer = LABELS[trial.kinds.index(self.kind)] if self.kind in trial.kinds else None  # type: ignore[arg-type]
        return {
            **dict.fromkeys(FLIPSET_STEPS.names),
            **self.identity(),
            "ask": 1,
            "step": 1,
            "role": "subject",
            "superseded": False,
            "error_kind": "server" if self.kind is None else "none",
            "answer": answer,
            "chosen_kind": self.kind,
            "asked_for": "answer",
            "bet": self.bet,
            "skipped": self.kind == "skipped" if ("channel", "opt_out") in self.axes else None,
            "predicted_percent": self.predicted_percent,
            "card_px": 27_000,
            "monkey_px": self.monkey_px,
            "screen_px": 9_000 if self.condition == "L1" else 0,
            "text_height_px": 40.0,
        }


def varied_answers() -> list[Answered]:
    """Something for every view: models, conditions, axes, a failure, and an impossibility."""
    kinds = ("correct", "egocentric", "fail")
    answers = [
        Answered(kinds[(seed + place) % 3], condition, f"lab/{model}", seed)
        for seed in range(4)
        for place, condition in enumerate(("L2", "ToM", "MR", "L1"))
        for model in "abc"
    ]
    answers += [
        Answered("correct", scene_seed=seed, axes=(("prompting", "cot"),)) for seed in (0, 1)
    ]
    answers += [
        Answered(kind, scene_seed=seed, axes=(("channel", channel),), bet=bet)
        for channel, said in (
            ("wager", (("correct", 9), ("egocentric", 2))),
            ("opt_out", (("correct", None), ("skipped", None))),
        )
        for seed, (kind, bet) in enumerate(said)
    ]
    return [*answers, Answered(None, scene_seed=9), Answered("correct", run=1, monkey_px=0)]


def write_flipset_run(directory: Path, episodes: Sequence[Answered]) -> str:
    """Write the shards of a run."""
    for kind, schema, rows in (
        ("steps", FLIPSET_STEPS, [episode.step_row() for episode in episodes]),
        ("episodes", FLIPSET_EPISODES, [episode.episode_row() for episode in episodes]),
    ):
        path = directory / kind / "family=flipset" / "part-000000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return str(directory)
