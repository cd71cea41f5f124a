"""Make synthetic runs of selfid of any size, with the real schema and shard size.

Nothing is played. Steps, statements and evidence are random but consistent, so that no invariant is
violated. Texts repeat within a shard, because only views that never read them are timed.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mirror_ray.contract.columns import columns_of
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from sim_assets.colors import COLOR_NAMES

EPISODES_PER_SHARD = 500
CONDITIONS = ("E1", "E2", "E3", "E4", "E5")
MODELS = tuple(f"maker/model-{index}" for index in range(8))
SETTINGS: tuple[tuple[float, str, int], ...] = (
    (0.2, "paper", 1), (0.0, "paper", 1), (0.7, "paper", 1), (1.0, "paper", 1),
    (0.2, "paper+history=0", 0), (0.2, "paper+history=5", 5),
)  # fmt: skip
"""Temperature, variant label, and the label's history."""
CELLS = [(c, m, s) for c in CONDITIONS for m in MODELS for s in range(len(SETTINGS))]
MEAN_STEPS = 12

Ints = NDArray[np.int64]

_SHARE_OPEN = 0.1
_TEXTS = 200


def write_run(directory: Path, n_steps: int, first: int = 0) -> int:
    """Write shards of about `n_steps` steps; return their number.

    Args:
        first: the first episode's number; choose a distant one for another run.
    """
    schemas = (
        with_family_columns(STEPS, columns_of("selfid").steps),
        with_family_columns(EPISODES, columns_of("selfid").episodes),
    )
    written = 0
    while written < n_steps:
        steps, episodes = _batch(first, EPISODES_PER_SHARD)
        part = first // EPISODES_PER_SHARD + 1
        for kind, columns, schema in zip(
            ("steps", "episodes"), (steps, episodes), schemas, strict=True
        ):
            path = directory / kind / "family=selfid" / f"part-{part:06d}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(_table(columns, schema), path, compression="zstd")
        written += len(steps["step"])
        first += EPISODES_PER_SHARD
    return written


def _batch(first: int, count: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return columns of steps and of episodes; cells take turns, so that all share scenes."""
    rng = np.random.default_rng(first)
    index = np.arange(first, first + count)
    cell, scene = index % len(CELLS), index // len(CELLS)
    condition = np.array([CONDITIONS.index(CELLS[i][0]) for i in cell])
    settings = [SETTINGS[CELLS[i][2]] for i in cell]
    length = rng.integers(MEAN_STEPS - 6, MEAN_STEPS + 7, count)
    owner = np.repeat(np.arange(count), length)
    step = np.arange(len(owner)) - np.repeat(np.cumsum(length) - length, length) + 1
    is_last = step == length[owner]

    colors = np.array([rng.permutation(len(COLOR_NAMES))[:3] for _ in range(count)])
    is_done = rng.random(count) > _SHARE_OPEN
    has_cubes, n_others = condition != 4, np.where(condition >= 3, rng.integers(1, 7, count), 0)
    identity = {
        "sweep": _repeated("benchmark", count),
        "family": _repeated("selfid", count),
        "condition": _named(CONDITIONS, condition),
        "model": _named(MODELS, np.array([MODELS.index(CELLS[i][1]) for i in cell])),
        "cell_id": _named([f"{i:016x}" for i in range(len(CELLS))], cell),
        "episode_id": _named([f"{i * 0x9E3779B97F4A7C15 % 2**64:016x}" for i in index.tolist()]),
        "scene_seed": scene,
        "run": np.zeros(count, np.int32),
        "temperature": np.array([heat for heat, _, _ in settings]),
        "variant": pa.array([label for _, label, _ in settings]),
        "take": np.ones(count, np.int32),
    }
    # Evidence comes in one stretch; statements are unknown at first, then constant.
    seen_from, seen_for = rng.integers(1, 15, count), rng.integers(1, 6, count)
    in_view = (step >= seen_from[owner]) & (step < (seen_from + seen_for)[owner])
    own_px = np.where(in_view & (condition != 1)[owner], rng.integers(1, 9_000, len(owner)), 0)
    spoken_from, said = rng.integers(1, 12, count), colors[:, 0][owner]
    said = np.where(rng.random(len(owner)) < 0.3, colors[:, 1][owner], said)
    said = np.where(step < spoken_from[owner], len(COLOR_NAMES), said)
    ends = is_last & is_done[owner]
    chosen = np.where(ends & has_cubes[owner], said, len(COLOR_NAMES))
    others = n_others[owner]
    steps = {
        **{name: _taken(column, owner) for name, column in identity.items()},
        "ask": step,
        "step": step,
        "role": _repeated("subject", len(owner)),
        "superseded": np.zeros(len(owner), bool),
        "error_kind": _repeated("none", len(owner)),
        "parse_status": _repeated("strict", len(owner)),
        "user": _texts(rng, len(owner)),
        "reply": _texts(rng, len(owner)),
        "thought": _texts(rng, len(owner)),
        "tokens_in": rng.integers(800, 1_200, len(owner)),
        "tokens_out": rng.integers(60, 200, len(owner)),
        "cost_usd": rng.random(len(owner)) * 0.01,
        "latency_s": rng.random(len(owner)) * 4,
        "action": _named(
            ("w", "a", "d", "done"), np.where(ends, 3, rng.integers(3, size=len(owner)))
        ),
        "identification": _named((*COLOR_NAMES, "unknown"), said),
        "selected_cube": _named((*COLOR_NAMES, "none"), chosen),
        "x_m": rng.uniform(-2.5, 2.5, len(owner)),
        "y_m": rng.uniform(-2.5, 2.5, len(owner)),
        "yaw_deg": 30.0 * rng.integers(12, size=len(owner)),
        "mirror_px": own_px * 3,
        "ego_reflection_px": own_px,
        "other_reflection_px": _lists(rng, others),
        "other_px": _lists(rng, others),
        "cube_px": _lists(rng, np.where(has_cubes[owner], 3, 0)),
        "ego_direct_px": np.zeros(len(owner), np.int32),
    }
    cubes = np.where(has_cubes, 3, 0)
    flat = colors[has_cubes].ravel()
    episodes = {
        **identity,
        "n_steps": length,
        "n_asks": length,
        "terminated": is_done,
        "truncated": ~is_done,
        "error_kind": _repeated("none", count),
        "cost_usd": rng.random(count) * 0.1,
        "finished_at": _repeated("2026-01-01T00:00:00+00:00", count),
        "ego_color": _named(COLOR_NAMES, colors[:, 0]),
        "cube_colors": _list_of(_named(COLOR_NAMES, flat), cubes),
        "cube_x_m": _list_of(pa.array(rng.uniform(-2, 2, len(flat))), cubes),
        "cube_y_m": _list_of(pa.array(rng.uniform(-2, 2, len(flat))), cubes),
        "wrong_color": pa.array(
            [
                COLOR_NAMES[c] if lied else None
                for c, lied in zip(colors[:, 1], condition == 2, strict=True)
            ]
        ),
        "n_others": n_others,
        "other_colors": _list_of(
            _named(COLOR_NAMES, rng.integers(len(COLOR_NAMES), size=n_others.sum())), n_others
        ),
        "mirror_present": condition != 1,
        "image_width_px": np.full(count, 640),
        "image_height_px": np.full(count, 480),
        "fov_deg": np.full(count, 110.0),
        "history": np.array([history for _, _, history in settings]),
        "encoding": _repeated("png", count),
        "max_steps": np.full(count, 100),
    }
    return steps, episodes


def _table(columns: dict[str, Any], schema: pa.Schema) -> pa.Table:
    """Return the columns in the schema's order and types; missing ones are NULL."""
    count = len(columns["family"])
    return pa.table(
        [
            pa.array(columns[field.name]).cast(field.type)
            if field.name in columns
            else pa.nulls(count, field.type)
            for field in schema
        ],
        schema=schema,
    )


def _repeated(text: str, count: int) -> pa.Array:
    return _named((text,), np.zeros(count, np.int64))


def _named(names: Sequence[str], which: Ints | None = None) -> pa.Array:
    """Return the name for each index; without indices each name once."""
    return pa.array(names) if which is None else pa.array(names).take(pa.array(which))


def _taken(column: Any, rows: Ints) -> Any:
    return column.take(pa.array(rows)) if isinstance(column, pa.Array) else column[rows]


def _texts(rng: np.random.Generator, count: int) -> pa.Array:
    texts = [rng.bytes(200).hex() for _ in range(_TEXTS)]
    return _named(texts, rng.integers(_TEXTS, size=count))


def _lists(rng: np.random.Generator, lengths: Ints) -> pa.Array:
    """Return lists of pixel counts, two thirds of them 0."""
    total = int(lengths.sum())
    pixels = rng.integers(1, 20_000, total) * (rng.random(total) < 1 / 3)
    return _list_of(pa.array(pixels), lengths)


def _list_of(values: pa.Array, lengths: Ints) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(np.append(0, np.cumsum(lengths)), pa.int32()), values)
