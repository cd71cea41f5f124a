"""Staircases find the levels of 60 % right, and later stages are asked at them."""

from collections.abc import Mapping
from typing import Any, cast

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Observation, Outcome, Reply, Turn
from mirror_ray.families.metacog.agents.beliefs import MIDDLES, SLOPE
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.bank.words import LEVELS
from mirror_ray.families.metacog.family import FAMILY
from mirror_ray.families.metacog.items import item_of
from mirror_ray.families.metacog.levels.staircase import (
    TRIALS,
    Levels,
    curves_of,
    levels_for,
    next_level,
)
from mirror_ray.families.metacog.play import max_asks, play
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.sweep.load import load_plan

MODEL = "scripted/graded"


def cell_of(condition: str, **axes: str) -> Cell:
    return Cell(
        "metacog", condition, (("subject", MODEL),), 0.0, "paper", tuple(sorted(axes.items()))
    )


def played(spec: EpisodeSpec) -> Outcome:
    """The episode with the agent whose curves are planted."""
    playing = play(spec, spec.rng())
    ask = next(playing)
    while True:
        prompt = prompt_for("graded", ask.system, str(ask.user), [], ask.truth)
        try:
            ask = playing.send(Turn(Observation((), None, {}), Reply(AGENTS["graded"](prompt))))
        except StopIteration as end:
            return cast("Outcome", end.value)


class Rows:
    """`Earlier` over rows in any order."""

    def __init__(self, steps: list[dict[str, Any]], episodes: list[dict[str, Any]]) -> None:
        self._database = duckdb.connect()
        for name, rows, common, own in (
            ("steps", steps, STEPS, FAMILY.step_columns),
            ("episodes", episodes, EPISODES, FAMILY.episode_columns),
        ):
            whole = with_family_columns(common, own)
            loose = pa.schema([field.with_nullable(True) for field in whole])
            filled = [dict.fromkeys(loose.names) | row for row in rows]
            self._database.register(name, pa.Table.from_pylist(filled, schema=loose))

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        cursor = self._database.execute(sql, parameters or None)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]

    def unfinished(self, model: str) -> int:
        del model
        return 0


@pytest.fixture(scope="module")
def staircases() -> dict[str, Outcome]:
    specs = [EpisodeSpec(cell_of("staircase"), seed, 0) for seed in range(len(DOMAINS))]
    return {DOMAINS[spec.scene_seed]: played(spec) for spec in specs}


def rows_of(staircases: Mapping[str, Outcome], *, backwards: bool = False) -> Rows:
    steps, episodes = [], []
    for seed, (domain, outcome) in enumerate(staircases.items()):
        common = {"episode_id": f"e{seed}", "scene_seed": seed, "run": 0, "superseded": False}
        for number, row in enumerate(outcome.steps, 1):
            steps.append(common | {"step": number, "ask": number} | row)
        episodes.append(
            common
            | {"condition": "staircase", "model": MODEL, "temperature": 0.0, "error_kind": "none"}
            | {"domain": domain}
        )
    return Rows(steps[::-1], episodes[::-1]) if backwards else Rows(steps, episodes)


def chosen(rows: Rows, seeds: int = 160, **axes: str) -> list[EpisodeSpec]:
    cell = cell_of("exp1", channel="natural", level="staircase", **axes)
    listing = FAMILY.listing_of(cell)
    assert listing is not None
    shape = Shape(range(seeds), 1, (MODEL,), {"bank": ""}, "s.yaml: stages.1")
    return list(listing.episodes(cell, shape, rows))


def planted(domain: str, level: int) -> float:
    return float(1 / (1 + np.exp(SLOPE * (level - MIDDLES[domain]))))


def expected(levels: Levels, curve: Any) -> float:
    above = curve[min(levels.low, LEVELS - 1)]
    return float(curve[levels.low - 1] * (1 - levels.share_above) + above * levels.share_above)


@pytest.mark.parametrize(
    ("middle", "slope", "floor"), [(3.0, 0.9, 0.0), (5.5, 0.5, 0.2), (8.0, 1.5, 0.1)]
)
def test_planted_curves_are_recovered(middle: float, slope: float, floor: float) -> None:
    """Without bias; one staircase of 60 answers is as far off as 60 coins make it (.063)."""
    curve = floor + (1 - floor) / (1 + np.exp(slope * (np.arange(1, LEVELS + 1) - middle)))
    rng, found = np.random.default_rng(7), []
    for _ in range(16):
        answers: list[tuple[int, bool]] = []
        for _ in range(TRIALS):
            level = next_level(answers)
            answers.append((level, bool(rng.random() < curve[level - 1])))
        found.append(expected(levels_for(curves_of([answers])[0]), curve))
    assert np.mean(found) == pytest.approx(0.60, abs=0.05)
    assert np.std(found) < 0.10


def test_domains_lend_each_other_what_they_have_in_common() -> None:
    """A domain with two answers is thought to be like its model's others; by itself it is not."""
    plenty = [(level, level <= 3) for level in (2, 3, 4, 5) for _ in range(15)]
    few = [(5, True), (5, False)]
    alone = levels_for(curves_of([few])[0])
    *others, lent = map(levels_for, curves_of([plenty] * 7 + [few]))
    assert all(levels.low == 3 for levels in others)
    assert others[0].low < lent.low + lent.share_above < alone.low + alone.share_above


def test_the_ends_of_the_scale_are_kept() -> None:
    always = [(level, True) for level in range(1, LEVELS + 1)] * 6
    never = [(level, False) for level in range(1, LEVELS + 1)] * 6
    assert levels_for(curves_of([always])[0]) == Levels(LEVELS, 0.0)
    assert levels_for(curves_of([never])[0]) == Levels(1, 0.0)


def test_a_staircase_goes_to_where_the_agent_stands(staircases: Mapping[str, Outcome]) -> None:
    for domain, outcome in staircases.items():
        assert len(outcome.steps) == TRIALS == max_asks(EpisodeSpec(cell_of("staircase"), 0, 0))
        assert {row["domain"] for row in outcome.steps} == {domain}
        later = [row["level"] for row in outcome.steps[20:]]
        assert abs(np.mean(later) - MIDDLES[domain]) < 2.0


def test_levels_follow_from_the_rows_alone(staircases: Mapping[str, Outcome]) -> None:
    rows = rows_of(staircases)
    first = chosen(rows)
    assert first == chosen(rows_of(staircases, backwards=True))
    assert [spec.given for spec in first] == [spec.given for spec in chosen(rows)]
    # More seeds leave those there were as they are.
    assert chosen(rows, seeds=80) == first[:80]


def test_the_agent_is_right_in_sixty_percent_at_its_own_levels(
    staircases: Mapping[str, Outcome],
) -> None:
    shares = []
    for spec in chosen(rows_of(staircases)):
        question = item_of(spec, "exp1", "natural").question
        assert {question.domain: question.level} == spec.given["levels"]
        assert question.level is not None
        shares.append(planted(question.domain, question.level))
    assert np.mean(shares) == pytest.approx(0.60, abs=0.05)


def test_a_domain_without_a_staircase_is_named(staircases: Mapping[str, Outcome]) -> None:
    some = {domain: staircases[domain] for domain in DOMAINS[:7]}
    with pytest.raises(SweepError, match="procedural"):
        chosen(rows_of(some))


def sweep(folder: Any, *stages: str) -> str:
    path = folder / "s.yaml"
    lines = "".join(f"  - {{family: metacog, runs: 1, temperature: [0.0], {s}}}\n" for s in stages)
    path.write_text(f"name: s\nmodels: [{MODEL}]\nstages:\n{lines}out: {folder / 'run'}\n")
    return str(path)


def test_what_follows_from_a_staircase_needs_one(tmp_path: Any) -> None:
    own = "conditions: [exp1], channel: [natural], seeds: 8, level: [staircase]"
    with pytest.raises(SweepError, match="staircase"):
        load_plan(sweep(tmp_path, own))
    stairs = "conditions: [staircase], seeds: 8"
    assert len(load_plan(sweep(tmp_path, stairs, own)).episodes) == 8
    # Experiment 9 follows from both; a level need not be quoted.
    parts = "conditions: [exp9-C1], seeds: 8, level: [staircase]"
    with pytest.raises(SweepError, match="conditions: \\[exp1\\]"):
        load_plan(sweep(tmp_path, stairs, parts))
    plain = "conditions: [exp1], channel: [natural], seeds: 8, level: [5]"
    plan = load_plan(sweep(tmp_path, plain))
    assert {spec.cell.variant_label for spec in plan.episodes} == {"paper+channel=natural+level=5"}
    assert item_of(plan.episodes[0], "exp1", "natural").question.level == 5
