"""Which branches follow from ended episodes, and how a branch begins where its parent stood."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from json import dumps
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.listing import Shape
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Observation, Outcome, Reply, Turn
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.play import max_asks, play
from mirror_ray.families.selfid.scenes import sample_scene, sample_wrong_color
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

SpecOf = Callable[..., EpisodeSpec]
SHAPE = Shape(seeds=(0, 1), runs=1, models=("scripted/observer",), options={}, where="x: stages.1")


class Ended:
    """Ended episodes as `Earlier` tells them, in the records' real columns."""

    def __init__(self, *played: tuple[EpisodeSpec, Outcome]) -> None:
        self._database = duckdb.connect()
        episodes, steps = [], []
        for spec, outcome in played:
            identity = {
                "episode_id": spec.episode_id,
                "cell_id": spec.cell.cell_id,
                "scene_seed": spec.scene_seed,
                "run": spec.run,
            }
            episodes.append({**identity, "error_kind": outcome.error_kind, **outcome.fields})
            steps += [{**identity, "step": n, **row} for n, row in enumerate(outcome.steps, 1)]
        for name, rows, common, own in (
            ("episodes", episodes, EPISODES, columns_of("selfid").episodes),
            ("steps", steps, STEPS, columns_of("selfid").steps),
        ):
            nullable = [field.with_nullable(True) for field in with_family_columns(common, own)]
            table = pa.Table.from_pylist(rows, schema=pa.schema(nullable))
            self._database.register(name, table)

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        cursor = self._database.execute(sql, parameters)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def unfinished(self, model: str) -> int:
        return 0


def says(action: str, identification: str = "unknown", cube: str = "none") -> Reply:
    found = {
        "view-description": "v",
        "reasoning": f"so {action}",
        "action": action,
        "summary": f"after {action}",
        "selected_cube": cube,
        "identification": identification,
    }
    return Reply(text=dumps(found), finish_reason="stop")


def run(
    spec: EpisodeSpec, replies: Sequence[Reply], evidence_px: Sequence[int] = ()
) -> tuple[list[Ask], Outcome]:
    """Plays an episode by these replies, with so much of the own reflection in each frame."""
    pixels = [*evidence_px, *[0] * len(replies)]
    playing = play(spec, spec.rng())
    asks = [next(playing)]
    try:
        for reply, px in zip(replies, pixels, strict=False):
            facts: Facts = {"ego_reflection_px": px}
            asks.append(playing.send(Turn(Observation((), "f", facts), reply)))
    except StopIteration as end:
        return asks, end.value
    raise AssertionError("the replies do not last")


def branches(condition: str, spec_of: SpecOf, ended: Ended, **axes: int) -> list[EpisodeSpec]:
    cell = spec_of(condition, **axes).cell
    return list(FAMILY.listings[condition].episodes(cell, SHAPE, ended))


WALK = [says("a"), says("w"), says("w"), says("d"), says("done")]


def test_a_branch_goes_on_where_its_parent_stood(spec_of: SpecOf) -> None:
    parent = spec_of("E1")
    asks, outcome = run(parent, WALK, [0, 49, 50])
    (branch,) = branches("E1-lied", spec_of, Ended((parent, outcome)))
    assert (branch.given["parent_id"], len(branch.given["steps"])) == (parent.episode_id, 3)
    own_asks, own = run(branch, [says("d"), says("done")])
    # The fourth step is the first that is asked: the same words, the same view, another system.
    assert [ask.step for ask in own_asks] == [4, 5]
    assert own_asks[0].user == asks[3].user
    assert own_asks[0].views == asks[3].views
    lie = sample_wrong_color(branch)
    assert own_asks[0].system.startswith(f"You are a {lie} robot.")
    assert not asks[3].system.startswith(f"You are a {lie} robot.")
    assert (own.fields["parent_id"], own.fields["branch_step"]) == (parent.episode_id, 3)
    assert len(own.steps) == 2
    assert max_asks(branch) == max_asks(parent) - 2 * 3


@pytest.mark.parametrize(
    ("condition", "reflector"), [("E1-removed", "panel"), ("E1-covered", "cover")]
)
def test_the_mirror_goes_and_all_else_stays(
    condition: str, reflector: str, spec_of: SpecOf
) -> None:
    parent = spec_of("E1")
    asks, outcome = run(parent, WALK, [0, 0, 500])
    (branch,) = branches(condition, spec_of, Ended((parent, outcome)))
    own_asks, own = run(branch, [says("done")])
    scene = replace(sample_scene(parent), reflector=reflector)
    (view,), (before,) = own_asks[0].views, asks[3].views
    assert view == replace(before, scene=scene)
    assert (own_asks[0].system, own_asks[0].user) == (asks[3].system, asks[3].user)
    assert own.fields["mirror_present"] is False


def test_a_blocked_last_step_is_told(spec_of: SpecOf) -> None:
    parent = spec_of("E1")
    # Thirteen steps backward end at a wall here.
    asks, outcome = run(parent, [says("s")] * 13 + [says("done")])
    assert outcome.steps[12]["blocked_by"] == "wall"
    (branch,) = branches("E1-removed", spec_of, Ended((parent, outcome)), branch_at=13)
    own_asks, _ = run(branch, [says("done")])
    assert own_asks[0].user == asks[13].user
    assert "Warning" in own_asks[0].user


def test_an_unreadable_step_is_gone_through_as_it_was(spec_of: SpecOf) -> None:
    parent = spec_of("E1")
    nonsense = Reply(text="no idea", finish_reason="stop")
    asks, outcome = run(parent, [nonsense, nonsense, says("w"), says("done")])
    rows = [row for row in outcome.steps if not row["superseded"]]
    told = replace(outcome, steps=tuple(rows))
    (branch,) = branches("E1-removed", spec_of, Ended((parent, told)), branch_at=1)
    own_asks, _ = run(branch, [says("done")])
    assert own_asks[0].user == asks[2].user


@pytest.mark.parametrize(
    ("evidence", "at", "expected"),
    [
        ([0, 0, 0, 0, 0], 0, None),  # nothing to branch at
        ([0, 60, 0, 0, 0], 0, 2),
        ([0, 0, 0, 0, 60], 0, None),  # at done it is over
        ([0, 60, 0, 0, 0], 4, 4),
        ([0, 60, 0, 0, 0], 5, None),
        ([0, 60, 0, 0, 0], 90, None),
    ],
)
def test_where_a_branch_begins(
    evidence: list[int], at: int, expected: int | None, spec_of: SpecOf
) -> None:
    parent = spec_of("E1")
    _, outcome = run(parent, WALK, evidence)
    found = branches("E1-covered", spec_of, Ended((parent, outcome)), branch_at=at)
    assert [len(one.given["steps"]) for one in found] == ([] if expected is None else [expected])


def test_a_branch_depends_on_its_own_parent_alone(spec_of: SpecOf) -> None:
    played = [(spec, run(spec, WALK, [60])[1]) for spec in (spec_of("E1", 0), spec_of("E1", 1))]
    one = branches("E1-lied", spec_of, Ended(played[0]))
    both = branches("E1-lied", spec_of, Ended(*played))
    assert [spec.episode_id for spec in one] == [both[0].episode_id]
    assert [(spec.scene_seed, spec.run) for spec in both] == [(0, 0), (1, 0)]
    # What an episode is given is part of what it is.
    ways = {replace(one[0], given={}).episode_id, one[0].episode_id}
    assert len(ways) == 2


def test_failed_and_foreign_parents_have_no_branches(spec_of: SpecOf) -> None:
    down = Reply(text="", error_kind="server", error="503")
    failed = spec_of("E1")
    foreign = [spec_of("E1", 1, temperature=0.7), spec_of("E3", 1), spec_of("E1", 7)]
    played = [(spec, run(spec, WALK, [60])[1]) for spec in foreign]
    ended = Ended((failed, run(failed, [says("a"), down], [60])[1]), *played)
    assert branches("E1-removed", spec_of, ended) == []


def test_what_is_presumed_can_be_played(spec_of: SpecOf) -> None:
    listing = FAMILY.listings["E1-lied"]
    assert listing.presumed is not None
    found = list(listing.presumed(spec_of("E1-lied").cell, SHAPE, []))
    assert [(spec.scene_seed, spec.run) for spec in found] == [(0, 0), (1, 0)]
    asks, _ = run(found[0], [says("done")])
    assert asks[0].step == len(found[0].given["steps"]) + 1
