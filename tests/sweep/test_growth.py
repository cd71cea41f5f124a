"""A run directory takes a plan that contains its own, or a part of it, and buys the rest once."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Request
from mirror_ray.engine.driver.earlier_runs import load_resume_state
from mirror_ray.engine.episode_rows import codec_of, row_schemas
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.engine.rollout import Asked, rollout
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.growth import Joining, growth_there
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.recorded import recorded_episodes
from support.recorded_run import draw_nothing
from support.selfid_by_hand import says

STAGE: dict[str, Any] = {
    "family": "selfid",
    "conditions": ["E1"],
    "seeds": 2,
    "temperature": [0.2],
    "max_steps": 3,
}


def plan(
    tmp_path: Path, models: Sequence[str] = ("blind",), stages: Any = None, **keys: Any
) -> Plan:
    sweep = {
        "name": "grows",
        "models": [f"scripted/{name}" for name in models],
        "stages": stages or [STAGE],
        "out": str(tmp_path / "run"),
        **keys,
    }
    path = tmp_path / "sweep.yaml"
    path.write_text(yaml.safe_dump(sweep))
    return load_plan(str(path))


class KilledError(Exception):
    pass


def bought(of: Plan, *, most: int | None = None) -> list[str]:
    """Plays what the directory lacks of a plan; the ids of the episodes that asked anything."""
    return list(dict.fromkeys(episode_id for episode_id, _ in asks(of, most=most)))


def asks(of: Plan, *, most: int | None = None) -> list[tuple[str, int]]:
    """As `bought`: every ask that was paid for, by episode and number.

    Args:
        most: killed after so many asks, whose replies lie in the journal then.
    """
    joining = Joining(of)
    asked: list[tuple[str, int]] = []

    async def play(left: Sequence[Any]) -> None:
        recorder = Recorder(of.sweep.out, row_schemas(), SealBounds(episodes=100))
        prefixes = await recorder.prefixes([spec.episode_id for spec in left])

        async def ask(request: Request, at: Asked) -> Entry:
            if len(asked) == most:
                raise KilledError
            entry = at.answered(request, says("w"))
            asked.append((entry.episode_id, entry.ask_index))
            return await recorder.record(entry)

        try:
            for spec in left:
                family, prefix = FAMILIES[spec.cell.family], prefixes.get(spec.episode_id, ())
                ended = await rollout(
                    family, spec, sweep=of.sweep.name, prefix=prefix, draw=draw_nothing, ask=ask
                )
                await recorder.finish(codec_of(family.name).write(ended))
            await recorder.seal()
        except KilledError:
            pass
        await recorder.close()

    with RunDir(of.sweep.out, of.sweep.resolved, joining) as run_dir:
        left = asyncio.run(load_resume_state(joining.plan)).left
        about = {KEY: protocols_of_cells(joining.plan.cells), **joining.about}
        run_dir.describe("by hand", about)
        asyncio.run(play(left))
    return list(dict.fromkeys(asked))


def ids(of: Plan) -> list[str]:
    return [spec.episode_id for spec in of.episodes]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"models": ("blind", "mute")}, "2 of scripted/mute"),
        ({"stages": [{**STAGE, "seeds": 3}]}, "1 in further scenes or runs"),
        ({"stages": [{**STAGE, "runs": 2}]}, "2 in further scenes or runs"),
        ({"stages": [{**STAGE, "temperature": [0.7, 0.2]}]}, "2 at temperature 0.7"),
        ({"stages": [{**STAGE, "conditions": ["E2", "E1"]}]}, "2 in selfid E2"),
        ({"stages": [STAGE, {**STAGE, "max_steps": 4}]}, "2 as paper+max_steps=4"),
        (
            {"stages": [{"family": "mirrorqa", "conditions": ["sim"], "seeds": 1}, STAGE]},
            "1 of mirrorqa",
        ),
        # The same episodes, otherwise written.
        ({"stages": [{**STAGE, "seeds": [1]}, {**STAGE, "seeds": [0]}]}, None),
    ],
)
def test_only_what_is_new_is_bought(tmp_path: Path, more: Any, words: str | None) -> None:
    small = plan(tmp_path)
    assert bought(small) == ids(small)
    large = plan(tmp_path, **more)
    growth = growth_there(large)
    assert growth is not None
    new = [one for one in ids(large) if one not in ids(small)]
    assert sorted(spec.episode_id for spec in growth.added) == sorted(new)
    assert [words in line for line in growth.words("x")] == ([True] if words else [])
    if not any(spec.cell.family == "mirrorqa" for spec in large.episodes):
        assert bought(large) == new
        assert growth_there(large) is None
        assert set(finished_episodes(large.sweep.out)) == set(ids(large))
        assert read_manifest(large.sweep.out)["sweep"] == large.sweep.resolved


def test_growth_that_is_interrupted_goes_on_and_nothing_is_bought_twice(tmp_path: Path) -> None:
    small = plan(tmp_path)
    # Killed within the second episode: the larger plan goes on from the replies in the journal.
    first = asks(small, most=4)
    large = plan(tmp_path, ("mute", "blind"), [{**STAGE, "seeds": 3}])
    second = asks(large, most=7)
    third = asks(large)
    everything = [*first, *second, *third]
    assert (len(first), len(second)) == (4, 7)
    assert len(set(everything)) == len(everything) == 3 * len(ids(large))
    assert {episode_id for episode_id, _ in everything} == set(ids(large))
    assert asks(large) == asks(plan(tmp_path)) == []


def test_a_part_of_the_plan_plays_only_that_and_leaves_the_rest_recorded(tmp_path: Path) -> None:
    whole = plan(tmp_path, ("blind", "mute"))
    asks(whole, most=3)
    part = plan(tmp_path, ("mute",), budget_usd=7.0)
    growth = growth_there(part)
    assert growth is not None
    assert "leaves 2 of its episodes aside (2 of scripted/blind)" in growth.words("x")[0]
    assert {cell.model for cell in growth.of(part).beside} == {"scripted/blind"}
    assert bought(part) == ids(part)
    manifest = read_manifest(part.sweep.out)
    assert manifest["sweep"] == {**whole.sweep.resolved, "budget_usd": 7.0}
    assert manifest["runs"][-1]["left_out"] == "2 of scripted/blind"
    assert list(recorded_episodes(part.sweep.out, manifest)) == ids(whole)
    assert len(bought(whole)) == 1


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"models": ("mute",)}, "2 of scripted/blind"),
        ({"stages": [{**STAGE, "max_steps": 4}]}, "2 as paper+max_steps=3"),
        ({"stages": [{**STAGE, "conditions": ["E2"]}]}, "2 in selfid E1"),
        ({"stages": [{**STAGE, "seeds": [1, 2]}]}, "1 in further scenes or runs"),
        ({"name": "another"}, "name ="),
    ],
)
def test_a_plan_that_contradicts_is_refused_and_nothing_changes(
    tmp_path: Path, other: Any, what: str
) -> None:
    bought(plan(tmp_path))
    before = (tmp_path / "run" / "manifest.json").read_bytes()
    with pytest.raises(RunDirError, match=r"(?s)another sweep.*put back") as caught:
        bought(plan(tmp_path, **other))
    assert what in str(caught.value)
    assert (tmp_path / "run" / "manifest.json").read_bytes() == before


def test_a_limit_takes_the_first_scenes_and_the_rest_comes_later(tmp_path: Path) -> None:
    stages = [{**STAGE, "conditions": ["E1", "E2"], "seeds": 3, "runs": 2}]
    few, whole = plan(tmp_path, stages=stages, limit=4), plan(tmp_path, stages=stages)
    scenes = {(spec.scene_seed, spec.run) for spec in few.episodes}
    assert scenes == {(0, 0), (1, 0), (2, 0), (0, 1)}
    assert ids(whole)[: len(ids(few))] == ids(few)
    bought(few)
    assert bought(plan(tmp_path, stages=stages)) == ids(whole)[len(ids(few)) :]
    assert bought(plan(tmp_path, stages=stages, limit=2)) == []


ATLAS = {"family": "metacog", "conditions": ["exp1"], "seeds": 2, "channel": ["natural"]}
AGENCY = {"family": "metacog", "conditions": ["exp9-C2"], "seeds": 1}


def test_what_follows_from_all_replies_is_not_grown_under_it(tmp_path: Path) -> None:
    bought(plan(tmp_path, ("calibrated",), [ATLAS, AGENCY]), most=1)
    with pytest.raises(RunDirError, match="more episodes for exp1 of metacog"):
        growth_there(plan(tmp_path, ("calibrated",), [{**ATLAS, "seeds": 3}, AGENCY]))
    # Another model has replies of its own.
    grown = growth_there(plan(tmp_path, ("calibrated", "overconfident"), [ATLAS, AGENCY]))
    assert grown is not None
    assert {spec.cell.condition for spec in grown.added} == {"exp1", "exp9-C2"}


def test_a_limited_plan_leaves_such_stages_to_the_whole_one(tmp_path: Path) -> None:
    small = plan(tmp_path, ("calibrated",), [ATLAS, AGENCY], limit=1)
    bought(small, most=0)
    grown = growth_there(plan(tmp_path, ("calibrated",), [ATLAS, AGENCY]))
    assert grown is not None
    assert {spec.cell.condition for spec in grown.added} == {"exp1", "exp9-C2"}


def test_models_that_a_pattern_comes_to_match_do_not_change_places(tmp_path: Path) -> None:
    bought(plan(tmp_path, ("mute",)), most=0)
    large = plan(tmp_path, ("blind", "mute"))
    assert large.sweep.resolved["models"] == ["scripted/mute", "scripted/blind"]


def test_an_edited_file_is_another_sweep_whatever_else_grows(tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.csv"
    seeds.write_text("prompt\nA cat.\nA dog.\n")
    stage = {"family": "textmirror", "conditions": ["story"], "seeds": 1, "seed_file": "seeds.csv"}
    bought(plan(tmp_path, ("terse",), [stage]), most=0)
    (tmp_path / "moved.csv").write_bytes(seeds.read_bytes())
    moved = {**stage, "seed_file": "moved.csv", "seeds": 2}
    grown = growth_there(plan(tmp_path, ("terse",), [moved]))
    assert grown is not None
    assert len(grown.added) == 1
    seeds.write_text("prompt\nA cat.\nA dog.\nA cow.\n")
    with pytest.raises(RunDirError, match="other content"):
        growth_there(plan(tmp_path, ("terse",), [{**stage, "seeds": 3}]))
