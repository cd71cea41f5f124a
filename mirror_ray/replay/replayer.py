"""The replayer control plays recorded replies again, blind, in the same and in other scenes.

An agent that looks should do better in a new scene than a replay of its own recorded moves. If a
blind replay scores as well, the benchmark's fixed scenes have been learned, not seen."""

from collections import defaultdict, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from mirror_ray.contract.family import Family, advance
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Image, Play, Reply, Request, View
from mirror_ray.engine.episode_rows import codec_of, row_schemas
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked, DrawnPicture, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.reader import StoredRow, entries_of, sealed_batches
from mirror_ray.sweep.recorded import recorded_episodes

Arrangement: TypeAlias = Literal["same", "moved", "other"]
ARRANGEMENTS: tuple[Arrangement, ...] = get_args(Arrangement)
"""The same scene; from another start, reached by another recording's first moves; or another
scene."""

REPLAYER_PREFIX = "replayer"
_OTHER_SCENE = 1_000_003
"""Added to a scene's seed."""
_MOVES_BEFORE = 3


def is_embodied(family: Family) -> bool:
    """Return whether a family's agents act step by step on what they see."""
    return family.draws and "max_steps" in family.axes


async def record_replays(directory: str, out: str) -> int:
    """Replay every episode of a run that ended well, into a new run directory.

    Returns:
        How many episodes were replayed, each in every arrangement.

    Raises:
        RunDirError: a directory cannot be used.
    """
    manifest = read_manifest(directory)
    specs = recorded_episodes(directory, manifest)
    sweep = {
        **manifest["sweep"],
        "name": f"{manifest['sweep']['name']}-{REPLAYER_PREFIX}",
        "out": out,
    }
    n_replayed = 0
    with RunDir(out, sweep) as run_dir:
        run_dir.describe("", {"replayed": directory, "models": {}})
        recorder = Recorder(out, row_schemas())
        try:
            async for finished in replays(directory, specs, sweep["name"]):
                await recorder.finish(codec_of(finished.family).write(finished))
                n_replayed += 1
        finally:
            await recorder.close()
    return n_replayed // len(ARRANGEMENTS)


async def replays(
    directory: str, specs: Mapping[str, EpisodeSpec], sweep: str
) -> AsyncIterator[FinishedEpisode]:
    """Replay the episodes of a run directory that ended well, each in every arrangement."""
    last: dict[str, list[Entry]] = {}
    for batch in sealed_batches(directory, specs, schemas=row_schemas()):
        family = FAMILIES[batch.family]
        if not is_embodied(family):
            continue
        for row, steps in batch.each():
            if row["error_kind"] != "none":
                continue
            recorded = _replies_by_role(family, steps)
            cell_id = row["cell_id"]
            for arrangement in ARRANGEMENTS:
                before = last.get(cell_id, []) if arrangement == "moved" else []
                spec = _arranged(specs[row["episode_id"]], arrangement)
                yield await replayed(family, spec, recorded, sweep=sweep, before=before)
            # The last reply may end an episode.
            last[cell_id] = recorded[spec.cell.models[0][0]][:-1][:_MOVES_BEFORE]


async def replayed(
    family: Family,
    spec: EpisodeSpec,
    recorded: Mapping[str, Sequence[Entry]],
    *,
    sweep: str,
    before: Sequence[Entry] = (),
) -> FinishedEpisode:
    """Play an episode by recorded replies alone; the last one is repeated as often as needed.

    Args:
        recorded: role → the replies of its model, in order.
        before: replies that the first role gives before the recorded ones.
    """
    first = spec.cell.models[0][0]
    left = {
        role: deque(one.reply for one in (*(before if role == first else ()), *entries))
        for role, entries in recorded.items()
    }
    asks: list[Ask] = []

    def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
        # A request does not name its role, and one model may have several roles.
        with closing(family.play(spec, rng)) as playing:
            reached = advance(playing)
            while isinstance(reached, Ask):
                asks.append(reached)
                reached = advance(playing, (yield reached))
            return reached

    async def ask(request: Request, asked: Asked) -> Entry:
        replies = left[asks[-1].role]
        said = replies.popleft() if len(replies) > 1 else replies[0]
        return asked.answered(request, _free(said))

    async def draw(view: View) -> DrawnPicture:
        image = Image(b"", view.encoding, view.width_px, view.height_px, "0" * 64)
        return DrawnPicture(image, dict.fromkeys(family.fact_columns))

    noted = replace(family, play=play)
    return await rollout(noted, spec, sweep=sweep, prefix=(), draw=draw, ask=ask)


def _replies_by_role(family: Family, steps: Sequence[StoredRow]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for step, entry in zip(steps, entries_of(steps, family.fact_columns), strict=True):
        found[step["role"]].append(entry)
    return found


def _arranged(spec: EpisodeSpec, arrangement: Arrangement) -> EpisodeSpec:
    models = tuple(
        (role, f"{REPLAYER_PREFIX}/{arrangement}/{name}") for role, name in spec.cell.models
    )
    seed = spec.scene_seed + (_OTHER_SCENE if arrangement == "other" else 0)
    return replace(spec, cell=replace(spec.cell, models=models), scene_seed=seed)


def _free(said: Reply) -> Reply:
    return replace(
        said, cost_usd=0.0, tokens_in=None, tokens_out=None, latency_s=0.0, failed_attempts=()
    )
