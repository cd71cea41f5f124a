"""MirrorQA's run directories written by hand: questions, and what was chosen under each shift."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import content_hash
from mirror_ray.families.mirrorqa.item import FOUR, TWO, shifted
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from support.analysis.asked_rows import rows_of

MIRRORQA_STEPS = with_family_columns(STEPS, columns_of("mirrorqa").steps)
MIRRORQA_EPISODES = with_family_columns(EPISODES, columns_of("mirrorqa").episodes)


@dataclass(frozen=True)
class Asked:
    """One question.

    Args:
        says: what was chosen under shift 0, 1, …; None: unreadable.
        viewer: the answer in the viewer's frame; None: not known.
        marked: what the record says of every choice, in place of the truth.
        image, asks: file and words of a photograph's question.
        limb_right_px: where the limb is in the picture.
    """

    answer: str
    says: tuple[str | None, ...]
    condition: str = "sim"
    model: str = "lab/a"
    scene_seed: int = 0
    kind: str = "human"
    viewer: str | None = None
    error_kind: str = "none"
    temperature: float | None = 0.0
    variant: str = "paper"
    quirks: tuple[str, ...] = ()
    marked: bool | None = None
    image: str | None = None
    asks: str = "Which one?"
    limb_right_px: float | None = None
    run: int = 0
    label: str | None = None

    @property
    def options(self) -> tuple[str, ...]:
        return TWO if self.answer in TWO else FOUR

    def identity(self) -> dict[str, Any]:
        cell = (self.condition, self.model, self.temperature, self.variant)
        return {
            "sweep": "synthetic",
            "family": "mirrorqa",
            "condition": self.condition,
            "model": self.model,
            "cell_id": content_hash(*cell),
            "episode_id": content_hash(*cell, self.scene_seed, *([self.run] if self.run else [])),
            "scene_seed": self.scene_seed,
            "run": self.run,
            "temperature": self.temperature,
            "variant": self.variant,
            "take": 1,
        }

    def episode_row(self) -> dict[str, Any]:
        is_sim = self.condition != "data"
        shown = "direct" if self.condition == "sim" else "reflection"
        agrees = self.viewer == self.answer
        facing = "away" if agrees == (shown == "direct") else "toward"
        return {
            **dict.fromkeys(MIRRORQA_EPISODES.names),
            **self.identity(),
            "n_steps": len(self.says),
            "n_asks": len(self.says),
            "terminated": self.error_kind == "none",
            "truncated": False,
            "error_kind": self.error_kind,
            "finished_at": "2026-01-01T00:00:00+00:00",
            "item": self.image or f"picture{self.scene_seed}.jpg",
            "split": None if is_sim else "test",
            "quirks": list(self.quirks),
            "label": self.label,
            "kind": self.kind,
            "orientation": f"{'H' if self.kind == 'human' else 'A'}.{self.answer}",
            "question": self.asks,
            "n_options": len(self.options),
            "answer": self.answer,
            "part": "hand" if is_sim else None,
            "mark": "raised" if is_sim else None,
            "facing": facing if is_sim else None,
            "flank": "left" if is_sim else None,
            "shown": shown if is_sim else None,
            "n_subjects": 1 if is_sim else None,
            "viewer_answer": self.viewer,
            "shots": int(self.variant.partition("shots=")[2] or 0),
            "circular": len(self.says) > 1,
            "text_only": False,
            "image_width_px": 640,
            "image_height_px": 480,
            "encoding": "png",
        }

    def step_rows(self) -> list[dict[str, Any]]:
        return [self._step_row(shift, choice) for shift, choice in enumerate(self.says)]

    def _step_row(self, shift: int, choice: str | None) -> dict[str, Any]:
        options = shifted(self.options, shift)
        is_sim = self.condition != "data"
        return {
            **dict.fromkeys(MIRRORQA_STEPS.names),
            **self.identity(),
            "ask": shift + 1,
            "step": shift + 1,
            "role": "subject",
            "superseded": False,
            "error_kind": self.error_kind,
            "shift": shift,
            "options": list(options),
            "choice": choice,
            "choice_position": options.index(choice) + 1 if choice else None,
            "answer_position": options.index(self.answer) + 1,
            "correct": choice == self.answer if self.marked is None else self.marked,
            "azimuth_deg": 20.0 if is_sim else None,
            "limb_px": 300 if is_sim else None,
            "limb_hidden_px": 100 if is_sim else None,
            "subject_px": 9_000 if is_sim else None,
            "subject_height_px": 230 if is_sim else None,
            "limb_right_px": self.limb_right_px,
            "mirror_px": 100_000 if self.condition == "sim-reflected" else 0,
        }


def varied_questions() -> list[Asked]:
    """Something for every view: both sources, twins, shifts, a failure, and an impossibility."""
    questions = [
        Asked(answer, (said,), condition, f"lab/{model}", seed, viewer="right")
        for seed, (answer, said) in enumerate([("left", "left"), ("right", "left"), ("left", None)])
        for condition in ("sim", "sim-reflected")
        for model in "ab"
    ]
    questions += [
        Asked("left rear", ("left rear",) * 4, "data", scene_seed=7, kind="animal"),
        Asked("left", ("left",), "data", scene_seed=8, quirks=("hind read as rear",)),
        Asked("left", ("left",), scene_seed=9, error_kind="server"),
        # Wrong once, and yet marked right under every shift.
        Asked("left", ("right", "left"), scene_seed=10, variant="paper+shots=1", marked=True),
    ]
    return questions


def write_mirrorqa_run(directory: Path, questions: Sequence[Asked]) -> str:
    """Write the shards of a run."""
    for kind, schema, rows in (
        ("steps", MIRRORQA_STEPS, [row for asked in questions for row in asked.step_rows()]),
        ("episodes", MIRRORQA_EPISODES, [asked.episode_row() for asked in questions]),
    ):
        path = directory / kind / "family=mirrorqa" / "part-000000.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    return str(directory)


def mirrorqa_rows(directory: Path, questions: list[Asked], sql: str) -> list[dict[str, Any]]:
    """Record the questions, those without a scene in scenes of their own, and return the rows."""
    placed = [
        replace(asked, scene_seed=place) if asked.scene_seed == 0 else asked
        for place, asked in enumerate(questions)
    ]
    with open_run(write_mirrorqa_run(directory, placed)) as connection:
        return rows_of(connection, sql)
