"""Episodes of several models: who shares a room with whom, what it costs each, and who they are."""

from pathlib import Path
from typing import Any

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.providers.model import Limits, Model
from mirror_ray.records.usage import NO_USAGE, AskUsage, EpisodeUsage, Usage
from mirror_ray.sweep.estimate import by_model, estimate
from mirror_ray.sweep.file import SweepKeys
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.roles import all_models
from mirror_ray.sweep.sampling import KindSample, Samples, kind_of
from support.staged_run import staged_plan

A, B, C = "scripted/self-finder", "scripted/other-taker", "scripted/liar"
P = "human/p01"
ROOM = {"family": "dyad", "conditions": ["mirror"], "seeds": 2}


def pairs(tmp_path: Path, models: list[str], *stages: dict[str, Any]) -> list[tuple[str, ...]]:
    plan = staged_plan(tmp_path / "run", models, *stages)
    return [tuple(name for _, name in cell.models) for cell in plan.cells]


@pytest.mark.parametrize(
    ("partner", "expected"),
    [
        (None, [(A, A), (B, B)]),
        ("own", [(A, A), (B, B)]),
        ("each", [(A, A), (A, B), (B, A), (B, B)]),
        (C, [(A, C), (B, C)]),
        (["own", C], [(A, A), (A, C), (B, B), (B, C)]),
        # What is named twice is played once.
        (["each", A], [(A, A), (A, B), (B, A), (B, B)]),
        (["own", A], [(A, A), (B, B), (B, A)]),
    ],
)
def test_a_stage_says_who_shares_a_room(
    partner: object, expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    stage = ROOM if partner is None else {**ROOM, "partner": partner}
    assert pairs(tmp_path, [A, B], stage) == expected


@pytest.mark.parametrize(
    ("partner", "expected"), [("own", [(A, A)]), ("each", [(A, A)]), (C, [(A, C)])]
)
def test_a_person_shares_a_room_with_no_mind(
    partner: str, expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    alone = {**ROOM, "conditions": ["still"]}
    stages = {**ROOM, "partner": partner}, alone
    assert pairs(tmp_path, [A, P], *stages) == [*expected, (A,), (P,)]


def test_a_body_without_a_mind_has_no_model(tmp_path: Path) -> None:
    found = pairs(tmp_path, [A], {**ROOM, "conditions": ["mirror", "still"]})
    assert found == [(A, A), (A,)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"partner": []}, "stages.0.partner"),
        ({"partner": {"a": 1}}, "stages.0.partner"),
        ({"partner": [C, C]}, "stages.0.partner"),
        ({"partner": "nobody"}, "'nobody'"),
        ({"partner": ["own", P]}, "human/p01: a person"),
        ({"partner": C, "conditions": ["mirror", "still"]}, "give still a stage without it"),
        ({"partners": C}, "partner"),
        ({"family": "contingency", "conditions": ["twin"], "partner": C}, "partner"),
    ],
)
def test_who_cannot_be_there_is_refused(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(SweepError, match=says):
        staged_plan(tmp_path / "run", [A], {**ROOM, **change})


def test_a_model_that_sees_nothing_cannot_be_a_partner(tmp_path: Path) -> None:
    catalogue = tmp_path / "blind.yaml"
    catalogue.write_text("models:\n  openai/blind: {vision: false}\n")
    path = tmp_path / "run.yaml"
    # Where the subject moves first, the partner is shown pictures all the same.
    stage = "{family: dyad, conditions: [mirror], seeds: [0], partner: openai/blind}"
    path.write_text(
        f"name: s\nmodels: [{A}]\nstages: [{stage}]\nout: {tmp_path}/run\ncatalogue: blind.yaml\n"
    )

    with pytest.raises(SweepError, match="openai/blind in dyad mirror, which shows pictures"):
        load_plan(str(path))


def test_pairs_are_cells_of_their_own_and_names_tell_them_apart(tmp_path: Path) -> None:
    plan = staged_plan(tmp_path / "run", [A, B], {**ROOM, "partner": "each"})
    assert len({cell.cell_id for cell in plan.cells}) == 4
    assert len({spec.episode_id for spec in plan.episodes}) == 8
    assert [(cell.model, cell.variant_label) for cell in plan.cells] == [
        (A, "plain"),
        (A, f"plain+partner={B}"),
        (B, f"plain+partner={A}"),
        (B, "plain"),
    ]


def test_all_models_of_a_sweep_are_those_of_its_partners_too() -> None:
    keys = SweepKeys.model_validate(
        {
            "name": "s",
            "models": [A],
            "stages": [{**ROOM, "partner": ["own", C]}, {**ROOM, "partner": "each"}],
            "out": "x",
        }
    )
    assert all_models(keys) == (A, C)


CELL = Cell("dyad", "mirror", (("subject", "lab/dear"), ("partner", "lab/cheap")), None, "plain")
SAMPLE = KindSample(
    episodes=2,
    asks=Range(40, 40, 40),
    max_asks=160,
    prompt_chars=4_000,
    longest_chars=4_000,
    reply_chars=400,
    reply_tokens=100,
    images_px=(),
    role_shares={"subject": 0.25, "partner": 0.75},
)


def hosted(name: str, usd: float) -> Model:
    prices = {"usd_per_mtok_in": usd, "usd_per_mtok_out": 0.0}
    return Model(name, "hosted", name, Limits(name), **prices)


def plan_of_two() -> Plan:

    return Plan(
        sweep=Sweep("s", "s", "out", None, EngineSettings(), {}),
        cells=(CELL,),
        episodes=tuple(EpisodeSpec(CELL, seed, 0) for seed in range(10)),
        models={one.name: one for one in (hosted("lab/dear", 10.0), hosted("lab/cheap", 1.0))},
    )


def test_each_model_pays_for_its_own_asks() -> None:
    plan = plan_of_two()
    found = by_model(
        estimate(plan, Samples({kind_of(CELL): SAMPLE}, None, None, 0.0, None), NO_USAGE)
    )
    (dear,), (cheap,) = found["lab/dear"], found["lab/cheap"]
    # 10 episodes of 40 asks, a quarter and three quarters of them, 1,000 tokens each.
    assert (dear.whole.calls.expected, cheap.whole.calls.expected) == (100, 300)
    assert dear.whole.cost_usd is not None
    assert cheap.whole.cost_usd is not None
    assert dear.whole.cost_usd.expected == pytest.approx(1.0)
    assert cheap.whole.cost_usd.expected == pytest.approx(0.3)
    assert (dear.is_first, cheap.is_first) == (True, False)
    assert dear.at_most.calls.expected == cheap.at_most.calls.expected == 800


def test_what_was_spent_is_divided_and_none_of_it_is_lost() -> None:
    plan = plan_of_two()
    ended = {spec.episode_id: EpisodeUsage(40, True, 40_000, 0, 0.13) for spec in plan.episodes[:5]}
    asks = tuple(
        AskUsage(plan.episodes[0].episode_id, 4_000, 2_000, None, 1.0, None, name)
        for name in ("lab/dear", "lab/cheap")
    )
    samples = Samples({kind_of(CELL): SAMPLE}, None, None, 0.0, None)
    (dear,), (cheap,) = by_model(estimate(plan, samples, Usage(ended, asks))).values()
    assert dear.spent_usd + cheap.spent_usd == pytest.approx(5 * 0.13)
    # By prices and shares: 10 × ¼ to 1 × ¾.
    assert dear.spent_usd / cheap.spent_usd == pytest.approx(10 / 3)
    assert dear.ended == cheap.ended == 5
    assert dear.left.calls.expected == pytest.approx(50)
    assert cheap.left.calls.expected == pytest.approx(150)
