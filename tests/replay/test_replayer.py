"""A blind replay repeats its recording in the same scene, and does not know another one."""

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.replay.replayer import ARRANGEMENTS, is_embodied, replays
from support.agents_at_play import play_agents
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.whole import mostly_thorough

PLAYED = {
    "selfid": ("E1", ("observer", "blind")),
    "marktest": ("marked", ("mark-observer", "mark-blind")),
    "contingency": ("match", ("contingency-tester", "place-guesser")),
    "dyad": ("mirror", ("self-finder", "cube-guesser")),
}
_SEEN = frozenset(
    {"wall_s", "finished_at", "cost_usd", "cell_id", "episode_id", "model", "take", "partner"}
)


def specs_of(name: str) -> list[EpisodeSpec]:
    condition, agents = PLAYED[name]
    family = FAMILIES[name]
    roles = ("subject", "partner") if name == "dyad" else ("subject",)
    variant = next(iter(family.variants))
    return [
        EpisodeSpec(
            Cell(name, condition, tuple((one, f"scripted/{agent}") for one in roles), 0.0, variant),
            seed,
            0,
        )
        for agent in agents
        for seed in range(3)
    ]


def all_replays(out: Path, specs: list[EpisodeSpec]) -> list[FinishedEpisode]:
    async def gathered() -> list[FinishedEpisode]:
        known = {spec.episode_id: spec for spec in specs}
        return [one async for one in replays(str(out), known, "s")]

    return asyncio.run(gathered())


def test_all_walking_and_reaching_families_are_replayed():
    assert {name for name in FAMILIES if is_embodied(FAMILIES[name])} == set(PLAYED)


@pytest.mark.parametrize("name", mostly_thorough(2, PLAYED))
def test_a_replay_in_the_same_scene_is_the_recording(name, tmp_path):
    specs = specs_of(name)
    play_agents(FAMILIES[name], specs, tmp_path)
    found = all_replays(tmp_path, specs)
    assert len(found) == len(specs) * len(ARRANGEMENTS)
    with open_run(str(tmp_path)) as run:
        rows = run.sql(f"from shard.{name}_episodes").fetchall()
        columns = [column[0] for column in run.sql(f"from shard.{name}_episodes").description]
    recorded = [dict(zip(columns, row, strict=True)) for row in rows]
    by_scene: dict[Any, dict[str, Any]] = {(r["model"], r["scene_seed"]): r for r in recorded}
    ended, changed = defaultdict(list), 0
    for one in found:
        _, arrangement, model = one.episode["model"].split("/", 2)
        assert one.episode["error_kind"] == "none", one.episode["error"]
        ended[arrangement].append(one)
        if arrangement == "same":
            of = by_scene[model, one.episode["scene_seed"]]
            names = one.episode.keys() - _SEEN
            assert {k: one.episode[k] for k in names} == {k: of[k] for k in names}
        if arrangement == "moved":
            of = by_scene[model, one.episode["scene_seed"]]
            changed += one.episode["n_asks"] != of["n_asks"]
    assert [len(ended[one]) for one in ARRANGEMENTS] == [len(specs)] * len(ARRANGEMENTS)
    seeds = {one.episode["scene_seed"] for one in ended["other"]}
    assert seeds.isdisjoint(spec.scene_seed for spec in specs)
    # The first recording has no other before it; the others begin from another place.
    assert changed


def test_the_best_of_k_replays_reaches_pass_at_k(tmp_path, capsys):
    """Three recordings of each scene; in the same scene a replay scores as its recording did."""
    out = tmp_path / "out"
    plan = plan_for(out, runs=2, temperature=[0.1, 0.5, 0.9])
    right = iter("abc" * 100)

    def answers(request: Any) -> Any:
        color = ("red", "green", "blue")[ord(next(right)) % 3]
        return says("done", color, selected_cube=color)

    record_run(plan, answers)
    capsys.readouterr()
    assert main(["replayer", str(out)]) == 0
    shown = capsys.readouterr().out
    with open_run([str(out), f"{out}-replayer"]) as run:
        best = """
        select starts_with(model, 'replayer/same/') as is_replay, scene_seed, run, max(tsa) as best
        from episode.selfid where not regexp_matches(model, 'replayer/(moved|other)')
        group by all order by all
        """
        rows = run.execute(best).fetchall()
        reached = run.execute(
            "select distinct arrangement, reached from contrast.replayer"
            " where metric = 'tsa' and arrangement = 'same' and estimate > 0"
        ).fetchall()
    half = len(rows) // 2
    assert [row[1:] for row in rows[:half]] == [row[1:] for row in rows[half:]]
    assert any(row[3] for row in rows)
    assert reached == [("same", 1.0)]
    assert all(f"E1 · temperature {one}, paper" in shown for one in (0.1, 0.5, 0.9))


def test_an_existing_folder_is_refused(tmp_path, capsys):
    (tmp_path / "x-replayer").mkdir()
    assert main(["replayer", str(tmp_path / "x")]) == 2
    assert "a new folder" in capsys.readouterr().err
