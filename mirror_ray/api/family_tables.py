"""Check that a family's own agents, played into a temporary run directory, yield numbers."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.analysis.summary import violations
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.api.family_contract import Check, episodes_of
from mirror_ray.contract.family import Family
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Reply, Request, View
from mirror_ray.engine.rollout import Asked, DrawnPicture, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer


def tables_of(family: Family) -> Iterator[Check]:
    """Play the two agents of `sampled_by`, and check what the views return.

    Raises:
        RenderError: the family renders, and OpenGL is missing or unusable.
    """
    with TemporaryDirectory() as folder:
        finished, left_out = [], list[str]()
        for agent in family.sampled_by:
            if agent not in AGENTS:
                yield Check("agents", f"sampled_by names an unknown agent, {agent!r}", holds=False)
                return
            specs, left_out = episodes_of(family, f"scripted/{agent}", with_axes=False)
            finished += asyncio.run(_played(family, specs))
        failed = [one.episode["error"] for one in finished if one.episode["error_kind"] != "none"]
        if failed:
            said = (
                f"{len(failed)} of {len(finished)} episodes ended with an error, first {failed[0]}"
            )
            yield Check("agents", said, holds=False)
            return
        yield Check("agents", f"{' and '.join(family.sampled_by)} play all episodes", holds=True)
        steps, episodes = family.schemas
        of_steps = [{"take": 1, **step} for one in finished for step in one.steps]
        _shard(Path(folder, "steps"), family.name, steps, of_steps)
        of_episodes = [{"take": 1, **one.episode} for one in finished]
        _shard(Path(folder, "episodes"), family.name, episodes, of_episodes)
        with open_run(folder, hold=True) as connection:
            yield from _arrived(family, connection, is_whole=not left_out)


def _arrived(
    family: Family, connection: duckdb.DuckDBPyConnection, *, is_whole: bool
) -> Iterator[Check]:
    name, metrics = family.name, METRICS[family.name]
    try:
        columns = set(connection.sql(f"from episode.{name}").columns)
        rows = connection.execute(
            f"select model, metric, avg(estimate) from metric.{name} "  # noqa: S608 - checked names
            "where estimate is not null group by all"
        ).fetchall()
        broken = violations(connection)
    except duckdb.Error as error:
        yield Check("tables", str(error), holds=False)
        return
    if absent := [one.name for one in metrics.scores if one.name not in columns]:
        yield Check("tables", f"episode.{name} lacks {', '.join(absent)}", holds=False)
    found = {metric for _, metric, _ in rows}
    if stray := found - {one.name for one in metrics.metrics}:
        yield Check("tables", f"not in the catalogue: {', '.join(sorted(stray))}", holds=False)
    if absent := [one.name for one in metrics.metrics if one.name not in found]:
        yield Check("tables", f"no value in any episode: {', '.join(absent)}", None)
    if broken:
        yield Check("tables", f"violations, first {broken[0]}", holds=False)
    able, unable = (
        next((value for model, metric, value in rows if (model, metric) == wanted), None)
        for wanted in ((f"scripted/{agent}", metrics.leading) for agent in family.sampled_by)
    )
    said = f"{metrics.leading} of {' and '.join(family.sampled_by)}: {able}, {unable}"
    differ = able is not None and able != unable
    yield Check("tables", said, differ or (False if is_whole else None))


async def _played(family: Family, specs: Sequence[EpisodeSpec]) -> list[FinishedEpisode]:
    renderer = Renderer() if family.draws else None

    async def draw(view: View) -> DrawnPicture:
        assert renderer is not None  # noqa: S101 - families without pictures have no views
        frame = renderer.draw(view)
        return DrawnPicture(encode(frame.rgb, view.encoding), frame.facts)

    try:
        return [
            await rollout(family, spec, sweep="check", prefix=(), draw=draw, ask=_answered)
            for spec in specs
        ]
    finally:
        if renderer is not None:
            renderer.close()


async def _answered(request: Request, asked: Asked) -> Entry:
    agent = request.model.removeprefix("scripted/")
    images = [image.data for image in request.images]
    prompt = prompt_for(agent, request.system, request.user, images, request.truth)
    try:
        reply = Reply(AGENTS[agent](prompt), finish_reason="stop", cost_usd=0.0)
    except UnfamiliarPromptError as error:
        reply = Reply("", error_kind="bad_request", error=str(error), cost_usd=0.0)
    return asked.answered(request, reply)


def _shard(folder: Path, family: str, schema: pa.Schema, rows: list[dict[str, Any]]) -> None:
    path = folder / f"family={family}" / "part-000000.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
